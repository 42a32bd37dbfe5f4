# SPDX-License-Identifier: BSD-3-Clause
"""Runs at constant pressure: resumed anywhere they give the same results; boxes that go wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_jobs import FAST_WATER_FORCES, digest, interrupted, make_job, state_of

from finegrain import _engine
from finegrain.classical.job import Job
from finegrain.files.seal import is_whole
from finegrain.runs.checkpoints import step_of_checkpoint
from finegrain.runs.energies import read_energies

STEPS = 100
FORCES = FAST_WATER_FORCES | {"rebuild_interval": 10, "prune_interval": 5}
OUTPUT = {"energy_interval": 3, "trajectory_interval": 0}


def npt_job(folder: Path, forces: dict[str, Any] | None = None, **dynamics: Any) -> Job:
    """A box of water at constant pressure, with a row of energies every 3 steps."""
    dynamics = {"ensemble": "npt", "steps": STEPS} | dynamics
    return make_job(folder, "water", forces or FORCES, dynamics, output=OUTPUT)


each_bath = pytest.mark.parametrize(
    "baths",
    [
        {"barostat_time": "0.2 ps"},
        {"pressure_coupling": "anisotropic", "thermostat": "velocity-rescaling"},
        {
            "barostat": "langevin-piston",
            "thermostat": "velocity-rescaling",
            "piston_period": "0.3 ps",
        },
    ],
    ids=["rescaling", "anisotropic", "piston"],
)


@each_bath
def test_a_resumed_run_has_the_same_digest_and_rows(baths: dict[str, str], tmp_path: Path) -> None:
    """Stopped anywhere between two scalings; rows hold the box, pressures and conserved energy."""
    job = npt_job(tmp_path / "job", **baths)
    out = tmp_path / "out"
    expected = digest(job, out, pes=2)
    rows = (out / "energies.csv").read_bytes()
    volumes = read_energies(out)["volume (nm3)"]
    assert len(np.unique(volumes)) == STEPS // 10 + 1
    for stop in (1, 10, 41, 58):
        assert interrupted(job, out, stop, 2, 1) == expected, stop
        assert (out / "energies.csv").read_bytes() == rows, stop


@each_bath
def test_a_run_made_longer_at_a_scaling_is_the_long_run(
    baths: dict[str, str], tmp_path: Path
) -> None:
    job = npt_job(tmp_path / "job", **baths)
    expected = digest(job, tmp_path / "long", pes=2)
    out = tmp_path / "out"
    _engine.run(str(job.path), str(out), pes=2, steps=60)
    longer = _engine.run(str(job.path), str(out), pes=1, resume=str(out / "checkpoint.h5"))
    assert longer["state_digest"] == expected
    rows = (out / "energies.csv").read_bytes()
    assert rows == (tmp_path / "long" / "energies.csv").read_bytes()


@each_bath
def test_a_longer_run_keeps_its_conserved_energy(baths: dict[str, str], tmp_path: Path) -> None:
    """The first part ends at step 63. The second one computes the row of this step again.

    Its lists are new, so that sums are rounded in another order: 4e-8 kJ/mol for each object. It
    lacks samples for the scaling at step 70. The work of a scaling is of the order of 1 kJ/mol.
    """
    job = npt_job(tmp_path / "job", FORCES | {"precision": "double"}, **baths)
    out = tmp_path / "out"
    _engine.run(str(job.path), str(out), pes=2, steps=63)
    before = read_energies(out)
    longer = _engine.run(str(job.path), str(out), pes=2, resume=str(out / "checkpoint.h5"))
    assert longer["finished"]
    after = read_energies(out)
    for name in ("total energy (kJ/mol)", "conserved energy (kJ/mol)"):
        assert after[name][:21] == pytest.approx(before[name][:21], abs=0)
        assert after[name][21] == pytest.approx(before[name][21], abs=1e-4)
    assert after["step"][21] == 63
    assert after["volume (nm3)"][24] == before["volume (nm3)"][21]
    assert after["volume (nm3)"][27] != before["volume (nm3)"][21]


def test_a_box_that_collapses_ends_the_run_and_leaves_a_good_checkpoint(tmp_path: Path) -> None:
    """An edge loses some per cent every 10 steps, until the box is too small for the cutoff."""
    job = make_job(
        tmp_path / "job",
        "water",
        FORCES | {"cutoff": "12 Å", "ewald_coefficient": "0.3 1/Å"},
        {"ensemble": "npt", "steps": 2000, "pressure": "8000 bar", "barostat_time": "1 ps"},
        output=OUTPUT,
    )
    out = tmp_path / "out"
    _engine.run(str(job.path), str(out), pes=2, stop_after=10)
    with pytest.raises(_engine.EngineError) as raised:
        _engine.run(str(job.path), str(out), pes=2, resume=str(out / "checkpoint.h5"))
    assert raised.value.exit_status == 3
    assert "too small" in raised.value.what
    assert raised.value.where.startswith("step ")
    assert raised.value.limit.startswith("widths of at least ")
    assert "shorter [forces] cutoff" in raised.value.hint
    # The box of the last row still has room.
    edge = read_energies(out)["volume (nm3)"][-1] ** (1 / 3)
    assert edge >= 2 * 1.2
    checkpoint = out / "checkpoint.h5"
    assert is_whole(checkpoint)
    saved = step_of_checkpoint(checkpoint)
    assert saved >= 10
    assert np.isfinite(state_of(checkpoint)["position"]).all()
    again = _engine.run(
        str(job.path), str(out), pes=2, resume=str(checkpoint), stop_after=saved + 1
    )
    assert again["steps"] > saved
