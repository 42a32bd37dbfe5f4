# SPDX-License-Identifier: BSD-3-Clause
"""Long runs under baths: the conserved energy does not drift."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from figures import keep
from npt_runs import PISTON, RESCALING, WATER, State

pytestmark = pytest.mark.physics

LIMIT = 5e-5  # kJ/mol/ps per atom
ATOMS = 1503
PARTS = 5
LENGTH = 10  # ps, of each part
FORCES = {"switch": "6.5 Å", "pair_list_tolerance": "1e-6 kJ/mol/ps"}
VELOCITY_RESCALING = {"thermostat": "velocity-rescaling"}
BATHS: dict[str, dict[str, Any]] = {
    "none": {"ensemble": "nve"},
    "Langevin": {"ensemble": "nvt"},
    "velocity rescaling": {"ensemble": "nvt"} | VELOCITY_RESCALING,
    "stochastic rescaling, Langevin": RESCALING,
    "stochastic rescaling, velocity rescaling": RESCALING | VELOCITY_RESCALING,
    "Langevin piston, velocity rescaling": PISTON,
    "Langevin piston, Langevin": PISTON | {"thermostat": "langevin"},
}


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> State:
    return WATER.equilibrated(tmp_path_factory.mktemp("equilibrated"), RESCALING, 10)


@pytest.mark.parametrize("bath", BATHS)
def test_the_conserved_energy_does_not_drift(bath: str, start: State, tmp_path: Path) -> None:
    """The mean slope of some runs keeps the limit within 4 of its errors.

    The integrator keeps an energy of its own, which differs a little from the printed one. What a
    bath changes of this difference adds up, so that the conserved energy also goes a random way,
    and a single run does not tell its error. The runs have other velocities and random numbers.
    With Student's t of five runs, 2 % of all means are beyond 4 errors, and fewer beyond the limit
    besides.
    """
    positions = {key: start[key] for key in ("position", "box")}
    slopes = []
    for part in range(PARTS):
        dynamics = BATHS[bath] | {"seed": part + 1}
        table = WATER.rows(tmp_path / str(part), positions, dynamics, LENGTH, FORCES)
        energy = table["conserved energy (kJ/mol)"] / ATOMS
        slopes.append(np.polyfit(table["time (ps)"], energy, 1)[0])
    drift, error = float(np.mean(slopes)), float(np.std(slopes, ddof=1) / math.sqrt(PARTS))
    keep("drift", bath, picoseconds=PARTS * LENGTH, drift=drift, drift_error=error)
    assert abs(drift) <= LIMIT + 4 * error
