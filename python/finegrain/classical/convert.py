# SPDX-License-Identifier: BSD-3-Clause
"""The trajectory of a classical run, or its last state, in the formats of other programs."""

from __future__ import annotations

from pathlib import Path

from finegrain.classical.job import Job
from finegrain.classical.staged_run import StagedRun
from finegrain.errors import InputError
from finegrain.formats.conversion import RunFiles, convert_trajectory
from finegrain.formats.joined_trajectory import Part
from finegrain.runs.conversion import ConversionOptions
from finegrain.runs.folder.directory import RunDirectory


def convert_run(folder: RunDirectory, asked: ConversionOptions) -> Path:
    """Write the trajectory of a classical run, as `finegrain.convert` does."""
    return _convert(RunFiles(folder.path, folder), asked)


def convert_stages(run: StagedRun, asked: ConversionOptions) -> Path:
    """Write the trajectories of all stages that have begun as one; or the last state."""
    begun = [folder for folder in run.folders if folder.trajectory.is_file()]
    if not begun:
        what, hint = "no stage has begun yet", f"finegrain resume {run.path}"
        raise InputError(what, where=str(run.path), hint=hint)
    jobs = [Job(folder.job) for folder in begun]
    parts = [
        Part(folder.trajectory, job.steps, job.steps * job.timestep_fs / 1000)
        for folder, job in zip(begun, jobs, strict=True)
    ]
    before = sum(part.steps for part in parts[:-1]), sum(part.time for part in parts[:-1])
    return _convert(RunFiles(run.path, begun[-1], parts, before), asked)


def _convert(files: RunFiles, asked: ConversionOptions) -> Path:
    asked.refuse(("orbital",), "a classical run has no orbitals")
    if asked.wrap:
        asked.refuse(("center", "fit"), "needs whole molecules, which --wrap cuts")
    return convert_trajectory(files, asked, Job, whole=not asked.wrap)
