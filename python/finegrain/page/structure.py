# SPDX-License-Identifier: BSD-3-Clause
"""A structure that a reader turns: atoms for viewer.js."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from finegrain.page.html import text

most_atoms = 4000


def structure_view(
    elements: Sequence[str],
    positions: ArrayLike,
    bonds: ArrayLike = (),
    cell: ArrayLike | None = None,
) -> str:
    """Return a canvas on which viewer.js draws balls and sticks.

    Parameters
    ----------
    elements : sequence of str
        At most `most_atoms`.
    positions : array, shape (atoms, 3)
        Å.
    bonds : array of int, shape (bonds, 2)
    cell : array, shape (3, 3), optional
        Vectors in rows, Å; their edges are drawn round the middle of the atoms.
    """
    from ase.data import atomic_numbers, covalent_radii
    from ase.data.colors import jmol_colors

    places = np.asarray(positions, np.float64)
    middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
    kinds = sorted(set(elements))
    number = {one: atomic_numbers.get(one, 0) for one in kinds}
    colours = {
        one: "#" + "".join(f"{round(255 * part):02x}" for part in jmol_colors[number[one]])
        for one in kinds
    }
    data = {
        "elements": list(elements),
        "places": np.round(places - middle, 2).tolist(),
        "bonds": np.asarray(bonds, int).reshape(-1, 2).tolist(),
        "colours": colours,
        "radii": {one: round(float(covalent_radii[number[one]]), 2) for one in kinds},
        "frame": _edges(cell) if cell is not None else [],
    }
    words = f"{len(places):,} atoms: {', '.join(kinds)}"
    return (
        f'<canvas width="640" height="440" tabindex="0" role="img" aria-label="{text(words)}" '
        f'data-structure="{text(json.dumps(data, separators=(",", ":")))}"></canvas>'
        '<p class="note">Drag to turn; wheel, + and − change the size.</p>'
    )


def _edges(cell: ArrayLike) -> list[list[list[float]]]:
    """Return the twelve edges of a cell round the origin, each as two points."""
    vectors: NDArray[np.float64] = np.asarray(cell, np.float64)
    found = []
    for axis in range(3):
        for ends in product((-0.5, 0.5), repeat=2):
            start = np.insert(np.array(ends), axis, -0.5) @ vectors
            found.append(np.round([start, start + vectors[axis]], 2).tolist())
    return found
