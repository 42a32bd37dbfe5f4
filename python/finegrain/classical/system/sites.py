# SPDX-License-Identifier: BSD-3-Clause
"""Virtual sites: points without mass whose positions follow from atoms, their parents.

All kinds are described by weights of the parents and an offset (OpenMM User Guide, "Virtual
Sites"). The engine has the same in `engine/motion/virtual_site_kinds.hpp`. Units: bohr.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

most_parents = 4
kinds = ("average", "out of plane", "local frame")
average, out_of_plane, local_frame = range(len(kinds))
# How far atoms that no constraint holds may get apart, in units of their distance at the start.
stretch = 1.5
# Two directions with a smaller sine between them define no plane.
_least_sine = 1e-4


def _columns(width: int) -> Floats:
    return np.zeros((0, width))


@dataclass
class VirtualSites:
    """Tables with one row for each site.

    Attributes
    ----------
    site : int32, shape (sites,), the atom that is one
    kind : int32, shape (sites,), index into `kinds`
    parents : int32, shape (sites, 4), -1 for none
    weights : float64, shape (sites, 4), adding up to 1
        The weights of the parents in the origin of the site.
    x_weights, y_weights : float64, shape (sites, 4), adding up to 0
        The weights of the parents in the direction of the axis x, and in one that spans the plane
        of x and y.
    offset : float64, shape (sites, 3), bohr
        From the origin along the axes. Out of a plane: (0, 0, c), c times the cross product of the
        vectors from the first parent to the others, 1/bohr.
    """

    site: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    kind: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    parents: Ints = field(default_factory=lambda: np.zeros((0, most_parents), dtype=np.int32))
    weights: Floats = field(default_factory=lambda: _columns(most_parents))
    x_weights: Floats = field(default_factory=lambda: _columns(most_parents))
    y_weights: Floats = field(default_factory=lambda: _columns(most_parents))
    offset: Floats = field(default_factory=lambda: _columns(3))

    def __len__(self) -> int:
        return len(self.site)

    @property
    def all_parents(self) -> Ints:
        """Parents, shape (sites, 4); instead of one that there is not, the first again."""
        return np.where(self.parents < 0, self.parents[:, :1], self.parents)

    def mask(self, atoms: int) -> NDArray[np.bool_]:
        """Return which atoms are virtual sites, shape (atoms,)."""
        found = np.zeros(atoms, dtype=bool)
        found[self.site] = True
        return found

    def arms(self, position: Floats) -> Floats:
        """Return the vectors from the first parent to the others, shape (sites, 3, 3)."""
        at = position[self.all_parents]
        return np.asarray(at[:, 1:] - at[:, :1])

    def place(self, position: Floats) -> Floats:
        """Move the sites to where their parents say; return how far each was from there.

        Parameters
        ----------
        position : float64, shape (atoms, 3)
            Molecules must be whole. Rows of sites are changed.

        Returns
        -------
        float64, shape (sites,), bohr
        """
        found = position[self.parents[:, 0]] + self._from_first(self.arms(position))
        moved = np.linalg.norm(position[self.site] - found, axis=1)
        position[self.site] = found
        return np.asarray(moved)

    def derivatives(self, position: Floats) -> Floats:
        """Return the derivatives of positions by parents, shape (sites, 4, 3, 3).

        They are central differences. The last two axes are those of the site and of the parent.
        """
        arms, step = self.arms(position), 1e-4
        result = np.empty((len(self), most_parents, 3, 3))
        for arm in range(most_parents - 1):
            for axis in range(3):
                shift = np.zeros((most_parents - 1, 3))
                shift[arm, axis] = step
                change = self._from_first(arms + shift) - self._from_first(arms - shift)
                result[:, arm + 1, :, axis] = change / (2 * step)
        result[:, 0] = np.eye(3) - result[:, 1:].sum(axis=1)
        return result

    def without_a_plane(self, position: Floats) -> NDArray[np.bool_]:
        """Return which sites need directions that their parents do not define."""
        arms = self.arms(position)
        first, second, length = self._directions(arms)
        normal = np.linalg.norm(np.cross(first, second), axis=1)
        flat = normal <= _least_sine * length * np.linalg.norm(second, axis=1)
        in_frame = self.kind == local_frame
        above = (self.kind == out_of_plane) & (self.offset[:, 2] != 0)
        needs_plane = (in_frame & self.offset[:, 1:].any(axis=1)) | above
        needs_axis = in_frame & self.offset.any(axis=1)
        return np.asarray((needs_plane & flat) | (needs_axis & (length <= _least_sine)))

    def _directions(self, arms: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the two directions that span the plane, and the length of the first."""
        in_frame = (self.kind == local_frame)[:, None]
        first = np.where(in_frame, _sum(self.x_weights, arms), arms[:, 0])
        second = np.where(in_frame, _sum(self.y_weights, arms), arms[:, 1])
        return first, second, np.asarray(np.linalg.norm(first, axis=1))

    def _from_first(self, arms: Floats) -> Floats:
        """Return the positions, from the first parent, shape (sites, 3)."""
        sites = _sum(self.weights, arms)
        plane, frame = self.kind == out_of_plane, self.kind == local_frame
        sites[plane] += self.offset[plane, 2:] * np.cross(arms[plane, 0], arms[plane, 1])
        first, second, length = (values[frame] for values in self._directions(arms))
        normal = np.cross(first, second)
        x = first / np.where(length > 0, length, 1)[:, None]
        height = np.linalg.norm(normal, axis=1)
        z = normal / np.where(height > 0, height, 1)[:, None]
        axes = np.stack([x, np.cross(z, x), z], axis=1)
        sites[frame] += np.einsum("sa,sad->sd", self.offset[frame], axes)
        return sites

    def pairs_of_parents(self, position: Floats) -> tuple[Ints, Floats]:
        """Return the pairs of a first and another parent, and how far these may get apart.

        Returns
        -------
        int32, shape (pairs, 2), and float64, shape (pairs,), bohr
        """
        others = self.parents.copy()
        others[:, 0] = -1
        return _pairs(self.parents[:, 0], others, position)

    def pairs_with_sites(self, position: Floats) -> tuple[Ints, Floats]:
        """Return the pairs of a site and each of its parents, and how far these may get apart."""
        return _pairs(self.site, self.parents, position)


def _sum(weights: Floats, arms: Floats) -> Floats:
    return np.asarray(np.einsum("sk,skd->sd", weights[:, 1:], arms))


def _pairs(one: Ints, others: Ints, position: Floats) -> tuple[Ints, Floats]:
    """Pair atoms, shape (sites,), with others, shape (sites, 4), -1 for none."""
    there = others >= 0
    first = np.broadcast_to(one[:, None], there.shape)[there]
    pairs = np.stack([first, others[there]], axis=1).astype(np.int32)
    along = position[pairs[:, 0]] - position[pairs[:, 1]]
    return pairs, stretch * np.asarray(np.linalg.norm(along, axis=1))
