# SPDX-License-Identifier: BSD-3-Clause
"""Classical dynamics: from an input to a job, and results."""
