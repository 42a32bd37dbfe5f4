# SPDX-License-Identifier: BSD-3-Clause
"""The atoms of a residue matched with those of its ligand; hydrogens beside them. Units: Å.

Both are graphs of atoms that are no hydrogens. Bonds of the residue are short distances, or the
bonds of the file. Of several matches the one is taken that keeps the chirality of the ligand, and
then the one with the shortest double bonds: it tells C=O from C-OH.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.classical.building.ligands.chemistry import HYDROGEN, rdkit, silent
from finegrain.classical.building.ligands.description import Ligand
from finegrain.errors import Problem

Floats = NDArray[np.float64]
Bonds = Sequence[tuple[int, int]]

_slack = 0.4  # Å beyond the sum of the covalent radii
_most_matches = 1000


@dataclass(frozen=True)
class Found:
    """The atoms of a residue in a structure that are no hydrogens.

    Attributes
    ----------
    residue : str
        Its name, chain and number.
    names : list of str
    numbers : list of int
        Atomic numbers.
    places : array, shape (atoms, 3), Å
    bonds : sequence of pairs of int
        Those of the file.
    """

    file: str
    residue: str
    names: list[str]
    numbers: list[int]
    places: Floats
    bonds: Bonds


@dataclass(frozen=True)
class Placed:
    """A ligand in its place; atoms are in the order of `Ligand.molecule`.

    Attributes
    ----------
    names : list of str
    places : array, shape (atoms, 3), Å
    """

    names: list[str]
    places: Floats
    notes: tuple[str, ...] = ()


def placed_ligand(ligand: Ligand, found: Found, problems: list[Problem]) -> Placed | None:
    """Return the ligand where the residue is; None after adding to `problems` why not."""
    chem = rdkit()
    with silent():
        heavy = chem.RemoveAllHs(ligand.molecule)
        numbers = [atom.GetAtomicNum() for atom in heavy.GetAtoms()]
        matches = _matches(heavy, numbers, found)
        if not matches:
            problems.append(_no_match(ligand, numbers, heavy, found))
            return None
        wrong, _, match = min(
            (_wrong_centres(heavy, found.places[list(match)]), _misfit(heavy, match, found), match)
            for match in matches
        )
        whole = chem.AddHs(_with_places(heavy, found.places[list(match)]), addCoords=True)
    places = np.array(whole.GetConformer().GetPositions(), np.float64)
    notes: tuple[str, ...] = ()
    if wrong:
        notes = (
            f"{found.residue} has another chirality than {ligand.wish.shown}, {wrong:,} times; "
            "that of the structure is kept: is it the same isomer?",
        )
    borne = [found.names[at] for at in match]
    return Placed(_with_hydrogens(borne, len(places)), places, notes)


def own_places(ligand: Ligand) -> Placed:
    """Return a ligand alone, where its source has it."""
    atoms = list(ligand.molecule.GetAtoms())
    mol2 = "_TriposAtomName"
    names = [atom.GetProp(mol2).strip() if atom.HasProp(mol2) else "" for atom in atoms]
    names = names[: ligand.heavy]
    if len(set(names)) < len(names) or not all(0 < len(name) <= 4 for name in names):
        seen: Counter[str] = Counter()
        names = []
        for atom in atoms[: ligand.heavy]:
            seen[atom.GetSymbol()] += 1
            names.append(f"{atom.GetSymbol()}{seen[atom.GetSymbol()]}")
    places = np.array(ligand.molecule.GetConformer().GetPositions(), np.float64)
    return Placed(_with_hydrogens(names, len(atoms)), places)


def _with_hydrogens(names: list[str], count: int) -> list[str]:
    """Return names for all atoms: H1, H2 and so on for hydrogens, if no other atom has them."""
    free = (name for number in range(1, 1000) if (name := f"H{number}") not in names)
    return [*names, *(next(free) for _ in range(count - len(names)))]


def _matches(heavy: Any, numbers: list[int], found: Found) -> list[tuple[int, ...]]:
    """Return for each match the atom of the residue for each of the ligand."""
    if Counter(numbers) != Counter(found.numbers):
        return []
    bonds = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in heavy.GetBonds()]
    pattern = _plain(numbers, bonds)
    for theirs in (_near(found), found.bonds):
        if len(theirs) == len(bonds):
            target = _plain(found.numbers, theirs)
            matches = target.GetSubstructMatches(pattern, uniquify=False, maxMatches=_most_matches)
            if matches:
                return list(matches)
    return []


def _plain(numbers: Iterable[int], bonds: Bonds) -> Any:
    """Return a molecule with single bonds alone: a graph with elements."""
    chem = rdkit()
    made = chem.RWMol()
    for number in numbers:
        atom = chem.Atom(number)
        atom.SetNoImplicit(True)
        made.AddAtom(atom)
    for one, other in bonds:
        made.AddBond(one, other, chem.BondType.SINGLE)
    return made.GetMol()


def _near(found: Found) -> Bonds:
    """Return pairs of atoms that are no further apart than atoms in a bond."""
    table = rdkit().GetPeriodicTable()
    radii = np.array([table.GetRcovalent(number) for number in found.numbers])
    gaps = np.linalg.norm(found.places[:, None] - found.places[None], axis=-1)
    near = np.triu(gaps < radii[:, None] + radii[None] + _slack, k=1)
    return [(int(one), int(other)) for one, other in zip(*np.nonzero(near), strict=True)]


def _misfit(heavy: Any, match: tuple[int, ...], found: Found) -> float:
    """Return the sum of bond orders times lengths, Å: least if double bonds are the short ones."""
    total = 0.0
    for bond in heavy.GetBonds():
        one, other = match[bond.GetBeginAtomIdx()], match[bond.GetEndAtomIdx()]
        gap = float(np.linalg.norm(found.places[one] - found.places[other]))
        total += bond.GetBondTypeAsDouble() * gap
    return round(total, 4)


def _with_places(heavy: Any, places: Floats) -> Any:
    chem = rdkit()
    copy = chem.Mol(heavy)
    copy.RemoveAllConformers()
    shape = chem.Conformer(len(places))
    for at, place in enumerate(places.tolist()):
        shape.SetAtomPosition(at, place)
    shape.Set3D(True)
    copy.AddConformer(shape, assignId=True)
    return copy


def _wrong_centres(heavy: Any, places: Floats) -> int:
    """Return how many stereo centres of the ligand are others at these places."""
    chem = rdkit()
    wanted = _labels(heavy)
    if not wanted:
        return 0
    there = _with_places(heavy, places)
    chem.AssignStereochemistryFrom3D(there, replaceExistingTags=True)
    given = _labels(there)
    return sum(given.get(place) != label for place, label in wanted.items())


def _labels(molecule: Any) -> dict[tuple[str, int], str]:
    """Return R or S of atoms, E or Z of bonds."""
    chem = rdkit()
    chem.AssignStereochemistry(molecule, cleanIt=True, force=True)
    found = {
        ("atom", atom.GetIdx()): atom.GetProp("_CIPCode")
        for atom in molecule.GetAtoms()
        if atom.HasProp("_CIPCode")
    }
    for bond in molecule.GetBonds():
        if bond.GetStereo() > chem.BondStereo.STEREOANY:
            found["bond", bond.GetIdx()] = str(bond.GetStereo())
    return found


def _no_match(ligand: Ligand, numbers: list[int], heavy: Any, found: Found) -> Problem:
    what = f"is not the molecule of {ligand.wish.shown}"
    ours, theirs = Counter(numbers), Counter(found.numbers)
    if ours != theirs:
        limit = f"the residue has {_sum(theirs)}, the ligand {_sum(ours)} (hydrogens apart)"
        hint = "take the file of this ligand"
        if not theirs - ours:
            hint = "complete the residue first: atoms that are missing are not built in a ligand"
        elif not ours - theirs:
            hint = "take the file of the whole ligand, with all atoms of the residue"
        return Problem(what, found.file, found.residue, limit, hint)
    limit = (
        f"both have {_sum(ours)}, but the ligand {heavy.GetNumBonds():,} bonds and the residue "
        f"{len(_near(found)):,} by its distances"
    )
    hint = "another isomer? or, if atoms are torn or too near, correct the structure"
    return Problem(what, found.file, found.residue, limit, hint)


def _sum(numbers: Counter[int]) -> str:
    table = rdkit().GetPeriodicTable()
    order = sorted(numbers, key=lambda number: (number != 6, number != HYDROGEN, number))
    return " ".join(f"{table.GetElementSymbol(one)}{numbers[one]}" for one in order)
