# SPDX-License-Identifier: BSD-3-Clause
"""Pairs of atoms that are near each other, images included. Any unit of length."""

from __future__ import annotations

import numpy as np

from finegrain.base.cells import Floats

Pairs = tuple[np.ndarray, np.ndarray, Floats]
_at_once = 2_000_000  # numbers in a work array


def near_pairs(vectors: Floats, position: Floats, reach: float) -> Pairs:
    """Return all pairs that are less than `reach` apart.

    If the cell is at least twice as high as `reach` in each direction, only one image of an atom
    can be near. It is the image that is nearest in fractions of the vectors. Smaller cells use the
    list of ASE, whose import takes as long as a small run.

    Parameters
    ----------
    vectors : float64, shape (3, 3)
        The vectors of the periodic cell, in rows.
    position : float64, shape (atoms, 3)
    reach : float

    Returns
    -------
    one, two : int64, shape (pairs,)
        Each pair in both orders.
    apart : float64, shape (pairs,)
    """
    inverse = np.linalg.inv(vectors)
    heights = 1 / np.linalg.norm(inverse, axis=0)
    if heights.min() < 2 * reach:
        from ase.neighborlist import primitive_neighbor_list

        one, two, apart = primitive_neighbor_list("ijd", [True] * 3, vectors, position, reach)
        return one, two, apart
    inside = position @ inverse
    rows = max(1, _at_once // (3 * len(position)))
    found: list[Pairs] = []
    for first in range(0, len(position), rows):
        away = inside[first : first + rows, None] - inside
        away -= np.round(away)
        apart = np.linalg.norm(away @ vectors, axis=2)
        here = np.arange(len(apart))
        apart[here, first + here] = np.inf  # itself
        one, two = np.nonzero(apart < reach)
        found.append((one + first, two, apart[one, two]))
    ones, twos, distances = zip(*found, strict=True)
    return np.concatenate(ones), np.concatenate(twos), np.concatenate(distances)
