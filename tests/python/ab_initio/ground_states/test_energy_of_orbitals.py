# SPDX-License-Identifier: BSD-3-Clause
"""The energy of orbitals that are not those of the ground state, and its slope by them.

A search is stopped early; the plain program takes the orbitals that it has kept. Energy and
residual have to be those of the engine, and the residual the slope of the energy.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
from engine_runs import engine_input
from plain_kohn_sham import System, energy
from plain_kohn_sham.nonlocal_part import Projections
from reference_systems import silicon_dojo, water_pbe_triclinic

import finegrain as fg
from finegrain.ab_initio.states.ground_state import GroundState
from finegrain.errors import FinegrainError

SYSTEMS: dict[str, Callable[[], System]] = {
    "water PBE": lambda: replace(water_pbe_triclinic(), pw_rules=False),
    "silicon with model core": silicon_dojo,
}


def kept_coefficients(path: Path, system: System) -> np.ndarray:
    """Return the orbitals of a checkpoint on the waves of the plain program."""
    with h5py.File(path) as file:
        waves, table = file["waves"][...], file["orbitals"][...]
    values = table[..., 0] + 1j * table[..., 1]
    place = {tuple(index): number for number, index in enumerate(waves.tolist())}
    result = np.empty((len(values), len(system.basis.waves.index)), complex)
    for number, index in enumerate(system.basis.waves.index.tolist()):
        if (at := place.get(tuple(index))) is not None:
            result[:, number] = values[:, at]
        else:  # of G and -G one is there
            result[:, number] = values[:, place[tuple(-i for i in index)]].conj()
    return result


def orthonormal(system: System, c: np.ndarray) -> np.ndarray:
    """Return C S^(-1/2)."""
    values, vectors = np.linalg.eigh(energy.inner(system, c, c))
    return (vectors / np.sqrt(values)) @ vectors.T @ c


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_residual_is_the_slope_of_the_energy_by_coefficients(name: str, tmp_path: Path) -> None:
    system = SYSTEMS[name]()
    lines = ("[ground_state]", 'start = "random"', "iterations = 4")
    source = engine_input(system, tmp_path, *lines)
    with pytest.raises(FinegrainError, match="did not converge"):
        fg.run(source, tmp_path / "run", pes=2)
    found = GroundState(tmp_path / "run")
    c = kept_coefficients(tmp_path / "run" / "checkpoint.h5", system)
    of_ions, _ = energy.ions(system)
    projections = Projections.of(system)

    def energy_at(orbitals: np.ndarray) -> energy.State:
        return energy.evaluate(system, orthonormal(system, orbitals), projections, of_ions)

    np.testing.assert_allclose(energy.inner(system, c, c), np.eye(len(c)), atol=1e-12)
    state = energy_at(c)
    assert state.total == pytest.approx(found.energy, abs=1e-11)
    gradient = state.applied - energy.inner(system, state.applied, c) @ c
    assert np.abs(gradient).max() == pytest.approx(found.residual, rel=1e-9)
    assert found.residual > 1e-3
    # Along a random direction in the space of all changes, of norm 1 for each orbital.
    rng = np.random.default_rng(3)
    for _ in range(3):
        d = rng.standard_normal(c.shape) + 1j * rng.standard_normal(c.shape)
        d /= 1 + system.basis.waves.length**4
        d[:, 0] = d[:, 0].real
        d /= np.sqrt(np.diag(energy.inner(system, d, d)))[:, None]
        step = 5e-4
        near, far = (
            energy_at(c + k * step * d).total - energy_at(c - k * step * d).total for k in (1, 2)
        )
        slope = (8 * near - far) / (12 * step)
        # Occupation 2, and a coefficient and its conjugate.
        expected = 2 * system.occupation * np.trace(energy.inner(system, gradient, d))
        assert slope == pytest.approx(expected, abs=1e-8)
