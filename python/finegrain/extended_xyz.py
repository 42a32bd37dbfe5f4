# SPDX-License-Identifier: BSD-3-Clause
"""Extended XYZ: frames as text that ASE, OVITO and VMD read.

Format: https://github.com/libAtoms/extxyz; lengths in Å.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

angstrom_per_nm = 10.0


def write_frame(
    file: IO[str],
    elements: Sequence[str],
    positions: NDArray[Any],
    *,
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
    box : ndarray, shape (3,), optional
        Edges in nanometres; without it, or all zero, the frame is not periodic.
    properties : iterable of (str, float)
        Further numbers for the comment line, such as ``("time_ps", 2.0)``.
    """
    words = []
    if box is not None and np.all(np.asarray(box) > 0):
        cell = np.diag(np.asarray(box, np.float64) * angstrom_per_nm)
        words.append('Lattice="' + " ".join(f"{edge:.6f}" for edge in cell.ravel()) + '"')
        words.append('pbc="T T T"')
    else:
        words.append('pbc="F F F"')
    words.append("Properties=species:S:1:pos:R:3")
    words.extend(f"{name}={value:.10g}" for name, value in properties)
    lines = [str(len(elements)), " ".join(words)]
    scaled = np.asarray(positions, np.float64) * angstrom_per_nm
    lines.extend(
        f"{element.strip() or 'X':<2} {x:14.6f} {y:14.6f} {z:14.6f}"
        for element, (x, y, z) in zip(elements, scaled, strict=True)
    )
    file.write("\n".join(lines) + "\n")
