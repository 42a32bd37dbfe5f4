# SPDX-License-Identifier: BSD-3-Clause
"""Which atoms of a trajectory make a molecule."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.base.connected import connected
from finegrain.formats.whole_molecules import WholeMolecules
from finegrain.runs.trajectory import Trajectory

Ints = NDArray[np.int64]
_longer_than_radii = 1.2  # a bond is at most this times the sum of the covalent radii
_rows = 2**21  # distances at a time, for memory


def molecules_of(trajectory: Trajectory) -> Ints:
    """Return a number for the molecule of each atom.

    Bonds are those in the file. An ab initio run has none; there atoms are bonded that are closer
    in the first frame than 1.2 times the sum of their covalent radii (Cordero and others, Dalton
    Trans. 2008, 2832; as in ASE). Atoms of a crystal, whose bonds lead to its own images, count as
    molecules of their own.
    """
    pairs = trajectory.bonds()
    frame = trajectory[0]
    if not len(pairs):
        pairs = near_pairs(frame.positions.astype(np.float64), frame.box, trajectory.elements)
    atoms = trajectory.atoms
    of = np.asarray(connected(atoms, pairs), np.int64)
    if not cells.is_periodic(frame.box) or not len(pairs):
        return of
    molecules = WholeMolecules(atoms, pairs)
    whole = molecules.whole(frame.positions, frame.box, inside=False)
    return np.where(molecules.endless(whole, frame.box), np.arange(atoms), of)


def near_pairs(
    positions: NDArray[np.float64], box: NDArray[np.float64], elements: list[str]
) -> Ints:
    """Return pairs of atoms, shape (pairs, 2), that are as near as bonded ones; positions in nm."""
    from ase.data import atomic_numbers, covalent_radii

    radius = np.array([covalent_radii[atomic_numbers.get(one, 0)] for one in elements]) * 0.1
    found = []
    some = max(1, _rows // max(1, len(positions)))
    for start in range(0, len(positions), some):
        apart = positions[None] - positions[start : start + some, None]
        if cells.is_periodic(box):
            flat = apart.reshape(-1, 3)
            apart = (flat - cells.nearest_shift(flat, box)).reshape(apart.shape)
        limit = _longer_than_radii * (radius[start : start + some, None] + radius)
        rows, others = np.nonzero((apart**2).sum(axis=-1) < limit**2)
        found.append(np.stack([rows + start, others], axis=1))
    pairs = np.concatenate(found) if found else np.zeros((0, 2), np.int64)
    return np.asarray(pairs[pairs[:, 0] < pairs[:, 1]], np.int64)
