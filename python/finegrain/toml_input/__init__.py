# SPDX-License-Identifier: BSD-3-Clause
"""What inputs of all kinds of runs share: TOML with line numbers, fields with units, problems."""
