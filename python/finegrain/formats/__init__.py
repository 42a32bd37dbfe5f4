# SPDX-License-Identifier: BSD-3-Clause
"""File formats of other programs that `convert` writes, one module for each."""
