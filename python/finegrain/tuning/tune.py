# SPDX-License-Identifier: BSD-3-Clause
"""The search for the fastest division of a job on the machine at hand.

One aspect of the division after the other is varied: patches and pair computes, then pair lists,
then pencils. Short runs are timed in turns, and another division is taken only if it was faster
than the best so far in every round.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from finegrain.arguments import (
    PathOrObject,
    as_path,
    checked_count,
    checked_pes,
    checked_placement,
    checked_steps,
)
from finegrain.errors import InputError, InputNote
from finegrain.input.cut import Cut
from finegrain.input.job import checked_image, job_image
from finegrain.input.load import load_input
from finegrain.input.model import MinimiseSection
from finegrain.input.other_cuts import keys_of
from finegrain.input.prepare import Prepared, prepare_input
from finegrain.kinds import kind_of_input
from finegrain.preparation import our_errors
from finegrain.ranks import ranked_engine, usual_pes
from finegrain.run_options import How
from finegrain.step_estimate import estimate_own_step
from finegrain.tuning.in_turns import Entrant, Turns, relaxed
from finegrain.tuning.tuned import Choice, Tuned
from finegrain.tuning.variants import ASPECTS


def tune(
    input: PathOrObject,  # noqa: A002 - the user's word
    *,
    steps: int | None = None,
    rounds: int = 3,
    allow_scripts: bool = False,
    on_line: Callable[[str], None] | None = None,
    **how: Unpack[How],
) -> Tuned:
    """Find the fastest division of an input's job on this machine, by timing short runs.

    Nothing is changed: the result holds keys for the input. All divisions have the accuracy that
    the input asks for, but each has its own bits.

    Parameters
    ----------
    input : path
        A TOML input for classical dynamics, without stages.
    steps : int, optional
        Of each timed run; by default as many as take about a second and a half.
    rounds : int
        How often each division is timed.
    allow_scripts : bool
        Execute Python code in the user's own force field files; otherwise such files are refused.
    on_line : callable, optional
        Called with a line about what is going on.
    **how
        ``pes``, ``ranks``, ``mpi``, ``comm_threads`` and ``placement``, as of `run`.

    Returns
    -------
    Tuned
        What was timed, and the keys of the fastest division.

    Raises
    ------
    InputError
        With every problem of the input, or if there is nothing to tune.
    ResourceError
        If a timed run was stopped.
    """
    checked_pes(how.get("pes"))
    checked_placement(how.get("placement", "cost"))
    rounds = checked_count(rounds, "--rounds", "rounds", 1)
    steps = checked_steps(steps, at_least=1)
    ranked = ranked_engine(how.get("ranks", 1), how.get("mpi", "auto"), how.get("comm_threads", 0))
    pes, ranks = how.get("pes") or usual_pes(ranked), ranked.ranks if ranked else 1
    path = as_path(input)
    say = on_line or (lambda _line: None)
    with our_errors(), tempfile.TemporaryDirectory(prefix="finegrain-tune-") as name:
        folder = Path(name)
        turns = Turns(folder, how, rounds, steps, say)
        prepared = _prepared(path, folder, how, say, allow_scripts=allow_scripts)
        return _search(prepared, turns, pes, ranks)


def _prepared(
    path: Path, folder: Path, how: How, say: Callable[[str], None], *, allow_scripts: bool
) -> Prepared:
    """Return the checked input, with its own division; from a minimum if it asks for one."""
    if path.suffix == ".h5":
        hint = "give the input from which it was made"
        raise InputError("is a job, whose division is settled", where=str(path), hint=hint)
    if kind_of_input(path).load is not load_input:
        what = "is not an input for classical dynamics; only their divisions are tuned"
        raise InputError(what, where=str(path), hint="see: finegrain check INPUT")
    given = load_input(path)
    given.allow_scripts = allow_scripts
    if given.model.dynamics is None:
        hint = "add a section [dynamics]"
        raise InputError("has no dynamics that could be timed", where=given.source.name, hint=hint)
    if given.model.minimise.method != "none":
        say("minimising the energy first")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputNote)
            start = relaxed(path, folder, how)
        system = given.model.system.model_copy(update={"coordinates": str(start), "frame": None})
        dynamics = given.model.dynamics.model_copy(update={"velocities": "from-file"})
        update = {
            "system": system,
            "dynamics": dynamics,
            "minimise": MinimiseSection(method="none"),
        }
        given.model = given.model.model_copy(update=update)
    prepared = prepare_input(given)
    checked_image(prepared)  # settles the division
    return prepared


def _search(own: Prepared, turns: Turns, pes: int, ranks: int) -> Tuned:
    best = own
    expected = estimate_own_step(own.given.source.name, job_image(own), pes * ranks).seconds
    choices = []
    for aspect in ASPECTS:
        others = [replace(own, cut=cut) for cut in aspect.others(best, pes * ranks)]
        if not others:
            continue
        entrants = [_entrant(one, aspect.in_words) for one in (best, *others)]
        timings = turns.time(aspect.name, entrants, expected)
        faster = [place for place, one in enumerate(timings) if place and one.is_faster]
        taken = min(faster, key=lambda place: timings[place].ratio, default=0)
        of_first = entrants[0].seconds
        spread = max(of_first) / min(of_first) - 1
        choices.append(Choice(aspect.name, timings, taken, spread))
        expected = timings[taken].seconds
        if taken:
            best = others[taken - 1]
    whole = None
    if best is not own:
        entrants = [_entrant(one, _all_in_words) for one in (own, best)]
        whole = turns.time("all together", entrants, expected)[1]
        if not whole.is_faster:
            best, whole = own, None
    keys = keys_of(best)
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


def _entrant(prepared: Prepared, in_words: Callable[[Cut], str]) -> Entrant:
    cut = prepared.cut
    return Entrant(in_words(cut), job_image(prepared), cut.rebuild_interval)


def _all_in_words(cut: Cut) -> str:
    return "; ".join(aspect.in_words(cut) for aspect in ASPECTS)
