# SPDX-License-Identifier: BSD-3-Clause
"""The total energy of orbitals, and its derivatives by orbitals, positions and strain.

Orbitals are orthonormal, real in space, and of occupation 2, or 1 with spin. Coefficients have the
shape (orbitals, waves); with spin the orbitals of spin up come first. Densities and potentials of
all spins have the shape (spins, waves).
"""

from dataclasses import dataclass

import numpy as np

from plain_kohn_sham import exchange_correlation as xc, hartree, isolated, kinetic, local
from plain_kohn_sham.ewald import ewald
from plain_kohn_sham.nonlocal_part import Projections
from plain_kohn_sham.system import System


def ions(system: System) -> tuple[float, np.ndarray]:
    """Return energy (hartree) and forces, shape (atoms, 3), of the ions."""
    if system.isolated:
        return isolated.ions(system.vectors, system.positions, system.charges)
    energy, force, _ = ewald(system.vectors, system.positions, system.charges)
    return energy, force


def inner(system: System, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the matrix of <a|b> of all orbitals; it is 0 between different spins."""
    result = np.zeros((len(a), len(b)))
    for rows in system.rows:
        result[rows, rows] = (a[rows].conj() * system.basis.waves.weight @ b[rows].T).real
    return result


def eigh(system: System, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return eigenvalues and eigenvectors spin by spin: vectors never mix spins."""
    values, vectors = np.zeros(len(matrix)), np.zeros_like(matrix)
    for rows in system.rows:
        values[rows], vectors[rows, rows] = np.linalg.eigh(matrix[rows, rows])
    return values, vectors


def density(system: System, c: np.ndarray) -> np.ndarray:
    """Return the valence density of each spin on its sphere, shape (spins, waves)."""
    basis, result = system.basis, []
    for rows in system.rows:
        field = np.zeros(basis.grid)
        for orbital in c[rows]:
            field += system.occupation * basis.wave_on_grid(orbital) ** 2
        result.append(basis.density_of_grid(field) / basis.volume)
    return np.array(result)


@dataclass(frozen=True, eq=False)
class State:
    """All that follows from one set of orbitals.

    Attributes
    ----------
    spins, potential : complex, shape (spins, waves)
        The density and the potential of each spin; without spin there is one row.
    terms : dict
        Parts of the energy, hartree.
    applied : complex, shape (orbitals, waves)
        H psi, in the sphere.
    """

    system: System
    c: np.ndarray
    spins: np.ndarray
    potential: np.ndarray
    exchange: xc.ExchangeCorrelation
    projections: Projections
    terms: dict[str, float]
    applied: np.ndarray

    @property
    def total(self) -> float:
        """The energy, hartree."""
        return sum(self.terms.values())

    @property
    def rho(self) -> np.ndarray:
        """The density of all electrons, shape (waves,)."""
        return self.spins.sum(axis=0)


def evaluate(system: System, c: np.ndarray, projections: Projections, of_ions: float) -> State:
    """Return energy and H psi of orthonormal orbitals.

    Parameters
    ----------
    of_ions : float
        The energy of the ions, hartree.
    """
    basis, occupation = system.basis, system.occupation
    spins = density(system, c)
    rho = spins.sum(axis=0)
    exchange = xc.exchange_correlation(
        basis, spins + system.core / len(spins), system.functional, system.pw_rules
    )
    terms = {
        "kinetic": kinetic.energy(basis, c, occupation),
        "hartree": hartree.energy(basis, rho, system.screening),
        "local": basis.integral(system.ionic, rho),
        "alpha": system.alpha_energy,
        "nonlocal": projections.energy(c, occupation),
        "exchange_correlation": exchange.energy,
        "ewald": of_ions,
    }
    constant = np.zeros_like(rho)
    constant[0] = system.alpha_energy / system.charges.sum()
    potential = system.ionic + hartree.potential(basis, rho, system.screening)
    potential = potential + constant + exchange.potential
    applied = basis.waves.length**2 / 2 * c + projections.apply(basis, c)
    for of_spin, rows in zip(potential, system.rows, strict=True):
        field = basis.density_on_grid(of_spin)
        for row, orbital in zip(applied[rows], c[rows], strict=True):
            row += basis.wave_of_grid(field * basis.wave_on_grid(orbital))
    applied[:, 0] = applied[:, 0].real
    return State(system, c, spins, potential, exchange, projections, terms, applied)


def forces(state: State) -> np.ndarray:
    """Return the forces on the atoms, hartree/bohr, shape (atoms, 3)."""
    system, basis = state.system, state.system.basis
    at = system.positions
    _, total = ions(system)
    total = total + local.forces(basis, at, system.local_tables, state.rho)
    # Half of a model core belongs to each spin.
    total += local.forces(basis, at, system.core_tables, state.exchange.potential.mean(axis=0))
    return total + state.projections.forces(basis, state.c, system.occupation, len(at))


def stress(state: State) -> np.ndarray:
    """Return dE/d(strain)/V, hartree/bohr^3, shape (3, 3); negative if the cell wants to grow."""
    system, basis, at = state.system, state.system.basis, state.system.positions
    if system.isolated:
        raise ValueError("a molecule without images has no stress")
    _, _, total = ewald(system.vectors, at, system.charges)
    total = total + kinetic.by_strain(basis, state.c, system.occupation)
    total += hartree.by_strain(basis, state.rho)
    total += local.by_strain(basis, at, system.local_tables, state.rho)
    total -= np.eye(3) * (state.terms["local"] + state.terms["alpha"])
    total += xc.by_strain(basis, state.exchange, state.spins + system.core / len(state.spins))
    on_core = state.exchange.potential.mean(axis=0)
    total += local.by_strain(basis, at, system.core_tables, on_core)
    projections = Projections.of(system, strain=True)
    total += projections.by_strain(state.c, system.occupation)
    return total / basis.volume
