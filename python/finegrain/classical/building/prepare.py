# SPDX-License-Identifier: BSD-3-Clause
"""The preparation of a raw structure, from the file to a system and its input."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finegrain.classical.building.choices import Choices, Wishes, checked_choices
from finegrain.classical.building.complexes import (
    Guest,
    molecules_of_ligand,
    refuse_same_graphs,
)
from finegrain.classical.building.contents import AMINO_ACIDS, DNA, RNA
from finegrain.classical.building.ligands.ambertools import find_programs
from finegrain.classical.building.ligands.description import Ligand, described_ligand
from finegrain.classical.building.ligands.force_field import LigandField, Tell, field_of
from finegrain.classical.building.ligands.wishes import SUFFIXES, ligand_wishes
from finegrain.classical.building.membrane import check_orientation, in_membrane
from finegrain.classical.building.raw import read_raw
from finegrain.classical.building.repair import repaired
from finegrain.classical.building.report import Prepared, Solute, report_of
from finegrain.classical.building.solvent import (
    Solvated,
    box_of_solute,
    charge_of_solute,
    knows_ion,
    open_force_field,
    solvated,
)
from finegrain.classical.building.staged_input import staged_input
from finegrain.errors import InputError, Problem

_alone = "LIG"  # the residue of a ligand that is all of a file


@dataclass(frozen=True)
class Files:
    """The files of a preparation, still in memory."""

    system: str
    input: str
    ligands: dict[Path, str]
    report: Prepared


def prepared_files(
    source: Path,
    target: Path,
    wishes: Wishes,
    others: Sequence[Problem] = (),
    tell: Tell | None = None,
) -> Files:
    """Return the files of a structure; nothing is written.

    Parameters
    ----------
    source : Path
        A PDB or mmCIF file, or the SDF or MOL2 file of a ligand alone.
    target : Path
        The input to be written; the file of the system will be beside it.
    others : sequence of Problem
        What is wrong with the names of the files.
    tell : callable, optional
        Gets a line for each part that may take long.

    Raises
    ------
    InputError
        With all problems of the file and of the choices that can be found together.
    """
    problems = list(others)
    alone = source.suffix.lower() in SUFFIXES
    if alone:
        _refuse_with_ligand_alone(wishes, problems)
        wishes = {**wishes, "ligand": [f"{_alone}={source}"]}
    choices = checked_choices(wishes, problems)
    force_field = open_force_field(choices)
    if alone:
        solute = _ligand_alone(choices, problems)
    else:
        solute = _structure_read(source, choices, force_field, problems)
    if solute is not None and choices.membrane:
        check_orientation(str(source), solute.molecules, problems)
    if solute is None or problems:
        raise InputError(problems, source=str(source))
    molecules = solute.molecules
    fields = _ligand_fields(solute, problems, tell)
    if problems:
        raise InputError(problems, source=str(source))
    for one in fields:
        force_field.loadFile(io.StringIO(one.xml))
    charge = charge_of_solute(str(source), molecules, force_field, choices, problems)
    if choices.membrane and not problems:
        whole = in_membrane(molecules, charge, choices, force_field, tell)
    else:
        vectors, diameter = box_of_solute(molecules, choices, problems)
        if problems:
            raise InputError(problems, source=str(source))
        whole = solvated(molecules, vectors, diameter, charge, choices, force_field)
    report = report_of(source, target, solute, whole, choices)
    ligands = {_ligand_file(target, one.name): one.xml for one in fields}
    report.ligands = list(ligands)
    text = staged_input(
        choices,
        source.name,
        report.system.name,
        source.stem,
        _held(choices, whole.topology, {one.name for one in fields}),
        [file.name for file in ligands],
        *_held_first(choices, whole.topology, {one.name for one in fields}),
    )
    return Files(_structure(whole, report.system.suffix), text, ligands, report)


def _structure_read(
    source: Path, choices: Choices, force_field: Any, problems: list[Problem]
) -> Solute | None:
    """Return the repaired molecules of a structure."""
    raw = read_raw(source, choices.model, problems)
    if raw is None:
        return None
    if choices.ligands:
        find_programs()
    ligands = _described(choices, problems)
    made = repaired(
        source, raw, choices, ligands, lambda ion: knows_ion(force_field, ion), problems
    )
    return None if made is None else Solute(raw, *made)


def _refuse_with_ligand_alone(wishes: Wishes, problems: list[Problem]) -> None:
    for name, value in (("ligand", wishes.get("ligand")), ("state", wishes.get("state"))):
        if value:
            what, hint = "has no use with a ligand alone", "leave this option out"
            problems.append(Problem(what, f"--{name}", " ".join(value), hint=hint))


def _ligand_alone(choices: Choices, problems: list[Problem]) -> Solute | None:
    """Return the molecules of a file that holds a ligand."""
    find_programs()
    found = _described(choices, problems).get(_alone)
    return None if found is None else Solute(None, *molecules_of_ligand(found))


def _described(choices: Choices, problems: list[Problem]) -> dict[str, Ligand]:
    found = (described_ligand(wish, choices.seed, problems) for wish in choices.ligands)
    ligands = {ligand.name: ligand for ligand in found if ligand is not None}
    refuse_same_graphs(ligands, problems)
    return ligands


def _ligand_fields(solute: Solute, problems: list[Problem], tell: Tell | None) -> list[LigandField]:
    """Return the parameters of each ligand, with the atoms' names of its first residue."""
    first: dict[str, Guest] = {}
    for guest in solute.guests:
        first.setdefault(guest.ligand.name, guest)
    made = [field_of(one.ligand, one.placed.names, problems, tell) for one in first.values()]
    fields = [one for one in made if one is not None]
    for one in fields:
        solute.molecules.done.append(("ligand parameters", one.done))
        solute.molecules.notes += one.notes
    return fields


