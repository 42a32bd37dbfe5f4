# SPDX-License-Identifier: BSD-3-Clause
"""Plane waves of a cell at the Gamma point, and their way to the points of a grid and back.

An orbital is psi(r) = V^(-1/2) sum_G c(G) exp(i G r) with |G|^2/2 up to the cut-off. Orbitals are
real, so c(-G) is the conjugate of c(G), and one half of the sphere is kept: G = 0 first, then
Gx > 0, or Gx = 0 and Gy > 0, or Gx = Gy = 0 and Gz > 0 (in indices). A sum over all G is a sum over
this half with the weights w = 1 for G = 0 and w = 2 otherwise, of the real part.

Densities and potentials have the sphere of twice the radius. A strained basis keeps its indices,
so that the energy is a smooth function of the cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


def half_sphere(vectors: np.ndarray, longest: float) -> np.ndarray:
    """Return the indices of all G of the half with |G|^2 <= longest, int, shape (n, 3)."""
    reciprocal = 2 * np.pi * np.linalg.inv(vectors)  # columns b_i
    # An index is at most |a_i| |G| / (2 pi), because the index is a_i G / (2 pi).
    most = np.floor(np.linalg.norm(vectors, axis=1) * np.sqrt(longest) / (2 * np.pi)).astype(int)
    axes = [np.arange(-m, m + 1) for m in most]
    index = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    x, y, z = index.T
    half = (x > 0) | ((x == 0) & (y > 0)) | ((x == 0) & (y == 0) & (z >= 0))
    index = index[half]
    squares = ((index @ reciprocal.T) ** 2).sum(axis=1)
    index, squares = (
        index[squares <= longest * (1 + 1e-12)],
        squares[squares <= longest * (1 + 1e-12)],
    )
    return index[np.argsort(squares, kind="stable")]


@dataclass(frozen=True, eq=False)
class Sphere:
    """Half a sphere of plane waves.

    Attributes
    ----------
    index : int, shape (n, 3)
    vectors : float64, shape (3, 3)
        The cell's vectors in rows, bohr.
    """

    index: np.ndarray
    vectors: np.ndarray

    @cached_property
    def g(self) -> np.ndarray:
        """The vectors G, 1/bohr, shape (n, 3)."""
        return self.index @ (2 * np.pi * np.linalg.inv(self.vectors)).T

    @cached_property
    def length(self) -> np.ndarray:
        """The lengths |G|, shape (n,); the first one is 0."""
        return np.linalg.norm(self.g, axis=1)

    @cached_property
    def weight(self) -> np.ndarray:
        """The weights w(G), shape (n,)."""
        weight = np.full(len(self.index), 2.0)
        weight[0] = 1.0
        return weight

    def phases(self, positions: np.ndarray) -> np.ndarray:
        """Return exp(-i G R) for each position (bohr), shape (positions, n)."""
        return np.exp(-1j * np.atleast_2d(positions) @ self.g.T)


@dataclass(frozen=True, eq=False)
class Basis:
    """The plane waves of orbitals and of densities, and the grid.

    Attributes
    ----------
    waves, density : Sphere
    grid : tuple of int
        The points along the cell's vectors.
    """

    waves: Sphere
    density: Sphere
    grid: tuple[int, int, int]

    @staticmethod
    def of(vectors: np.ndarray, cutoff: float, grid: tuple[int, int, int]) -> Basis:
        """Make the basis of a cell, cut off at `cutoff` (hartree)."""
        vectors = np.asarray(vectors, float)
        waves = half_sphere(vectors, 2 * cutoff)
        density = half_sphere(vectors, 8 * cutoff)
        if (2 * np.abs(density).max(axis=0) >= np.array(grid)).any():
            raise ValueError(f"the grid {grid} is too coarse for {np.abs(density).max(axis=0)}")
        return Basis(Sphere(waves, vectors), Sphere(density, vectors), grid)

    def strained(self, vectors: np.ndarray) -> Basis:
        """Return the basis of the same indices in another cell."""
        return Basis(
            Sphere(self.waves.index, vectors), Sphere(self.density.index, vectors), self.grid
        )

    @property
    def volume(self) -> float:
        """The volume of the cell, bohr^3."""
        return float(abs(np.linalg.det(self.waves.vectors)))

    @property
    def points(self) -> int:
        """The number of points of the grid."""
        return int(np.prod(self.grid))

    def _places(self, sphere: Sphere) -> tuple[np.ndarray, np.ndarray]:
        there = np.ravel_multi_index(tuple((sphere.index % self.grid).T), self.grid)
        back = np.ravel_multi_index(tuple((-sphere.index % self.grid).T), self.grid)
        return there, back

    @cached_property
    def _wave_places(self) -> tuple[np.ndarray, np.ndarray]:
        return self._places(self.waves)

    @cached_property
    def _density_places(self) -> tuple[np.ndarray, np.ndarray]:
        return self._places(self.density)

    def _on_grid(self, c: np.ndarray, places: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        field = np.zeros(self.points, complex)
        field[places[1]] = c.conj()
        field[places[0]] = c
        return np.fft.ifftn(field.reshape(self.grid), norm="forward").real

    def _on_sphere(self, field: np.ndarray, places: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        return np.fft.fftn(field, norm="forward").ravel()[places[0]]

    def wave_on_grid(self, c: np.ndarray) -> np.ndarray:
        """Return sum_G c(G) exp(i G r) of one orbital at the points of the grid."""
        return self._on_grid(c, self._wave_places)

    def wave_of_grid(self, field: np.ndarray) -> np.ndarray:
        """Return the coefficients of a real field in the sphere of the orbitals."""
        return self._on_sphere(field, self._wave_places)

    def density_on_grid(self, c: np.ndarray) -> np.ndarray:
        """Return a density or potential at the points of the grid from its coefficients."""
        return self._on_grid(c, self._density_places)

    def density_of_grid(self, field: np.ndarray) -> np.ndarray:
        """Return the coefficients of a real field in the sphere of densities."""
        return self._on_sphere(field, self._density_places)

    def integral(self, a: np.ndarray, b: np.ndarray) -> float:
        """Return the integral over the cell of the product of two fields given by coefficients."""
        return self.volume * float(np.sum(self.density.weight * (a.conj() * b).real))
