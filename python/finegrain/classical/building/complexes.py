# SPDX-License-Identifier: BSD-3-Clause
"""Ligands in a structure: their residues found, matched, and put back with hydrogens. Units: nm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from finegrain.classical.building.choices import Choices
from finegrain.classical.building.contents import POLYMERS, counted, named
from finegrain.classical.building.ligands.chemistry import graph_of
from finegrain.classical.building.ligands.description import Ligand
from finegrain.classical.building.ligands.placing import Found, Placed, own_places, placed_ligand
from finegrain.classical.building.molecules import Molecules, length_unit, places_of, sort_bonds
from finegrain.errors import Problem, nearest

_touching = 0.2  # nm; atoms of two molecules that are no hydrogens stay 0.25 nm apart
_per_nm = 10.0  # Å


@dataclass(frozen=True)
class Guest:
    """A ligand in one of its residues."""

    ligand: Ligand
    placed: Placed


def refuse_ligand_names(topology: Any, choices: Choices, problems: list[Problem]) -> None:
    """Complain about ligands without a residue, and about names of other residues."""
    present = {residue.name.upper() for residue in topology.residues()}
    for wish in choices.ligands:
        what = hint = limit = ""
        if wish.name in POLYMERS or wish.name == "HOH":
            what = "has parameters in the force field"
            hint = "leave this option out, or give the ligand's residue another name in the file"
        elif wish.name in choices.leave_out:
            what, hint = "is left out, too", "take it out of --leave-out, or leave this option out"
        elif wish.name not in present and (real := _renamed(wish.name)):
            what = f"is another name of {real} for OpenMM, which renames such residues"
            hint = "give the ligand's residue a name of its own in the file and here"
        elif wish.name not in present:
            others = sorted(present - POLYMERS - {"HOH"})
            close = nearest(wish.name, [other.lower() for other in others])
            what = "no residue has this name"
            limit = ", ".join(others) or "there are only standard residues and water"
            hint = (
                f"did you mean {close.upper()}?"
                if close
                else "name the ligand's residue in the file"
            )
        if what:
            problems.append(Problem(what, "--ligand", wish.name, limit, hint))


def _renamed(name: str) -> str:
    """Return the name that OpenMM gives residues of this one, such as DA to DAD; or nothing."""
    from openmm.app import PDBFile

    PDBFile._loadNameReplacementTables()
    real = str(PDBFile._residueNameReplacements.get(name, name))
    return "" if real == name else real


def refuse_same_graphs(ligands: dict[str, Ligand], problems: list[Problem]) -> None:
    """Complain about ligands with the same elements and bonds.

    OpenMM finds the parameters of a residue by these alone, so it cannot tell them apart.
    """
    first: dict[str, Ligand] = {}
    for ligand in ligands.values():
        other = first.setdefault(graph_of(ligand.molecule), ligand)
        if other is ligand:
            continue
        what = f"has the same atoms and bonds as {other.name}"
        hint = (
            "give them one name in the file, and one --ligand; stereoisomers cannot be together: "
            "leave one out"
        )
        limit = "each --ligand another molecule"
        problems.append(Problem(what, "--ligand", ligand.name, limit, hint))


def guests_of(
    file: str,
    topology: Any,
    positions: Any,
    residues: list[Any],
    ligands: dict[str, Ligand],
    problems: list[Problem],
) -> list[Guest]:
    """Return the ligand of each of the residues; what does not fit is added to `problems`."""
    places = places_of(positions)
    guests = []
    for residue in residues:
        if _refuse_bound(file, topology, places, residue, problems):
            continue
        ligand = ligands.get(residue.name.upper())
        if ligand is None:  # its source is a problem already
            continue
        placed = placed_ligand(ligand, _found(file, topology, places, residue), problems)
        if placed is not None:
            guests.append(Guest(ligand, placed))
    return guests


def _heavy(residue: Any) -> list[Any]:
    return [
        atom
        for atom in residue.atoms()
        if atom.element is not None and atom.element.atomic_number > 1
    ]


def _found(file: str, topology: Any, places: Any, residue: Any) -> Found:
    atoms = _heavy(residue)
    order = {atom: at for at, atom in enumerate(atoms)}
    bonds = {
        (min(order[one], order[other]), max(order[one], order[other]))
        for one, other in topology.bonds()
        if one in order and other in order
    }
    return Found(
        file,
        named(residue),
        [atom.name for atom in atoms],
        [atom.element.atomic_number for atom in atoms],
        _per_nm * places[[atom.index for atom in atoms]],
        sorted(bonds),
    )


def _refuse_bound(
    file: str, topology: Any, places: Any, residue: Any, problems: list[Problem]
) -> bool:
    """Complain about a ligand in a bond with a polymer, or so near that there must be one."""
    ours = _heavy(residue)
    others = [
        atom
        for other in topology.residues()
        if other is not residue and other.name != "HOH" and len(other) > 1
        for atom in _heavy(other)
    ]
    if not ours or not others:
        return False
    near = places[[atom.index for atom in others]]
    best = (np.inf, ours[0], others[0])
    for atom in ours:
        gaps = np.linalg.norm(near - places[atom.index], axis=1)
        at = int(gaps.argmin())
        best = min(best, (float(gaps[at]), atom, others[at]), key=lambda pair: pair[0])
    gap, mine, theirs = best
    if gap > _touching:
        return False
    what = "is bound to another residue, or lies in it"
    value = f"{mine.name} of {named(residue)} and {theirs.name} of {named(theirs.residue)}"
    hint = (
        "prepare makes no covalent ligands: make a .prmtop or .top of the whole, and start from\n"
        "finegrain init amber; if it is an error of the structure, correct its positions"
    )
    limit = f"{_per_nm * gap:.2f} Å apart"
    problems.append(Problem(what, file, value, limit, hint))
    return True


def with_guests(molecules: Molecules, guests: list[Guest]) -> None:
    """Put each ligand with its hydrogens in the place of its residue, in the same order."""
    from openmm.app import Element, Topology

    if not guests:
        return
    places = places_of(molecules.positions)
    names = {guest.ligand.name for guest in guests}
    waiting = iter(guests)
    new, rows, copies = Topology(), [], {}
    for chain in molecules.topology.chains():
        copy_of_chain = new.addChain(chain.id)
        for residue in chain.residues():
            copy = new.addResidue(residue.name, copy_of_chain, residue.id, residue.insertionCode)
            if residue.name.upper() in names:
                rows += add_atoms(new, copy, next(waiting), Element)
                continue
            for atom in residue.atoms():
                copies[atom] = new.addAtom(atom.name, atom.element, copy)
                rows.append(places[atom.index])
    for one, other in molecules.topology.bonds():
        if one in copies and other in copies:
            new.addBond(copies[one], copies[other])
    molecules.topology, molecules.positions = new, np.array(rows) * length_unit()
    sort_bonds(molecules.topology)
    _describe(molecules, guests)


def add_atoms(topology: Any, residue: Any, guest: Guest, elements: Any) -> list[Any]:
    """Add the atoms of a ligand to a residue; return their places in nm."""
    molecule = guest.ligand.molecule
    atoms = [
        topology.addAtom(name, elements.getByAtomicNumber(atom.GetAtomicNum()), residue)
        for name, atom in zip(guest.placed.names, molecule.GetAtoms(), strict=True)
    ]
    for bond in molecule.GetBonds():
        topology.addBond(atoms[bond.GetBeginAtomIdx()], atoms[bond.GetEndAtomIdx()])
    return list(guest.placed.places / _per_nm)


def molecules_of_ligand(ligand: Ligand) -> tuple[Molecules, list[Guest]]:
    """Return a ligand alone."""
    from openmm.app import Element, Topology

    guest = Guest(ligand, own_places(ligand))
    topology = Topology()
    residue = topology.addResidue(ligand.name, topology.addChain("A"), "1")
    rows = add_atoms(topology, residue, guest, Element)
    molecules = Molecules(topology, np.array(rows) * length_unit())
    sort_bonds(topology)
    _describe(molecules, [guest])
    if ligand.open_centres:
        molecules.notes.append(
            f"{ligand.wish.shown} leaves {ligand.open_centres:,} stereo centres open: one isomer "
            "is taken; for a certain one give an SDF with positions in space"
        )
    return molecules, [guest]


def signed(charge: int) -> str:
    """Return a charge with its sign, or 0."""
    return f"{charge:+d}" if charge else "0"


def _describe(molecules: Molecules, guests: list[Guest]) -> None:
    for name, ligands in counted(guest.ligand for guest in guests).items():
        ligand = ligands[0]
        hydrogens = ligand.molecule.GetNumAtoms() - ligand.heavy
        words = (
            f"{len(ligands):,} {name}: {ligand.formula} of {ligand.wish.shown}, "
            f"with its {hydrogens:,} hydrogens, charge {signed(ligand.charge)} e"
        )
        molecules.done.append(("ligand", words))
        molecules.notes += ligand.notes
        molecules.notes.append(
            f"the protonation of {name} is that of {ligand.wish.shown}, whatever the pH"
        )
    for guest in guests:
        molecules.notes += guest.placed.notes
