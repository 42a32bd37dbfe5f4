# SPDX-License-Identifier: BSD-3-Clause
"""Vibrations of H2O and CO2: from trajectories, and from differences of the forces of two programs.

With FINEGRAIN_FIGURES=bench/results/vibrations.json the figures for the manual are kept.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import vibrating
from figures import keep
from measure_pw import compute
from vibrating import IN_WAVE_NUMBERS, Molecule

from finegrain import units

pytestmark = pytest.mark.physics

MASS, MASS_CUTOFF = 400.0, 1.5  # electron masses, hartree: the defaults
LENGTH = 200.0  # fs
TIMESTEPS = {"born-oppenheimer": 0.5, "car-parrinello": 0.1}  # fs


@pytest.mark.skipif(shutil.which("pw.x") is None, reason="needs pw.x")
@pytest.mark.parametrize(
    ("name", "make"), [("H2O", vibrating.water), ("CO2", vibrating.carbon_dioxide)]
)
def test_frequencies_of_a_trajectory_are_those_of_finite_differences(
    name: str, make: Callable[[], Molecule], tmp_path: Path
) -> None:
    molecule, hessian = vibrating.relaxed_with_hessian(make(), tmp_path / "relaxed")
    masses = molecule.masses()
    expected, vectors = vibrating.modes(hessian, masses, molecule.vibrations)
    by_pw, _ = vibrating.modes(
        vibrating.hessian_of(lambda one: np.array(compute(one.system)["forces"]), molecule),
        masses,
        molecule.vibrations,
    )
    heavier = vibrating.masses_of_orbitals(molecule, tmp_path / "response", MASS, MASS_CUTOFF)
    slowed, _ = vibrating.modes(hessian, np.diag(masses) + heavier, molecule.vibrations)
    velocities = vibrating.start_velocities(vectors)
    found = {}
    for kind, timestep in TIMESTEPS.items():
        dynamics = (
            f'kind = "{kind}"',
            f'timestep = "{timestep} fs"',
            f"steps = {round(LENGTH / timestep)}",
            *([f"fictitious_mass = {MASS}"] if kind == "car-parrinello" else []),
        )
        done = vibrating.run(molecule, velocities, tmp_path / kind, *dynamics)
        found[kind] = vibrating.frequencies_of(done, vectors, masses, timestep / units.time_in_fs)
    kept = {
        "finite_differences": expected,
        "pw": by_pw,
        **{kind.replace("-", "_"): values for kind, values in found.items()},
        "predicted": slowed,
    }
    keep(
        "vibrations",
        name,
        **{key: [round(float(w) * IN_WAVE_NUMBERS, 2) for w in kept[key]] for key in kept},
    )
    wave_numbers = {key: values * IN_WAVE_NUMBERS for key, values in kept.items()}
    # Both programs find the same forces to 1e-6 hartree/bohr.
    np.testing.assert_allclose(wave_numbers["pw"], wave_numbers["finite_differences"], atol=2)
    # The fit of a few periods, and anharmonic shifts.
    np.testing.assert_allclose(
        wave_numbers["born_oppenheimer"], wave_numbers["finite_differences"], atol=5
    )
    # Slower by some per cent, and by as much as the masses of the orbitals say.
    assert (wave_numbers["car_parrinello"] < 0.99 * wave_numbers["finite_differences"]).all()
    np.testing.assert_allclose(
        wave_numbers["car_parrinello"], wave_numbers["predicted"], rtol=0.005
    )
