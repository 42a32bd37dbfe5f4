# SPDX-License-Identifier: BSD-3-Clause
"""The choice between divisions of a job, by the time of a step that the engine estimates.

`choose_division` takes the fewest objects that would be enough if atoms were everywhere. In a slab
or a droplet few patches have all the work. There a finer division takes less time on the job's PEs.
The choice depends on the input and on fixed times of the engine alone, never on the machine,
because it decides the bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from finegrain.classical.division import fineness
from finegrain.classical.division.division import Division
from finegrain.classical.division.step_estimate import StepEstimate, estimate_steps
from finegrain.classical.preparation.longer_lists import with_longer_lists
from finegrain.classical.preparation.prepare import Prepared
from finegrain.units import in_angstrom

# Another division must be so much faster; the estimates are not better than that.
_worth_another = 0.95
# Among divisions that are nearly as fast on the job's PEs, the one with the least work is taken.
_as_fast = 1.03

Found = tuple[Division, StepEstimate]


def settle_division(prepared: Prepared, image: bytes) -> None:
    """Replace the division of `prepared` by a better one if there is one, and say why.

    Parameters
    ----------
    image : bytes
        The contents of its job's file, which the engine takes.
    """
    pes = prepared.given.model.patches.pes
    usual = prepared.division
    others = _other_patches(prepared)
    found = _estimates(prepared, image, [usual, *others[:1]])
    if not found or found[0][0] is not usual:
        prepared.division = with_longer_lists(prepared, usual)
        return  # nothing to compare with
    if found[0][1].imbalance * _worth_another > 1:  # else a finer one cannot gain so much
        found += _estimates(prepared, image, others[1:])
    chosen = _fastest(found)
    prepared.division = with_longer_lists(prepared, chosen[0])
    if len(found) > 1:
        after = _next(found, chosen)
        words = _comparison(chosen, after, _patches_in_words, pes)
        if after[1].seconds < chosen[1].seconds:
            words += ", too little gained"
        if found[0] not in (chosen, after):
            words += f"; usual {_patches_in_words(usual)}, {_ms(found[0][1])}"
        prepared.why["patches"] = words

    # Pencils stay as they are. Their number changes above all how long others wait for the chain of
    # transforms, and the estimate does not know who waits.
    pencils, rarer = other_pencils(prepared), _with_rarer_pruning(prepared)
    found = _estimates(prepared, image, [prepared.division, *rarer, *pencils])
    if not found or found[0][0] is not prepared.division:
        return
    if rarer and len(found) > 1 and found[1][0] is rarer[0]:
        prepared.why["pair list"] = _word_on_lists(found[0], found.pop(1))
    if len(found) > 1:
        after = _next(found, found[0])
        words = _comparison(found[0], after, _pencils_in_words, pes)
        if after[1].seconds < found[0][1].seconds:
            words += ", if nothing waits for transforms"
        prepared.why["mesh"] = words


def _estimates(prepared: Prepared, image: bytes, divisions: Sequence[Division]) -> list[Found]:
    """Leave out what the engine refuses."""
    if not divisions:
        return []
    pes, name = prepared.given.model.patches.pes, prepared.given.source.name
    found = estimate_steps(name, image, pes, divisions)
    return [
        (division, one) for division, one in zip(divisions, found, strict=True) if one is not None
    ]


def _other_patches(prepared: Prepared) -> list[Division]:
    """Return the division with other patches and pair computes, from coarse to fine."""
    division, given = prepared.division, prepared.given.model.patches
    if given.grid is not None:
        several = (
            []
            if given.fixed_pair_computes
            else fineness.more_computes(division.patch_grid, given.pes)
        )
        grids = [(division.patch_grid, computes) for computes in several]
    elif division.most_patches == (1, 1, 1):
        return []
    else:
        grids = fineness.finer(
            division.most_patches, division.patch_grid, given.fixed_pair_computes, given.pes
        )
    found = [replace(division, patch_grid=grid, pair_computes=count) for grid, count in grids]
    return [one for one in found if one != division]


def other_pencils(prepared: Prepared) -> list[Division]:
    """Return the division with about half and twice as many lines in a pencil."""
    if prepared.settings.electrostatics != "pme" or prepared.given.model.mesh.pencils is not None:
        return []
    x, y, z = prepared.settings.mesh
    grids = fineness.other_pencils((min(x, y), min(y, z)), prepared.division.pencil_grid)
    return [replace(prepared.division, pencil_grid=grid) for grid in grids]


def _with_rarer_pruning(prepared: Prepared) -> list[Division]:
    later = prepared.division.later_prune
    if later is None or prepared.given.model.forces.prune_interval is not None:
        return []
    return [replace(prepared.division, prune_interval=later[0], inner_list_cutoff=later[1])]


def _fastest(found: Sequence[Found]) -> Found:
    """Return the first one, which is the usual one, unless another is so much faster."""
    usual = found[0]
    better = [one for one in found if one[1].seconds < _worth_another * usual[1].seconds]
    least = min((step.seconds for _, step in better), default=0.0)
    near = [one for one in better if one[1].seconds <= _as_fast * least]
    return min(near, key=lambda one: one[1].core_seconds, default=usual)


def _next(found: Sequence[Found], chosen: Found) -> Found:
    """Return the fastest of the others."""
    return min((one for one in found if one is not chosen), key=lambda one: one[1].seconds)


def _comparison(chosen: Found, after: Found, in_words: Callable[[Division], str], pes: int) -> str:
    """Say what was taken, and what came next."""
    return (
        f"{in_words(chosen[0])}, {_ms(chosen[1])} a step on {pes} PEs; "
        f"next {in_words(after[0])}, {_ms(after[1])}"
    )


def _word_on_lists(usual: Found, rarer: Found) -> str:
    """Say what a list that is pruned less often would take for its larger radius."""
    more = 1000 * (rarer[1].core_seconds - usual[1].core_seconds)
    return (
        f"pruned {_pruning_in_words(usual[0])}; next {_pruning_in_words(rarer[0])}: "
        f"{more:+.2g} core-ms for more pairs, less what rarer pruning saves"
    )


def _pruning_in_words(division: Division) -> str:
    return f"every {division.prune_interval} steps to {in_angstrom(division.inner_list_cutoff)}"


def _ms(step: StepEstimate) -> str:
    return f"{1000 * step.seconds:.3g} ms"


def _patches_in_words(division: Division) -> str:
    computes = division.pair_computes
    words = " x ".join(map(str, division.patch_grid))
    return words + (f" with {computes} pair computes each" if computes > 1 else "")


def _pencils_in_words(division: Division) -> str:
    return " x ".join(map(str, division.pencil_grid)) + " pencils"
