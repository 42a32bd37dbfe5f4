# SPDX-License-Identifier: BSD-3-Clause
"""Constraints of a dynamics: distances between atoms, checked; atoms are moved to have them.

Units: Hartree atomic units.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from finegrain.ab_initio.input.constraint_keys import GivenDistance
from finegrain.ab_initio.input.load import AbInitioInput
from finegrain.ab_initio.ions.overlaps import overlap_problem
from finegrain.ab_initio.ions.structure import Structure
from finegrain.base.cells import Floats
from finegrain.units import bohr_in_angstrom

_key = "dynamics.constraints"
_most_rounds = 50
_accuracy = 1e-13  # relative, of a distance
_seen_move = 1e-6 / bohr_in_angstrom  # of an atom, that is worth a note
_least_pivot = 1e-6  # relative eigenvalue: constraints in one line have less


@dataclass(frozen=True, eq=False)
class Constraints:
    """Pairs of atoms whose distance stays.

    Attributes
    ----------
    atoms : int32, shape (constraints, 2)
        Counted from 0.
    length : float64, shape (constraints,)
        Bohr.
    vectors : float64, shape (3, 3), or None
        The vectors of the cell, in rows; None for a molecule without images.
    """

    atoms: NDArray[np.int32]
    length: Floats
    vectors: Floats | None

    def ways(self, position: Floats) -> Floats:
        """Return the shortest way from the first to the second atom of each pair."""
        ways = position[self.atoms[:, 1]] - position[self.atoms[:, 0]]
        if self.vectors is None:
            return np.asarray(ways)
        from ase.geometry import find_mic

        return np.asarray(find_mic(ways, self.vectors)[0])

    def slopes(self, position: Floats) -> Floats:
        """Return the derivative of each distance by the positions: (constraints, atoms, 3)."""
        ways = self.ways(position)
        direction = ways / np.linalg.norm(ways, axis=1)[:, None]
        slopes = np.zeros((len(self.atoms), len(position), 3))
        every = np.arange(len(self.atoms))
        slopes[every, self.atoms[:, 0]] -= direction
        slopes[every, self.atoms[:, 1]] += direction
        return slopes

    def matrix(self, slopes: Floats, mass: Floats) -> Floats:
        """Return the sums of products of two slopes over the masses."""
        return np.asarray(np.einsum("cix,i,dix->cd", slopes, 1 / mass, slopes, optimize=True))

    def corrected(self, position: Floats, mass: Floats) -> Floats | None:
        """Return positions with these distances, heavier atoms moved less; None if none is found.

        Newton's method moves the ions along the slopes, divided by the masses.
        """
        moved = position.copy()
        for _ in range(_most_rounds):
            error = np.linalg.norm(self.ways(moved), axis=1) - self.length
            if (np.abs(error) <= _accuracy * self.length).all():
                return moved
            slopes = self.slopes(moved)
            share = np.linalg.lstsq(self.matrix(slopes, mass), error, rcond=None)[0]
            move = np.einsum("c,cix->ix", share, slopes) / mass[:, None]
            if not np.isfinite(move).all():
                return None
            moved -= move
        return None

    def are_independent(self, position: Floats, mass: Floats) -> bool:
        """Return whether no distance follows from the others, to first order of small moves."""
        matrix = self.matrix(self.slopes(position), mass)
        size = np.sqrt(np.diagonal(matrix))
        return bool(np.linalg.eigvalsh(matrix / np.outer(size, size)).min() > _least_pivot)

    def project(self, velocity: Floats, position: Floats, mass: Floats) -> Floats:
        """Return velocities that keep the distances, with the same total momentum."""
        slopes = self.slopes(position)
        share = np.linalg.solve(self.matrix(slopes, mass), np.einsum("cix,ix->c", slopes, velocity))
        return np.asarray(velocity - np.einsum("c,cix->ix", share, slopes) / mass[:, None])


def constrain(given: AbInitioInput, structure: Structure) -> tuple[Constraints | None, Structure]:
    """Return the constraints of an input, and the structure with their distances.

    What is wrong is added to the input's problems; then there are no constraints.
    """
    wanted: tuple[GivenDistance, ...] = given.model.dynamics.constraints or ()
    if not wanted or given.model.dynamics.ions == "rest":
        return None, structure
    isolated = given.model.system.boundary == "isolated"
    if not _are_pairs(given, wanted, len(structure.symbols)):
        return None, structure
    vectors = None if isolated else structure.vectors
    atoms = np.array([one.atoms for one in wanted], np.int32) - 1
    held = Constraints(atoms, np.zeros(len(atoms)), vectors)
    now = np.linalg.norm(held.ways(structure.position), axis=1)
    length = [
        float(here) if one.distance is None else one.distance.value
        for one, here in zip(wanted, now, strict=True)
    ]
    held = replace(held, length=np.array(length))
    if vectors is not None and not _fit_into_cell(given, held, vectors):
        return None, structure
    mass = structure.mass
    if not held.are_independent(structure.position, mass):
        what = "holds distances that depend on each other"
        hint = "leave out one of those of atoms in one line, or of more than three for each atom"
        _refused(given, what, "", hint)
        return None, structure
    if 3 * len(mass) - 3 - len(wanted) < 1:
        what = "leaves no motion to the atoms"
        limit = f"{len(wanted):,} constraints, {3 * len(mass) - 3:,} ways to move"
        hint = "leave out some of them"
        _refused(given, what, limit, hint)
        return None, structure
    position = held.corrected(structure.position, mass)
    if position is None:
        hint = "correct the distances, or begin with a structure that is nearer to them"
        _refused(given, "holds distances that no positions have", "", hint)
        return None, structure
    moved = replace(structure, position=position)
    farthest = float(np.linalg.norm(position - structure.position, axis=1).max())
    if farthest > _seen_move:
        words = f"atoms are moved by up to {farthest * bohr_in_angstrom:.3g} Å to the distances of"
        given.notes.append(f"{words} {_key}")
        least = given.model.system.least_distance
        if problem := overlap_problem(moved, None if least is None else least.value):
            what = f"moves atoms too close to each other: {problem.what}"
            _refused(given, what, problem.limit, problem.hint)
            return None, structure
    return held, moved


def _are_pairs(given: AbInitioInput, wanted: tuple[GivenDistance, ...], atoms: int) -> bool:
    seen: set[tuple[int, int]] = set()
    for one in wanted:
        low, high = sorted(one.atoms)
        if high > atoms:
            hint = "atoms count from 1, in the order of the structure"
            _refused(given, f"names atom {high:,}", f"{atoms:,} atoms", hint)
            return False
        if low == high:
            hint = "give two atoms"
            _refused(given, f"keeps the distance of atom {low:,} from itself", "", hint)
            return False
        if (low, high) in seen:
            hint = "leave out one of them"
            _refused(given, f"has the atoms {low:,} and {high:,} twice", "", hint)
            return False
        seen.add((low, high))
    return True


def _fit_into_cell(given: AbInitioInput, held: Constraints, vectors: Floats) -> bool:
    from ase.geometry import minkowski_reduce

    most = float(np.linalg.norm(minkowski_reduce(vectors)[0], axis=1).min()) / 2
    longest = int(held.length.argmax())
    if held.length[longest] < most:
        return True
    one, two = held.atoms[longest] + 1
    what = f"keeps a distance of {held.length[longest] * bohr_in_angstrom:.4g} Å, of the atoms"
    limit = f"below {most * bohr_in_angstrom:.4g} Å, half of the cell, where images are as near"
    _refused(given, f"{what} {one} and {two}", limit, "take a larger cell")
    return False


def _refused(given: AbInitioInput, what: str, limit: str, hint: str) -> None:
    given.problems.append(given.source.problem(_key, what, limit=limit, hint=hint))
