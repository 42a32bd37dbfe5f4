# SPDX-License-Identifier: BSD-3-Clause
"""Long runs under baths: volumes, their distribution, pressures, conserved energy.

False alarms are for a new seed; the tests' own seeds are fixed.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from npt_runs import (
    PISTON,
    RESCALING,
    block_error,
    equilibrated,
    inefficiency,
    table_of,
)
from numpy.typing import NDArray
from scipy import optimize, stats

pytestmark = pytest.mark.physics

State = dict[str, NDArray[np.float64]]
KT = 8.31446261815324e-3 * 300  # kJ/mol
BAR = 0.0602214076  # kJ/mol/nm^3
DRIFT_LIMIT = 5e-5  # kJ/mol/ps per atom


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> State:
    return equilibrated(tmp_path_factory.mktemp("equilibrated"))


@pytest.fixture(scope="session")
def at_one_bar(start: State, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """120 ps by stochastic rescaling at 1 bar."""
    return table_of(tmp_path_factory.mktemp("one_bar"), start, RESCALING, 120)


@pytest.fixture(scope="session")
def by_piston(start: State, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """120 ps by a piston and velocity rescaling at 1 bar."""
    return table_of(tmp_path_factory.mktemp("piston"), start, PISTON, 120)


@pytest.mark.parametrize("run", ["at_one_bar", "by_piston"])
def test_volume_and_its_fluctuation_are_those_of_openmm(
    run: str, request: pytest.FixtureRequest
) -> None:
    """Mean and variance of the volume against a Monte Carlo barostat, within 4 errors (1e-4)."""
    table = request.getfixturevalue(run)
    theirs = json.loads((Path(__file__).parent / "data" / "water_volume.json").read_text())
    volume = table["volume (nm3)"][table["time (ps)"] > 5]
    spread = (volume - volume.mean()) ** 2
    for name, ours, error in (
        ("volume_nm3", volume.mean(), block_error(volume)),
        ("variance_nm6", spread.mean(), block_error(spread)),
    ):
        short = name.split("_")[0]
        their_error = theirs[name.replace(short, f"{short}_error")]
        both = math.hypot(error, their_error)
        print(
            f"{run}: {name} {ours:.5f} +- {error:.5f}, "
            f"OpenMM {theirs[name]:.5f} +- {their_error:.5f}"
        )
        assert abs(ours - theirs[name]) <= 4 * both


def independent(volume: NDArray[np.float64]) -> NDArray[np.float64]:
    return volume[:: math.ceil(inefficiency(volume))]


def test_volumes_at_two_pressures_have_the_ratio_of_the_isobaric_ensemble(
    start: State, at_one_bar: dict[str, Any], tmp_path: Path
) -> None:
    """ln(p2 / p1) of a volume is linear in it with the slope (P1 - P2) / kT.

    The slope by maximum likelihood, from decorrelated samples; its error from the curvature.
    Source: Shirts, J. Chem. Theory Comput. 9, 909 (2013). Within 3.5 errors: false alarms 5e-4.
    """
    high = 500
    table = table_of(tmp_path, start, RESCALING | {"pressure": f"{high} bar"}, 120)
    one, two = (independent(t["volume (nm3)"][t["time (ps)"] > 10]) for t in (at_one_bar, table))
    middle = 0.5 * (one.mean() + two.mean())
    offset = math.log(len(two) / len(one))

    def cost(x: NDArray[np.float64]) -> float:
        at_one = offset + x[0] + x[1] * (one - middle)
        at_two = offset + x[0] + x[1] * (two - middle)
        return float(np.logaddexp(0, at_one).sum() + np.logaddexp(0, -at_two).sum())

    found = optimize.minimize(cost, [0.0, -10.0], method="BFGS")
    both = np.concatenate([one, two]) - middle
    share = 1 / (1 + np.exp(-(offset + found.x[0] + found.x[1] * both)))
    weights = share * (1 - share)
    moments = [(weights * both**n).sum() for n in range(3)]
    error = math.sqrt(moments[0] / (moments[0] * moments[2] - moments[1] ** 2))
    exact = (1 - high) * BAR / KT
    print(
        f"slope {found.x[1]:.3f} +- {error:.3f} 1/nm^3, exact {exact:.3f}, "
        f"{len(one)} and {len(two)} samples"
    )
    assert min(len(one), len(two)) > 20
    assert abs(found.x[1] - exact) <= 3.5 * error


@pytest.mark.parametrize("coupling", ["semi-isotropic", "anisotropic"])
def test_mean_pressures_along_all_axes_are_the_target(
    coupling: str, start: State, tmp_path: Path
) -> None:
    """At 1000 bar, far from the start, so that a wrong sign or share shows; 4 errors (1e-4)."""
    target = 1000.0
    dynamics = RESCALING | {"pressure": f"{target} bar", "pressure_coupling": coupling}
    table = table_of(tmp_path, start, dynamics, 60)
    late = table["time (ps)"] > 10
    xx, yy, zz = (table[f"pressure {axis} (bar)"][late] for axis in ("xx", "yy", "zz"))
    groups = {"xx": xx, "yy": yy, "zz": zz}
    if coupling == "semi-isotropic":
        groups = {"xy": 0.5 * (xx + yy), "zz": zz}
    for axis, pressure in groups.items():
        error = block_error(pressure)
        print(f"{coupling} {axis}: {pressure.mean():.0f} +- {error:.0f} bar, target {target:.0f}")
        assert abs(pressure.mean() - target) <= 4 * error


@pytest.mark.parametrize(
    ("name", "dynamics"),
    [
        ("nve", {"ensemble": "nve"}),
        ("langevin", {"ensemble": "nvt"}),
        ("velocity rescaling", {"ensemble": "nvt", "thermostat": "velocity-rescaling"}),
        ("stochastic rescaling, langevin", RESCALING),
        (
            "stochastic rescaling, velocity rescaling",
            RESCALING | {"thermostat": "velocity-rescaling"},
        ),
        ("piston, velocity rescaling", PISTON),
        ("piston, langevin", PISTON | {"thermostat": "langevin"}),
    ],
)
def test_the_conserved_energy_does_not_drift(
    name: str, dynamics: dict[str, Any], start: State, tmp_path: Path
) -> None:
    """40 ps; the slope by least squares keeps the limit of 5e-5 kJ/mol/ps per atom.

    Its error accounts for the correlation of the residuals.
    """
    forces = {"switch": "6.5 Å", "pair_list_tolerance": "1e-6 kJ/mol/ps"}
    table = table_of(tmp_path, start, dynamics, 40, forces)
    time, energy = table["time (ps)"], table["conserved energy (kJ/mol)"]
    fit = stats.linregress(time, energy)
    rest = energy - fit.intercept - fit.slope * time
    error = fit.stderr * math.sqrt(inefficiency(rest))
    atoms = 1503
    print(f"{name}: drift {fit.slope / atoms:.2e} +- {error / atoms:.1e} kJ/mol/ps/atom")
    assert abs(fit.slope) / atoms <= DRIFT_LIMIT