def ligand_files(source: Path, target: Path, wishes: Wishes) -> list[Path]:
    """Return the names of the files with parameters of ligands."""
    if source.suffix.lower() in SUFFIXES:
        return [_ligand_file(target, _alone)]
    ligands = ligand_wishes(wishes.get("ligand") or (), (), [])
    return [_ligand_file(target, ligand.name) for ligand in ligands]


def _ligand_file(target: Path, name: str) -> Path:
    return target.with_name(f"{target.stem}-{name}.xml")


def _structure(whole: Solvated, suffix: str) -> str:
    from openmm.app import PDBFile, PDBxFile

    file = io.StringIO()
    writer = PDBFile if suffix == ".pdb" else PDBxFile
    writer.writeFile(whole.topology, whole.positions, file, keepIds=True)
    return _without_date(file.getvalue())


def _without_date(text: str) -> str:
    """Take out the day on which OpenMM wrote a file: the same preparation gives the same file."""
    first, end, rest = text.partition("\n")
    if first.startswith("REMARK") and "CREATED WITH OPENMM" in first:
        first = first.partition(",")[0]
    return first + end + rest


def _held(choices: Choices, topology: Any, ligands: set[str]) -> list[str]:
    """Return what "release" holds: alpha carbons, phosphorus of nucleic acids, ligands."""
    kinds = {residue.name for residue in topology.residues()}
    nucleic = any(atom.name == "P" and atom.residue.name in DNA | RNA for atom in topology.atoms())
    held = ["CA"] if kinds & AMINO_ACIDS else []
    if nucleic and not choices.membrane:  # lipids have such atoms, too
        held.append("name P")
    if not held:
        return ["solute heavy atoms"]
    return held + _atoms_of(topology, ligands)


def _held_first(choices: Choices, topology: Any, ligands: set[str]) -> list[list[str]]:
    """Return what the stages before hold, if it is not the solute: lipids have to move."""
    if not choices.membrane:
        return []
    return [["protein heavy atoms", *_atoms_of(topology, ligands)]]


def _atoms_of(topology: Any, ligands: set[str]) -> list[str]:
    """Return the numbers of the atoms of ligands that are no hydrogens, which come first."""
    found = []
    for residue in topology.residues():
        if residue.name in ligands:
            numbers = [atom.index + 1 for atom in residue.atoms() if atom.element.atomic_number > 1]
            found.append(f"{min(numbers)}-{max(numbers)}")
    return found
