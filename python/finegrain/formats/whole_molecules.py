# SPDX-License-Identifier: BSD-3-Clause
"""Molecules made whole: each atom at the image nearest to the atom that it is bonded to.

Bonds make a tree of each molecule. Box vectors bring an atom next to the atom before it in the
tree. It also moves by the vectors of all atoms before that one. A molecule whose bonds lead through
the box to its own image, such as a crystal, cannot be whole. Its atoms stay where they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.base.connected import connected

Array = NDArray[Any]


class WholeMolecules:
    """The molecules of a set of bonds.

    Parameters
    ----------
    atoms : int
        Number of atoms.
    pairs : ndarray, int, shape (pairs, 2)
        Bonded atoms.

    Attributes
    ----------
    root : ndarray, int, shape (atoms,)
        The first atom of the molecule of each atom.
    """

    def __init__(self, atoms: int, pairs: Array) -> None:
        self._pairs = np.asarray(pairs, np.int64).reshape(-1, 2)
        self._parent, self.root = _tree(atoms, self._pairs)
        self._size = np.bincount(self.root, minlength=atoms)

    def whole(self, positions: Array, box: Array | None, *, inside: bool) -> Array:
        """Return positions with whole molecules, float64, shape (atoms, 3).

        Parameters
        ----------
        positions : ndarray, shape (atoms, 3)
            Any image of each atom, in the unit of the box.
        box : ndarray or None
            See `finegrain.base.cells`; without one positions stay.
        inside : bool
            Whether the middle of each molecule is moved into the box; else its first atom stays.
        """
        position = np.array(positions, np.float64)
        if box is None or not cells.is_periodic(box):
            return position
        moved = position + self._shifts(position, box)
        stays = self.endless(moved, box)
        if inside:
            moved -= _whole_boxes(self.middles(moved), box)[self.root]
        moved[stays] = position[stays]
        return moved

    def endless(self, whole: Array, box: Array) -> Array:
        """Return for each atom whether bonds lead from its molecule to the molecule's own image."""
        one, other = self._pairs.T
        left = cells.nearest_shift(whole[one] - whole[other], box)
        endless = np.zeros(len(whole), bool)
        endless[self.root[one[left.any(axis=1)]]] = True
        return np.asarray(endless[self.root])

    def gathered(self, whole: Array, box: Array, atoms: Array) -> Array:
        """Return positions in which molecules of some atoms are at their nearest images.

        They are nearest to the first of these molecules. `whole` holds whole molecules.
        """
        molecule, place = np.unique(self.root[atoms], return_inverse=True)
        middle = np.zeros((len(molecule), 3))
        np.add.at(middle, place, whole[atoms])
        middle /= np.bincount(place)[:, None]
        first = place[0]
        moved = np.array(whole)
        shift = np.zeros_like(moved)
        shift[molecule] = cells.nearest_shift(middle - middle[first], box)
        return np.asarray(moved - shift[self.root])

    def inside(self, whole: Array, box: Array, *, but: Array) -> Array:
        """Return positions with the middle of each molecule in the box, but those of some atoms."""
        middle = self.middles(whole)
        shift = _whole_boxes(middle, box)
        shift[self.root[but]] = 0
        return np.asarray(whole - shift[self.root])

    def middles(self, whole: Array) -> Array:
        """Return the middle of each molecule, in the row of its first atom."""
        middle = np.zeros((len(whole), 3))
        np.add.at(middle, self.root, whole)
        return np.asarray(middle / np.maximum(self._size, 1)[:, None])

    def _shifts(self, position: Array, box: Array) -> Array:
        """Return what to add to each atom for its nearest image to the atoms before it."""
        shift = -cells.nearest_shift(position - position[self._parent], box)
        parent = self._parent
        while (parent != self.root).any():  # each turn halves the way to the root
            shift = shift + shift[parent]
            parent = parent[parent]
        return shift


def _whole_boxes(position: Array, box: Array) -> Array:
    """Return what to subtract for positions inside the box."""
    boxes = np.floor(cells.fractional(position, box)).astype(np.int32)
    return cells.shifts(boxes, box)


def _tree(atoms: int, pairs: Array) -> tuple[Array, Array]:
    """Return the atom before each atom, itself for the first of a molecule; and that first one."""
    root = connected(atoms, pairs.astype(np.int32)).astype(np.int64)
    ends = np.concatenate([pairs, pairs[:, ::-1]])
    source, target = ends[np.argsort(ends[:, 0], kind="stable")].T
    degree = np.bincount(source, minlength=atoms)
    start = np.cumsum(degree) - degree
    parent = np.arange(atoms)
    seen = root == parent
    frontier = np.flatnonzero(seen)
    while len(frontier):  # all molecules at once, one bond further each time
        count = degree[frontier]
        before = np.repeat(frontier, count)
        skipped = np.cumsum(count) - count
        after = target[np.arange(len(before)) + np.repeat(start[frontier] - skipped, count)]
        new = ~seen[after]
        frontier, index = np.unique(after[new], return_index=True)
        parent[frontier] = before[new][index]
        seen[frontier] = True
    return parent, root
