# SPDX-License-Identifier: BSD-3-Clause
"""What PDB and PDBx/mmCIF files hold beyond the atoms that are read: named, not used.

These are further models, alternate locations, occupancies, charges, and bonds of LINK records.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from finegrain.base.visible import visible
from finegrain.classical.input.readers.plain_numbers import is_plain

_whole = 0.999  # an occupancy of 1 that has been rounded, such as three times 0.333
_first_places = ("", " ", ".", "?", "A", "1")
_usual = ("", "?", ".", "1.00", "1.0", "1")  # occupancies
_neutral = ("", "?", ".", "0")
_charge = re.compile(r"[1-9][+-]|[+-][1-9]")  # of a PDB file, where older files have other text


@dataclass
class StructureAside:
    """The atoms of the first model: how many, those that are there in part, those with charges."""

    atoms: int = 0
    elsewhere: int = 0  # locations after the first
    models: list[str] = field(default_factory=list)
    parts: list[tuple[str, float]] = field(default_factory=list)
    charged: list[tuple[str, str]] = field(default_factory=list)

    def atom(self, name: str, place: str, occupancy: str, charge: str) -> None:
        """Take the words of a row; empty ones are not known."""
        if place not in _first_places:
            self.elsewhere += 1
            return
        self.atoms += 1
        if occupancy not in _usual and is_plain(occupancy) and float(occupancy) < _whole:
            self.parts.append((self._named(name), float(occupancy)))
        if charge not in _neutral:
            self.charged.append((self._named(name), charge))

    def row_of_cif(self, row: Mapping[str, str]) -> None:
        """Take a row of `_atom_site`, by the names of its columns."""
        model = row.get("_atom_site.pdbx_PDB_model_num", "1")
        if model not in self.models:
            self.models.append(model)
        if len(self.models) == 1:
            wanted = ("label_atom_id", "label_alt_id", "occupancy", "pdbx_formal_charge")
            self.atom(*(row.get(f"_atom_site.{name}", "") for name in wanted))

    def _named(self, name: str) -> str:
        return f"atom {self.atoms:,}, {visible(name, keep='')}"

    def notes(self, file: str) -> list[str]:
        """Return the notes; occupancies that are all 0 are not known."""
        found = []
        if (models := len(self.models)) > 1:
            found.append(f"{file} holds {models:,} models; the first is read")
        if self.elsewhere:
            found.append(
                f"{file} holds alternate locations of atoms, {self.elsewhere:,} in all; "
                "only one location of each atom is read"
            )
        if any(share > 0 for _, share in self.parts) or 0 < len(self.parts) < self.atoms:
            name, share = self.parts[0]
            found.append(
                f"{file} holds occupancies below 1, which are not used: every atom is there; "
                f"{_first_of(self.parts)} {name}, {share:g}"
            )
        if self.charged:
            name, charge = self.charged[0]
            found.append(
                f"{file} holds charges of atoms, which are not used: those of the force field are; "
                f"{_first_of(self.charged)} {name}, {charge}"
            )
        return found


def _first_of(atoms: Sequence[Any]) -> str:
    return f"{len(atoms):,} atoms, the first is" if len(atoms) > 1 else "one atom:"


def notes_of_pdb(file: str, lines: Sequence[str], *, is_topology: bool) -> list[str]:
    """Return the notes on a PDB file.

    Parameters
    ----------
    is_topology : bool
        Whether bonds are those of this file; otherwise only positions are read.
    """
    aside, links = StructureAside(), 0
    for line in lines:
        if line.startswith(("ATOM  ", "HETATM")):
            if len(aside.models) < 2:
                charge = line[78:80] if _charge.fullmatch(line[78:80]) else ""
                aside.atom(line[12:16].strip(), line[16:17], line[54:60].strip(), charge)
        elif line.startswith("MODEL "):
            aside.models.append(line)
        elif line.startswith("LINK  "):
            links += 1
    notes = aside.notes(file)
    if links and is_topology:
        notes.append(
            f"{file} holds LINK records, {links:,} in all, which are not used: bonds between "
            "residues come from CONECT records"
        )
    return notes
