# SPDX-License-Identifier: BSD-3-Clause
"""How much of its energy a free pseudo-atom loses when its orbitals have no waves above a cutoff.

The atom is at the centre of a sphere, without spin, with fractional occupations of open shells. Its
orbitals are sums of spherical Bessel functions j_l(k r) that vanish at the surface. The potential
is that of the self-consistent atom with all waves, in the local-density approximation. Then the
lowest orbitals are found again with waves of k^2/2 up to the cutoff only. By the variation
principle the sum of their energies rises, and the energy of the atom by the same to first order.
The energy is lost near the nucleus, so an atom of a molecule loses about as much. For waters,
methane and silicon the engine loses 0.5 to 2.5 times this estimate, if it is above a millihartree.
Differences of energies lose less: a bond that is stretched by a tenth loses 1 to 5 % of it.
Hartree atomic units.

References
----------
A. M. Rappe, K. M. Rabe, E. Kaxiras and J. D. Joannopoulos, Phys. Rev. B 41, 1227 (1990): the
kinetic energy of an orbital beyond a cutoff as the measure of its error.
J. P. Perdew and A. Zunger, Phys. Rev. B 23, 5048 (1981): exchange and correlation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, pi, sqrt

import numpy as np

from finegrain.pseudopotentials import transforms
from finegrain.pseudopotentials.bessel import spherical_bessel
from finegrain.pseudopotentials.description import Channel, GaussianLocal, Pseudopotential
from finegrain.pseudopotentials.free_atom import valence_shells
from finegrain.pseudopotentials.text import Floats

_radius = 9.0  # of the sphere; wider ones change what is lost by a percent
_highest = 300.0  # hartree, of all waves
_panels, _points_of_panel = 60, 12
_block = 24  # points, of products of waves; 30 blocks
# Inverse iteration: the shift beside an eigenvalue [hartree] and the number of solutions. Each
# solution makes other eigenvectors smaller by the ratio of this shift to their distance.
_aside, _solutions = 1e-7, 4
_rounds, _mixed = 40, 0.4  # of the search for the self-consistent atom
_most_known = 8


@dataclass(frozen=True, eq=False)
class _Waves:
    """The waves of one l: k (1/bohr), and r j_l(k r) normalised, at the radii [waves][points]."""

    k: Floats
    rows: Floats
    norms: Floats


class AtomInWaves:
    """A free atom with all waves, and with fewer.

    Parameters
    ----------
    pseudo : Pseudopotential

    Raises
    ------
    ValueError
        If it is not known which orbitals the atom has, because neither the file says so nor its
        core consists of whole shells.
    """

    @classmethod
    def of(cls, pseudo: Pseudopotential) -> AtomInWaves:
        """Return the atom of a pseudopotential as a file has it; the latest are not made again.

        A calculator makes a job of the same elements for each geometry.
        """
        key = (pseudo.sha256, pseudo.form, pseudo.label)
        _known[key] = atom = _known.pop(key, None) or cls(pseudo)
        if len(_known) > _most_known:
            del _known[next(iter(_known))]
        return atom

    def __init__(self, pseudo: Pseudopotential) -> None:
        self._shells = occupied_shells(pseudo)
        if not self._shells:
            raise ValueError(f"the orbitals of {pseudo.element} are not known")
        self._r, self._weights = _points()
        momenta = sorted({momentum for momentum, _ in self._shells})
        self._waves = {one: _waves(one, self._r, self._weights) for one in momenta}
        channels: dict[int, list[Channel]] = {one: [] for one in momenta}
        for channel in pseudo.channels:
            channels.get(channel.l, []).append(channel)
        self._fixed = {
            one: np.diag(waves.k**2 / 2) + _nonlocal(pseudo, channels[one], waves)
            for one, waves in self._waves.items()
        }
        potential = self._self_consistent(pseudo)
        self._matrices = {one: self._hamiltonian(one, potential) for one in momenta}
        self._with_all = self._energy(_highest)

    def lost(self, cutoff: float) -> float:
        """Return what the energies of its electrons rise by with waves up to `cutoff`, hartree."""
        return self._energy(cutoff) - self._with_all

    def binds(self, cutoff: float) -> bool:
        """Return whether electrons gain energy in the atom with waves up to `cutoff`."""
        return self._energy(cutoff) < 0

    def cutoff_for(self, most: float) -> float:
        """Return the least cutoff, in whole Ry, at which no more than `most` is lost, hartree."""
        low, high = 1.0, 2 * _highest
        while high - low > 1:
            middle = (low + high) / 2
            low, high = (low, middle) if self.lost(middle / 2) <= most else (middle, high)
        return float(np.ceil(high)) / 2

    def _hamiltonian(self, l: int, potential: Floats) -> Floats:  # noqa: E741
        # One product for each block of points. For small products BLAS does not wake its threads.
        # These take a hundred times as long where other programs have the cores.
        rows = self._waves[l].rows.reshape(len(self._waves[l].k), -1, _block).swapaxes(0, 1)
        weighted = rows * (self._weights * potential).reshape(-1, 1, _block)
        matrix: Floats = self._fixed[l] + np.matmul(weighted, rows.swapaxes(1, 2)).sum(axis=0)
        return matrix

    def _energy(self, cutoff: float) -> float:
        """Return the energies of all electrons, each of them of its orbital."""
        total = 0.0
        for momentum, electrons in self._shells_by_momentum():
            count = int(np.count_nonzero(self._waves[momentum].k ** 2 / 2 <= cutoff))
            matrix = self._matrices[momentum][:count, :count]
            energies = np.linalg.eigvalsh(matrix)[: len(electrons)]
            # An orbital for which there are no waves has no energy to gain.
            total += float(np.dot(energies, electrons[: len(energies)]))
        return total

    def _shells_by_momentum(self) -> list[tuple[int, list[float]]]:
        return [(one, [n for other, n in self._shells if other == one]) for one in self._waves]

    def _self_consistent(self, pseudo: Pseudopotential) -> Floats:
        r, weights = self._r, self._weights
        ion, core = _local(pseudo, r), _core(pseudo, r)
        # 4 pi r^2 rho; the first guess is smooth and has all electrons.
        electrons = sum(n for _, n in self._shells)
        density = r**2 * np.exp(-2 * r)
        density *= electrons / float(np.sum(weights * density))
        for _ in range(_rounds):
            potential = ion + _hartree(r, weights, density) + _xc(density / (4 * pi * r**2) + core)
            found = np.zeros_like(r)
            for momentum, occupations in self._shells_by_momentum():
                vectors = _lowest(self._hamiltonian(momentum, potential), len(occupations))
                for vector, count in zip(vectors, occupations, strict=False):
                    found += count * (vector @ self._waves[momentum].rows) ** 2
            density = (1 - _mixed) * density + _mixed * found
        return potential


_known: dict[tuple[str, str, str], AtomInWaves] = {}  # a megabyte each; the latest come last


def occupied_shells(pseudo: Pseudopotential) -> list[tuple[int, float]]:
    """Return l and electrons of the occupied orbitals of an atom; empty if they are not known.

    The occupied orbitals of the file are taken if they hold all valence electrons.
    """
    of_file = [(one.l, one.occupation) for one in pseudo.orbitals if one.occupation > 0]
    if abs(sum(electrons for _, electrons in of_file) - pseudo.charge) < 0.5:
        return of_file
    return [(one.l, float(one.electrons)) for one in valence_shells(pseudo.element, pseudo.charge)]


def _lowest(matrix: Floats, count: int) -> list[Floats]:
    """Return the eigenvectors of the lowest eigenvalues, which must differ.

    Inverse iteration finds them. For so few it takes less time than all eigenvectors do, and the
    threads of BLAS sleep.
    """
    found = []
    for energy in np.linalg.eigvalsh(matrix)[:count]:
        shifted = matrix - (energy - _aside) * np.eye(len(matrix))
        vector = np.ones(len(matrix))
        for _ in range(_solutions):
            vector = np.linalg.solve(shifted, vector)
            vector /= sqrt(float(vector @ vector))
        found.append(vector)
    return found


def _points() -> tuple[Floats, Floats]:
    """Return radii and weights of Gauss and Legendre in panels, narrow ones near the origin."""
    x, w = np.polynomial.legendre.leggauss(_points_of_panel)
    edges = _radius * (np.arange(_panels + 1) / _panels) ** 1.5
    middle, half = (edges[1:] + edges[:-1]) / 2, (edges[1:] - edges[:-1]) / 2
    return (middle[:, None] + half[:, None] * x).ravel(), (half[:, None] * w).ravel()


def _waves(l: int, r: Floats, weights: Floats) -> _Waves:  # noqa: E741
    k = _zeros(l, sqrt(2 * _highest) * _radius) / _radius
    rows = r * spherical_bessel(l, k[:, None] * r)
    norms = 1 / np.sqrt((weights * rows**2).sum(axis=1))
    return _Waves(k, norms[:, None] * rows, norms)


def _zeros(l: int, longest: float) -> Floats:  # noqa: E741
    """Return the places up to `longest` where j_l is 0, by bisection between those of j_(l-1)."""
    zeros = pi * np.arange(1.0, int(longest / pi) + 2 + l)
    for order in range(1, l + 1):
        low, high = zeros[:-1].copy(), zeros[1:].copy()
        below = spherical_bessel(order, low)
        for _ in range(50):
            middle = (low + high) / 2
            same = spherical_bessel(order, middle) * below > 0
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        zeros = (low + high) / 2
    return np.asarray(zeros[zeros <= longest], np.float64)


def _nonlocal(pseudo: Pseudopotential, channels: list[Channel], waves: _Waves) -> Floats:
    total = np.zeros((len(waves.k), len(waves.k)))
    for channel in channels:
        values = transforms.projectors(channel, pseudo.mesh, waves.k)
        q = np.array([one.values for one in values]) * waves.norms / (4 * pi)
        total += q.T @ channel.coupling @ q
    return total


def _local(pseudo: Pseudopotential, r: Floats) -> Floats:
    if isinstance(pseudo.local, GaussianLocal):
        x = r / pseudo.local.radius
        smeared = np.array([erf(one / sqrt(2)) for one in x])
        polynomial = sum(c * x ** (2 * i) for i, c in enumerate(pseudo.local.coefficients))
        local: Floats = -pseudo.charge / r * smeared + np.exp(-(x**2) / 2) * polynomial
        return local
    assert pseudo.mesh is not None
    mesh = pseudo.mesh.r
    inside = np.interp(r, mesh, mesh * pseudo.local.v) / r
    return np.asarray(np.where(r <= mesh[-1], inside, -pseudo.charge / r), np.float64)


def _core(pseudo: Pseudopotential, r: Floats) -> Floats:
    if pseudo.core_density is None:
        return np.zeros_like(r)
    assert pseudo.mesh is not None
    return np.asarray(np.interp(r, pseudo.mesh.r, pseudo.core_density, right=0.0), np.float64)


def _hartree(r: Floats, weights: Floats, density: Floats) -> Floats:
    """Return the potential of 4 pi r^2 rho at the points: what is inside, and what is outside."""
    shells = weights * density
    inside = np.cumsum(shells) - shells / 2
    outer = shells / r
    outside = np.cumsum(outer[::-1])[::-1] - outer / 2
    return inside / r + outside


def _xc(density: Floats) -> Floats:
    """Return the potential of the local-density approximation, hartree."""
    rho = np.maximum(density, 1e-12)
    rs = (3 / (4 * pi * rho)) ** (1 / 3)
    exchange = -((3 * rho / pi) ** (1 / 3))
    a, b, c, d = 0.0311, -0.048, 0.0020, -0.0116
    log = np.log(rs)
    dense = a * log + (b - a / 3) + 2 / 3 * c * rs * log + (2 * d - c) / 3 * rs
    g, b1, b2 = -0.1423, 1.0529, 0.3334
    bottom = 1 + b1 * np.sqrt(rs) + b2 * rs
    thin = g / bottom * (1 + 7 / 6 * b1 * np.sqrt(rs) + 4 / 3 * b2 * rs) / bottom
    potential: Floats = exchange + np.where(rs < 1, dense, thin)
    return potential
