# SPDX-License-Identifier: BSD-3-Clause
"""The functions behind the commands, for scripts and notebooks."""

from __future__ import annotations

from finegrain.api.batch import slurm_script
from finegrain.api.inputs import check, default_directory, load, prepare
from finegrain.api.liquid import prepare_liquid
from finegrain.api.running import energy, open_run, refuse_other_version, resume, run

__all__ = [
    "check",
    "default_directory",
    "energy",
    "load",
    "open_run",
    "prepare",
    "prepare_liquid",
    "refuse_other_version",
    "resume",
    "run",
    "slurm_script",
]
