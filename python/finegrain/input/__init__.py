# SPDX-License-Identifier: BSD-3-Clause
"""From the user's TOML and files to a checked job in engine units."""

from finegrain.input.check import Report, check
from finegrain.input.job import JobInfo, make_job, read_job_info
from finegrain.input.load import Input, load_input

__all__ = [
    "Input",
    "JobInfo",
    "Report",
    "check",
    "load_input",
    "make_job",
    "read_job_info",
]
