# SPDX-License-Identifier: BSD-3-Clause
"""How finely a job is divided: few large objects take less time, many small ones more processors.

The choice depends on the input alone, never on the machine, because it decides the bits. Steps a
day were measured on DHFR (23,558 atoms) with two PEs on a Xeon with AVX-512. A division into
2 x 2 x 2 patches with 8 pair computes each is 1.12 times as fast as 4 x 4 x 4 with one each. That
is 1.23 times as fast as 4 x 4 x 4 with 14 each. Four pair computes for a PE share the work as
evenly as eight, and there is less of it (bench/accuracy/pair_computes.py).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence

from finegrain.runs.note_of_pes import note_of_pes as note_of_idle_pes

Grid = tuple[int, int, int]

usual_pes = 8
directions = 14  # of half the neighbours of a patch, and itself, with a reach of 1
most_reach = 4
_patches_per_pe = 1
_pair_computes_per_pe = 4
# A pair compute has the positions of several patches at hand; more do not fit into near caches.
_most_atoms = 3000
worth_a_division = 500  # atoms in vacuum; below this one object computes all pairs quickly
_times_as_many = (1, 1.5, 2, 3, 4, 6, 8)  # patches as usual
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


def more_computes(patches: Grid, pes: int) -> list[int]:
    """Return numbers of pair computes of each patch: as many as usual, two and four times that."""
    fewest = choose_pair_computes(patches, pes)
    return sorted({min(fewest * times, directions) for times in (1, 2, 4)})


def finer(most: Grid, usual: Grid, computes: int | None, pes: int) -> list[tuple[Grid, int]]:
    """Return divisions worth a comparison with the usual one, from coarse to fine.

    Parameters
    ----------
    most : tuple of int
        The patches per axis that fit.
    usual : tuple of int
        The patches that are enough if atoms are everywhere.
    computes : int or None
        Pair computes of each patch, if they are given.

    Returns
    -------
    list of tuple
        Patches, and pair computes of each.
    """
    found: dict[tuple[Grid, int], None] = {}
    for times in _times_as_many:
        grid = choose_patches(most, 0, math.ceil(times * math.prod(usual)))
        for count in more_computes(grid, pes) if computes is None else [computes]:
            found[grid, count] = None
    return list(found)


def other_pencils(most: tuple[int, int], usual: tuple[int, int]) -> list[tuple[int, int]]:
    """Return pencils with about half and twice as many lines as the usual ones."""
    half = min(2 * usual[0], most[0]), min(2 * usual[1], most[1])
    twice = (usual[0] + 1) // 2, (usual[1] + 1) // 2
    return [grid for grid in (half, twice) if grid != usual]


def choose_pencils(most: tuple[int, int], pes: int) -> tuple[int, int]:
    """Return the pencils along two axes with so many mesh lines."""
    lines = _lines_per_pencil
    while True:
        pencils = math.ceil(most[0] / lines), math.ceil(most[1] / lines)
        if math.prod(pencils) * _pes_per_pencil >= pes or lines <= _least_lines:
            return pencils
        lines //= 2


def reach_of(patches: Grid, widths: Sequence[float], least: float) -> Grid:
    """Return how many patches away the partners of a patch may be, per axis.

    Parameters
    ----------
    widths : sequence of float
        The widths of the box.
    least : float
        How far pair lists reach.
    """
    x, y, z = (
        max(math.ceil(least * count / width * (1 - 1e-12)), 1)
        for count, width in zip(patches, widths, strict=True)
    )
    return x, y, z


def reach_for(mosts: Sequence[Grid], pes: int) -> int:
    """Return the least reach with which there are enough patches for so many PEs.

    It is 1 for the usual number of PEs and fewer, however small the box: thin patches have many
    partners, and what finer objects save there goes into messages.

    Parameters
    ----------
    mosts : sequence of tuple of int
        The patches per axis that fit, for each reach from 1 on.
    """
    if pes <= usual_pes:
        return 1
    enough = (
        reach for reach, most in enumerate(mosts, 1) if math.prod(most) >= _patches_per_pe * pes
    )
    return next(enough, len(mosts))


def enough_for(patches: Grid, pair_computes: int) -> int:
    """Return for how many PEs a division is fine enough."""
    count = math.prod(patches)
    return max(min(count // _patches_per_pe, count * pair_computes // _pair_computes_per_pe), 1)


def most_patches(
    widths: Sequence[float], least: float, reach: int, *, every_pair: bool, far: bool
) -> Grid:
    """Return the patches per axis that fit.

    Parameters
    ----------
    widths : sequence of float
        The widths of the box.
    least : float
        How far pair lists reach: the least width of so many patches.
    reach : int
        How many patches away the partners of a patch may be.
    every_pair : bool
        Whether every pair counts, so that all patches must touch.
    far : bool
        Whether pairs that are computed one by one may get as far apart as they like.
    """
    most = [2, 2, 2] if every_pair else [max(int(reach * width / least), 1) for width in widths]
    if far:
        most = [min(count, 2) for count in most]
    return most[0], most[1], most[2]


def most_by_reach(
    widths: Sequence[float], least: float, thinnest: float = 0, *, every_pair: bool, far: bool
) -> list[Grid]:
    """Return the patches per axis that fit, for each reach from 1 on.

    Parameters
    ----------
    widths, least, every_pair, far
        As `most_patches` takes them.
    thinnest : float
        What thin patches have to hold.
    """
    return [
        most_patches(widths, least, reach, every_pair=every_pair, far=far)
        for reach in range(1, most_reach + 1)
        if reach == 1 or least / reach >= thinnest
    ]


def note_of_pes(
    pes: int, atoms: int, most: Grid, patches: Grid, pair_computes: int, given: Collection[str]
) -> str:
    """Return what to change in an input so that all PEs have work; empty if nothing helps.

    Parameters
    ----------
    most, patches : tuple of int
        The patches per axis that fit, and those of the job.
    given : collection of str
        The keys of [patches] in the input.
    """
    enough = enough_for(patches, pair_computes)
    finer = choose_patches(most, atoms, pes)
    reached = enough_for(finer, choose_pair_computes(finer, pes))
    if pes <= enough or reached <= enough:
        return ""
    fixed = [key for key in ("grid", "pair_computes") if key in given]
    return note_of_idle_pes(enough, pes, "patches", fixed)
