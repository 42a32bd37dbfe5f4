# SPDX-License-Identifier: BSD-3-Clause
"""Pairs of atoms: which atoms hang together by them, and those among some atoms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[Any]


def connected(atoms: int, pairs: Ints) -> Ints:
    """Return for each atom the lowest atom to which a chain of pairs connects it."""
    label = np.arange(atoms, dtype=np.int32)
    one, other = pairs[:, 0], pairs[:, 1]
    while True:
        lowest = np.minimum(label[one], label[other])
        before = label.copy()
        np.minimum.at(label, one, lowest)
        np.minimum.at(label, other, lowest)
        label = label[label]  # halves the remaining chains
        if np.array_equal(before, label):
            return label


def pairs_among(pairs: Ints, atoms: Ints, count: int) -> Ints:
    """Return the pairs of which both are among some of `count` atoms, by their places there."""
    place = np.full(count, -1)
    place[atoms] = np.arange(len(atoms))
    moved = place[np.asarray(pairs).reshape(-1, 2)]
    return np.asarray(moved[(moved >= 0).all(axis=1)], np.int64)
