# SPDX-License-Identifier: BSD-3-Clause
"""Files of coordinates, whatever topology they go with."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.input.load import Input
from finegrain.input.readers.source import Coordinates, box_in_nm, fail, in_nm, reading
from finegrain.input.system import Floats

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
    if found.velocity is not None and not np.isfinite(found.velocity).all():
        hint = "make the coordinates again; the run that wrote them blew up"
        raise fail(given, key, "holds velocities that are no numbers (NaN)", hint=hint)
    return found


def _amber(path: Path) -> Coordinates:
    from openmm import app

    file = app.AmberInpcrdFile(str(path))
    velocity = None
    if file.velocities is not None:
        velocity = in_nm(file.getVelocities(asNumpy=True))
    return Coordinates(in_nm(file.getPositions(asNumpy=True)), velocity, box_in_nm(file.boxVectors))


def _gromacs(path: Path) -> Coordinates:
    """Read the first frame; OpenMM's reader takes neither velocities nor every precision.

    Names and numbers end at column 20. All columns behind are as wide as the distance between the
    decimal points of the first line; three are positions (nm), three more velocities (nm/ps).
    """
    lines = path.read_text().splitlines()
    count = int(lines[1])
    if len(lines) < count + 3:
        raise ValueError(f"holds {max(len(lines) - 3, 0):,} of {count:,} atoms")
    points = [column for column, sign in enumerate(lines[2]) if sign == "." and column >= 20]
    if count > 0 and len(points) < 3:
        raise ValueError("line 3 holds no position")
    width = points[1] - points[0] if count > 0 else 8
    rows = [
        [line[column : column + width].strip() for column in range(20, 20 + 6 * width, width)]
        for line in lines[2 : count + 2]
    ]
    position = _numbers([row[:3] for row in rows])
    velocity = None
    # GROMACS writes them for all atoms or for none.
    if all(all(row) for row in rows):
        velocity = _numbers([row[3:] for row in rows])
    edges = [float(word) for word in lines[count + 2].split()]
    if len(edges) not in (3, 9):
        raise ValueError(f"line {count + 3} holds no box: 3 numbers, or 9")
    box = np.diag(edges[:3])
    if len(edges) == 9:
        box[[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1]] = edges[3:]
    return Coordinates(position, velocity, box if any(edges) else None)


def _numbers(rows: list[list[str]]) -> Floats:
    try:
        return np.array(rows, dtype=np.float64).reshape(-1, 3)
    except ValueError:
        for number, row in enumerate(rows, start=3):
            for word in row:
                try:
                    float(word)
                except ValueError:
                    raise ValueError(f"line {number}: {word!r} is no number") from None
        raise


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
