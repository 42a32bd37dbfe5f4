# SPDX-License-Identifier: BSD-3-Clause
"""DCD, the trajectory of CHARMM and OpenMM: single precision, Å, its time in AKMA units.

As in Fortran, each record is between two counts of its bytes. The header gives the step of
the first frame, the number of steps between two frames, and the length of a step.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import IO

import numpy as np

from finegrain.base import cells
from finegrain.formats.structure import Structure
from finegrain.units import angstrom_per_nm

# sqrt(Da Å² mol / kcal), CHARMM's unit of time (CODATA 2018).
akma_time_in_ps = 0.0488882129
_largest = 2**31 - 1  # of the header's numbers


def write_dcd(
    file: IO[bytes],
    structures: Iterable[Structure],
    *,
    frames: int,
    atoms: int,
    first_step: int,
    steps_between: int,
    timestep: float,
    periodic: bool,
) -> None:
    """Write a whole file.

    Parameters
    ----------
    file : binary file
        Open for writing.
    structures : iterable of Structure
        The frames, evenly spaced in time.
    frames, atoms : int
        Number of frames, and of atoms in each.
    first_step, steps_between : int
        Step of the first frame, and steps between two frames.
    timestep : float
        Length of a step in picoseconds.
    periodic : bool
        Whether frames have boxes.
    """
    if first_step + frames * steps_between > _largest:  # then it counts frames, not steps
        timestep, first_step, steps_between = (
            timestep * steps_between,
            first_step // steps_between,
            1,
        )
    counts = [frames, first_step, steps_between, frames * steps_between, 0, 0, 0, 0, 0]
    rest = [int(periodic), *[0] * 8, 24]  # as in CHARMM 24
    delta = timestep / akma_time_in_ps
    _record(file, struct.pack("<4s9if10i", b"CORD", *counts, delta, *rest))
    title = f"{'written by finegrain':<80}".encode()
    _record(file, struct.pack("<i", 1) + title)
    _record(file, struct.pack("<i", atoms))
    for structure in structures:
        if periodic:
            box = np.zeros(3) if structure.box is None else structure.box
            a, b, c = cells.lengths(box) * angstrom_per_nm
            alpha, beta, gamma = cells.cosines(box)
            _record(file, struct.pack("<6d", a, gamma, b, beta, alpha, c))
        for axis in range(3):
            column = np.asarray(structure.positions)[:, axis] * angstrom_per_nm
            _record(file, column.astype("<f4").tobytes())


def _record(file: IO[bytes], contents: bytes) -> None:
    size = struct.pack("<i", len(contents))
    file.write(size + contents + size)
