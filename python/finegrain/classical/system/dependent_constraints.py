# SPDX-License-Identifier: BSD-3-Clause
"""Groups held by distances that depend on each other, which no solver can keep.

Three distances of three atoms in one line are the usual case. Pulling the middle atom aside
changes none of them to first order. So nothing holds the molecule straight, and one of the three
follows from the others. The same holds for six distances of four atoms in a plane, and for more
distances than a rigid body needs. The test takes the gradients of a group's distances, each as a
row of length one. Their matrix of products then has an eigenvalue near zero. For three atoms this
is about the square of the sine of the angle between two distances.

Units: bohr.
"""

from __future__ import annotations

import numpy as np

from finegrain.classical.system.fragments import Fragments
from finegrain.classical.system.system import ClassicalSystem, Floats, Ints
from finegrain.errors import Problem

# An angle of 176 degrees in a group of three. Coordinates of three decimals in nm leave 1e-4.
smallest_eigenvalue = 1e-3


def dependent_constraints(system: ClassicalSystem, fragments: Fragments) -> list[Problem]:
    """Find the first group whose distances are not independent; its atoms are whole."""
    pairs, first = np.unique(np.sort(system.constraint_atoms, axis=1), axis=0, return_index=True)
    if len(pairs) == 0:
        return []
    lengths = system.constraint_distance[first]
    owner = fragments.of_atom[pairs[:, 0]]
    held = np.bincount(owner, minlength=fragments.count)
    # A group of n atoms has a ring of distances if it has n of them or more.
    tied = np.unique(pairs)
    sizes = np.bincount(fragments.of_atom[tied], minlength=fragments.count)
    order = np.argsort(owner, kind="stable")
    bounds = np.searchsorted(owner[order], np.arange(fragments.count + 1))
    seen: set[tuple[bytes, bytes]] = set()
    for group in np.flatnonzero(held >= sizes):
        if held[group] == 0:
            continue
        rows = order[bounds[group] : bounds[group + 1]]
        start = pairs[rows].min()
        kind = (pairs[rows] - start).tobytes(), np.round(lengths[rows], 6).tobytes()
        if kind in seen:
            continue
        seen.add(kind)
        if problem := _problem(system, pairs[rows], lengths[rows]):
            return [problem]
    return []


def _problem(system: ClassicalSystem, pairs: Ints, lengths: Floats) -> Problem | None:
    atoms = np.unique(pairs)
    describe = system.names.describe
    if (line := _in_a_line(pairs, lengths)) is not None:
        value = ", ".join(describe(atom) for atom in line)
        hint = "hold two mass points at a fixed distance, and make the atoms virtual sites on their"
        hint += " line ([ virtual_sites2 ]); the mass points keep mass and moment of inertia"
        what = "three distances hold three atoms in one line, where nothing keeps them straight"
        return Problem(what, value=value, limit="an angle below 176 degrees", hint=hint)
    if not _near(system.position, pairs, lengths):
        return None  # what coordinates of other atoms say of this group has no meaning
    if _least(system.position, pairs) >= smallest_eigenvalue:
        return None
    value = f"{len(pairs)} distances of {len(atoms)} atoms, from {describe(int(atoms[0]))}"
    hint = "leave out those that follow from the others; make further atoms of a rigid group"
    hint += " virtual sites of three of its atoms"
    return Problem("distances that hold a group depend on each other", value=value, hint=hint)


def _in_a_line(pairs: Ints, lengths: Floats) -> list[int] | None:
    """Return three atoms of one line that are all held by each other, or None."""
    length = {(int(i), int(j)): float(d) for (i, j), d in zip(pairs, lengths, strict=True)}
    neighbours: dict[int, list[int]] = {}
    for one, other in length:
        neighbours.setdefault(one, []).append(other)
    for one, others in sorted(neighbours.items()):
        for place, middle in enumerate(others):
            for last in others[place + 1 :]:
                if (middle, last) not in length:
                    continue
                three = (length[one, middle], length[one, last], length[middle, last])
                if _least(_triangle(*three), np.array([[0, 1], [0, 2], [1, 2]])) < (
                    smallest_eigenvalue
                ):
                    return [one, middle, last]
    return None


def _triangle(ab: float, ac: float, bc: float) -> Floats:
    """Return three positions with these distances; in a line if there is no such triangle."""
    cosine = np.clip((ab**2 + ac**2 - bc**2) / (2 * ab * ac), -1.0, 1.0)
    sine = np.sqrt(1 - cosine**2)
    return np.array([[0.0, 0.0, 0.0], [ab, 0.0, 0.0], [ac * cosine, ac * sine, 0.0]])


def _near(position: Floats, pairs: Ints, lengths: Floats) -> bool:
    """Return whether the atoms are about as far from each other as they are held."""
    apart = np.linalg.norm(position[pairs[:, 0]] - position[pairs[:, 1]], axis=1)
    return bool((np.abs(apart - lengths) < 0.2 * lengths).all())


def _least(position: Floats, pairs: Ints) -> float:
    """Return the smallest eigenvalue of the products of directions."""
    atoms, index = np.unique(pairs, return_inverse=True)
    one, other = index.reshape(pairs.shape).T
    along = position[pairs[:, 0]] - position[pairs[:, 1]]
    distance = np.linalg.norm(along, axis=1)
    if not (distance > 0).all():
        return 1.0  # atoms at one position are reported elsewhere
    along = along / distance[:, None] / np.sqrt(2)
    rows = np.zeros((len(pairs), len(atoms), 3))
    every = np.arange(len(pairs))
    rows[every, one] = along
    rows[every, other] = -along
    flat = rows.reshape(len(pairs), -1)
    return float(np.linalg.eigvalsh(flat @ flat.T)[0])
