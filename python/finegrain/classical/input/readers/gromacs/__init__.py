# SPDX-License-Identifier: BSD-3-Clause
"""Files of GROMACS."""
