# SPDX-License-Identifier: BSD-3-Clause
"""Fragments: atoms that move between patches together.

Constraints connect them, and virtual sites connect their parents and themselves.

Units: bohr, electron masses.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from finegrain.base import cells
from finegrain.base.connected import connected
from finegrain.classical.system.system import ClassicalSystem, Floats, Ints
from finegrain.errors import Problem
from finegrain.units import bohr_in_angstrom, in_angstrom

# The constraints of a fragment are solved together, and a patch must be wider than it. A dipeptide
# with all bonds constrained stays below; X-H groups are far smaller.
largest_fragment = 64
longest_radius = 8.0 / bohr_in_angstrom
largest_correction = 0.5 / bohr_in_angstrom


@dataclass
class Fragments:
    """Atoms by fragment.

    Attributes
    ----------
    of_atom : int32, shape (atoms,), numbered in the order of their first atoms
    count : int
    radius : float
        The longest path along constraints, or from parents to their site, from the atom that
        decides a fragment's patch, bohr.
    water_atoms : int32, shape (waters, 3), oxygen first
    water_oh, water_hh : float64, shape (waters,), bohr
    moved_sites : float64, shape (sites,), bohr
        How far each virtual site was from where its parents put it.
    """

    of_atom: Ints
    count: int
    radius: float
    water_atoms: Ints
    water_oh: Floats
    water_hh: Floats
    moved_sites: Floats


def find_fragments(system: ClassicalSystem) -> tuple[Fragments, list[Problem]]:
    """Group the atoms, find the rigid waters, make each fragment whole, and place its sites.

    Changes `system.position`: atoms of a fragment move to the image nearest to its first one.
    """
    sites, position = system.sites, system.position
    is_atom = ~sites.mask(system.atoms)
    pairs = np.concatenate(
        [system.constraint_atoms]
        + [found(position)[0] for found in (sites.pairs_of_parents, sites.pairs_with_sites)]
    )
    _, inverse = np.unique(connected(system.atoms, pairs), return_inverse=True)
    of_atom = inverse.astype(np.int32)
    sizes = np.bincount(of_atom[is_atom]).astype(np.int32)
    atoms = np.flatnonzero(is_atom)
    first = atoms[np.unique(of_atom[atoms], return_index=True)[1]].astype(np.int32)
    if system.box is not None:
        offset = position - position[first[of_atom]]
        position -= cells.nearest_shift(offset, system.box)
    moved = sites.place(position)
    waters, oh, hh = _rigid_waters(system, of_atom, sizes)
    anchors = _anchors(system, of_atom, first, sizes, waters)
    distance = _reach(system, anchors)
    radius = float(distance.max(initial=0.0))
    fragments = Fragments(of_atom, len(first), radius, waters, oh, hh, moved)
    problems: list[Problem] = []
    biggest = int(sizes.argmax())
    hint = 'use constraints = "h-bonds"; "all-bonds" is for small molecules'
    if len(sites):
        hint += "; virtual sites tie the atoms that they follow"
    if sizes[biggest] > largest_fragment:
        what = f"constraints tie {sizes[biggest]:,} atoms together"
        limit = f"{largest_fragment} atoms"
        named = f"from {system.names.describe(int(first[biggest]))}"
        problems.append(Problem(what, value=named, limit=limit, hint=hint))
    elif radius > longest_radius:
        atom = int(distance.argmax())
        what = f"a constrained fragment is {in_angstrom(radius)} long"
        limit = in_angstrom(longest_radius)
        named = f"at {system.names.describe(atom)}"
        problems.append(Problem(what, value=named, limit=limit, hint=hint))
    return fragments, problems


def torn_constraints(system: ClassicalSystem) -> list[Problem]:
    """Find constraints far from satisfied; the coordinates then have another order of atoms."""
    one, other = system.constraint_atoms.T
    apart = np.linalg.norm(system.position[one] - system.position[other], axis=1)
    wrong = np.flatnonzero(np.abs(apart - system.constraint_distance) > largest_correction)
    if len(wrong) == 0:
        return []
    worst = wrong[0]
    name = system.names.describe
    value = f"{name(int(one[worst]))} and {name(int(other[worst]))}"
    if len(wrong) > 1:
        value += f", and {len(wrong) - 1:,} more pairs"
    return [
        Problem(
            f"bound atoms are {in_angstrom(float(apart[worst]))} apart",
            value=value,
            limit=f"within 0.5 Å of {in_angstrom(float(system.constraint_distance[worst]))}",
            hint="do the coordinates list the atoms in the topology's order?",
        )
    ]


def _anchors(
    system: ClassicalSystem, of_atom: Ints, first: Ints, sizes: Ints, waters: Ints
) -> Ints:
    """Return the atom of each fragment that decides its patch: the middle along its ties.

    This is the engine's rule (engine/particles/fragment.hpp), where waters follow their oxygen.
    """
    ties = system.constraint_atoms
    held = np.bincount(ties.ravel(), minlength=system.atoms)
    in_fragment = np.bincount(of_atom[ties[:, 0]], minlength=len(sizes))
    size = sizes[of_atom]
    centre = (held == size - 1) & (in_fragment[of_atom] == size - 1) & (size > 1)
    anchors = first.copy()
    # of two atoms with one constraint the first is the centre
    centres = np.flatnonzero(centre)[::-1]
    anchors[of_atom[centres]] = centres
    starless = sizes > 2
    starless[of_atom[centres]] = False
    starless[of_atom[waters[:, 0]]] = False
    pairs, apart = system.sites.pairs_of_parents(system.position)
    ties = np.concatenate([ties, pairs])
    length = np.concatenate([system.constraint_distance, apart])
    in_fragment = np.bincount(of_atom[ties[:, 0]], minlength=len(sizes))
    ties_by_fragment = np.argsort(of_atom[ties[:, 0]], kind="stable")
    last_tie = np.cumsum(in_fragment)
    for fragment in np.flatnonzero(starless & (sizes <= largest_fragment)):
        mine = ties_by_fragment[last_tie[fragment] - in_fragment[fragment] : last_tie[fragment]]
        anchors[fragment] = _middle(ties[mine], length[mine])
    anchors[of_atom[waters[:, 0]]] = waters[:, 0]
    return anchors


def _middle(ties: Ints, length: Floats) -> int:
    """Return the atom from which the longest path along these constraints is shortest."""
    members, place = np.unique(ties, return_inverse=True)
    one, other = place.reshape(-1, 2).T
    way = np.full((len(members), len(members)), np.inf)
    np.fill_diagonal(way, 0.0)
    np.minimum.at(way, (one, other), length)
    way = np.minimum(way, way.T)
    for k in range(len(members)):
        np.minimum(way, way[:, [k]] + way[[k], :], out=way)
    longest = way.max(axis=1)
    return int(members[np.flatnonzero(longest <= longest.min() * (1 + 1e-9))[0]])


def _reach(system: ClassicalSystem, anchors: Ints) -> Floats:
    """Return the length of the shortest path along ties from an anchor to each atom."""
    sites, position = system.sites, system.position
    of_parents, of_sites = sites.pairs_of_parents(position), sites.pairs_with_sites(position)
    ties = np.concatenate([system.constraint_atoms, of_parents[0], of_sites[0]])
    length = np.concatenate([system.constraint_distance, of_parents[1], of_sites[1]])
    way = np.full(system.atoms, np.inf)
    way[anchors] = 0.0
    while True:
        before = way.copy()
        np.minimum.at(way, ties[:, 1], before[ties[:, 0]] + length)
        np.minimum.at(way, ties[:, 0], before[ties[:, 1]] + length)
        if np.array_equal(before, way):
            return way


def _rigid_waters(
    system: ClassicalSystem, of_atom: Ints, sizes: Ints
) -> tuple[Ints, Floats, Floats]:
    """Find fragments of three atoms with three constraints, two of them equal, with equal ends."""
    pairs, distance = system.constraint_atoms, system.constraint_distance
    none = np.zeros((0, 3), dtype=np.int32), np.zeros(0), np.zeros(0)
    if len(pairs) == 0:
        return none
    fragment = of_atom[pairs[:, 0]]
    held = np.bincount(fragment, minlength=len(sizes))
    candidates = np.flatnonzero((sizes == 3) & (held == 3))
    if len(candidates) == 0:
        return none
    order = np.argsort(fragment, kind="stable")
    starts = np.searchsorted(fragment[order], candidates)
    rows = order[starts[:, None] + np.arange(3)]
    three = np.sort(pairs[rows], axis=2)  # [candidates][3 constraints][2 atoms]
    lowest, highest = three.min(axis=(1, 2)), three.max(axis=(1, 2))
    middle = three.sum(axis=(1, 2)) // 2 - lowest - highest
    members = np.stack([lowest, middle, highest], axis=1)
    # The distance opposite to each member is that of the constraint without it.
    total = members.sum(axis=1)
    opposite = np.empty(members.shape)
    for column in range(3):
        left_out = total[:, None] - three.sum(axis=2) == members[:, [column]]
        opposite[:, column] = np.where(left_out, distance[rows], 0).sum(axis=1)
    atoms, oh, hh = [], [], []
    for apex in range(3):
        one, other = (apex + 1) % 3, (apex + 2) % 3
        # Each O-H distance is opposite to the other hydrogen.
        same = np.isclose(opposite[:, one], opposite[:, other], rtol=1e-9, atol=0)
        mass = system.mass[members]
        is_water = same & (mass[:, one] == mass[:, other]) & (mass[:, apex] > mass[:, one])
        ends = np.sort(members[:, [one, other]], axis=1)
        atoms.append(np.column_stack([members[:, apex], ends])[is_water])
        oh.append(opposite[is_water, one])
        hh.append(opposite[is_water, apex])
    found = np.concatenate(atoms).astype(np.int32)
    order = np.argsort(found[:, 0], kind="stable")
    return found[order], np.concatenate(oh)[order], np.concatenate(hh)[order]
