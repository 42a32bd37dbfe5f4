# SPDX-License-Identifier: BSD-3-Clause
"""How errors, tables, numbers and progress are written for a reader."""
