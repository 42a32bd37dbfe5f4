# SPDX-License-Identifier: BSD-3-Clause
"""The division of a classical job into objects, and how long its pair lists are used."""

from __future__ import annotations

from dataclasses import dataclass

from finegrain.classical.division import fineness
from finegrain.units import in_angstrom


@dataclass
class Division:
    """Everything that decides which object computes what; lengths in bohr."""

    list_cutoff: float
    inner_list_cutoff: float
    rebuild_interval: int
    prune_interval: int
    patch_grid: tuple[int, int, int]
    box_widths: tuple[float, float, float]  # infinite where every pair of patches has pairs
    patch_width: float  # that lists need: of one patch, or of as many as the reach is
    pair_computes: int  # of each patch
    pencil_grid: tuple[int, int]
    tolerance: str
    temperature: float  # k_B T in hartree, for which list buffers are wide enough
    most_patches: tuple[int, int, int]  # that fit; those of the job if there is no choice
    later_prune: tuple[int, float] | None  # the next longer interval, and the radius it needs

    @property
    def reach(self) -> tuple[int, int, int]:
        """Patches with which a patch has pairs are up to that many away, per axis."""
        return fineness.reach_of(self.patch_grid, self.box_widths, self.patch_width)


def lists_in_words(division: Division) -> str:
    """Return the radii of the pair lists, and how long they are used."""
    return (
        f"{in_angstrom(division.list_cutoff)} every {division.rebuild_interval} steps, "
        f"{in_angstrom(division.inner_list_cutoff)} every {division.prune_interval}"
    )
