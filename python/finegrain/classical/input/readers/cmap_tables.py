# SPDX-License-Identifier: BSD-3-Clause
"""The sizes of CMAP tables that can be read from files."""

from __future__ import annotations

from finegrain.classical.system.cmap_maps import least_size, most_size

other_size = "make the force field with tables of another size; 24 is usual"
sizes_of_files = f"even numbers from {least_size} to {most_size}"


def why_no_table(size: int) -> str:
    """Return why a table of a file cannot be read; nothing if it can.

    Tables in files begin at -180 degrees. With an odd number of points none is at 0, where the
    engine's maps begin. OpenMM's readers would shift such a table by half a step.
    """
    if not least_size <= size <= most_size:
        return "is a CMAP table of a size that cannot be used"
    return "is a CMAP table with an odd number of points" if size % 2 else ""
