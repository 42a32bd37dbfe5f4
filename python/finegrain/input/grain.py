# SPDX-License-Identifier: BSD-3-Clause
"""How finely a job is divided: few large objects take less time, many small ones more processors.

The choice depends on the input alone, never on the machine, because it decides the bits. Measured
on DHFR (23,558 atoms) with two PEs on a Xeon with AVX-512, steps a day: 2 x 2 x 2 patches with 8
pair computes each are 1.12 times as fast as 4 x 4 x 4 with one each, and those 1.23 times as fast
as 4 x 4 x 4 with 14 each.
"""

from __future__ import annotations

import itertools
import math

Grid = tuple[int, int, int]

usual_pes = 8
directions = 14  # of half the neighbours of a patch, and itself
_patches_per_pe = 1
_pair_computes_per_pe = 8
# A pair compute has the positions of several patches at hand; more do not fit into near caches.
_most_atoms = 3000
_lines_per_pencil = 16
_least_lines = 4
_pes_per_pencil = 2


def choose_patches(most: Grid, atoms: int, pes: int) -> Grid:
    """Return the grid with the fewest patches that are enough, the most even one of several.

    Parameters
    ----------
    most : tuple of int
        The patches per axis that fit.
    """
    wanted = max(_patches_per_pe * pes, math.ceil(atoms / _most_atoms))
    if wanted >= math.prod(most):
        return most
    x, y, z = (range(1, count + 1) for count in most)
    grids = itertools.product(x, y, z)
    enough = (grid for grid in grids if math.prod(grid) >= wanted)

    def order(grid: Grid) -> tuple[int, float, Grid]:
        widths = [count / number for count, number in zip(most, grid, strict=True)]
        return math.prod(grid), max(widths) / min(widths), grid

    return min(enough, key=order)


def choose_pair_computes(patches: Grid, pes: int) -> int:
    """Return the number for each patch."""
    return min(math.ceil(_pair_computes_per_pe * pes / math.prod(patches)), directions)


def choose_pencils(most: tuple[int, int], pes: int) -> tuple[int, int]:
    """Return the pencils along two axes with so many mesh lines."""
    lines = _lines_per_pencil
    while True:
        pencils = math.ceil(most[0] / lines), math.ceil(most[1] / lines)
        if math.prod(pencils) * _pes_per_pencil >= pes or lines <= _least_lines:
            return pencils
        lines //= 2


def enough_for(patches: Grid, pair_computes: int) -> int:
    """Return for how many PEs a division is fine enough."""
    count = math.prod(patches)
    return max(min(count // _patches_per_pe, count * pair_computes // _pair_computes_per_pe), 1)
