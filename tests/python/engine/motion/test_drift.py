# SPDX-License-Identifier: BSD-3-Clause
"""The drift of the conserved energy: of all rows, in one run and in parts."""

from pathlib import Path

import numpy as np
import pytest
from engine_jobs import FAST_WATER_FORCES, make_job

import finegrain as fg

STEPS = 40


def slope(run: fg.Run) -> float:
    """Return the slope by numpy, kJ/mol/ps for each atom."""
    table = run.energies()
    energy = table["conserved energy (kJ/mol)"]
    return float(np.polyfit(table["time (ps)"], energy, 1)[0]) / run.job.atoms


@pytest.mark.parametrize(
    "dynamics",
    [
        {"ensemble": "nvt", "friction": "1 1/ps"},
        {"ensemble": "nvt", "thermostat": "velocity-rescaling"},
        {"ensemble": "nve"},
    ],
    ids=("langevin", "velocity-rescaling", "nve"),
)
def test_the_drift_is_the_slope_of_all_rows(dynamics: dict[str, str], tmp_path: Path) -> None:
    """Also of the first one, in which Langevin velocities are not half a kick behind."""
    job = make_job(
        tmp_path / "job",
        "water",
        FAST_WATER_FORCES,
        {"steps": STEPS, **dynamics},
        output={"energy_interval": 5},
    )
    run = fg.run(job, tmp_path / "whole", pes=1)
    told = run.result["energy_drift"]
    # energies.csv has 1e-6 of a kJ/mol, over 0.08 ps and 1,503 atoms
    assert told == pytest.approx(slope(run), abs=1e-7)
    # The kinetic energy of velocities half a kick behind is about 1 % larger: 40 kJ/mol here.
    energy = run.energies()["conserved energy (kJ/mol)"]
    assert abs(energy[0] - energy[1:].mean()) < 8
    parts = fg.run(job, tmp_path / "parts", pes=1, stop_after=20)
    assert not parts.finished
    resumed = fg.resume(parts, pes=1)
    assert resumed.result["energy_drift"] == pytest.approx(told, rel=1e-9)
    (parts.path / "result.json").unlink()  # now the figures come from the files alone
    assert fg.resume(parts, pes=1).result["energy_drift"] == pytest.approx(told, abs=1e-7)
