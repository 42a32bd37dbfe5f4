# SPDX-License-Identifier: BSD-3-Clause
"""Long runs: every mode of molecules has its share, whatever the baths and their interval.

Momenta are exact: centres of molecules, their rotation and their inner motion have kT/2 for each
degree of freedom. A bond or an angle has not quite, because the liquid pulls at it. So their
energies are compared with those of Langevin dynamics with a quarter of the step at constant volume
(`test_the_reference`). FINEGRAIN_FIGURES keeps what is measured, see figures.py.
"""

import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from equipartition_runs import BAROSTATS, THERMOSTATS, Baths, Shares, methanol_run, peptide_run
from figures import keep

pytestmark = pytest.mark.physics

Reference = dict[str, tuple[float, float]]

# What a mode has in place of 1, and the error of this figure. Energies of bonds and angles are over
# kT/2 for each free bond, from `test_the_reference`.
METHANOL: Reference = {
    "temperature": (298.15, 0),
    "bond": (1.0134, 0.0047),
    "angle": (6.140, 0.021),
}
TEMPERATURE: Reference = {"temperature": (298.15, 0)}
# A peptide has six degrees of freedom as a whole. 48 runs scatter by 0.035 around 0.999 (the stored
# figures). One run finds its own error from few independent values: between 0.023 and 0.058.
LEAST_ERROR = {"peptide, whole": 0.035}
# The pressure of methanol at constant volume, a mean of twelve runs, and what baths may add to it.
SCATTER = 401  # bar
MOST_SCATTER = 1.15
INTERVALS = (4, 10, 12, 16, 20, 40)  # steps between two rebuilds of pair lists


def baths_and_intervals() -> Iterator[Any]:
    """Every bath with every barostat at two intervals; the matrix has the other four."""
    for number, (barostat, thermostat) in enumerate(product(BAROSTATS, THERMOSTATS)):
        for place, interval in enumerate(INTERVALS):
            marks = () if (place - number) % 3 == 0 else pytest.mark.matrix
            yield pytest.param(barostat, thermostat, interval, marks=marks)


def compare(section: str, name: str, shares: Shares, reference: Reference) -> None:
    """Keep the figures, and hold each against its share: within 1 % and three errors."""
    keep(section, name, **shares.figures())
    wrong = {}
    for mode, mean in shares.mean.items():
        expected, known = reference.get(mode, (1.0, 0.0))
        error = math.hypot(max(shares.error[mode], LEAST_ERROR.get(mode, 0)), known)
        if abs(mean - expected) > 0.01 * expected + 3 * error:
            wrong[mode] = (mean, expected, error)
    assert not wrong


def test_the_reference(tmp_path: Path) -> None:
    """The energies of bonds and angles of METHANOL."""
    baths = Baths("none", "Langevin", 40, 120, timestep=0.5)
    compare("methanol, 0.5 fs", "Langevin", methanol_run(tmp_path, baths), METHANOL)


@pytest.mark.parametrize(("barostat", "thermostat", "interval"), baths_and_intervals())
def test_methanol(barostat: str, thermostat: str, interval: int, tmp_path: Path) -> None:
    baths = Baths(barostat, thermostat, interval, 200)
    name = f"{barostat}, {thermostat}, {interval}"
    shares = methanol_run(tmp_path, baths)
    compare("methanol", name, shares, METHANOL)
    assert shares.others["pressure_scatter"] < MOST_SCATTER * SCATTER


@pytest.mark.parametrize("timestep", [0.5, 1])
@pytest.mark.parametrize("thermostat", THERMOSTATS)
@pytest.mark.parametrize("barostat", ["none", "stochastic rescaling"])
def test_shorter_steps(barostat: str, thermostat: str, timestep: float, tmp_path: Path) -> None:
    baths = Baths(barostat, thermostat, 16, 100, timestep)
    name = f"{barostat}, {thermostat}, {timestep:g} fs"
    compare("methanol, shorter steps", name, methanol_run(tmp_path, baths), METHANOL)


# A step of 4 fs is a sixth of a vibration of C-O, so every leapfrog scheme gives it too much energy
# (fast_bonds.py). Velocity rescaling shares the heat out as the scheme does: slow modes have
# (2 T + F) / 3, where F is the temperature of velocities at full steps, 0.937 T here (Jung,
# Kobayashi, Sugita, J. Chem. Theory Comput. 15, 84 (2019)); the inner motion has the rest.
# Langevin dynamics couples each mode to a bath of its own. Bonds are those of two runs of GROMACS
# 2022.5 with each bath (bench/accuracy/gromacs_equipartition.py): 1.0756 and 1.1005 with velocity
# rescaling, 1.0414 and 1.0511 with its sd, with errors of 0.005.
HEAVY: dict[str, Reference] = {
    "velocity rescaling": METHANOL
    | {"bond": (1.088, 0.012), "centres": (0.979, 0), "rotation": (0.979, 0), "inside": (1.016, 0)},
    "Langevin": METHANOL | {"bond": (1.0462, 0.0049)},
}


@pytest.mark.parametrize("thermostat", THERMOSTATS)
@pytest.mark.parametrize("barostat", ["none", "stochastic rescaling"])
def test_heavy_hydrogens(barostat: str, thermostat: str, tmp_path: Path) -> None:
    """Masses do not change the energies of bonds and angles, and steps of 4 fs become possible."""
    baths = Baths(barostat, thermostat, 10, 200, timestep=4, others={"hydrogen_mass": "3 Da"})
    name = f"{barostat}, {thermostat}, 4 fs"
    shares = methanol_run(tmp_path, baths)
    compare("methanol, heavy hydrogens", name, shares, HEAVY[thermostat])


@pytest.mark.parametrize(("barostat", "thermostat", "interval"), baths_and_intervals())
def test_peptide(barostat: str, thermostat: str, interval: int, tmp_path: Path) -> None:
    """A peptide is as warm as the water around it."""
    shares = peptide_run(tmp_path, Baths(barostat, thermostat, interval, 100))
    for energy in ("bond", "angle"):  # of so few bonds it is not known
        del shares.mean[energy]
    compare("peptide", f"{barostat}, {thermostat}, {interval}", shares, TEMPERATURE)
