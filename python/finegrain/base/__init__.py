# SPDX-License-Identifier: BSD-3-Clause
"""What everything may use: paths and numbers of callers, cells, names of units, safe text."""
