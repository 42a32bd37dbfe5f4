# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [patches] and [mesh]: the division into objects."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from finegrain.classical.division.fineness import most_reach, usual_pes
from finegrain.toml_input.fields import Count, Section, key

Patches = Annotated[int, Field(ge=1, le=1024)]
Reach = Annotated[int, Field(ge=1, le=most_reach)]
PairComputes = Annotated[int, Field(ge=1, le=14)]
Cells = Annotated[int, Field(ge=1, le=4096)]
Pencils = Annotated[int, Field(ge=1, le=4096)]


class PatchesSection(Section):
    """The division of the box; a good one is chosen if it is not given."""

    pes: Count = key(
        "worker threads (PEs) for which there are enough objects; the run may have more or fewer",
        usual_pes,
    )
    grid: list[Patches] | None = key(
        "patches (cells of space) per axis; by default chosen by the estimated time of a step",
        None,
        min_length=3,
        max_length=3,
        hint="such as [5, 5, 5]",
    )
    reach: Reach | None = key(
        "how many patches away the partners of a patch may be: thinner patches, for more PEs, "
        "have partners further away; by default the least that `grid` or `pes` needs",
        None,
    )
    pairs: Literal["half-shell", "midpoint"] = key(
        "the object for a pair of atoms: of a patch with one of them, or of the midpoint cell "
        'that holds their midpoint; by "midpoint" patches send positions to fewer others',
        "half-shell",
        to="/settings/pairs",
    )
    cells: list[Cells] | None = key(
        "midpoint cells per axis, cut so that each has the same work; as many as the "
        "run has PEs, or several for each, so that balance can move some to a neighbour; by "
        "default each patch has one, and all are of one size",
        None,
        min_length=3,
        max_length=3,
        hint="such as [8, 8, 8]",
    )
    pair_computes: PairComputes | None = key(
        "objects for the pairs of a patch, with itself and half of its partners; PEs share many "
        "more evenly, few take less time; chosen like `grid` by default",
        None,
    )

    @property
    def fixed_pair_computes(self) -> int | None:
        """The number that is not chosen: the given one, or one by midpoints."""
        return 1 if self.pairs == "midpoint" else self.pair_computes


class MeshSection(Section):
    """The division of the mesh into pencils."""

    pencils: list[Pencils] | None = key(
        "pencils (bundles of lines) of the mesh along z: their number along x and y; chosen by "
        "default",
        None,
        min_length=2,
        max_length=2,
        hint="such as [4, 4]",
    )
