# SPDX-License-Identifier: BSD-3-Clause
"""Fragments: atoms held together by constraints, which move between patches as one.

Units: bohr, electron masses.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from finegrain.errors import Problem
from finegrain.input.system import ClassicalSystem, Floats, Ints
from finegrain.units import bohr_in_angstrom, in_angstrom

# The constraints of a fragment are solved together, with a dense matrix; and a patch must reach
# across it. Amino acids, sugars and solvents with constrained X-H bonds stay far below.
largest_fragment = 16
longest_radius = 3.5 / bohr_in_angstrom


@dataclass
class Fragments:
    """Atoms by fragment.

    Attributes
    ----------
    of_atom : int32, shape (atoms,), numbered in the order of their first atoms
    count : int
    radius : float
        The longest distance of an atom from its fragment's heaviest, bohr.
    water_atoms : int32, shape (waters, 3), oxygen first
    water_oh, water_hh : float64, shape (waters,), bohr
    """

    of_atom: Ints
    count: int
    radius: float
    water_atoms: Ints
    water_oh: Floats
    water_hh: Floats


def find_fragments(system: ClassicalSystem) -> tuple[Fragments, list[Problem]]:
    """Group the atoms, find the rigid waters, and make each fragment whole.

    `system.position` is changed: atoms of a fragment come to the image nearest its first atom.
    """
    atoms = system.atoms
    label = _connected(atoms, system.constraint_atoms)
    first, inverse, counts = np.unique(label, return_inverse=True, return_counts=True)
    of_atom, sizes = inverse.astype(np.int32), counts.astype(np.int32)
    position = system.position
    if system.box is not None:
        offset = position - position[label]
        position -= system.box * np.round(offset / system.box)
    heaviest = _heaviest(of_atom, system.mass, len(first))
    distance = np.linalg.norm(position - position[heaviest[of_atom]], axis=1)
    waters, oh, hh = _rigid_waters(system, of_atom, sizes)
    radius = float(distance.max(initial=0.0))
    fragments = Fragments(of_atom, len(first), radius, waters, oh, hh)
    problems: list[Problem] = []
    biggest = int(sizes.argmax())
    hint = 'constraints = "h-bonds" keeps fragments small'
    if sizes[biggest] > largest_fragment:
        what = f"constraints tie {sizes[biggest]:,} atoms together"
        limit = f"{largest_fragment} atoms"
        named = f"from {system.names.describe(int(first[biggest]))}"
        problems.append(Problem(what, value=named, limit=limit, hint=hint))
    elif radius > longest_radius:
        atom = int(distance.argmax())
        what = f"a constrained fragment is {in_angstrom(radius)} long"
        limit = in_angstrom(longest_radius)
        hint += "; or the coordinates do not go with this topology"
        named = f"at {system.names.describe(atom)}"
        problems.append(Problem(what, value=named, limit=limit, hint=hint))
    return fragments, problems


def _connected(atoms: int, pairs: Ints) -> Ints:
    """Return for each atom the lowest atom that a chain of pairs joins it to."""
    label = np.arange(atoms, dtype=np.int32)
    one, other = pairs[:, 0], pairs[:, 1]
    while True:
        lowest = np.minimum(label[one], label[other])
        before = label.copy()
        np.minimum.at(label, one, lowest)
        np.minimum.at(label, other, lowest)
        label = label[label]  # halves what is left of each chain
        if np.array_equal(before, label):
            return label


def _heaviest(of_atom: Ints, mass: Floats, count: int) -> Ints:
    """Return the heaviest atom of each fragment, the first of equals."""
    order = np.lexsort((np.arange(len(mass)), -mass, of_atom))
    starts = np.searchsorted(of_atom[order], np.arange(count))
    return order[starts].astype(np.int32)


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
    # Distance opposite to each member: that of the constraint which it is not in.
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
