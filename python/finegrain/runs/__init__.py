# SPDX-License-Identifier: BSD-3-Clause
"""What runs of all kinds have in common: job, options, results, the order of a run."""
