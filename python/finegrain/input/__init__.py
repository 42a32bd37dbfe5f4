# SPDX-License-Identifier: BSD-3-Clause
"""From the user's TOML and files to a checked job in engine units."""

from finegrain.input.check import Report, StagedReport, check, check_stages
from finegrain.input.job import JobInfo, make_job, read_job_info
from finegrain.input.load import Input, load_input

__all__ = [
    "Input",
    "JobInfo",
    "Report",
    "StagedReport",
    "check",
    "check_stages",
    "load_input",
    "make_job",
    "read_job_info",
]
