# SPDX-License-Identifier: BSD-3-Clause
"""A box that shrinks beyond what its division allows ends the run; nothing is missed silently."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job

import finegrain as fg
from finegrain.errors import FinegrainError


def test_a_box_too_small_for_its_cutoff_ends_the_run(tmp_path: Path) -> None:
    """At 8 kbar an edge of water shrinks by far more than 4 %, from 25 Å."""
    dynamics = {
        "ensemble": "npt",
        "pressure": "8000 bar",
        "barostat_time": "1 ps",
        "friction": "10 1/ps",
        "steps": 2000,
    }
    forces = FAST_WATER_FORCES | {"cutoff": "12 Å", "ewald_coefficient": "0.3 1/Å"}
    job = make_job(tmp_path / "job", "water", forces, dynamics, output={"energy_interval": 10})
    with pytest.raises(FinegrainError) as caught:
        fg.run(job, tmp_path / "run", pes=1)
    (problem,) = caught.value.problems
    assert caught.value.kind == "numerics"
    assert "too small" in problem.what
    assert problem.where.startswith("step ")
    assert problem.limit.startswith("widths of at least ")
    assert "shorter [forces] cutoff" in problem.hint
    # The box of the last row still has room.
    edge = fg.read_energies(tmp_path / "run")["volume (nm3)"][-1] ** (1 / 3)
    assert edge >= 2 * 1.2
