# SPDX-License-Identifier: BSD-3-Clause
"""The division of a classical job into objects, and how long its pair lists are used."""

from __future__ import annotations

from dataclasses import dataclass

from finegrain.units import in_angstrom


@dataclass
class Division:
    """Everything that decides which object computes what; lengths in bohr."""

    list_cutoff: float
    inner_list_cutoff: float
    rebuild_interval: int
    prune_interval: int
    patch_grid: tuple[int, int, int]
    patch_width: float  # the least that lists need
    pair_computes: int  # of each patch
    pencil_grid: tuple[int, int]
    tolerance: str
    temperature: float  # k_B T in hartree, for which list buffers are wide enough
    most_patches: tuple[int, int, int]  # that fit; those of the job if there is no choice
    later_prune: tuple[int, float] | None  # the next longer interval, and the radius it needs


def lists_in_words(division: Division) -> str:
    """Return the radii of the pair lists, and how long they are used."""
    return (
        f"{in_angstrom(division.list_cutoff)} every {division.rebuild_interval} steps, "
        f"{in_angstrom(division.inner_list_cutoff)} every {division.prune_interval}"
    )
