# SPDX-License-Identifier: BSD-3-Clause
"""GROMACS's .gro: one structure as text, positions in nm and velocities in nm/ps.

Readers find the number of decimals from the distance between decimal points. Positions have six
decimals here; GROMACS writes three.
"""

from __future__ import annotations

from typing import IO

import numpy as np

from finegrain.base import cells
from finegrain.formats.structure import NamedAtoms, Structure

_wrap = 100_000  # five columns for the numbers of residues and atoms


def write_gro(file: IO[str], structure: Structure, job: NamedAtoms) -> None:
    """Write one structure, its atoms named as in the job."""
    residue_of, residues, numbers, _chains = job.residues()
    title = " ".join((job.title or "finegrain").split())
    file.write(f"{title}, t= {structure.time:.6f} step= {structure.step}\n{len(residue_of)}\n")
    columns = [np.asarray(structure.positions, np.float64)]
    formats = "%11.6f" * 3
    if structure.velocities is not None:
        columns.append(np.asarray(structure.velocities, np.float64))
        formats += "%11.7f" * 3
    rows = np.hstack(columns)
    for index, (name, residue) in enumerate(zip(job.names, residue_of.tolist(), strict=True)):
        number = int(numbers[residue]) % _wrap
        head = f"{number:5d}{residues[residue][:5]:<5}{name[:5]:>5}{(index + 1) % _wrap:5d}"
        file.write(head + formats % tuple(rows[index]) + "\n")
    box = np.zeros(3) if structure.box is None else structure.box
    if cells.is_tilted(box):  # the diagonal, then the rest
        box = np.concatenate([np.diagonal(box), box[~np.eye(3, dtype=bool)]])
    file.write("".join(f"{edge:14.9f}" for edge in box) + "\n")
