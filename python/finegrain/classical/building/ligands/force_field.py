# SPDX-License-Identifier: BSD-3-Clause
"""The force field file of a ligand, and what was done to get it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from finegrain.classical.building.ligands.ambertools import topology_of
from finegrain.classical.building.ligands.description import Ligand
from finegrain.classical.building.ligands.parameters import force_field_xml
from finegrain.errors import Problem
from finegrain.words.report import duration

Tell = Callable[[str], None]


@dataclass(frozen=True)
class LigandField:
    """A file of an OpenMM force field with one residue."""

    name: str
    xml: str
    done: str
    notes: list[str]


def field_of(
    ligand: Ligand, names: Sequence[str], problems: list[Problem], tell: Tell | None = None
) -> LigandField | None:
    """Return the parameters of a ligand, with these names of its atoms.

    `tell` gets a line before the slow part: sqm takes from seconds to hours.
    """
    count = ligand.molecule.GetNumAtoms()
    tell = tell or _silent
    tell(
        f"{ligand.name}: AM1-BCC charges of {count:,} atoms by antechamber and sqm; "
        "20 atoms take seconds, 60 many minutes"
    )
    start = time.monotonic()
    topology = topology_of(ligand, problems)
    if topology is None:
        return None
    taken = duration(time.monotonic() - start)
    tell(f"{ligand.name}: parameters in {taken}")
    symbols = [atom.GetSymbol() for atom in ligand.molecule.GetAtoms()]
    what = f"GAFF2 with AM1-BCC charges, by {topology.version}"
    title = f"{ligand.name}, {ligand.formula} of {ligand.wish.shown}: {what}; by finegrain prepare"
    xml = force_field_xml(title, ligand.name, symbols, names, topology.prmtop)
    return LigandField(ligand.name, xml, f"{ligand.name}: {what}", topology.notes)


def _silent(line: str) -> None:
    """Say nothing."""
