# SPDX-License-Identifier: BSD-3-Clause
"""GROMACS topologies."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from openmm import app

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.coordinates import read_coordinates
from finegrain.classical.input.readers.findings import Findings, shortened
from finegrain.classical.input.readers.gromacs.aside import notes_of_topology
from finegrain.classical.input.readers.gromacs.exclusions import check_pairs, completed
from finegrain.classical.input.readers.gromacs.macros import Macros
from finegrain.classical.input.readers.gromacs.molecules import Topology
from finegrain.classical.input.readers.gromacs.parameters import resolve
from finegrain.classical.input.readers.gromacs.plain import lines_for_openmm
from finegrain.classical.input.readers.gromacs.sites import sites_of
from finegrain.classical.input.readers.gromacs.text import Line, Preprocessor
from finegrain.classical.input.readers.gromacs.topology import parse
from finegrain.classical.input.source import (
    Source,
    chosen_constraints,
    fail,
    names_of,
    need_coordinates,
    reading,
    serialise,
    wrong_count,
)
from finegrain.classical.system.system import Floats, Ints
from finegrain.errors import InputError, nearest
from finegrain.words.library_errors import said

_key = "system.topology"
_installed = ("/usr/share/gromacs/top", "/usr/local/gromacs/share/gromacs/top")


def read_gromacs(given: Input) -> Source:
    """Read topology and coordinates.

    Included files are searched for beside the file that includes them, then in the input's folders
    in their order, then in GROMACS's own folders. OpenMM gets the resulting lines.
    """
    path = given.path_of(given.model.system.topology)
    coordinates = need_coordinates(given, 'such as coordinates = "conf.gro"')
    constraints, rigid = chosen_constraints(given)
    found = read_coordinates(given, coordinates)
    topology = _checked(given, path, flexible=not rigid)
    if topology.atoms != len(found.position):
        problem = wrong_count(given, topology.atoms, len(found.position))
        raise InputError([problem], source=given.source.name)
    _note_other_names(given, topology, found.atom_names)
    _note_replaced_types(given, topology)
    resolved = {molecule.name: resolve(topology, molecule) for molecule in topology.used()}
    sites = {
        molecule.name: sites_of(topology, molecule, resolved[molecule.name])
        for molecule in topology.used()
    }
    topology.found.raise_them(given)
    chosen = given.model.forces.constraints or "h-bonds"
    made = _read_by_openmm(given, path, lines_for_openmm(topology, resolved, chosen))
    with reading(given, _key, path, "GROMACS topology"):
        system = made.createSystem(
            nonbondedMethod=app.NoCutoff, constraints=constraints, rigidWater=rigid
        )
    return Source(
        "gromacs",
        False,
        completed(serialise(system), topology, sites),
        names_of(made.topology),
        found.position,
        found.velocity,
        found.box,
        _restrained(topology),
    )


def _restrained(topology: Topology) -> tuple[Ints, Floats] | None:
    """Return the atoms of [ position_restraints ] and their constants along each axis."""
    atoms: list[int] = []
    constants: list[list[float]] = []
    first = 0
    for name, count, _ in topology.counts:
        molecule = topology.molecules[name]
        held = [
            (term.atoms[0] - 1, [float(word) for word in term.numbers[:3]])
            for term in molecule.of("position_restraints")
        ]
        for _ in range(count):
            atoms += [first + atom for atom, _ in held]
            constants += [along for _, along in held]
            first += len(molecule.rows)
    if not atoms:
        return None
    return np.array(atoms, dtype=np.int32), np.array(constants, dtype=np.float64)


def _checked(given: Input, path: Path, *, flexible: bool) -> Topology:
    """Return the topology; raise all problems in it.

    GROMACS's waters are rigid unless FLEXIBLE is defined.
    """
    folders = [given.path_of(name) for name in given.model.system.include]
    own = _defined(given)
    reader = Preprocessor(
        [*folders, *folders_of_gromacs()],
        found := Findings(),
        macros := Macros(),
    )
    for name, value in (({"FLEXIBLE": ""} if flexible else {}) | own).items():
        macros.define(name, value)
    lines = reader.read(path)
    found.raise_them(given)
    if unknown := [name for name in own if name not in reader.asked]:
        close = nearest(unknown[0], sorted(reader.asked))
        hint = f"did you mean {close}? " if close else ""
        hint += f"it asks for {', '.join(sorted(reader.asked)) or 'none'}"
        what = f"is not used by the topology: {', '.join(unknown)}"
        raise fail(given, "system.define", what, hint=hint)
    topology = parse(lines, path.name)
    topology.found.raise_them(given)
    check_pairs(topology)
    topology.found.raise_them(given)
    given.notes += notes_of_topology(given, topology, reader.restrains, path.name)
    return topology


def _defined(given: Input) -> dict[str, str]:
    """Return the words that the input defines, with their values."""
    words = {}
    for text in given.model.system.define:
        name, _, value = text.partition("=")
        if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
            hint = 'such as define = ["POSRES", "POSRES_FC_BB=400"], without -D'
            raise fail(given, "system.define", f"is no word: {name}", hint=hint)
        words[name] = value
    return words


def _note_other_names(given: Input, topology: Topology, names: list[str]) -> None:
    """Note atoms whose names differ in coordinates and topology, as GROMACS warns of them."""
    wanted: list[str] = []
    for name, count, _ in topology.counts:
        wanted += count * topology.molecules[name].names
    other = [i for i, pair in enumerate(zip(wanted, names, strict=False)) if pair[0] != pair[1]]
    if other:
        first = other[0]
        given.notes.append(
            f"{len(other):,} of {len(wanted):,} atoms have another name in the coordinates than in "
            f"the topology, first atom {first + 1:,}, {names[first]} and {wanted[first]}; "
            "is their order the same?"
        )


def _note_replaced_types(given: Input, topology: Topology) -> None:
    """Note types that are given twice, of which grompp warns too; the last one counts."""
    if not (replaced := topology.types.replaced):
        return

    def named(line: Line) -> str:
        return f"{line.file}:{line.number}"

    before, after = replaced[0]
    more = f", and {len(replaced) - 1:,} more" if len(replaced) > 1 else ""
    given.notes.append(
        f"parameters of types are given again with other numbers, and the last ones count: "
        f"{named(after)} replaces {named(before)} ({shortened(after.text)}){more}"
    )


def _read_by_openmm(given: Input, path: Path, lines: list[str]) -> Any:
    with tempfile.TemporaryDirectory(prefix="finegrain-") as folder:
        plain = Path(folder) / path.name
        plain.write_text("\n".join(lines) + "\n")
        try:
            with reading(given, _key, path, "GROMACS topology"):
                return app.GromacsTopFile(str(plain), includeDir=folder)
        except InputError as error:
            cause = error.__cause__
            limit = f"{path.name}: {said(cause)}" if cause else ""
            hint = "is the force field complete? copy or make the file again"
            what = "is not a whole GROMACS topology"
            raise fail(given, _key, what, limit=limit.replace(folder, "…"), hint=hint) from error


def folders_of_gromacs() -> list[Path]:
    """Return the existing folders of GROMACS's own force fields."""
    places = [Path(name) for name in _installed]
    if "GMXDATA" in os.environ:
        places.insert(0, Path(os.environ["GMXDATA"]) / "top")
    elif program := shutil.which("gmx"):
        places.insert(0, Path(program).resolve().parent.parent / "share/gromacs/top")
    return [place for place in dict.fromkeys(places) if place.is_dir()]
