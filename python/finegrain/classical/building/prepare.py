# SPDX-License-Identifier: BSD-3-Clause
"""The preparation of a raw structure, from the file to a system and its input."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from finegrain.base.visible import visible
from finegrain.classical.building.choices import Choices, Wishes, checked_choices
from finegrain.classical.building.contents import AMINO_ACIDS
from finegrain.classical.building.molecules import Molecules
from finegrain.classical.building.raw import Raw, read_raw
from finegrain.classical.building.repair import repaired
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
from finegrain.words.report import aligned

_most_lines = 12  # of one heading in the text
_most_of_pdb = 99_999  # atoms that a PDB file can number


@dataclass
class Prepared:
    """What was prepared, and from what.

    Attributes
    ----------
    input, system : Path
        The input that was written, and the file of the whole system beside it.
    atoms, waters, crystal_waters : int
    ions : dict
        Number of ions that were added, by element.
    charge : int
        Net charge before ions were added, e.
    box : str
        Its shape; images of the solute's middle are `width_nm` apart.
    done : list of tuple of str
        What was found, changed and left out: a heading and its text.
    """

    source: Path
    input: Path
    system: Path
    forcefield: str
    water: str
    atoms: int
    waters: int
    crystal_waters: int
    ions: dict[str, int]
    charge: int
    box: str
    width_nm: float
    ph: float
    done: list[tuple[str, str]]
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the report for ``--json``."""
        return {
            "source": str(self.source),
            "input": str(self.input),
            "system": str(self.system),
            "forcefield": self.forcefield,
            "water": self.water,
            "atoms": self.atoms,
            "waters": self.waters,
            "crystal_waters": self.crystal_waters,
            "ions": self.ions,
            "charge": self.charge,
            "box": self.box,
            "width_nm": self.width_nm,
            "ph": self.ph,
            "done": [{"what": what, "text": text} for what, text in self.done],
            "notes": self.notes,
        }

    def text(self) -> str:
        """Return the report as text."""
        rows = [(what, _shortened(text)) for what, text in self.done]
        lines = [f"wrote {self.input} and {self.system}", "", *aligned(rows)]
        lines += [f"  note: {note}" for note in self.notes]
        lines += ["", f"look at it, then: finegrain check {self.input}"]
        lines += [f"                  finegrain run {self.input}"]
        return visible("\n".join(lines)) + "\n"


def _shortened(text: str) -> str:
    lines = text.splitlines()
    if len(lines) <= _most_lines:
        return text
    return "\n".join([*lines[:_most_lines], f"and {len(lines) - _most_lines:,} more (see --json)"])


@dataclass(frozen=True)
class Files:
    """The two files of a preparation, still in memory."""

    system: str
    input: str
    report: Prepared


def prepared_files(
    source: Path, target: Path, wishes: Wishes, others: Sequence[Problem] = ()
) -> Files:
    """Return the files of a structure; nothing is written.

    Parameters
    ----------
    source : Path
        A PDB or mmCIF file.
    target : Path
        The input to be written; the file of the system will be beside it.
    others : sequence of Problem
        What is wrong with the names of the files.

    Raises
    ------
    InputError
        With all problems of the file and of the choices that can be found together.
    """
    problems = list(others)
    choices = checked_choices(wishes, problems)
    raw = read_raw(source, choices.model, problems)
    if raw is None:
        raise InputError(problems, source=str(source))
    force_field = open_force_field(choices)
    molecules = repaired(source, raw, choices, lambda ion: knows_ion(force_field, ion), problems)
    if molecules is None or problems:
        raise InputError(problems, source=str(source))
    charge = charge_of_solute(str(source), molecules, force_field, choices, problems)
    vectors, diameter = box_of_solute(molecules, choices, problems)
    if problems:
        raise InputError(problems, source=str(source))
    whole = solvated(molecules, vectors, diameter, charge, choices, force_field)
    system = system_file(target, whole.topology.getNumAtoms())
    report = _report(source, target, system, raw, molecules, whole, choices)
    text = staged_input(choices, source.name, system.name, source.stem, _held(whole.topology))
    return Files(_structure(whole, system.suffix), text, report)


def system_file(target: Path, atoms: int = 0) -> Path:
    """Return the name of the file of the system: mmCIF if a PDB file cannot number its atoms."""
    suffix = "pdb" if atoms <= _most_of_pdb else "cif"
    return target.with_name(f"{target.stem}-system.{suffix}")


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


def _held(topology: Any) -> list[str]:
    """Return what the stage "release" holds: the alpha carbons, the phosphorus of nucleic acids."""
    names = {atom.name for atom in topology.atoms() if atom.residue.name != "HOH"}
    acids = any(residue.name in AMINO_ACIDS for residue in topology.residues())
    held = (["CA"] if acids else []) + (["name P"] if "P" in names else [])
    return held or ["solute heavy atoms"]


def _report(
    source: Path,
    target: Path,
    system: Path,
    raw: Raw,
    molecules: Molecules,
    whole: Solvated,
    choices: Choices,
) -> Prepared:
    field_ = choices.force_field
    atoms = whole.topology.getNumAtoms()
    found = list(molecules.found)
    notes = list(molecules.notes)
    if raw.models > 1:
        notes.insert(
            0,
            f"{source.name} holds {raw.models:,} models; model {choices.model} is taken; another: "
            "--model N. If they are parts of one molecule, join them first",
        )
    if any(what == "protonation" for what, _ in molecules.done):
        notes.append(
            "protonation is that of free residues at this pH; where the surroundings matter, "
            "choose it with --state, such as --state A:57=HIE"
        )
    ions = ", ".join(f"{count:,} {name}" for name, count in whole.ions.items()) or "none"
    crystal = f", of which {molecules.crystal_waters:,} of the crystal"
    rows = [
        (source.name, "\n".join(found)),
        *molecules.done,
        ("force field", f"{choices.forcefield} ({field_.title}) with {choices.water_name}"),
        (
            "box",
            f"{choices.box}, images {10 * whole.width:.1f} Å apart: the solute's "
            f"{10 * whole.diameter:.1f} Å and {10 * choices.padding:g} Å of water on each side",
        ),
        ("water", f"{whole.waters:,}" + (crystal if molecules.crystal_waters else "")),
        ("ions added", f"{ions}, for a charge of {whole.charge:+d} e and {choices.salt:g} mol/l"),
        ("atoms", f"{atoms:,}"),
        ("stages", "minimise, heat 50 ps, press 100 ps, release 100 ps, produce 10 ns"),
    ]
    return Prepared(
        source=source,
        input=target,
        system=system,
        forcefield=choices.forcefield,
        water=choices.water_name,
        atoms=atoms,
        waters=whole.waters,
        crystal_waters=molecules.crystal_waters,
        ions=whole.ions,
        charge=whole.charge,
        box=choices.box,
        width_nm=whole.width,
        ph=choices.ph,
        done=rows,
        notes=notes,
    )
