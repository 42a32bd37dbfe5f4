# SPDX-License-Identifier: BSD-3-Clause
"""What was prepared, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from finegrain.base.visible import visible
from finegrain.classical.building.choices import Choices
from finegrain.classical.building.complexes import Guest, signed
from finegrain.classical.building.molecules import Molecules
from finegrain.classical.building.raw import Raw
from finegrain.classical.building.solvent import Solvated
from finegrain.words.report import aligned

_most_lines = 12  # of one heading in the text
_most_of_pdb = 99_999  # atoms that a PDB file can number


@dataclass
class Solute:
    """What goes into the box: molecules, and which of them are ligands."""

    raw: Raw | None
    molecules: Molecules
    guests: list[Guest]


@dataclass
class Prepared:
    """What was prepared, and from what.

    Attributes
    ----------
    input, system : Path
        The input that was written, and the file of the whole system beside it.
    ligands : list of Path
        Files of the force field of ligands, beside them.
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
    ligands: list[Path] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the report for ``--json``."""
        return {
            "source": str(self.source),
            "input": str(self.input),
            "system": str(self.system),
            "ligands": [str(file) for file in self.ligands],
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
        *others, last = [str(file) for file in (self.input, self.system, *self.ligands)]
        lines = [f"wrote {', '.join(others)} and {last}", "", *aligned(rows)]
        lines += [f"  note: {note}" for note in self.notes]
        lines += ["", f"look at it, then: finegrain check {self.input}"]
        lines += [f"                  finegrain run {self.input}"]
        return visible("\n".join(lines)) + "\n"


def _shortened(text: str) -> str:
    lines = text.splitlines()
    if len(lines) <= _most_lines:
        return text
    return "\n".join([*lines[:_most_lines], f"and {len(lines) - _most_lines:,} more (see --json)"])


def system_file(target: Path, atoms: int = 0) -> Path:
    """Return the name of the file of the system: mmCIF if a PDB file cannot number its atoms."""
    suffix = "pdb" if atoms <= _most_of_pdb else "cif"
    return target.with_name(f"{target.stem}-system.{suffix}")


def report_of(
    source: Path,
    target: Path,
    solute: Solute,
    whole: Solvated,
    choices: Choices,
) -> Prepared:
    """Return what was done, from the file to the whole system."""
    field_ = choices.force_field
    molecules, models = solute.molecules, solute.raw.models if solute.raw else 1
    atoms = whole.topology.getNumAtoms()
    found = list(molecules.found)
    notes = list(molecules.notes)
    if models > 1:
        notes.insert(
            0,
            f"{source.name} holds {models:,} models; model {choices.model} is taken; another: "
            "--model N. If they are parts of one molecule, join them first",
        )
    if any(what == "protonation" for what, _ in molecules.done):
        notes.append(
            "protonation is that of free residues at this pH; where the surroundings matter, "
            "choose it with --state, such as --state A:57=HIE"
        )
    ions = ", ".join(f"{count:,} {name}" for name, count in whole.ions.items()) or "none"
    time = "500 ps" if choices.membrane else "100 ps"
    crystal = f", of which {molecules.crystal_waters:,} of the crystal"
    rows = [
        *([(source.name, "\n".join(found))] if found else []),
        *molecules.done,
        ("force field", f"{choices.forcefield} ({field_.title}) with {choices.water_name}"),
        *_box(whole, choices),
        ("water", f"{whole.waters:,}" + (crystal if molecules.crystal_waters else "")),
        (
            "ions added",
            f"{ions}, for a charge of {signed(whole.charge)} e and {choices.salt:g} mol/l",
        ),
        ("atoms", f"{atoms:,}"),
        ("stages", f"minimise, heat 50 ps, press {time}, release {time}, produce 10 ns"),
    ]
    return Prepared(
        source=source,
        input=target,
        system=system_file(target, atoms),
        forcefield=choices.forcefield,
        water=choices.water_name,
        atoms=atoms,
        waters=whole.waters,
        crystal_waters=molecules.crystal_waters,
        ions=whole.ions,
        charge=whole.charge,
        box="rectangular" if whole.edges else choices.box,
        width_nm=whole.width,
        ph=choices.ph,
        done=rows,
        notes=notes,
    )


def _box(whole: Solvated, choices: Choices) -> list[tuple[str, str]]:
    if whole.edges:
        edges = " × ".join(f"{10 * edge:.1f}" for edge in whole.edges)
        upper, lower = whole.lipids
        return [
            (
                "membrane",
                f"{upper:,} + {lower:,} {choices.membrane}, in the xy plane about z = 0",
            ),
            ("box", f"{edges} Å, at least {10 * choices.padding:g} Å around the protein"),
        ]
    padding = (whole.width - whole.diameter) / 2
    return [
        (
            "box",
            f"{choices.box}, images {10 * whole.width:.1f} Å apart: the solute's "
            f"{10 * whole.diameter:.1f} Å and {10 * padding:.3g} Å of water on each side",
        )
    ]
