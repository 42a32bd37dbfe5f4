# SPDX-License-Identifier: BSD-3-Clause
"""CHARMM PSF files with their parameter files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from openmm import app

from finegrain.errors import InputError, Problem
from finegrain.in_words import said
from finegrain.input.load import Input
from finegrain.input.readers.charmm_mixing import mix_geometrically
from finegrain.input.readers.charmm_parameters import PeriodicImpropers, Unread, check_parameters
from finegrain.input.readers.charmm_psf import check_psf
from finegrain.input.readers.coordinates import read_coordinates
from finegrain.input.readers.findings import Findings
from finegrain.input.readers.source import (
    Source,
    chosen_constraints,
    fail,
    names_of,
    need_coordinates,
    reading,
    serialise,
)


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
    check_psf(given, "system.topology", path)
    with reading(given, "system.topology", path, "CHARMM topology"):
        psf = app.CharmmPsfFile(str(path))
    parameters = [given.path_of(name) for name in section.parameters]
    unread = Unread()
    for file in parameters:
        check_parameters(given, "system.parameters", file, unread)
    unread.mixing.refuse_two_rules(given)
    _note_switched_force(given, parameters)
    with reading(given, "system.parameters", parameters[0], "set of CHARMM parameters"):
        force_field = app.CharmmParameterSet(*map(str, parameters))
        if unread.mixing.geometric:
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
    _refuse_periodic(given, psf, force_field, unread.impropers)
    found = read_coordinates(given, coordinates)
    return Source(
        "charmm",
        False,
        serialise(system),
        names_of(psf.topology),
        found.position,
        found.velocity,
        found.box,
    )


def _refuse_periodic(given: Input, psf: Any, force_field: Any, periodic: PeriodicImpropers) -> None:
    """Raise the problems of periodic impropers that the topology uses."""
    used = {id(improper.improper_type) for improper in psf.improper_list}
    found = Findings()
    for types, (file, line, multiplicity) in periodic.rows.items():
        known = force_field.improper_types
        if id(known.get(types) or known.get(types[::-1])) in used:
            value = f"improper {' '.join(types)}, multiplicity {multiplicity}"
            hint = "periodic impropers are not read; OpenMM would take it for a harmonic one"
            found.add(file, line, "is not supported", value, "multiplicity 0", hint)
    found.raise_them(given)


def _note_switched_force(given: Input, parameters: list[Path]) -> None:
    """Note that CHARMM itself would switch the force, unless the input says what to switch."""
    if given.given("forces.switching"):
        return
    for file in parameters:
        if re.search(r"(?im)^[^!*]*\bvfsw", file.read_text(encoding="utf-8-sig")):
            given.notes.append(
                f"{file.name} asks for a switched force (VFSWITCH), and the energy is switched: "
                'add switching = "force" to [forces] to do as CHARMM does'
            )
            return


def _lacking(error: Exception) -> str:
    """Return which parameters are missing; OpenMM's message shows its objects."""
    text = str(error)
    kind = re.search(r"(bond|angle|dihedral|improper|CMAP)", text, re.IGNORECASE)
    atoms = re.findall(r"\[(\S+): (\S+)\]", text)
    if kind is None or not atoms:
        return said(error)
    names, types = ("-".join(word) for word in zip(*atoms, strict=True))
    return f"no parameters for the {kind.group(1).lower()} {names}, types {types}"
