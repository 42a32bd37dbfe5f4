# SPDX-License-Identifier: BSD-3-Clause
"""Finds which of the pairs that a force field ties together are chemical bonds.

Force fields also tie atoms that are both bonded to a third one. Examples are Urey-Bradley terms of
CHARMM, and the distance between the hydrogens of a rigid water. In files of most programs these are
bonds like any others, so their lengths have to tell them apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.classical.system.system import ClassicalSystem, Floats, Ints

# The longest side of a triangle of bonds over the next one. In rings of three atoms it is 1.15 at
# most (two sulphurs and a carbon). With Urey-Bradley terms it is 1.27 at least, for an angle of 90
# degrees at sulphur or phosphorus with a hydrogen.
_across = 1.2


def chemical_bonds(system: ClassicalSystem) -> Ints:
    """Return the bonded pairs without Urey-Bradley terms, constrained or not.

    Returns
    -------
    int32, shape (bonds, 2)
        Each pair once, with the lower atom first, in rising order. Virtual sites have none.
    """
    bonded, lengths = system.bonds()
    pairs = np.sort(np.concatenate([bonded, system.constraint_atoms]), axis=1)
    length = np.concatenate([lengths, system.constraint_distance])
    pairs, first = np.unique(pairs, axis=0, return_index=True)
    return np.asarray(pairs[~spans_an_angle(system.atoms, pairs, length[first])], np.int32)


def connectivity(system: ClassicalSystem) -> Ints:
    """Return chemical bonds, and virtual sites with the first of their parents."""
    beside = np.column_stack([system.sites.parents[:, 0], system.sites.site]).reshape(-1, 2)
    return np.asarray(np.concatenate([chemical_bonds(system), beside]), np.int32)


def spans_an_angle(atoms: int, pairs: Ints, length: Floats) -> NDArray[np.bool_]:
    """Return which pairs are the far sides of triangles, whose other two are clearly shorter.

    Parameters
    ----------
    pairs : int, shape (n, 2)
        Each pair once.
    length : float, shape (n,)
    """
    source, target = np.concatenate([pairs, pairs[:, ::-1]]).astype(np.int64).T
    order = np.argsort(source * atoms + target)
    source, target = source[order], target[order]
    side = np.concatenate([length, length])[order]
    key = source * atoms + target
    degree = np.bincount(source, minlength=atoms)
    begin = np.cumsum(degree) - degree
    # Each pair with each neighbour of its first atom.
    count = degree[pairs[:, 0]]
    pair = np.repeat(np.arange(len(pairs)), count)
    step = np.arange(len(pair)) - np.repeat(np.cumsum(count) - count, count)
    near = begin[pairs[pair, 0]] + step
    wanted = target[near] * atoms + pairs[pair, 1]
    at = np.minimum(np.searchsorted(key, wanted), max(len(key) - 1, 0))
    closed = key[at] == wanted if len(key) else np.zeros(0, dtype=bool)
    longest = np.maximum(side[near], side[at])
    far = np.zeros(len(pairs), dtype=bool)
    far[pair[closed & (length[pair] > _across * longest)]] = True
    return far
