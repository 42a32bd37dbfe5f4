# SPDX-License-Identifier: BSD-3-Clause
"""PDB or PDBx files with an OpenMM force field."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

from openmm import app

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.coordinates import read_coordinates
from finegrain.classical.input.readers.force_field_files import resolve
from finegrain.classical.input.source import (
    Source,
    chosen_constraints,
    fail,
    names_of,
    serialise,
)
from finegrain.errors import InputError, Problem
from finegrain.words.library_errors import said

_most_listed = 5


def read_with_force_field(given: Input) -> Source:
    """Read the structure and give it the parameters of the force field's templates."""
    section = given.model.system
    if not section.forcefield:
        hint = 'such as forcefield = ["amber14-all.xml", "amber14/tip3p.xml"]'
        problem = Problem(
            "missing key", given.source.place("system"), "system.forcefield", hint=hint
        )
        raise InputError([problem], source=given.source.name)
    structure = read_coordinates(given, given.path_of(section.topology), "system.topology")
    found = structure
    if section.coordinates is not None:
        found = read_coordinates(given, given.path_of(section.coordinates))
    force_field = _force_field(given)
    topology = structure.topology
    constraints, rigid = chosen_constraints(given)
    try:
        system = force_field.createSystem(
            topology, nonbondedMethod=app.NoCutoff, constraints=constraints, rigidWater=rigid
        )
    except Exception as error:
        if unmatched := _unmatched(force_field, topology, str(error)):
            raise _no_template(given, force_field, topology, unmatched) from error
        hint = "choose force field files that go together"
        what = "does not fit the structure"
        raise fail(given, "system.forcefield", what, limit=said(error), hint=hint) from error
    return Source(
        "forcefield",
        False,
        serialise(system),
        names_of(topology),
        found.position,
        found.velocity,
        found.box if found.box is not None else structure.box,
    )


def _force_field(given: Input) -> Any:
    """Load the files; `resolve` decides which file a name means."""
    sources = resolve(given)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return app.ForceField(*sources)
    except Exception as error:
        hint = "choose force field files that go together"
        what = "cannot be loaded"
        raise fail(given, "system.forcefield", what, limit=said(error), hint=hint) from error


def _unmatched(force_field: Any, topology: Any, error: str) -> list[Any]:
    """Return the residues that have no template, if this is what the error says."""
    named = re.match(r"No template found for residue (\d+) ", error)
    if named is None:
        return []
    unmatched = list(force_field.getUnmatchedResidues(topology))
    if not force_field._patches:
        return unmatched
    # Patches make templates for some of these, such as the ends of chains; the error names one
    # that they do not help.
    return [item for item in unmatched if item.index == int(named[1])] or unmatched


def _no_template(given: Input, force_field: Any, topology: Any, unmatched: list[Any]) -> InputError:
    """Name every residue without parameters, and OpenMM's guess at the reason for the first one."""
    reason = ""
    try:
        force_field.getMatchingTemplates(topology)
    except ValueError as error:
        reason = " ".join(str(error).partition("\n")[2].split())
    listed = ", ".join(f"{item.name} {item.id}" for item in unmatched[:_most_listed])
    more = len(unmatched) - _most_listed
    limit = f"no template fits {listed}" + (f" and {more:,} more" if more > 0 else "")
    hint = (
        "add missing hydrogens (openmm.app.Modeller.addHydrogens, or pdbfixer),\n"
        "or the force field file that knows this residue to forcefield"
    )
    what = "has residues without parameters"
    first = unmatched[0]
    if reason:
        limit += f"\n{first.name} {first.id}: {' '.join(reason.split())}"
    return fail(given, "system.topology", what, limit=limit, hint=hint)
