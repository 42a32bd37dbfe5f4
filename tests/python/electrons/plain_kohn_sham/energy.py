# SPDX-License-Identifier: BSD-3-Clause
"""The total energy of orbitals, and its derivatives by orbitals, positions and strain.

Orbitals are orthonormal, real in space, and of occupation 2. Coefficients have the shape
(orbitals, waves).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plain_kohn_sham import exchange_correlation as xc
from plain_kohn_sham import hartree, isolated, kinetic, local
from plain_kohn_sham.ewald import ewald
from plain_kohn_sham.nonlocal_part import Projections
from plain_kohn_sham.system import System

OCCUPATION = 2.0


def ions(system: System) -> tuple[float, np.ndarray]:
    """Return energy (hartree) and forces, shape (atoms, 3), of the ions."""
    if system.isolated:
        return isolated.ions(system.vectors, system.positions, system.charges)
    energy, force, _ = ewald(system.vectors, system.positions, system.charges)
    return energy, force


def inner(system: System, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the matrix of <a|b>, shape (orbitals of a, orbitals of b)."""
    return (a.conj() * system.basis.waves.weight @ b.T).real


def density(system: System, c: np.ndarray) -> np.ndarray:
    """Return the valence density on its sphere."""
    basis = system.basis
    field = np.zeros(basis.grid)
    for orbital in c:
        field += OCCUPATION * basis.wave_on_grid(orbital) ** 2
    return basis.density_of_grid(field) / basis.volume


@dataclass(frozen=True, eq=False)
class State:
    """All that follows from one set of orbitals.

    Attributes
    ----------
    terms : dict
        Parts of the energy, hartree.
    applied : complex, shape (orbitals, waves)
        H psi, in the sphere.
    """

    system: System
    c: np.ndarray
    rho: np.ndarray
    potential: np.ndarray
    exchange: xc.ExchangeCorrelation
    projections: Projections
    terms: dict[str, float]
    applied: np.ndarray

    @property
    def total(self) -> float:
        """The energy, hartree."""
        return sum(self.terms.values())


def evaluate(system: System, c: np.ndarray, projections: Projections, of_ions: float) -> State:
    """Return energy and H psi of orthonormal orbitals.

    Parameters
    ----------
    of_ions : float
        The energy of the ions, hartree.
    """
    basis = system.basis
    rho = density(system, c)
    exchange = xc.exchange_correlation(basis, rho + system.core, system.functional, system.pw_rules)
    terms = {
        "kinetic": kinetic.energy(basis, c, OCCUPATION),
        "hartree": hartree.energy(basis, rho, system.screening),
        "local": basis.integral(system.ionic, rho),
        "alpha": system.alpha_energy,
        "nonlocal": projections.energy(c, OCCUPATION),
        "exchange_correlation": exchange.energy,
        "ewald": of_ions,
    }
    constant = np.zeros_like(rho)
    constant[0] = system.alpha_energy / system.charges.sum()
    potential = (
        system.ionic
        + hartree.potential(basis, rho, system.screening)
        + exchange.potential
        + constant
    )
    field = basis.density_on_grid(potential)
    applied = basis.waves.length**2 / 2 * c + projections.apply(basis, c)
    for row, orbital in enumerate(c):
        applied[row] += basis.wave_of_grid(field * basis.wave_on_grid(orbital))
    applied[:, 0] = applied[:, 0].real
    return State(system, c, rho, potential, exchange, projections, terms, applied)


def forces(state: State) -> np.ndarray:
    """Return the forces on the atoms, hartree/bohr, shape (atoms, 3)."""
    system, basis = state.system, state.system.basis
    at = system.positions
    _, total = ions(system)
    total = total + local.forces(basis, at, system.local_tables, state.rho)
    total += local.forces(basis, at, system.core_tables, state.exchange.potential)
    return total + state.projections.forces(basis, state.c, OCCUPATION, len(at))


def stress(state: State) -> np.ndarray:
    """Return dE/d(strain)/V, hartree/bohr^3, shape (3, 3); negative if the cell wants to grow."""
    system, basis, at = state.system, state.system.basis, state.system.positions
    if system.isolated:
        raise ValueError("a molecule without images has no stress")
    _, _, total = ewald(system.vectors, at, system.charges)
    total = total + kinetic.by_strain(basis, state.c, OCCUPATION)
    total += hartree.by_strain(basis, state.rho)
    total += local.by_strain(basis, at, system.local_tables, state.rho)
    total -= np.eye(3) * (state.terms["local"] + state.terms["alpha"])
    total += xc.by_strain(basis, state.exchange, state.rho + system.core)
    total += local.by_strain(basis, at, system.core_tables, state.exchange.potential)
    projections = Projections.of(system, strain=True)
    total += projections.by_strain(state.c, OCCUPATION)
    return total / basis.volume
