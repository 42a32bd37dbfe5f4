# SPDX-License-Identifier: BSD-3-Clause
"""Other divisions of a job: patches and pair computes, pair lists, pencils.

What the input gives stays as it is. Every division here has the accuracy that the input asks for:
the radii of lists follow from their intervals.
"""

from __future__ import annotations

from finegrain.classical.division import fineness
from finegrain.classical.division.division import Division, lists_in_words
from finegrain.classical.division.list_intervals import (
    divisor_near,
    prunes_beside,
    rebuilds_beside,
)
from finegrain.classical.division.step_estimate import estimate_steps
from finegrain.classical.input.impulses import pair_level, slowest_level
from finegrain.classical.preparation.division import other_pencils
from finegrain.classical.preparation.job import job_image
from finegrain.classical.preparation.longer_lists import with_longer_lists
from finegrain.classical.preparation.other_divisions import Keys, with_keys
from finegrain.classical.preparation.prepare import Prepared
from finegrain.tuning.search import Aspect

# Only the divisions into patches that the engine estimates to be the fastest are timed.
_timed_patches = 5


def _other_patches(prepared: Prepared, pes: int) -> list[Division]:
    """Return divisions into other patches, or with other pair computes, that should be fast."""
    division, given = prepared.division, prepared.given.model.patches
    if given.grid is not None:
        counts = (
            [] if given.fixed_pair_computes else fineness.more_computes(division.patch_grid, pes)
        )
        grids = [(division.patch_grid, count) for count in counts]
    else:
        grids = []
        for number in sorted({pes, given.pes}):
            usual = fineness.choose_patches(
                division.most_patches, prepared.system.all_atoms, number
            )
            grids += fineness.finer(division.most_patches, usual, given.fixed_pair_computes, number)
    # How long lists can be used depends on the patches.
    forces = prepared.given.model.forces
    lists = {
        "forces.rebuild_interval": forces.rebuild_interval,
        "forces.prune_interval": forces.prune_interval,
    }
    changes = [
        {"patches.grid": list(grid), "patches.pair_computes": count, **lists}
        for grid, count in dict.fromkeys(grids)
        if (grid, count) != (division.patch_grid, division.pair_computes)
    ]
    found = [with_longer_lists(prepared, one) for one in _divisions(prepared, changes)]
    return _likely_fastest(prepared, found, pes)


def _likely_fastest(prepared: Prepared, divisions: list[Division], pes: int) -> list[Division]:
    if not divisions:
        return []
    found = estimate_steps(prepared.given.source.name, job_image(prepared), pes, divisions)
    pairs = [
        (step.seconds, division)
        for step, division in zip(found, divisions, strict=True)
        if step is not None
    ]
    return [division for _, division in sorted(pairs, key=lambda pair: pair[0])[:_timed_patches]]


def _other_lists(prepared: Prepared, _pes: int) -> list[Division]:
    """Return divisions whose lists are rebuilt or pruned more often, or less."""
    if not prepared.settings.has_lists:
        return []
    division, forces = prepared.division, prepared.given.model.forces
    dynamics = prepared.given.model.dynamics
    every, pairs = slowest_level(dynamics).interval, pair_level(dynamics).interval
    changes: list[Keys] = []
    if forces.prune_interval is None:
        prunes = prunes_beside(division.rebuild_interval, division.prune_interval, pairs)
        changes += [{"forces.prune_interval": prune} for prune in prunes]
    if forces.rebuild_interval is None:
        for rebuild in rebuilds_beside(division.rebuild_interval, every):
            prune = forces.prune_interval or divisor_near(rebuild, division.prune_interval, pairs)
            changes.append({"forces.rebuild_interval": rebuild, "forces.prune_interval": prune})
    return _divisions(prepared, changes)


def _divisions(prepared: Prepared, changes: list[Keys]) -> list[Division]:
    found = (with_keys(prepared, change) for change in changes)
    return [
        division for division in found if division is not None and division != prepared.division
    ]


def _patches_in_words(division: Division) -> str:
    computes = f", {division.pair_computes} pair computes each"
    return _times(division.patch_grid) + (computes if division.pair_computes > 1 else "")


def _pencils_in_words(division: Division) -> str:
    return f"{_times(division.pencil_grid)} pencils"


def _times(counts: tuple[int, ...]) -> str:
    return " x ".join(map(str, counts))


ASPECTS = (
    Aspect("patches", _other_patches, _patches_in_words),
    Aspect("pair list", _other_lists, lists_in_words),
    Aspect("mesh", lambda prepared, _pes: other_pencils(prepared), _pencils_in_words),
)
