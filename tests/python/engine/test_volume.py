# SPDX-License-Identifier: BSD-3-Clause
"""Boxes whose volume changes: trials of a Monte Carlo barostat, and boxes that need another cut."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job

import finegrain as fg
from finegrain.jobs import Job

TRIALS: dict[str, Any] = {
    "ensemble": "npt",
    "barostat": "monte-carlo",
    "barostat_interval": 20,
    "steps": 80,
}
# The pressure that it aims at makes each edge about 3 % shorter at every rebuild; the first box
# holds three patches of this width on each axis.
CRUSH: dict[str, Any] = {
    "ensemble": "npt",
    "pressure": "99000 bar",
    "barostat_time": "0.5 ps",
    "steps": 60,
}
FORCES = FAST_WATER_FORCES | {"rebuild_interval": 10, "prune_interval": 5}
OUTPUT = {"energy_interval": 10, "trajectory_interval": 20}


@pytest.fixture(scope="module", params=[TRIALS, CRUSH], ids=["trials", "cuts"])
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Job:
    folder = tmp_path_factory.mktemp("job")
    return make_job(folder, "water", FORCES, request.param, output=OUTPUT)


def volumes(folder: Path) -> list[float]:
    return [float(v) for v in fg.open_run(folder).energies["volume"]]


def test_a_run_goes_on_from_its_checkpoints(job: Job, tmp_path: Path) -> None:
    """Stopped at every rebuild, also at those with a trial or another cut."""
    straight = fg.run(job, tmp_path / "straight", pes=2)
    for stop in (10, 20, 30, 40, 50):
        out = tmp_path / str(stop)
        assert fg.run(job, out, pes=1, stop_after=stop).steps == stop
        done = fg.resume(out, pes=2)
        assert done.state_digest == straight.state_digest, stop
        assert (out / "energies.csv").read_bytes() == (
            tmp_path / "straight" / "energies.csv"
        ).read_bytes()
