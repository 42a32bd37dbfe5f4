# SPDX-License-Identifier: BSD-3-Clause
"""The search for the fastest division: one aspect after the other, in turns with the best so far.

Another division is taken only if it was faster than the best so far in every round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from finegrain.tuning.in_turns import Entrant, Turns
from finegrain.tuning.tuned import Choice, Tuned


@dataclass(frozen=True)
class Aspect:
    """Something to choose about a division.

    Attributes
    ----------
    name : str
    others : callable
        (prepared, number of PEs) to the other divisions worth timing.
    in_words : callable
        (division) to what is chosen there.
    """

    name: str
    others: Callable[[Any, int], Sequence[Any]]
    in_words: Callable[[Any], str]


@dataclass(frozen=True)
class Tunable:
    """A prepared input whose division can be varied, of any kind.

    Attributes
    ----------
    own : object
        What was prepared, with its ``division`` and ``given``.
    aspects : sequence of Aspect
    image : callable
        (prepared) to the contents of the job's file.
    interval : callable
        (division) to the number of steps of which a run has a multiple.
    keys : callable
        (prepared) to the keys that give an input this division.
    seconds : float
        The time that a step is expected to take.
    """

    own: Any
    aspects: Sequence[Aspect]
    image: Callable[[Any], bytes]
    interval: Callable[[Any], int]
    keys: Callable[[Any], Mapping[str, Any]]
    seconds: float


def search(tunable: Tunable, turns: Turns, pes: int, ranks: int) -> Tuned:
    """Find the fastest division on so many PEs of so many processes."""
    own = best = tunable.own
    expected = tunable.seconds
    choices = []
    for aspect in tunable.aspects:
        others = [replace(own, division=division) for division in aspect.others(best, pes * ranks)]
        if not others:
            continue
        entrants = [_entrant(tunable, one, aspect.in_words) for one in (best, *others)]
        timings = turns.time(aspect.name, entrants, expected)
        faster = [number for number, one in enumerate(timings) if number and one.is_faster]
        taken = min(faster, key=lambda number: timings[number].ratio, default=0)
        of_first = entrants[0].seconds
        spread = max(of_first) / min(of_first) - 1
        choices.append(Choice(aspect.name, timings, taken, spread))
        expected = timings[taken].seconds
        if taken:
            best = others[taken - 1]
    whole = None
    if best is not own:
        entrants = [_entrant(tunable, one, _all_in_words(tunable)) for one in (own, best)]
        whole = turns.time("all together", entrants, expected)[1]
        if not whole.is_faster:
            best, whole = own, None
    keys = tunable.keys(best)
    return Tuned(
        source=own.given.source.name,
        pes=pes,
        ranks=ranks,
        rounds=turns.rounds,
        choices=choices,
        whole=whole,
        keys={} if whole is None else {k: v for k, v in keys.items() if not own.given.given(k)},
        given=[key for key in keys if own.given.given(key)],
    )


def _entrant(tunable: Tunable, prepared: Any, in_words: Callable[[Any], str]) -> Entrant:
    division = prepared.division
    return Entrant(in_words(division), tunable.image(prepared), tunable.interval(division))


def _all_in_words(tunable: Tunable) -> Callable[[Any], str]:
    return lambda division: "; ".join(aspect.in_words(division) for aspect in tunable.aspects)
