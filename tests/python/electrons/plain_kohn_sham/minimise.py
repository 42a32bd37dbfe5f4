# SPDX-License-Identifier: BSD-3-Clause
"""The ground state, by a quasi-Newton method (L-BFGS) over all orbitals at once.

The gradient is g = H psi - psi L with L = <psi|H|psi>. The first guess of the inverse of the second
derivative divides g of orbital i and wave G by |G|^2/2 + d + e - L_ii, with e the highest
eigenvalue of L: that is H - L_ii without the potential, kept positive by the distance d. The last
steps s and changes y of the gradient improve it. They are kept as they were made: what they have
in the space of the present orbitals drops out when the direction is made tangent.

The direction D is tangent, so that the orbitals (C + l D) (1 + l^2 <D|D>)^(-1/2) are orthonormal
for every l. The full step l = 1 nearly always serves; it is shortened if it does not.

References
----------
J. Nocedal, Math. Comp. 35, 773 (1980), the two loops.
W. W. Hager and H. Zhang, SIAM J. Optim. 16, 170 (2005): near the minimum the slope tells better
than the energy whether a step is good.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from plain_kohn_sham import energy
from plain_kohn_sham.energy import State, inner
from plain_kohn_sham.nonlocal_part import Projections
from plain_kohn_sham.system import System

_distance = 0.3  # hartree
_memory = 5  # steps
_longest = 1.0  # the largest tangent of an angle by which a step turns an orbital
_most_trials = 10
_noise = 1e-6  # relative; the energy is not smooth with the rules of Quantum ESPRESSO


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
        """The energies of the occupied orbitals, hartree; with spin first those of spin up."""
        state = self.state
        return energy.eigh(state.system, inner(state.system, state.c, state.applied))[0]

    @property
    def magnetization(self) -> tuple[float, float]:
        """The integrals of the spin density and of its absolute value, Bohr magnetons."""
        spins, basis = self.state.spins, self.state.system.basis
        field = basis.density_on_grid(spins[0] - spins[-1])
        element = basis.volume / basis.points
        return element * float(field.sum()), element * float(np.abs(field).sum())


def _orthonormal(system: System, c: np.ndarray) -> np.ndarray:
    values, vectors = energy.eigh(system, inner(system, c, c))
    return (vectors / np.sqrt(values)) @ vectors.T @ c


def _start(system: System, seed: int) -> np.ndarray:
    """Return random orbitals without fast waves."""
    waves = system.basis.waves
    rng = np.random.default_rng(seed)
    shape = (sum(system.orbitals), len(waves.index))
    c = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)) / (1 + waves.length**4)
    c[:, 0] = c[:, 0].real
    return _orthonormal(system, c)


def _tangent(system: System, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return d without its part in the space of the orbitals."""
    return d - inner(system, d, c) @ c


def _inverse_of_gap(system: System, matrix: np.ndarray) -> np.ndarray:
    """Return 1/(|G|^2/2 + d + e - L_ii) of each orbital and wave, shape (orbitals, waves)."""
    below = energy.eigh(system, matrix)[0].max() - np.diag(matrix)
    return 1 / (system.basis.waves.length**2 / 2 + (_distance + below)[:, None])


@dataclass(frozen=True, eq=False)
class _Step:
    """A step of the orbitals, the change of the gradient, and their product."""

    s: np.ndarray
    y: np.ndarray
    product: float


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
        If the tolerance is not reached in `most` iterations, or no step lowers the energy.
    """
    projections = Projections.of(system)
    of_ions, _ = energy.ions(system)

    def at(c: np.ndarray) -> tuple[State, np.ndarray, np.ndarray]:
        state = energy.evaluate(system, c, projections, of_ions)
        matrix = inner(system, state.applied, c)
        return state, state.applied - matrix @ c, (matrix + matrix.T) / 2

    def dot(a: np.ndarray, b: np.ndarray) -> float:
        return float(np.trace(inner(system, a, b)))

    def direction_of(g: np.ndarray, weights: np.ndarray, steps: list[_Step]) -> np.ndarray:
        q, shares = g, []
        for one in reversed(steps):
            shares.append(dot(one.s, q) / one.product)
            q = q - shares[-1] * one.y
        q = q * weights
        if steps:
            last = steps[-1]
            q = q * (last.product / dot(last.y, weights * last.y))
        for one, share in zip(steps, reversed(shares), strict=True):
            q = q + (share - dot(one.y, q) / one.product) * one.s
        return -_tangent(system, c, q)

    c = _orthonormal(system, start) if start is not None else _start(system, seed)
    state, slope, matrix = at(c)
    _, turn = energy.eigh(system, matrix)  # orbitals of one energy each; they stay nearly so
    c = turn.T @ c
    state, slope, matrix = at(c)
    steps: list[_Step] = []
    totals: list[float] = []
    for iteration in range(most):
        residual = float(np.abs(slope).max())
        totals.append(state.total)
        stopped = len(totals) > 10 and max(totals[-11:]) - min(totals[-11:]) < settled
        if residual < tolerance or stopped:
            return GroundState(state, residual, iteration)
        weights = _inverse_of_gap(system, matrix)
        direction = direction_of(slope, weights, steps)
        if dot(direction, slope) >= 0:
            steps = []
            direction = direction_of(slope, weights, steps)
        first = dot(direction, slope)
        squares, axes = energy.eigh(system, inner(system, direction, direction))
        length = min(1.0, _longest / np.sqrt(squares.max()))
        for _ in range(_most_trials):
            shorter = (axes / np.sqrt(1 + length**2 * squares)) @ axes.T
            trial = shorter @ (c + length * direction)
            there, trial_slope, trial_matrix = at(trial)
            second = dot(direction, trial_slope)
            rise = there.total - state.total
            near = rise <= _noise * abs(state.total) and second <= -0.8 * first
            if near or rise <= 4e-4 * length * first:
                break
            wanted = length * first / (first - second) if second > first else length / 2
            length = min(max(wanted, length / 10), length / 2)
        else:
            raise RuntimeError(f"no step lowers the energy; the residual is {residual:.2g}")
        s, y = length * direction, trial_slope - slope
        product = dot(s, y)
        if product > 1e-8 * np.sqrt(dot(s, s) * dot(y, y)):
            steps = [*steps, _Step(s, y, product)][-_memory:]
        c, state, slope, matrix = trial, there, trial_slope, trial_matrix
    raise RuntimeError(f"the residual is {residual:.2g} after {most} iterations")
