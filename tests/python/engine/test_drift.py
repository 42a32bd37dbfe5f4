# SPDX-License-Identifier: BSD-3-Clause
"""Which rows the drift of the conserved energy is fitted to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from engine_jobs import FAST_WATER_FORCES, make_job

import finegrain as fg

STEPS = 40


def slope(run: fg.Run, first: int) -> float:
    """Return the slope by numpy, from row `first` on, kJ/mol/ps for each atom."""
    table = run.energies()
    energy = table["conserved energy (kJ/mol)"][first:]
    return float(np.polyfit(table["time (ps)"][first:], energy, 1)[0]) / run.job.atoms


@pytest.mark.parametrize(
    ("dynamics", "first"),
    [
        ({"ensemble": "nvt", "friction": "1 1/ps"}, 1),
        ({"ensemble": "nvt", "thermostat": "velocity-rescaling"}, 0),
        ({"ensemble": "nve"}, 0),
    ],
    ids=("langevin", "velocity-rescaling", "nve"),
)
def test_the_first_row_counts_unless_its_velocities_lack_a_kick(
    dynamics: dict[str, str], first: int, tmp_path: Path
) -> None:
    """Velocities of Langevin dynamics are half a kick behind in all rows but the first."""
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
    assert told == pytest.approx(slope(run, first), abs=1e-7)
    assert abs(told - slope(run, 1 - first)) > 1e-3
    parts = fg.run(job, tmp_path / "parts", pes=1, stop_after=20)
    assert not parts.finished
    resumed = fg.resume(parts, pes=1)
    assert resumed.result["energy_drift"] == pytest.approx(told, rel=1e-9)
    (parts.path / "result.json").unlink()  # now the figures come from the files alone
    assert fg.resume(parts, pes=1).result["energy_drift"] == pytest.approx(told, abs=1e-7)
