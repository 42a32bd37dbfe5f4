# SPDX-License-Identifier: BSD-3-Clause
"""CHARMM PSF files with their parameter files."""

from __future__ import annotations

import re
from typing import Any

from openmm import app, unit

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.charmm.aside import notes_of_charmm
from finegrain.classical.input.readers.charmm.files import read_parameters
from finegrain.classical.input.readers.charmm.force_field import fill, mix_geometrically
from finegrain.classical.input.readers.charmm.parameters import Read
from finegrain.classical.input.readers.charmm.psf import for_openmm, read_psf
from finegrain.classical.input.readers.coordinates import read_coordinates
from finegrain.classical.input.readers.findings import Findings, plain_copy
from finegrain.classical.input.source import (
    Source,
    chosen_constraints,
    fail,
    names_of,
    need_coordinates,
    reading,
    serialise,
)
from finegrain.errors import InputError, Problem
from finegrain.words.library_errors import said


def read_charmm(given: Input) -> Source:
    """Read topology, parameters and coordinates."""
    section = given.model.system
    path = given.path_of(section.topology)
    coordinates = need_coordinates(given, 'such as coordinates = "system.pdb"')
    if not section.parameters:
        hint = 'such as parameters = ["par_all36m_prot.prm", "toppar_water_ions.str"]'
        problem = Problem(
            "missing key", given.source.place("system"), "system.parameters", hint=hint
        )
        raise InputError([problem], source=given.source.name)
    topology = read_psf(given, "system.topology", path)
    parameters = [given.path_of(name) for name in section.parameters]
    read = Read()
    for file in parameters:
        read_parameters(given, "system.parameters", file, read)
    read.mixing.refuse_two_rules(given)
    names, text = for_openmm(given, path, topology, read.force_field.masses)
    with (
        reading(given, "system.topology", path, "CHARMM topology"),
        plain_copy(path, text) as copy,
    ):
        psf = app.CharmmPsfFile(str(copy))
    _give_names(psf, names)
    with reading(given, "system.parameters", parameters[0], "set of CHARMM parameters"):
        found = Findings()
        masses = {str(atom.attype): atom.mass.value_in_unit(unit.dalton) for atom in psf.atom_list}
        force_field = fill(found, psf, read.force_field, masses)
        found.raise_them(given)
        if read.mixing.geometric:
            mix_geometrically(psf, force_field)
    constraints, rigid = chosen_constraints(given)
    try:
        system = psf.createSystem(
            force_field, nonbondedMethod=app.NoCutoff, constraints=constraints, rigidWater=rigid
        )
    except (app.internal.charmm.exceptions.CharmmError, KeyError) as error:
        limit = f"{path.name}: {_lacking(error)}"
        hint = "add the parameter or stream file that has them to parameters"
        what = "lack what the topology needs"
        raise fail(given, "system.parameters", what, limit=limit, hint=hint) from error
    except Exception as error:
        hint = "do these parameters belong to this topology?"
        limit = f"{path.name}: {said(error)}"
        what = "do not go with the topology"
        raise fail(given, "system.parameters", what, limit=limit, hint=hint) from error
    placed = read_coordinates(given, coordinates)
    has_box = placed.box is not None or given.model.system.box is not None
    given.notes += notes_of_charmm(given, read, has_box=has_box)
    return Source(
        "charmm",
        False,
        serialise(system),
        names_of(psf.topology),
        placed.position,
        placed.velocity,
        placed.box,
    )


def _give_names(psf: Any, names: list[str]) -> None:
    """Give atoms of a topology their names, those of OpenMM for residues that it knows."""
    for atom, name in zip(psf.atom_list, names, strict=True):
        known = app.PDBFile._atomNameReplacements.get(atom.residue.resname, {})
        atom.name = known.get(name, name)


def _lacking(error: Exception) -> str:
    """Return which parameters are missing; OpenMM's message shows its objects."""
    text = str(error)
    kind = re.search(r"(bond|angle|dihedral|improper|CMAP)", text, re.IGNORECASE)
    atoms = re.findall(r"\[(\S+): (\S+)\]", text)
    if kind is None or not atoms:
        return said(error)
    names, types = ("-".join(word) for word in zip(*atoms, strict=True))
    return f"no parameters for the {kind.group(1).lower()} {names}, types {types}"
