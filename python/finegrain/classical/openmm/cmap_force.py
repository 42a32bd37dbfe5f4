# SPDX-License-Identifier: BSD-3-Clause
"""CMAP terms and their maps from OpenMM's CMAPTorsionForce."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

from finegrain.classical.system.system import ClassicalSystem
from finegrain.classical.system.terms import TermTable
from finegrain.errors import Problem
from finegrain.units import hartree_in_kj_per_mol


def add_cmaps(system: ClassicalSystem, force: ET.Element) -> list[Problem]:
    """Append the terms and the maps of a force; refuse terms that are no chain of five atoms."""
    table = system.terms["cmaps"]
    before = len(table.shared["size"])
    _add_maps(table, force.findall("Maps/Map"))
    atoms, numbers = [], []
    for term in force.findall("Torsions/Torsion"):
        first, second = ([int(term.attrib[f"{which}{i}"]) for i in range(1, 5)] for which in "ab")
        chain = _chain(first, second)
        if chain is None:
            return [_no_chain(first, second)]
        atoms.append(chain)
        numbers.append(int(term.attrib["map"]) + before)
    table.atoms = np.concatenate([table.atoms, np.array(atoms, dtype=np.int32).reshape(-1, 5)])
    table.columns["map"] = np.concatenate([table["map"], np.array(numbers, dtype=np.int32)])
    return []


def _add_maps(table: TermTable, maps: list[ET.Element]) -> None:
    sizes = np.array([int(one.attrib["size"]) for one in maps], dtype=np.int32)
    energies = [float(point.attrib["e"]) for one in maps for point in one]
    energy = np.array(energies, dtype=np.float64) / hartree_in_kj_per_mol
    table.shared["size"] = np.concatenate([table.shared["size"], sizes])
    table.shared["energy"] = np.concatenate([table.shared["energy"], energy])


def _chain(first: list[int], second: list[int]) -> list[int] | None:
    """Return five atoms whose neighbouring dihedrals these are; a dihedral has no direction."""
    for a in (first, first[::-1]):
        for b in (second, second[::-1]):
            if a[1:] == b[:3]:
                return [*a, b[3]]
    return None


def _no_chain(first: list[int], second: list[int]) -> Problem:
    def shown(atoms: list[int]) -> str:
        return ", ".join(str(atom + 1) for atom in atoms)

    return Problem(
        "is not supported",
        value=f"CMAPTorsionForce of atoms {shown(first)} and {shown(second)}",
        limit="dihedrals that share three atoms, as 1-2-3-4 and 2-3-4-5",
        hint="take this term out of the System",
    )
