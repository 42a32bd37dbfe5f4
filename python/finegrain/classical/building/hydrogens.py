# SPDX-License-Identifier: BSD-3-Clause
"""Hydrogens for a pH, by OpenMM's Modeller, and the protonation that they show. Units: nm."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping
from typing import Any

import numpy as np

from finegrain.classical.building.choices import STATES, Choices
from finegrain.classical.building.contents import AMINO_ACIDS, named
from finegrain.classical.building.molecules import Molecules, places_of, sort_bonds
from finegrain.errors import Problem

_near_a_metal = 0.3  # nm
_no_metals = ("Na", "K", "Cl", "Br", "I", "F")


def add_hydrogens(
    file: str,
    fixer: Any,
    choices: Choices,
    molecules: Molecules,
    problems: list[Problem],
    of_file: Mapping[tuple[str, str], str],
) -> None:
    """Add hydrogens to the atoms of a PDBFixer; name what was decided for single residues.

    `of_file` has the states that the file itself names, by chain and number.
    """
    from openmm.app import Modeller

    modeller = Modeller(fixer.topology, fixer.positions)
    variants = _variants(file, modeller.topology, choices, problems, of_file)
    _note_metals(modeller.topology, modeller.positions, choices, molecules)
    before = modeller.topology.getNumAtoms()
    with contextlib.redirect_stdout(io.StringIO()):
        modeller.addHydrogens(pH=choices.ph, variants=variants, platform=fixer.platform)
    count = modeller.topology.getNumAtoms() - before
    molecules.topology, molecules.positions = modeller.topology, modeller.positions
    sort_bonds(molecules.topology)
    molecules.done.append(("hydrogens", f"{count:,} added for pH {choices.ph:g}"))
    bridges = [
        f"{named(a.residue)} to {named(b.residue)}"
        for a, b in (sorted(bond, key=lambda end: end.index) for bond in modeller.topology.bonds())
        if a.name == b.name == "SG"
    ]
    if bridges:
        molecules.done.append(("disulphides", "\n".join(bridges)))
    states = _states(modeller.topology)
    if states:
        molecules.done.append(("protonation", "\n".join(states)))


def _place(residue: Any) -> tuple[str, str]:
    """Return the chain and the number of a residue, as a user names them."""
    return residue.chain.id.strip(), f"{residue.id}{residue.insertionCode.strip()}"


def _variants(
    file: str,
    topology: Any,
    choices: Choices,
    problems: list[Problem],
    of_file: Mapping[tuple[str, str], str],
) -> list[str | None]:
    wanted = dict(choices.states)
    found: list[str | None] = []
    for residue in topology.residues():
        key = _place(residue)
        state = wanted.pop(key, None) if residue.name in AMINO_ACIDS else None
        named_in_file = of_file.get(key)
        if state is None and named_in_file and STATES[named_in_file][0] == residue.name:
            state = named_in_file
        if state is not None and STATES[state][0] != residue.name:
            what = f"is a state of {STATES[state][0]}"
            word = f"{key[0]}:{key[1]}={state}"
            problems.append(Problem(what, "--state", word, f"{named(residue)} in {file}"))
            state = None
        found.append("CYX" if state == "CYM" else state)  # Modeller's name for no hydrogen at SG
    for (chain, number), state in wanted.items():
        what, hint = "there is no such residue", "give chain and number as in the file"
        problems.append(Problem(what, "--state", f"{chain}:{number}={state}", hint=hint))
    return found


def _note_metals(topology: Any, positions: Any, choices: Choices, molecules: Molecules) -> None:
    """Note cysteines beside ions of metals: their hydrogen is likely gone."""
    places = places_of(positions)
    ions = [
        atom
        for residue in topology.residues()
        if len(residue) == 1
        for atom in residue.atoms()
        if atom.element is not None and atom.element.symbol not in _no_metals
    ]
    for residue in topology.residues():
        chain, number = _place(residue)
        if residue.name != "CYS" or (chain, number) in choices.states:
            continue
        for atom in residue.atoms():
            for ion in ions if atom.name == "SG" else ():
                gap = float(np.linalg.norm(places[atom.index] - places[ion.index]))
                if gap < _near_a_metal:
                    molecules.notes.append(
                        f"SG of {named(residue)} is {10 * gap:.1f} Å from {named(ion.residue)}; if "
                        f"it binds the metal, take its hydrogen away: --state "
                        f"{chain}:{number}=CYM"
                    )


def _states(topology: Any) -> list[str]:
    """Return each histidine, and what has another charge than usual at pH 7."""
    found = []
    for residue in topology.residues():
        atoms = {atom.name for atom in residue.atoms()}
        words = {
            "HIS": _of_histidine(atoms),
            "ASP": "neutral" if "HD2" in atoms else "",
            "GLU": "neutral" if "HE2" in atoms else "",
            "LYS": "" if {"HZ1", "HZ2", "HZ3"} <= atoms else "neutral",
        }.get(residue.name, "")
        if residue.name == "CYS" and "HG" not in atoms:
            bound = any(
                a.name == b.name == "SG" and residue in (a.residue, b.residue)
                for a, b in topology.bonds()
            )
            words = "" if bound else "without its hydrogen"
        if words:
            found.append(f"{named(residue)}: {words}")
    return found


def _of_histidine(atoms: set[str]) -> str:
    if {"HD1", "HE2"} <= atoms:
        return "charged (HIP)"
    return "hydrogen at ND1 (HID)" if "HD1" in atoms else "hydrogen at NE2 (HIE)"
