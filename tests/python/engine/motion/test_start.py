# SPDX-License-Identifier: BSD-3-Clause
"""The velocities at the start of a run, from its first row of energies."""

import csv
import math
from pathlib import Path
from typing import Any

import pytest
from engine_jobs import WATER_FORCES, make_job

from finegrain import _engine

FREEDOM = 6 * 216 - 3  # rigid waters whose centre of mass is held


def first_temperature(folder: Path, dynamics: dict[str, Any], **others: Any) -> float:
    """Run one step and return the temperature (K) before it."""
    job = make_job(folder / "job", "water", WATER_FORCES, {"steps": 1} | dynamics, **others)
    _engine.run(str(job.path), str(folder / "out"), pes=1)
    with (folder / "out" / "energies.csv").open(encoding="utf-8") as table:
        return float(next(csv.DictReader(table))["temperature (K)"])


@pytest.mark.parametrize("minimise", ["none", "l-bfgs", "steepest-descent"])
def test_drawn_velocities_have_the_temperature_asked_for(tmp_path: Path, minimise: str) -> None:
    """Also after a minimisation, which turns bonds. Five sigma: false alarm in 2e6 runs."""
    sigma = 300 * math.sqrt(2 / FREEDOM)
    temperature = first_temperature(
        tmp_path, {"temperature": "300 K"}, minimise={"method": minimise, "steps": 20}
    )
    assert abs(temperature - 300) < 5 * sigma


@pytest.mark.parametrize("temperature", ["150 K", "300 K", None])
def test_atoms_that_are_to_rest_do(tmp_path: Path, temperature: str | None) -> None:
    dynamics: dict[str, Any] = {"velocities": "zero"}
    if temperature:
        dynamics["temperature"] = temperature
    assert first_temperature(tmp_path, dynamics) == 0
