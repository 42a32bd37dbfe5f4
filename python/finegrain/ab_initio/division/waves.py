# SPDX-License-Identifier: BSD-3-Clause
"""Sizes of a plane-wave basis: numbers of waves and columns, and the grid.

Orbitals have the waves with |G|^2/2 up to the cut-off, densities those with |G| up to twice the
length. Units: Hartree atomic units.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import numpy as np

from finegrain.base.cells import Floats

_rounding = 1e-12  # waves on the surface of the sphere are in it


@dataclass(frozen=True)
class SphereSizes:
    """The size of a sphere of waves.

    Attributes
    ----------
    waves : int
        In the whole sphere.
    columns : int
        Pairs of the first two indices that occur.
    largest : tuple of int
        The largest index along each vector of the cell.
    """

    waves: int
    columns: int
    largest: tuple[int, int, int]

    @property
    def half(self) -> int:
        """The waves of the half that real functions need, G = 0 included."""
        return (self.waves + 1) // 2


def sphere_sizes(vectors: Floats, longest: float) -> SphereSizes:
    """Return the size of the sphere of all G with |G| up to `longest`.

    Along a column, |G|^2 is a quadratic function of the last index; so no wave is listed.

    Parameters
    ----------
    vectors : float64, shape (3, 3)
        The vectors of the cell in rows, bohr.
    longest : float
        1/bohr.
    """
    reciprocal = 2 * np.pi * np.linalg.inv(vectors).T  # in rows
    square = longest**2 * (1 + _rounding)
    # G a = 2 pi (index), so an index is at most |a| |G| / (2 pi).
    most = np.floor(np.linalg.norm(vectors, axis=1) * np.sqrt(square) / (2 * np.pi)).astype(int)
    first, second = np.meshgrid(*[np.arange(-m, m + 1) for m in most[:2]], indexing="ij")
    across = first[..., None] * reciprocal[0] + second[..., None] * reciprocal[1]
    along = float(reciprocal[2] @ reciprocal[2])
    middle = -(across @ reciprocal[2]) / along
    rest = square - np.einsum("ijk,ijk->ij", across, across) + along * middle**2
    reach = np.sqrt(np.maximum(rest, 0.0) / along)
    low = np.ceil(middle - reach - _rounding).astype(int)
    high = np.floor(middle + reach + _rounding).astype(int)
    counts = np.where(rest >= 0, np.maximum(high - low + 1, 0), 0)
    inside = counts > 0
    largest = (
        int(np.abs(first[inside]).max()),
        int(np.abs(second[inside]).max()),
        int(max(np.abs(low[inside]).max(), np.abs(high[inside]).max())),
    )
    return SphereSizes(int(counts.sum()), int(inside.sum()), largest)


@dataclass(frozen=True)
class Waves:
    """The basis of a run.

    Attributes
    ----------
    orbitals, densities : SphereSizes
    longest_wave, longest_density : float
        1/bohr.
    grid : tuple of int
        Points along the vectors of the cell.
    """

    orbitals: SphereSizes
    densities: SphereSizes
    longest_wave: float
    longest_density: float
    grid: tuple[int, int, int]

    @property
    def points(self) -> int:
        """The number of points of the grid."""
        return int(np.prod(self.grid))

    @property
    def least_grid(self) -> tuple[int, int, int]:
        """The points along each vector below which waves of a density would be mistaken."""
        a, b, c = (2 * largest + 1 for largest in self.densities.largest)
        return a, b, c


def waves_of(vectors: Floats, cutoff: float, grid: tuple[int, int, int] | None = None) -> Waves:
    """Return the basis of a cell; without `grid` with the one that pw.x would take.

    Parameters
    ----------
    vectors : float64, shape (3, 3)
        In rows, bohr.
    cutoff : float
        The cutoff of |G|^2/2 for orbitals, hartree.
    grid : tuple of int or None
    """
    wave = float(np.sqrt(2 * cutoff))
    orbitals, densities = sphere_sizes(vectors, wave), sphere_sizes(vectors, 2 * wave)
    if grid is None:
        a, b, c = (usual_size(2 * largest + 1) for largest in densities.largest)
        grid = a, b, c
    return Waves(orbitals, densities, wave, 2 * wave, grid)


def usual_size(least: int) -> int:
    """Return the smallest number from `least` on that is a product of 2, 3 and 5.

    Quantum ESPRESSO takes the same, so energies agree. With a factor of 7 a grid may have fewer
    points, 4 % in the mean. But then energies of gradients differ by some 1e-6 hartree per atom
    from grid to grid.
    """
    return next(size for size in count(least) if _is_product(size, (2, 3, 5)))


def good_size(least: int) -> int:
    """Return the smallest number from `least` on that is a product of 2, 3, 5 and 7."""
    return next(size for size in count(least) if is_good_size(size))


def is_good_size(size: int) -> bool:
    """Return whether a number is a product of 2, 3, 5 and 7, which transforms well."""
    return _is_product(size, (2, 3, 5, 7))


def _is_product(size: int, factors: tuple[int, ...]) -> bool:
    for factor in factors:
        while size % factor == 0:
            size //= factor
    return size == 1
