# SPDX-License-Identifier: BSD-3-Clause
"""The division into objects: blocks of orbitals, parts of the spheres of waves.

It belongs to the job: every sum across objects is in the order of this division.
"""

from __future__ import annotations

from dataclasses import dataclass

from finegrain.ab_initio.division.fineness import (
    density_parts,
    most_density_parts,
    most_wave_parts,
    state_grain,
    tile_grain,
    wave_parts,
)
from finegrain.ab_initio.division.waves import SphereSizes, Waves
from finegrain.ab_initio.input.load import AbInitioInput
from finegrain.errors import Problem


@dataclass(frozen=True)
class Division:
    """The division of a run.

    Attributes
    ----------
    state_grain : int
        Orbitals of a block; the last block may have fewer.
    wave_parts, density_parts : int
        Parts of the half spheres; `density_parts` is a multiple of `wave_parts`.
    pair_groups : int
        Groups of blocks with which the overlaps of a block are computed, each by its own object.
    tile_grain : int
        Orbitals along a side of a tile of the matrices of all orbitals.
    pair_chunks : int
        Chunks of the waves of each part, whose products of orbitals have objects of their own.
    plane_pieces : int
        Pieces along y of each part of the density.
    """

    state_grain: int
    wave_parts: int
    density_parts: int
    pair_groups: int
    tile_grain: int
    pair_chunks: int = 1
    plane_pieces: int = 1

    def blocks(self, bands: int) -> int:
        """Return the number of blocks of orbitals."""
        return -(-bands // self.state_grain)


def choose_division(given: AbInitioInput, bands: int, waves: Waves) -> Division:
    """Return the division; what is wrong with the user's goes to the problems of `given`."""
    asked = given.model.objects
    block = asked.state_grain or state_grain(bands, asked.pes)
    most_waves, most_densities = most_wave_parts(waves), most_density_parts(waves)
    parts = asked.wave_parts
    if parts is None:
        blocks = -(-bands // min(block, bands))
        parts = wave_parts(waves.orbitals.half, most_waves, blocks, asked.pes)
        if asked.density_parts is not None:  # the largest usual number that divides it
            parts = max(one for one in range(1, parts + 1) if asked.density_parts % one == 0)
    densities = asked.density_parts or density_parts(waves, parts, asked.pes)
    if block > bands:
        given.problems.append(
            _problem(given, "objects.state_grain", f"{bands:,}, the number of orbitals")
        )
    for key, count, most in (
        ("wave_parts", parts, most_waves),
        ("density_parts", densities, most_densities),
    ):
        if count > most and getattr(asked, key) is not None:
            limit = f"{most:,}, the number of columns of waves or of planes of the grid"
            given.problems.append(_problem(given, f"objects.{key}", limit))
    block = min(block, bands)
    blocks = -(-bands // block)
    if asked.pair_groups > blocks:
        given.problems.append(
            _problem(given, "objects.pair_groups", f"{blocks:,}, the number of blocks of orbitals")
        )
    tile = asked.tile_grain or tile_grain(bands)
    if tile > bands:
        given.problems.append(
            _problem(given, "objects.tile_grain", f"{bands:,}, the number of orbitals")
        )
    most_chunks = least_waves(waves.orbitals, parts)
    if asked.pair_chunks > max(1, most_chunks):
        limit = f"{max(1, most_chunks):,}, about the number of waves of a part"
        given.problems.append(_problem(given, "objects.pair_chunks", limit, "1 always fits"))
    most_pieces, limit = _most_pieces(waves, densities)
    if asked.plane_pieces > most_pieces:
        given.problems.append(
            _problem(given, "objects.plane_pieces", f"{most_pieces:,}, {limit}", "1 always fits")
        )
    return Division(
        block,
        parts,
        densities,
        asked.pair_groups,
        min(tile, bands),
        asked.pair_chunks,
        asked.plane_pieces,
    )


def _most_pieces(waves: Waves, densities: int) -> tuple[int, str]:
    """Return the most pieces of so many parts of the density, and why: points and waves for all."""
    columns = (waves.densities.columns + 1) // 2 // densities
    if columns < waves.grid[1]:
        return max(1, columns), "columns of waves for each part of the density"
    return waves.grid[1], "the points of the grid along y"


def least_waves(sphere: SphereSizes, parts: int) -> int:
    """Return a number of waves that each part has: columns go to the part with the fewest waves."""
    return sphere.half // parts - (2 * sphere.largest[2] + 1)


def _problem(
    given: AbInitioInput,
    key: str,
    limit: str,
    hint: str = "leave it out, and a good one is chosen",
) -> Problem:
    return given.source.problem(key, "out of range", limit=f"at most {limit}", hint=hint)
