# SPDX-License-Identifier: BSD-3-Clause
"""AMBER's restart file .rst7: positions, velocities and box as text.

Lengths in Å, velocities in Å per AMBER's unit of time, 1/20.455 ps (ambermd.org, file formats).
"""

from __future__ import annotations

from typing import IO

import numpy as np

from finegrain.base import cells
from finegrain.errors import InputError
from finegrain.formats.structure import Array, Structure
from finegrain.units import angstrom_per_nm

amber_times_in_ps = 20.455
_most = 9999.9999999  # the largest number in twelve columns with seven decimals
_least = -999.9999999


def write_rst7(file: IO[str], structure: Structure, title: str) -> None:
    """Write one structure.

    Raises
    ------
    InputError
        If an atom is too far away for the columns of the format.
    """
    count = len(structure.positions)
    file.write(f"{' '.join(title.split())[:80]}\n{count:6d}{structure.time:15.7e}\n")
    _write(file, np.asarray(structure.positions, np.float64) * angstrom_per_nm)
    if structure.velocities is not None:
        velocities = np.asarray(structure.velocities, np.float64)
        _write(file, velocities * (angstrom_per_nm / amber_times_in_ps))
    if structure.box is not None:
        edges = cells.lengths(structure.box) * angstrom_per_nm
        _write(file, np.concatenate([edges, cells.angles(structure.box)]))


def _write(file: IO[str], values: Array) -> None:
    flat = values.ravel()
    if flat.size and not (_least < flat.min() and flat.max() < _most):
        worst = flat[int(np.abs(flat).argmax())]
        raise InputError(
            "is too large for the columns of an AMBER restart file",
            value=f"{worst:g}",
            limit="-999.9999999 to 9999.9999999 Å",
            hint="leave --unwrap out, or convert to gro",
        )
    for start in range(0, flat.size, 6):
        file.write("".join(f"{value:12.7f}" for value in flat[start : start + 6]) + "\n")
