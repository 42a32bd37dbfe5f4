# SPDX-License-Identifier: BSD-3-Clause
"""Files of coordinates, whatever topology they go with."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from finegrain.input.load import Input
from finegrain.input.readers.source import Coordinates, box_in_nm, fail, in_nm, reading

_key = "system.coordinates"


def read_coordinates(given: Input, path: Path, key: str = _key) -> Coordinates:
    """Read positions, and velocities and box where the file has them.

    The kind is told by the suffix; a ``.crd`` that starts with ``*`` is CHARMM's, else AMBER's.
    """
    suffix = path.suffix.lower()
    readers = {
        ".inpcrd": _amber,
        ".rst7": _amber,
        ".rst": _amber,
        ".ncrst": _amber,
        ".gro": _gromacs,
        ".pdb": _pdb,
        ".ent": _pdb,
        ".cif": _pdbx,
        ".pdbx": _pdbx,
        ".cor": _charmm,
        ".xml": _state,
    }
    if suffix == ".crd":
        with reading(given, key, path, "coordinate file"):
            charmm = path.read_bytes()[:1] == b"*"
        readers[".crd"] = _charmm if charmm else _amber
    if suffix not in readers:
        hint = ".inpcrd, .rst7, .crd, .gro, .pdb, .cif or an OpenMM State .xml"
        raise fail(given, key, "unknown kind of file", hint=hint)
    with reading(given, key, path, "coordinate file"):
        found = readers[suffix](path)
    if len(found.position) == 0:
        raise fail(given, key, "holds no atoms", hint="copy or make the file again")
    return found


def _amber(path: Path) -> Coordinates:
    from openmm import app

    file = app.AmberInpcrdFile(str(path))
    velocity = None
    if file.velocities is not None:
        velocity = in_nm(file.getVelocities(asNumpy=True))
    return Coordinates(in_nm(file.getPositions(asNumpy=True)), velocity, box_in_nm(file.boxVectors))


def _gromacs(path: Path) -> Coordinates:
    from openmm import app

    lines = path.read_text().splitlines()
    count = int(lines[1])
    if len(lines) < count + 3:
        raise ValueError(f"holds {max(len(lines) - 3, 0):,} of {count:,} atoms")
    file = app.GromacsGroFile(str(path))
    return Coordinates(
        in_nm(file.getPositions(asNumpy=True)), None, box_in_nm(file.getPeriodicBoxVectors())
    )


def _pdb(path: Path) -> Coordinates:
    from openmm import app

    return _with_topology(app.PDBFile(str(path)))


def _pdbx(path: Path) -> Coordinates:
    from openmm import app

    return _with_topology(app.PDBxFile(str(path)))


def _with_topology(file: Any) -> Coordinates:
    box = box_in_nm(file.topology.getPeriodicBoxVectors())
    if box is not None and box.max() < 0.11:
        box = None  # a box of 1 Å is how programs write that there is none
    return Coordinates(in_nm(file.getPositions(asNumpy=True)), None, box, file.topology)


def _charmm(path: Path) -> Coordinates:
    from openmm import app

    return Coordinates(in_nm(app.CharmmCrdFile(str(path)).positions))


def _state(path: Path) -> Coordinates:
    import openmm

    state = openmm.XmlSerializer.deserialize(path.read_text())
    if not isinstance(state, openmm.State):
        raise ValueError(f"holds a {type(state).__name__}, not a State")
    velocity = None
    with contextlib.suppress(openmm.OpenMMException):  # a State need not hold velocities
        velocity = in_nm(state.getVelocities(asNumpy=True))
    position = in_nm(state.getPositions(asNumpy=True))
    return Coordinates(position, velocity, box_in_nm(state.getPeriodicBoxVectors()))
