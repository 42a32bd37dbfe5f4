# SPDX-License-Identifier: BSD-3-Clause
"""From an ab initio input to a checked job, with all problems found on the way."""
