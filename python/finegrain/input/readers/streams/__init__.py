# SPDX-License-Identifier: BSD-3-Clause
"""Files of CHARMM parameters and what they name: streams, parts of streams, lists of files."""
