# SPDX-License-Identifier: BSD-3-Clause
"""The commands of ``finegrain``, one function each; the work is done elsewhere."""
