# SPDX-License-Identifier: BSD-3-Clause
"""The trajectory of a classical run, or its last state, in the formats of other programs."""

from __future__ import annotations

from pathlib import Path

from finegrain.classical.job import Job
from finegrain.errors import InputError
from finegrain.formats.conversion import convert_trajectory
from finegrain.runs.conversion import ConversionOptions
from finegrain.runs.folder.directory import RunDirectory


def convert_run(folder: RunDirectory, asked: ConversionOptions) -> Path:
    """Write the trajectory of a classical run, as `finegrain.convert` does."""
    if asked.orbital is not None:
        hint = "leave it out"
        raise InputError("a classical run has no orbitals", where="--orbital", hint=hint)
    return convert_trajectory(folder, asked, Job, whole=not asked.wrap)
