# SPDX-License-Identifier: BSD-3-Clause
"""The choice between divisions of a job, by the time of a step that the engine estimates.

`choose_cut` takes the fewest objects that would be enough if atoms were everywhere. Where they are
not, in a slab or a droplet, few patches have all the work, and a finer division takes less time on
the job's PEs. The choice depends on the input and on fixed times of the engine alone, never on the
machine, because it decides the bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from finegrain.input import grain
from finegrain.input.cut import Cut
from finegrain.input.prepare import Prepared
from finegrain.step_estimate import Division, StepEstimate, estimate_steps
from finegrain.units import in_angstrom

# Another division must be so much faster; the estimates are not better than that.
_worth_another = 0.95
# Of divisions that are nearly as fast on the job's PEs, that with the least work is taken.
_as_fast = 1.03

Found = tuple[Cut, StepEstimate]


def settle_division(prepared: Prepared, image: bytes) -> None:
    """Replace the division of `prepared` by a better one if there is one, and say why.

    Parameters
    ----------
    image : bytes
        The contents of its job's file, which the engine takes.
    """
    why: dict[str, str] = {}
    if prepared.cut.most_patches != (1, 1, 1):
        why |= _settle(prepared, image, "patches", _other_patches(prepared), _patches_in_words)
    if prepared.settings.electrostatics == "pme":
        why |= _settle(prepared, image, "mesh", _other_pencils(prepared), _pencils_in_words)
    prepared.why = why | _word_on_lists(prepared, image)


def division_of(cut: Cut) -> Division:
    """Return what decides the objects of a job."""
    return Division(cut.patch_grid, cut.pair_computes, cut.pencil_grid, cut.inner_list_cutoff)


def _estimates(prepared: Prepared, image: bytes, cuts: Sequence[Cut]) -> list[Found]:
    """Leave out what the engine refuses."""
    pes, name = prepared.given.model.patches.pes, prepared.given.source.name
    found = estimate_steps(name, image, pes, [division_of(cut) for cut in cuts]) if cuts else []
    return [(cut, one) for cut, one in zip(cuts, found, strict=True) if one is not None]


def _other_patches(prepared: Prepared) -> list[Cut]:
    cut, given = prepared.cut, prepared.given.model.patches
    if given.grid is not None:
        several = [] if given.pair_computes else grain.more_computes(cut.patch_grid, given.pes)
        divisions = [(cut.patch_grid, computes) for computes in several]
    else:
        divisions = grain.finer(cut.most_patches, cut.patch_grid, given.pair_computes, given.pes)
    return [replace(cut, patch_grid=grid, pair_computes=count) for grid, count in divisions]


def _other_pencils(prepared: Prepared) -> list[Cut]:
    if prepared.given.model.mesh.pencils is not None:
        return []
    x, y, z = prepared.settings.mesh
    grids = grain.other_pencils((min(x, y), min(y, z)), prepared.cut.pencil_grid)
    return [replace(prepared.cut, pencil_grid=grid) for grid in grids]


def _settle(
    prepared: Prepared,
    image: bytes,
    what: str,
    cuts: Sequence[Cut],
    in_words: Callable[[Cut], str],
) -> dict[str, str]:
    """Take the best of the present division and others, which go from coarse to fine."""
    usual = prepared.cut
    others = [cut for cut in cuts if division_of(cut) != division_of(usual)]
    known = _estimates(prepared, image, [usual])
    if not known or not others:
        return {}
    first = known[0][1]
    if first.imbalance * _worth_another < 1:
        others = others[:1]  # a finer one has no less work, and cannot share it so much better
    known += _estimates(prepared, image, others)
    better = [one for one in known[1:] if one[1].seconds < _worth_another * first.seconds]
    least = min((one.seconds for _, one in better), default=0.0)
    near = [one for one in better if one[1].seconds <= _as_fast * least]
    chosen = min(near, key=lambda one: one[1].core_seconds, default=known[0])
    prepared.cut = chosen[0]
    rest = sorted((one for one in known if one is not chosen), key=lambda one: one[1].seconds)
    if not rest:
        return {}
    pes = prepared.given.model.patches.pes
    words = f"{in_words(chosen[0])}: {_ms(chosen[1])} a step on {pes} PEs; next "
    words += f"{in_words(rest[0][0])}: {_ms(rest[0][1])}"
    if chosen[0] is not usual and rest[0][0] is not usual:
        words += f"; usual {in_words(usual)}: {_ms(first)}"
    elif rest[0][1].seconds < chosen[1].seconds:
        words += ", too little gained"
    return {what: words}


def _word_on_lists(prepared: Prepared, image: bytes) -> dict[str, str]:
    """Say what a list that is pruned less often would take for its larger radius."""
    cut = prepared.cut
    if cut.later_prune is None or prepared.given.model.forces.prune_interval is not None:
        return {}
    every, radius = cut.later_prune
    found = _estimates(prepared, image, [cut, replace(cut, inner_list_cutoff=radius)])
    if len(found) < 2:
        return {}
    more = 1000 * (found[1][1].core_seconds - found[0][1].core_seconds)
    return {
        "pair list": f"pruned every {cut.prune_interval} steps to "
        f"{in_angstrom(cut.inner_list_cutoff)}; every {every} steps, {in_angstrom(radius)}: "
        f"{more:+.2g} core-ms for more pairs, less what rarer pruning saves"
    }


def _ms(step: StepEstimate) -> str:
    return f"{1000 * step.seconds:.3g} ms"


def _patches_in_words(cut: Cut) -> str:
    return " x ".join(map(str, cut.patch_grid)) + f" with {cut.pair_computes} pair computes each"


def _pencils_in_words(cut: Cut) -> str:
    return " x ".join(map(str, cut.pencil_grid)) + " pencils"
