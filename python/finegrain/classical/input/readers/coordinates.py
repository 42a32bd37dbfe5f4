# SPDX-License-Identifier: BSD-3-Clause
"""Files of coordinates, for any kind of topology."""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.amber_few_atoms import read_few_atoms
from finegrain.classical.input.readers.amber_text import read_amber_text
from finegrain.classical.input.readers.coordinate_text import (
    check_amber,
    check_charmm,
    check_cif,
    check_pdb,
)
from finegrain.classical.input.readers.findings import plain_copy
from finegrain.classical.input.readers.gro import read_gro
from finegrain.classical.input.readers.kinds import kind_of, refuse_another_kind
from finegrain.classical.input.readers.own_results import read_own_result
from finegrain.classical.input.readers.system_xml import check_system_xml
from finegrain.classical.input.source import Coordinates, box_in_nm, fail, in_nm, reading

_key = "system.coordinates"

_checks: dict[str, Callable[[Input, str, Path], None]] = {
    **dict.fromkeys((".inpcrd", ".rst7", ".rst", ".ncrst"), check_amber),
    **dict.fromkeys((".pdb", ".ent"), check_pdb),
    **dict.fromkeys((".cif", ".pdbx"), check_cif),
    ".cor": check_charmm,
    ".xml": partial(check_system_xml, root="State"),
}


def read_coordinates(given: Input, path: Path, key: str = _key) -> Coordinates:
    """Read positions, and velocities and box if the file has them.

    The suffix decides the kind. A ``.crd`` is AMBER's. Only if it starts with ``*``, and its lines
    are not those of AMBER, it is CHARMM's.
    """
    suffix = path.suffix.lower()
    readers = {
        ".inpcrd": _amber,
        ".rst7": _amber,
        ".rst": _amber,
        ".ncrst": _amber,
        ".pdb": _pdb,
        ".ent": _pdb,
        ".cif": _pdbx,
        ".pdbx": _pdbx,
        ".cor": _charmm,
        ".xml": _state,
    }
    if suffix == ".crd":
        with reading(given, key, path, "coordinate file"):
            starred = path.read_bytes().removeprefix(codecs.BOM_UTF8)[:1] == b"*"
            charmm = starred and kind_of(path) != "AMBER coordinate file"
        readers[".crd"] = _charmm if charmm else _amber
    if suffix == ".h5":
        return read_own_result(given, path, key)
    if suffix not in readers and suffix != ".gro":
        hint = ".inpcrd, .rst7, .crd, .gro, .pdb, .cif, an OpenMM State .xml, or checkpoint.h5 or "
        hint += "trajectory.h5 of an earlier run"
        raise fail(given, key, "unknown kind of file", hint=hint)
    refuse_another_kind(given, key, path)
    if suffix in _checks:
        _checks[suffix](given, key, path)
    if suffix == ".crd":
        (check_charmm if charmm else check_amber)(given, key, path)
    with reading(given, key, path, "coordinate file"):
        if suffix == ".gro":
            found = read_gro(given, key, path)
        else:
            with plain_copy(path) as copy:
                found = readers[suffix](copy)
    if len(found.position) == 0:
        raise fail(given, key, "holds no atoms", hint="copy or make the file again")
    if found.velocity is not None and not np.isfinite(found.velocity).all():
        hint = "make the coordinates again; the run that wrote them blew up"
        raise fail(given, key, "holds velocities that are no numbers (NaN)", hint=hint)
    return found


def _amber(path: Path) -> Coordinates:
    if (few := read_few_atoms(path)) is not None:
        return few
    if (text := read_amber_text(path)) is not None:
        return text
    from openmm import app
    from openmm.app.internal.amber_file_parser import AmberNetcdfRestart

    binary = path.read_bytes()[:3] == b"CDF"  # as arrays, and not atom by atom
    file = AmberNetcdfRestart(str(path), asNumpy=True) if binary else app.AmberInpcrdFile(str(path))
    position = file.coordinates if binary else file.getPositions(asNumpy=True)
    velocity = None if file.velocities is None else in_nm(file.velocities)
    return Coordinates(in_nm(position), velocity, box_in_nm(file.boxVectors))


def _pdb(path: Path) -> Coordinates:
    from openmm import app

    return _with_topology(app.PDBFile(str(path)))


def _pdbx(path: Path) -> Coordinates:
    from openmm import app

    return _with_topology(app.PDBxFile(str(path)))


def _with_topology(file: Any) -> Coordinates:
    box = box_in_nm(file.topology.getPeriodicBoxVectors())
    if box is not None and box.max() < 0.11:
        box = None  # programs write a box of 1 Å if there is none
    return Coordinates(in_nm(file.getPositions(asNumpy=True)), None, box, file.topology)


def _charmm(path: Path) -> Coordinates:
    from openmm import app

    return Coordinates(in_nm(app.CharmmCrdFile(str(path)).positions))


def _state(path: Path) -> Coordinates:
    import openmm

    state = openmm.XmlSerializer.deserialize(path.read_text())
    velocity = None
    with contextlib.suppress(openmm.OpenMMException):  # a State need not hold velocities
        velocity = in_nm(state.getVelocities(asNumpy=True))
    position = in_nm(state.getPositions(asNumpy=True))
    return Coordinates(position, velocity, box_in_nm(state.getPeriodicBoxVectors()))
