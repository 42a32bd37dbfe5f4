# SPDX-License-Identifier: BSD-3-Clause
"""The maps that CMAP terms share, and the limits of the engine for them.

A map has the energy of the dihedrals i and j times 360 degrees / size at i + size * j. OpenMM's
CMAPTorsionForce has the same order. The limits are those of the engine
(`engine/forces/terms/cmap_maps.hpp`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import Problem

least_size, most_size = 2, 360
largest_energy = 1e7
sizes_allowed = f"{least_size} to {most_size} points along each angle"
_again = "make the topology again"


def map_problems(maps: Mapping[str, NDArray[Any]], numbers: NDArray[Any]) -> list[Problem]:
    """Find what is wrong with maps, and terms that name no map.

    Parameters
    ----------
    maps : by name
        `size`, int32, shape (maps,), and `energy`, float64, of map after map, hartree.
    numbers : int32, shape (terms,)
        The map of each term, from 0.
    """
    sizes, energies = maps["size"].astype(np.int64), maps["energy"]
    wrong = np.flatnonzero((sizes < least_size) | (sizes > most_size))
    if len(wrong):
        value = f"map {wrong[0] + 1}, {sizes[wrong[0]]} points"
        what = "is a CMAP table of a size that cannot be used"
        return [Problem(what, value=value, limit=sizes_allowed, hint=_again)]
    points = sizes**2
    if len(energies) != points.sum():
        what, limit = "CMAP tables have the wrong number of energies", f"{points.sum():,}"
        return [Problem(what, value=f"{len(energies):,}", limit=limit, hint=_again)]
    problems = []
    wrong = np.flatnonzero(~(np.abs(energies) <= largest_energy))
    if len(wrong):
        ends = np.cumsum(points)
        number = int(np.searchsorted(ends, wrong[0], side="right"))
        place = int(wrong[0] - (ends[number] - points[number])) + 1
        value = f"map {number + 1}, energy {place:,}"
        what = "is no energy of a CMAP table (not finite, or beyond all bounds)"
        problems.append(Problem(what, value=value, hint=_again))
    wrong = np.flatnonzero((numbers < 0) | (numbers >= len(sizes)))
    if len(wrong):
        value = f"CMAP term {wrong[0] + 1:,}, map {int(numbers[wrong[0]]) + 1:,}"
        what, limit = "names a CMAP table that does not exist", f"{len(sizes):,} tables"
        problems.append(Problem(what, value=value, limit=limit, hint=_again))
    return problems
