# SPDX-License-Identifier: BSD-3-Clause
"""Car-Parrinello dynamics with forces of constraint, by the method of Verlet.

m(G) c'' = -f H c + sum of c_j X_ji with a symmetric matrix X, M R'' = F, in positions only: the
next ones follow from those of two steps. The kinetic energy of orbitals is sum of <c'|m|c'>.
Source: Car and Parrinello, Phys. Rev. Lett. 55, 2471 (1985).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import solve_sylvester

from plain_kohn_sham import energy
from plain_kohn_sham.energy import inner
from plain_kohn_sham.nonlocal_part import Projections
from plain_kohn_sham.system import System


@dataclass(frozen=True, eq=False)
class Step:
    """One step: its energy and forces, and the half step that follows.

    Attributes
    ----------
    total : float
        The energy of electrons and ions, hartree.
    positions, forces : float64, shape (atoms, 3)
    fictitious_after, ions_after : float
        Kinetic energies of orbitals and ions in the half step that follows, hartree.
    """

    total: float
    positions: np.ndarray
    forces: np.ndarray
    fictitious_after: float
    ions_after: float


def constrained(system: System, moved: np.ndarray, pulled: np.ndarray) -> np.ndarray:
    """Return orthonormal orbitals moved + X pulled, X symmetric, by Newton's method.

    Parameters
    ----------
    moved : complex128, shape (orbitals, waves)
        Positions without constraint.
    pulled : complex128, shape (orbitals, waves)
        The orbitals of the step before over their masses.
    """
    found = moved
    for _ in range(50):
        error = inner(system, found, found) - np.eye(len(found))
        if np.abs(error).max() < 1e-13:
            return found
        slope = inner(system, pulled, found)
        slope = (slope + slope.T) / 2
        found = found - solve_sylvester(slope, slope, error) @ pulled
    raise RuntimeError("the constraints were not found")


def dynamics(
    system: System,
    c: np.ndarray,
    masses: np.ndarray,
    of_ions: np.ndarray,
    timestep: float,
    *,
    centre_held: bool,
) -> Iterator[Step]:
    """Yield steps from rest: orbitals and ions were in the same places one step before.

    Parameters
    ----------
    c : complex128, shape (orbitals, waves)
    masses : float64, shape (waves,)
        The masses of the coefficients.
    of_ions : float64, shape (atoms,)
        Masses of the ions, electron masses.
    timestep : float
        Atomic units.
    centre_held : bool
        Whether the centre of mass of the ions is put back at each step. It moves: orbitals that lag
        behind the ions pull at them, and only the momentum of both together is conserved.
    """
    before, at, old = c, system.positions, system.positions
    weight = system.basis.waves.weight
    while True:
        here = replace(system, positions=at)
        state = energy.evaluate(here, c, Projections.of(here), energy.ions(here)[0])
        force = energy.forces(state)
        pull = system.occupation * timestep**2 * state.applied / masses
        after = constrained(system, 2 * c - before - pull, c / masses)
        new = 2 * at - old + timestep**2 * force / of_ions[:, None]
        if centre_held:
            new = new + (of_ions @ (at - new)) / of_ions.sum()
        yield Step(
            state.total,
            at,
            force,
            float((weight * masses * np.abs((after - c) / timestep) ** 2).sum()),
            float((of_ions[:, None] * ((new - at) / timestep) ** 2).sum() / 2),
        )
        before, c, old, at = c, after, at, new
