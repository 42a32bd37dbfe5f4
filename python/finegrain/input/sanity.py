# SPDX-License-Identifier: BSD-3-Clause
"""Whether a system can be simulated at all: masses, positions, overlaps, counts, constraints.

Units: Hartree atomic units.
"""

from __future__ import annotations

import numpy as np

from finegrain.errors import Problem
from finegrain.input.load import Input
from finegrain.input.readers.source import Source
from finegrain.input.system import ClassicalSystem, Floats
from finegrain.units import bohr_in_angstrom, electron_mass_in_dalton, in_angstrom

# The shortest bond there is, H-H, is 0.74 Å. Contacts above this limit a minimiser can mend; water
# boxes cut out of larger ones have such at their faces.
closest_allowed = 0.2 / bohr_in_angstrom


def count_problems(given: Input, source: Source) -> list[Problem]:
    """Compare the number of atoms of topology and coordinates."""
    named, placed = len(source.names.atom), len(source.position)
    if named == placed:
        return []
    what = f"{placed:,} atoms, but the topology has {named:,}"
    hint = "give the coordinates that were made together with this topology"
    key = "system.coordinates" if given.model.system.coordinates else "system.topology"
    return [given.source.problem(key, what, hint=hint)]


def sanity_problems(system: ClassicalSystem) -> list[Problem]:
    """Find masses and positions that no dynamics can have."""
    problems: list[Problem] = []
    name = system.names.describe
    wrong = np.flatnonzero(~(system.mass > 0))
    if len(wrong):
        first = int(wrong[0])
        mass = system.mass[first] * electron_mass_in_dalton
        what = "has no mass" if mass == 0 else "has a negative mass"
        value = f"{name(first)}: {mass:g} Da"
        if len(wrong) > 1:
            value += f", and {len(wrong) - 1:,} more"
        hint = "every atom needs a positive mass; fixed atoms are not supported"
        problems.append(Problem(what, value=value, limit="more than 0 Da", hint=hint))
    lost = np.flatnonzero(~np.isfinite(system.position).all(axis=1))
    if len(lost):
        value = name(int(lost[0])) + (f", and {len(lost) - 1:,} more" if len(lost) > 1 else "")
        hint = "make the coordinates again; the run that wrote them blew up"
        problems.append(Problem("has no position (NaN)", value=value, hint=hint))
        return problems
    wrong = np.flatnonzero(~np.isfinite(system.charge))
    if len(wrong):
        hint = "make the topology again"
        problems.append(Problem("has no charge (NaN)", value=name(int(wrong[0])), hint=hint))
    pairs = close_pairs(system.position, system.box, closest_allowed)
    if len(pairs):
        apart = _distances(system, pairs)
        one, other = pairs[int(np.round(apart, 6).argmin())]  # the first of equals
        value = f"{name(int(one))} and {name(int(other))}"
        what = f"overlap, {in_angstrom(float(apart.min()))} apart"
        limit = in_angstrom(closest_allowed)
        if len(pairs) > 1:
            limit += f"; {len(pairs) - 1:,} more such pairs"
        hint = "move the atoms apart: are molecules doubled, or the box too small?"
        problems.append(Problem(what, value=value, limit=limit, hint=hint))
    return problems


def constraint_problems(given: Input, source: Source, system: ClassicalSystem) -> list[Problem]:
    """Compare the constraints that the input asks for with those that a System brings."""
    asked = given.model.forces.constraints
    if not source.own_settings or asked in (None, "all-bonds") or len(system.mass) == 0:
        return []
    light = system.mass * electron_mass_in_dalton < 4.5  # hydrogens, also with shifted mass
    tied = {tuple(sorted(pair)) for pair in system.constraint_atoms.tolist()}
    key = "forces.constraints"
    if asked == "h-bonds":
        for pair in system.bond_atoms.tolist():
            if light[pair].any() and tuple(sorted(pair)) not in tied:
                what = "the System leaves X-H bonds free"
                hint = "take it out, and the System's own constraints are used"
                limit = f"first {system.names.describe(pair[0])}"
                return [given.source.problem(key, what, limit=limit, hint=hint)]
    if asked == "none" and any(
        not light[list(pair)].all() and not _in_water(system, pair) for pair in tied
    ):
        what = "the System brings constraints of its own"
        hint = "take it out, or make the System without constraints"
        return [given.source.problem(key, what, hint=hint)]
    return []


def _in_water(system: ClassicalSystem, pair: tuple[int, ...]) -> bool:
    residue = system.names.residue[pair[0]]
    return int(np.count_nonzero(system.names.residue == residue)) == 3


def _distances(system: ClassicalSystem, pairs: np.ndarray) -> Floats:
    apart = system.position[pairs[:, 0]] - system.position[pairs[:, 1]]
    if system.box is not None:
        apart -= system.box * np.round(apart / system.box)
    return np.asarray(np.linalg.norm(apart, axis=1))


def close_pairs(position: Floats, box: Floats | None, limit: float) -> np.ndarray:
    """Return the pairs of atoms closer than `limit`, shape (pairs, 2), first atom lower.

    Atoms are sorted into cells of about 1 Å; each cell is compared with itself and with half of
    its neighbours. Cost is proportional to the number of atoms.
    """
    side = max(limit, 1.0 / bohr_in_angstrom)
    if box is None:
        low = position.min(axis=0) - 2 * side
        shape = np.ceil((position.max(axis=0) - low) / side).astype(np.int64) + 3
        cell = np.floor((position - low) / side).astype(np.int64)
    else:
        shape = np.maximum((box / side).astype(np.int64), 1)
        inside = position / box - np.floor(position / box)
        cell = np.minimum((inside * shape).astype(np.int64), shape - 1)
    key = (cell[:, 0] * shape[1] + cell[:, 1]) * shape[2] + cell[:, 2]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    found: set[tuple[int, int]] = set()
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
                apart -= box * np.round(apart / box)
            close = (np.einsum("ij,ij->i", apart, apart) < limit**2) & (one != two)
            pairs = np.sort(np.stack([one[close], two[close]], axis=1), axis=1)
            found.update((int(a), int(b)) for a, b in pairs)
    return np.array(sorted(found), dtype=np.int64).reshape(-1, 2)
