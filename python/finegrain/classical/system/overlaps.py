# SPDX-License-Identifier: BSD-3-Clause
"""Atoms that start so close to each other that dynamics would fail.

Units: Hartree atomic units.
"""

from __future__ import annotations

import numpy as np

from finegrain.base import cells
from finegrain.classical.system.system import ClassicalSystem, Floats
from finegrain.errors import Problem
from finegrain.units import bohr_in_angstrom, hartree_in_kj_per_mol, in_angstrom

# The shortest bond, H-H, is 0.74 Å. This limit is for all atoms, also those without a radius.
_closest_allowed = 0.2 / bohr_in_angstrom
# A minimisation can separate these; atoms closer than this are duplicates.
_closest_mended = 0.01 / bohr_in_angstrom
# Such a repulsion would give an oxygen 80 nm/ps: a step of 2 fs takes it past its neighbours.
_most_repulsion = 1e5 / hartree_in_kj_per_mol
# A box of liquid has about one atom in ten cubic Å. The comparison takes longer with more atoms in
# a cell. So too many atoms in one place are reported before they are compared.
_cell = 2.0 / bohr_in_angstrom
_most_in_cell = 200


def overlaps(system: ClassicalSystem, *, set_free: bool) -> tuple[list[Problem], list[str]]:
    """Find pairs that overlap; pairs with an exception only if they are closer than 0.2 Å.

    Virtual sites with an exception never overlap.

    Parameters
    ----------
    set_free : bool
        Whether dynamics starts from these positions. Otherwise a minimisation separates the atoms,
        or they do not move. Then only atoms that are there twice are a problem, and other overlaps
        are a note.

    Returns
    -------
    list of Problem, list of str
        At most one problem or one note.
    """
    if heap := _heap(system):
        return [heap], []
    pairs, apart = _overlapping(system)
    if len(pairs) == 0:
        return [], []
    first = int(np.round(apart, 6).argmin())  # the first of equal ones
    one, other = (int(atom) for atom in pairs[first])
    value = f"{system.names.describe(one)} and {system.names.describe(other)}"
    what = f"overlap, {in_angstrom(float(apart[first]))} apart"
    doubled = float(apart[first]) < _closest_mended
    limit = in_angstrom(_closest_mended if not set_free else _nearest(system, one, other))
    more = f"{len(pairs) - 1:,} more such pairs" if len(pairs) > 1 else ""
    if not (set_free or doubled):
        more = f" ({more})" if more else ""
        return [], [f"{value} {what}{more}: dynamics needs a minimisation first"]
    hint = "move the atoms apart: are molecules doubled, or the box too small?"
    if not doubled:
        hint += " Or add a [minimise] section, which separates them"
    limit += f"; {more}" if more else ""
    return [Problem(what, value=value, limit=limit, hint=hint)], []


def _nearest(system: ClassicalSystem, one: int, other: int) -> float:
    """Return the distance below which a pair overlaps."""
    sigma, epsilon = system.lennard_jones.of_pairs(one, other)
    return max(_closest_allowed, float(sigma * (4 * epsilon / _most_repulsion) ** (1 / 12)))


def _overlapping(system: ClassicalSystem) -> tuple[np.ndarray, Floats]:
    """Return pairs, shape (pairs, 2), and their distances."""
    reach = max(_closest_allowed, system.lennard_jones.largest())
    reach = min(reach, _cell)
    pairs = close_pairs(system.position, system.box, reach)
    apart = _distances(system, pairs)
    sigma, epsilon = system.lennard_jones.of_pairs(pairs[:, 0], pairs[:, 1])
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        repulsion = np.nan_to_num(4 * epsilon * (sigma / apart) ** 12)
    atoms = np.int64(system.atoms)
    excepted = np.sort(system.terms["exceptions"].atoms, axis=1).astype(np.int64)
    bound = np.isin(pairs[:, 0] * atoms + pairs[:, 1], excepted[:, 0] * atoms + excepted[:, 1])
    # A site may be as near to the atoms of its molecule as its model says.
    inside = bound & system.sites.mask(system.atoms)[pairs].any(axis=1)
    found = ((apart < _closest_allowed) & ~inside) | ((repulsion > _most_repulsion) & ~bound)
    return pairs[found], apart[found]


def _distances(system: ClassicalSystem, pairs: np.ndarray) -> Floats:
    apart = system.position[pairs[:, 0]] - system.position[pairs[:, 1]]
    if system.box is not None:
        apart -= cells.nearest_shift(apart, system.box)
    return np.asarray(np.linalg.norm(apart, axis=1))


def _cells(position: Floats, box: Floats | None, side: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the cell of each atom, shape (atoms, 3), and the number of cells along each axis."""
    if box is None:
        low = position.min(axis=0) - 2 * side
        shape = np.ceil((position.max(axis=0) - low) / side).astype(np.int64) + 3
        return np.floor((position - low) / side).astype(np.int64), shape
    shape = np.clip((cells.widths(box) / side).astype(np.int64), 1, 1 << 20)
    share = cells.fractional(position, box)
    inside = share - np.floor(share)
    return np.minimum((inside * shape).astype(np.int64), shape - 1), shape


def _heap(system: ClassicalSystem) -> Problem | None:
    cell, shape = _cells(system.position, system.box, _cell)
    key = (cell[:, 0] * shape[1] + cell[:, 1]) * shape[2] + cell[:, 2]
    _, first, counts = np.unique(key, return_index=True, return_counts=True)
    most = int(counts.argmax())
    if counts[most] <= _most_in_cell:
        return None
    edges = _cell if system.box is None else float((cells.widths(system.box) / shape).max())
    what = f"{counts[most]:,} atoms are in a cell of {in_angstrom(edges)}"
    value = f"{system.names.describe(int(first[most]))} and others"
    hint = "make the coordinates again: are they all in one place, or is the box too small?"
    return Problem(what, value=value, limit=f"{_most_in_cell}", hint=hint)


def close_pairs(position: Floats, box: Floats | None, limit: float) -> np.ndarray:
    """Return the pairs of atoms closer than `limit`, shape (pairs, 2), first atom lower.

    Atoms are sorted into cells of about 1 Å or more; each cell is compared with itself and with
    half of its neighbours. Cost is proportional to the number of atoms.
    """
    cell, shape = _cells(position, box, max(limit, 1.0 / bohr_in_angstrom))
    key = (cell[:, 0] * shape[1] + cell[:, 1]) * shape[2] + cell[:, 2]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    found: list[np.ndarray] = []
    offsets = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]
    for offset in offsets[13:]:
        other = (cell + offset) % shape
        near = (other[:, 0] * shape[1] + other[:, 1]) * shape[2] + other[:, 2]
        start = np.searchsorted(ordered, near, "left")
        count = np.searchsorted(ordered, near, "right") - start
        for step in range(int(count.max(initial=0))):
            one = np.flatnonzero(count > step)
            two = order[start[one] + step]
            apart = position[one] - position[two]
            if box is not None:
                apart -= cells.nearest_shift(apart, box)
            close = (np.einsum("ij,ij->i", apart, apart) < limit**2) & (one != two)
            found.append(np.sort(np.stack([one[close], two[close]], axis=1), axis=1))
    if not found:
        return np.zeros((0, 2), dtype=np.int64)
    return np.unique(np.concatenate(found), axis=0).reshape(-1, 2)
