# SPDX-License-Identifier: BSD-3-Clause
"""Atoms that are so close that the structure must be wrong, often in its units."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from finegrain.ab_initio.near_pairs import near_pairs
from finegrain.errors import Problem
from finegrain.units import bohr_in_angstrom

if TYPE_CHECKING:
    from finegrain.ab_initio.structure import Structure

# The share of the sum of covalent radii: H2 has 1.2 of it, ice under 100 GPa has 1.
_closest = 0.5


def overlap_problem(structure: Structure, least: float | None) -> Problem | None:
    """Return the closest pair of atoms that overlap, images included, or None.

    Parameters
    ----------
    structure : Structure
    least : float or None
        The least distance that is allowed, bohr; None for half the sum of the covalent radii.
    """
    from ase.data import covalent_radii

    numbers = _numbers(structure)
    radii = covalent_radii[numbers]
    reach = 2 * _closest * float(radii.max()) if least is None else least * bohr_in_angstrom
    cell, place = structure.vectors * bohr_in_angstrom, structure.position * bohr_in_angstrom
    one, two, apart = near_pairs(cell, place, reach)
    limit = _closest * (radii[one] + radii[two]) if least is None else np.full(len(one), reach)
    close = np.flatnonzero(apart < limit)
    if len(close) == 0:
        return None
    first = close[np.round(apart[close], 6).argmin()]
    a, b = int(one[first]), int(two[first])
    names = f"{structure.symbols[a]} (atom {a + 1}) and {structure.symbols[b]} (atom {b + 1})"
    if a == b:
        names = f"{structure.symbols[a]} (atom {a + 1}) and its own image"
    what = f"are {apart[first]:.3f} Å apart"
    pairs = np.unique(np.sort(np.stack([one[close], two[close]], axis=1), axis=1), axis=0)
    bound = f"{limit[first]:.3f} Å" + ("" if least is not None else ", half of their bond length")
    if len(pairs) > 1:
        bound += f"; {len(pairs) - 1:,} more such pairs"
    hint = "is the cell or the unit of length wrong, or is an atom there twice?"
    if least is None:
        hint += '\nIf the distance is meant: [system] least_distance = "0.1 Å"'
    return Problem(what, value=names, limit=bound, hint=hint)


def _numbers(structure: Structure) -> np.ndarray:
    from ase.data import atomic_numbers

    return np.array([atomic_numbers[symbol] for symbol in structure.symbols])
