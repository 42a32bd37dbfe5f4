# SPDX-License-Identifier: BSD-3-Clause
"""Extended XYZ: frames as text for ASE, OVITO and VMD.

Format: https://github.com/libAtoms/extxyz; lengths in Å.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.units import angstrom_per_nm


def write_frame(
    file: IO[str],
    elements: Sequence[str],
    positions: NDArray[Any],
    *,
    velocities: NDArray[Any] | None = None,
    box: NDArray[Any] | None = None,
    properties: Iterable[tuple[str, float]] = (),
) -> None:
    """Append one frame.

    Parameters
    ----------
    file : text file
        Open for writing.
    elements : sequence of str
        Chemical symbol of each atom; an atom without one is written as "X".
    positions : ndarray, shape (atoms, 3)
        Nanometres.
    velocities : ndarray, shape (atoms, 3), optional
        nm/ps; written as the column "velo" in Å/ps.
    box : ndarray, shape (3,) or (3, 3), optional
        Edges, or vectors in rows, in nanometres; without it, or all zero, the frame is not
        periodic.
    properties : iterable of (str, float)
        Further numbers for the comment line, such as ``("time_ps", 2.0)``.
    """
    words = []
    if box is not None and cells.is_periodic(box):
        cell = cells.vectors_of(box) * angstrom_per_nm
        words.append('Lattice="' + " ".join(f"{edge:.6f}" for edge in cell.ravel()) + '"')
        words.append('pbc="T T T"')
    else:
        words.append('pbc="F F F"')
    words.append("Properties=species:S:1:pos:R:3" + (":velo:R:3" if velocities is not None else ""))
    words.extend(f"{name}={value:.10g}" for name, value in properties)
    lines = [str(len(elements)), " ".join(words)]
    columns = [positions] if velocities is None else [positions, velocities]
    rows = np.hstack([np.asarray(column, np.float64) * angstrom_per_nm for column in columns])
    numbers = " %14.6f" * rows.shape[1]
    lines.extend(
        f"{element.strip() or 'X':<2}" + numbers % tuple(row)
        for element, row in zip(elements, rows, strict=True)
    )
    file.write("\n".join(lines) + "\n")
