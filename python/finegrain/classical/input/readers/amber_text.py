# SPDX-License-Identifier: BSD-3-Clause
"""AMBER coordinates as text, read as a whole; the bits are those that OpenMM reads line by line.

Å, Å per AMBER's unit of time, and degrees in the file.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from finegrain.classical.input.source import Coordinates, box_in_nm
from finegrain.classical.system.system import Floats
from finegrain.formats.amber_restart import amber_times_in_ps

_nm = 0.1  # in an Å; OpenMM multiplies by it
_width = 12  # characters of a number


def read_amber_text(path: Path) -> Coordinates | None:
    """Return what a text file with whole lines holds; None of any other file."""
    data = path.read_bytes()
    if data[:3] in (b"CDF", b"\x89HD"):
        return None
    lines = data.rstrip().splitlines()
    words = lines[1].split() if len(lines) > 1 else []
    if not words or not words[0].isdigit():
        return None
    atoms, held = int(words[0]), len(lines) - 2
    block = math.ceil(atoms / 2)
    if atoms < 3 or held not in (block, block + 1, 2 * block, 2 * block + 1):
        return None
    try:
        position = _block(lines[2 : 2 + block], atoms) * _nm
        velocity = None
        if held >= 2 * block:
            velocity = _block(lines[2 + block : 2 + 2 * block], atoms) * amber_times_in_ps * _nm
        box = _box(lines[-1]) if held in (block + 1, 2 * block + 1) else None
    except ValueError:
        return None
    return Coordinates(position, velocity, box)


def _block(lines: list[bytes], atoms: int) -> Floats:
    """Return numbers of all atoms, shape (atoms, 3); two atoms are in a line."""
    row = 6 * _width
    last = lines[-1][: row // 2] if atoms % 2 else lines[-1][:row]
    text = b"".join([*(line[:row] for line in lines[:-1]), last])
    if len(text) != 3 * atoms * _width:
        raise ValueError
    return np.frombuffer(text, f"S{_width}").astype(np.float64).reshape(-1, 3)


def _box(line: bytes) -> Floats | None:
    from openmm import unit
    from openmm.app.internal.unitcell import computePeriodicBoxVectors

    numbers = [float(line[at : at + _width]) for at in range(0, 6 * _width, _width)]
    lengths = [one * unit.angstrom for one in numbers[:3]]
    angles = [one * unit.degree for one in numbers[3:]]
    return box_in_nm(computePeriodicBoxVectors(*lengths, *angles))
