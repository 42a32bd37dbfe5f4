# SPDX-License-Identifier: BSD-3-Clause
"""The ground state, by conjugate gradients over all orbitals at once.

The gradient is H psi - psi <psi|H|psi>, made shorter for fast waves by a preconditioner. The length
of a step follows from the slopes at its beginning and at a trial step; orbitals are made
orthonormal again by S^(-1/2).

References
----------
M. P. Teter, M. C. Payne and D. C. Allan, Phys. Rev. B 40, 12255 (1989).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plain_kohn_sham import energy
from plain_kohn_sham.energy import State, inner
from plain_kohn_sham.ewald import ewald
from plain_kohn_sham.nonlocal_part import Projections
from plain_kohn_sham.system import System


@dataclass(frozen=True, eq=False)
class GroundState:
    """The result.

    Attributes
    ----------
    state : State
    residual : float
        The largest |H psi - psi <psi|H|psi>| of a coefficient, hartree.
    iterations : int
    """

    state: State
    residual: float
    iterations: int

    @property
    def terms(self) -> dict[str, float]:
        """Parts of the energy, hartree."""
        return self.state.terms

    @property
    def total(self) -> float:
        """The energy of the cell, hartree."""
        return self.state.total

    @cached_property
    def forces(self) -> np.ndarray:
        """The forces on the atoms, hartree/bohr, shape (atoms, 3)."""
        return energy.forces(self.state)

    @cached_property
    def stress(self) -> np.ndarray:
        """The derivative of the energy by strain, divided by the volume, hartree/bohr^3."""
        return energy.stress(self.state)

    @property
    def eigenvalues(self) -> np.ndarray:
        """The energies of the occupied orbitals, hartree."""
        state = self.state
        return np.linalg.eigvalsh(inner(state.system, state.c, state.applied))


def _orthonormal(system: System, c: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eigh(inner(system, c, c))
    return (vectors / np.sqrt(values)) @ vectors.T @ c


def _start(system: System, seed: int) -> np.ndarray:
    """Return random orbitals without fast waves."""
    waves = system.basis.waves
    rng = np.random.default_rng(seed)
    shape = (system.orbitals, len(waves.index))
    c = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)) / (1 + waves.length**4)
    c[:, 0] = c[:, 0].real
    return _orthonormal(system, c)


def _tangent(system: System, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return d without its part in the space of the orbitals."""
    return d - inner(system, d, c) @ c


def _preconditioned(system: System, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    waves = system.basis.waves
    kinetic = waves.length**2 / 2
    own = np.sum(waves.weight * kinetic * np.abs(c) ** 2, axis=1, keepdims=True)
    x = kinetic / (1.5 * own)
    top = 27 + 18 * x + 12 * x**2 + 8 * x**3
    return _tangent(system, c, d * top / (top + 16 * x**4))


def ground_state(
    system: System,
    tolerance: float = 1e-9,
    *,
    start: np.ndarray | None = None,
    seed: int = 1,
    most: int = 400,
    settled: float = 0.0,
) -> GroundState:
    """Minimise the energy.

    Parameters
    ----------
    system : System
    tolerance : float
        For the largest residual, hartree.
    start : complex array, shape (orbitals, waves), or None
        First orbitals; random ones if None.
    settled : float
        Also stop when ten iterations have changed the energy by less than this; only for an
        energy that is not smooth, whose residual cannot vanish.

    Raises
    ------
    RuntimeError
        If the tolerance is not reached in `most` iterations.
    """
    projections = Projections.of(system)
    ions, _, _ = ewald(system.vectors, system.positions, system.charges)

    def at(c: np.ndarray) -> tuple[State, np.ndarray]:
        state = energy.evaluate(system, c, projections, ions)
        return state, _tangent(system, c, state.applied)

    def dot(a: np.ndarray, b: np.ndarray) -> float:
        return float(np.trace(inner(system, a, b)))

    c = _orthonormal(system, start) if start is not None else _start(system, seed)
    state, slope = at(c)
    direction, old_slope, old_steep, trial = np.zeros_like(c), slope, 1.0, 0.3
    totals: list[float] = []
    for iteration in range(most):
        residual = float(np.abs(slope).max())
        totals.append(state.total)
        stopped = len(totals) > 10 and max(totals[-11:]) - min(totals[-11:]) < settled
        if residual < tolerance or stopped:
            return GroundState(state, residual, iteration)
        steep = _preconditioned(system, c, slope)
        steepness = dot(slope, steep)
        gamma = max(0.0, (steepness - dot(old_slope, steep)) / old_steep) if iteration else 0.0
        direction = _tangent(system, c, gamma * direction) - steep
        if dot(direction, slope) >= 0:
            direction = -steep
        first = dot(slope, direction)
        _, trial_slope = at(_orthonormal(system, c + trial * direction))
        second = dot(trial_slope, direction)
        length = trial * first / (first - second) if second > first else 2 * trial
        length = min(length, 4 * trial)
        old_slope, old_steep = slope, steepness
        c = _orthonormal(system, c + length * direction)
        state, slope = at(c)
        trial = min(max(length, 0.05), 1.0)
    raise RuntimeError(f"the residual is {residual:.2g} after {most} iterations")
