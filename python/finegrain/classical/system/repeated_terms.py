# SPDX-License-Identifier: BSD-3-Clause
"""Terms that a repeated cell is too small for.

The atoms of a term may be in neighbouring copies of the cell. Which copies these are follows from
the positions at the start: each atom is taken where it is nearest to the one before. If this is
nearer than half the width of the cell, all other images are further away. Then it is the atom that
is meant. Pairs with an exception are joined by bonds, which say which image is meant.
Units: bohr.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.classical.system.system import ClassicalSystem, Floats, Ints
from finegrain.errors import Problem
from finegrain.units import in_angstrom

_pairs = "exceptions"
_bonds = 3  # as far as the exclusions of all usual force fields go
_rounding = 1e-6  # of a sum of images


def terms_too_long_to_repeat(system: ClassicalSystem) -> list[Problem]:
    """Return a problem for each kind of term that joins other images than those it means."""
    if system.box is None or system.copies == 1:
        return []
    widths = cells.widths(system.box)
    half = float(min(w for w, n in zip(widths, system.repeat, strict=True) if n > 1)) / 2
    problems = []
    for name, table in system.terms.items():
        if name == _pairs or not len(table):
            continue
        steps = _between(system, table.atoms[:, :-1], table.atoms[:, 1:])
        length = np.linalg.norm(steps, axis=-1).max(axis=1)
        if table.kind.binds:
            length = np.maximum(length, table["length"])
        wrong = np.flatnonzero(length >= half)
        limit = f"neighbours nearer than half its width, {in_angstrom(half)}"
        problems += _problem(system, table.kind.name, table.atoms, wrong, length, limit)
    pairs = system.terms[_pairs].atoms
    way = _longest_of_other_images(system, pairs, 2 * half)
    limit = "bonds lead to the nearest image of the other atom"
    return problems + _problem(
        system, "exclusion or exception", pairs, np.flatnonzero(way > 0), way, limit
    )


def _problem(
    system: ClassicalSystem,
    term: str,
    atoms: Ints,
    wrong: NDArray[np.intp],
    length: Floats,
    limit: str,
) -> list[Problem]:
    """Name the longest one."""
    if not len(wrong):
        return []
    worst = int(wrong[np.argmax(length[wrong])])
    value = ", ".join(system.names.describe(int(atom)) for atom in atoms[worst])
    value += f": {in_angstrom(float(length[worst]))}"
    value += f"; {len(wrong) - 1:,} more" if len(wrong) > 1 else ""
    assert system.box is not None
    cell = " x ".join(in_angstrom(float(w)) for w in cells.widths(system.box))
    hint = "make a larger cell, such as two of these as one file, and repeat that less often"
    what = f"a repeated cell is too small for this {term}"
    return [Problem(what, value=value, limit=f"{limit}; the cell is {cell} wide", hint=hint)]


def _between(system: ClassicalSystem, one: Ints, other: Ints) -> Floats:
    """Return vectors to the nearest images of the others."""
    assert system.box is not None
    apart = system.position[other] - system.position[one]
    return np.asarray(apart - cells.nearest_shift(apart, system.box))


def _longest_of_other_images(system: ClassicalSystem, pairs: Ints, width: float) -> Floats:
    """Return for each pair the distance of the furthest image that bonds lead to, zero if none.

    The nearest image does not count. All paths of a few bonds are walked, if the width allows other
    images.
    """
    found = np.zeros(len(pairs))
    ends = np.concatenate([system.bonds()[0], system.constraint_atoms])
    if not len(pairs) or not len(ends):
        return found
    source, target = np.concatenate([ends, ends[:, ::-1]]).T
    order = np.argsort(source, kind="stable")
    source, target = source[order], target[order]
    step = _between(system, source, target)
    if 2 * _bonds * np.linalg.norm(step, axis=1).max() < width:
        return found  # two images are a width apart, and both within so many bonds
    degree = np.bincount(source, minlength=system.atoms)
    first = np.cumsum(degree) - degree
    nearest = _between(system, pairs[:, 0], pairs[:, 1])
    pair, atom, way = np.arange(len(pairs)), pairs[:, 0], np.zeros((len(pairs), 3))
    for _ in range(_bonds):
        count = degree[atom]
        walker = np.repeat(np.arange(len(atom)), count)
        bond = np.arange(len(walker)) + np.repeat(first[atom] - (np.cumsum(count) - count), count)
        pair, atom, way = pair[walker], target[bond], way[walker] + step[bond]
        there = np.flatnonzero(atom == pairs[pair, 1])
        other = there[np.abs(way[there] - nearest[pair[there]]).max(axis=1) > _rounding]
        np.maximum.at(found, pair[other], np.linalg.norm(way[other], axis=1))
    return found
