# SPDX-License-Identifier: BSD-3-Clause
"""Molecules that come near to their own periodic images.

Units: Hartree atomic units.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.classical.system.system import ClassicalSystem
from finegrain.formats.whole_molecules import WholeMolecules
from finegrain.units import in_angstrom

Floats = NDArray[np.float64]
_rows = 500  # of a table of distances
_most_looked_at = 100  # molecules; in a liquid of long chains all of them may be as long as the box


def near_images(system: ClassicalSystem, reach: float) -> list[str]:
    """Return a note on the molecule that is nearest to its own image, if that is within `reach`.

    A molecule whose bonds lead to its own image has no end, and is left out.
    """
    if system.box is None or not cells.is_periodic(system.box) or system.copies > 1:
        return []
    vectors = cells.vectors_of(system.box)
    away = [np.array(one) @ vectors for one in product((-1, 0, 1), repeat=3) if any(one)]
    away = away[len(away) // 2 :]  # of two opposite ones the distances are the same
    pairs = np.concatenate([system.bonds()[0], system.constraint_atoms])
    molecules = WholeMolecules(system.atoms, pairs)
    whole = molecules.whole(system.position, system.box, inside=False)
    shortest = min(float(np.linalg.norm(one)) for one in away)
    endless = molecules.endless(whole, system.box)
    found = (reach, -1)
    for atoms in _long_ones(molecules, whole, shortest - reach):
        if endless[atoms[0]]:
            continue
        distance = min(_distance(whole[atoms], one, found[0]) for one in away)
        if distance < found[0]:
            found = (distance, int(atoms[0]))
    if found[1] < 0:
        return []
    name = system.names.describe(found[1])
    return [
        f"the molecule of {name} comes within {in_angstrom(found[0])} of its own image, nearer "
        f"than the cutoff of {in_angstrom(reach)}: it feels itself; a larger box keeps them apart"
    ]


def _long_ones(
    molecules: WholeMolecules, whole: Floats, diameter: float
) -> list[NDArray[np.int64]]:
    """Return the atoms of each molecule that is longer than a diameter, the largest first."""
    root = molecules.root
    middle = molecules.middles(whole)
    radius = np.zeros(len(whole))
    np.maximum.at(radius, root, np.linalg.norm(whole - middle[root], axis=1))
    long = np.flatnonzero(2 * radius > max(diameter, 0.0))
    long = long[np.argsort(-radius[long], kind="stable")][:_most_looked_at]
    return [np.flatnonzero(root == one) for one in long]


def _distance(atoms: Floats, away: Floats, reach: float) -> float:
    """Return the least distance of atoms to their image, or `reach` if that is less."""
    image = _within(atoms + away, atoms, reach)
    facing = _within(atoms, image, reach)
    least = reach**2
    for begin in range(0, len(image), _rows):
        apart = image[begin : begin + _rows, None] - facing
        least = min(least, float(np.einsum("ijk,ijk->ij", apart, apart).min(initial=least)))
    return float(np.sqrt(least))


def _within(some: Floats, others: Floats, reach: float) -> Floats:
    """Return those of some positions that are within `reach` of the space that others take."""
    if not len(others):
        return others
    low, high = others.min(axis=0) - reach, others.max(axis=0) + reach
    return np.asarray(some[((some > low) & (some < high)).all(axis=1)])
