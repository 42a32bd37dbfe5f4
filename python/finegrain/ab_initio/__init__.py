# SPDX-License-Identifier: BSD-3-Clause
"""Ab initio runs: input, job and results."""
