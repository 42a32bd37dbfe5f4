# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of waters, and what the engine says of them when another program has changed them."""

from pathlib import Path

import h5py
import pytest
from input_systems import write_waters

from finegrain import _engine
from finegrain.classical.job import Job
from finegrain.classical.preparation.job import make_job
from finegrain.files.seal import seal


def job_of(folder: Path, words: str) -> Job:
    """Return the job that an input makes."""
    make_job(write_waters(folder, words), folder / "job.h5")
    return Job(folder / "job.h5")


def expect_refusals(job: Job, changes: tuple[tuple[str, str, int, str], ...]) -> None:
    """Check that the engine refuses the job with each change: group, key, value, words."""
    image = job.path.read_bytes()
    for group, key, value, what in changes:
        job.path.write_bytes(image)
        with h5py.File(job.path, "r+") as file:
            old = file[group].attrs[key]
            file[group].attrs[key] = type(old)(value)
        seal(job.path)
        with pytest.raises(_engine.EngineError, match=what):
            _engine.energy(str(job.path), pes=1)
