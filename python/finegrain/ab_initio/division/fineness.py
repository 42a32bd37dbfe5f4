# SPDX-License-Identifier: BSD-3-Clause
"""How finely an ab initio job is divided: few objects take less time, many take more processors.

The choice depends on the input alone, never on the machine, because every sum over objects is in
the order of this division.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from finegrain.ab_initio.division.waves import SphereSizes, Waves
from finegrain.runs.note_of_pes import note_of_pes as note_of_idle_pes

usual_pes = 4
_largest_block = 32
# For more PEs blocks become smaller, down to this size. Products of smaller ones take longer, since
# each block reads all orbitals again. For still more PEs orbitals are divided into parts of their
# waves, which cost messages.
_least_block = 16
_waves_of_part = 64000  # of the half sphere
_densities_of_part = 64000
_most_parts = 64
# Up to this number of orbitals one object has their matrices. Its share of the time is small, and
# it needs no messages.
_largest_tile = 256


def state_grain(bands: int, pes: int = usual_pes) -> int:
    """Return the usual number of orbitals of a block: even, because two share a transform."""
    usual = min(bands, _largest_block, _even_share(bands, usual_pes))
    return min(usual, max(_least_block, _even_share(bands, pes)))


def tile_grain(bands: int) -> int:
    """Return the usual side of a tile: tiles of nearly the same size."""
    return -(-bands // -(-bands // _largest_tile))


def wave_parts(half: float, most: int, blocks: int, pes: int = usual_pes) -> int:
    """Return the usual number of parts of the waves of an orbital.

    Parameters
    ----------
    half : float
        Waves of the half sphere.
    most : int
        The most parts that there can be.
    blocks : int
        Blocks of orbitals.
    """
    parts = max(round(half / _waves_of_part), 1)
    if pes > usual_pes:
        parts = max(parts, -(-pes // blocks))
    return min(parts, _most_parts, most)


def density_parts(waves: Waves, parts: int, pes: int = usual_pes) -> int:
    """Return the usual number of parts of the density, a multiple of those of orbitals."""
    most = most_density_parts(waves)
    wanted = min(round(waves.densities.half / _densities_of_part), _most_parts)
    wanted = min(max(wanted, pes, usual_pes), most)  # the density is one, and all PEs share it
    return parts * min(max(1, most // parts), max(1, round(wanted / parts)))


def most_wave_parts(waves: Waves) -> int:
    """Return the most parts of orbitals: each has columns of waves and planes of the grid."""
    return _most_parts_of(waves.orbitals, waves)


def most_density_parts(waves: Waves) -> int:
    """Return the most parts of the density: each has columns of waves and planes of the grid."""
    return _most_parts_of(waves.densities, waves)


def enough_for(bands: Sequence[int], block: int, parts: int) -> int:
    """Return for how many PEs a division is fine enough; `bands` are the orbitals of each spin."""
    return max(_blocks(bands, block) * parts, 1)


def note_of_pes(
    pes: int,
    bands: Sequence[int],
    half: float,
    most: int,
    block: int,
    parts: int,
    given: Collection[str],
) -> str:
    """Return what to change in an input so that all PEs have work; empty if nothing helps.

    Parameters
    ----------
    bands : sequence of int
        Orbitals of each spin.
    half : float
        Waves of the half sphere.
    most : int
        The most parts of them.
    block, parts : int
        Orbitals of a block and parts of the waves, in the job.
    given : collection of str
        The keys of [objects] in the input.
    """
    enough = enough_for(bands, block, parts)
    finer = state_grain(max(bands), pes)
    reached = _blocks(bands, finer) * wave_parts(half, most, -(-max(bands) // finer), pes)
    if pes <= max(enough, usual_pes) or reached <= enough:
        return ""
    fixed = [key for key in ("state_grain", "wave_parts", "density_parts") if key in given]
    return note_of_idle_pes(enough, pes, "objects", fixed)


def _blocks(bands: Sequence[int], block: int) -> int:
    return sum(-(-count // block) for count in bands)


def _even_share(bands: int, pes: int) -> int:
    return 2 * -(-bands // (2 * pes))


def _most_parts_of(sphere: SphereSizes, waves: Waves) -> int:
    return min(sphere.columns, waves.grid[2])
