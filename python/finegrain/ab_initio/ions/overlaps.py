# SPDX-License-Identifier: BSD-3-Clause
"""Atoms so close, or all so far apart, that the structure may be wrong, often in its units."""

from __future__ import annotations

import numpy as np

from finegrain.ab_initio.ions.near_pairs import near_pairs
from finegrain.ab_initio.ions.structure import Structure
from finegrain.errors import Problem
from finegrain.units import bohr_in_angstrom

# The share of the sum of covalent radii: H2 has 1.2 of it, ice under 100 GPa has 1.
_closest = 0.5
# Bonds have at most 1.3 of it; positions in bohr that are taken for ångström have 1.7 to 2.3.
_farthest = 1.6
_never_bonded = frozenset({"He", "Ne", "Ar", "Kr", "Xe", "Rn"})


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
    cell, position = structure.vectors * bohr_in_angstrom, structure.position * bohr_in_angstrom
    one, two, apart = near_pairs(cell, position, reach)
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


def far_apart(structure: Structure) -> str:
    """Return a note if no two atoms are within a bond of each other; else nothing.

    One atom alone and noble gases may have no bonds. Some atoms are farther apart than bonds would
    be in a wrong unit. These are meant to be so.
    """
    from ase.data import covalent_radii

    if len(structure.symbols) < 2 or set(structure.symbols) <= _never_bonded:
        return ""
    radii = covalent_radii[_numbers(structure)] / bohr_in_angstrom
    inside = structure.position @ np.linalg.inv(structure.vectors)
    for atom in range(len(radii)):  # nearly always the first has a neighbour
        away = inside - inside[atom]
        away -= np.round(away)
        share = np.linalg.norm(away @ structure.vectors, axis=1) / (radii + radii[atom])
        share[atom] = np.inf
        if share.min() <= _farthest:
            return ""
    one, two, apart = near_pairs(
        structure.vectors, structure.position, 3 * _farthest * float(radii.max())
    )
    share = apart / (radii[one] + radii[two])
    if len(share) == 0 or share.min() <= _farthest:
        return ""
    at = int(np.round(share, 6).argmin())  # of equal ones the first
    a, b = int(one[at]), int(two[at])
    return (
        f"no atoms are bonded: {structure.symbols[a]} (atom {a + 1}) and {structure.symbols[b]} "
        f"(atom {b + 1}) are nearest by their radii, {apart[at] * bohr_in_angstrom:.2f} Å apart, "
        f"{share[at]:.1f} times a bond; positions are taken to be in Å: are they in bohr?"
    )


def _numbers(structure: Structure) -> np.ndarray:
    from ase.data import atomic_numbers

    return np.array([atomic_numbers[symbol] for symbol in structure.symbols])
