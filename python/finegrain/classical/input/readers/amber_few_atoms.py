# SPDX-License-Identifier: BSD-3-Clause
"""AMBER coordinates of one or two atoms, where the number of lines does not tell what they hold.

A file of four lines has velocities or a box in the last one. The program sander reads a box if its
topology has one, and velocities if it continues a run. Here the numbers decide. Three angles of a
cell, as velocities of one atom, would be above 300 Å/ps along each axis. Angstrom and degrees in
the file.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from finegrain.classical.input.source import Coordinates, box_in_nm
from finegrain.formats.amber_restart import amber_times_in_ps
from finegrain.units import angstrom_per_nm

_angles = (15.0, 165.0)  # degrees; cells beyond are refused elsewhere


def read_few_atoms(path: Path) -> Coordinates | None:
    """Return what a text file of one or two atoms and four lines holds; None of any other file."""
    data = path.read_bytes()
    if data[:3] in (b"CDF", b"\x89HD"):
        return None
    lines = data.decode("utf-8", "replace").rstrip().splitlines()
    if len(lines) != 4 or lines[1].split()[0] not in ("1", "2"):
        return None
    atoms = int(lines[1].split()[0])
    place, last = (_numbers(line) for line in lines[2:])
    position = np.array(place[: 3 * atoms]).reshape(-1, 3) / angstrom_per_nm
    if len(last) == 6 and all(_angles[0] <= angle <= _angles[1] for angle in last[3:]):
        return Coordinates(position, None, _box(last))
    velocity = np.array(last[: 3 * atoms]).reshape(-1, 3) * (amber_times_in_ps / angstrom_per_nm)
    return Coordinates(position, velocity, None)


def _numbers(line: str) -> list[float]:
    return [float(line[at : at + 12]) for at in range(0, len(line.rstrip()), 12)]


def _box(edges: list[float]) -> np.ndarray | None:
    from openmm.app.internal.unitcell import computePeriodicBoxVectors

    lengths = [edge / angstrom_per_nm for edge in edges[:3]]
    angles = [math.radians(angle) for angle in edges[3:]]
    return box_in_nm(computePeriodicBoxVectors(*lengths, *angles))
