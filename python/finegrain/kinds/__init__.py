# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of runs, and what chooses between them."""
