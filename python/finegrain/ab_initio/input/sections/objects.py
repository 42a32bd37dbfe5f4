# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [objects]: the division into objects."""

from __future__ import annotations

from finegrain.ab_initio.division.fineness import usual_pes
from finegrain.toml_input.fields import Count, Section, key


class ObjectsSection(Section):
    """The division into objects; a good one is chosen from the sizes if it is not given."""

    pes: Count = key(
        "worker threads (PEs) for which there are enough objects; the run may have more or fewer. "
        "The keys below overrule it",
        usual_pes,
        examples=[8],
    )
    state_grain: Count | None = key(
        "orbitals in a block", None, examples=[16], by_default="chosen from the sizes and `pes`"
    )
    wave_parts: Count | None = key(
        "parts of the waves of an orbital (a half sphere)",
        None,
        examples=[8],
        by_default="chosen from the sizes and `pes`",
    )
    density_parts: Count | None = key(
        "parts of the density, a multiple of `wave_parts`",
        None,
        hint="a multiple of wave_parts",
        by_default="chosen from the sizes and `pes`",
    )
    pair_groups: Count = key(
        "groups of blocks: the products of a block with those of each group are an object of "
        "their own",
        1,
        examples=[2],
    )
    tile_grain: Count | None = key(
        "orbitals along a side of a tile: each tile of the matrices of all orbitals is an object "
        "of its own",
        None,
        examples=[128],
        by_default="all orbitals up to 256, else 256 or a little less",
    )
    pair_chunks: Count = key(
        "chunks of the waves of a part: the products of orbitals in each chunk are an object of "
        "their own",
        1,
        examples=[2],
    )
    plane_pieces: Count = key(
        "pieces along y of each part of the density, objects of their own; for more processors "
        "than the grid has planes",
        1,
        examples=[4],
    )
