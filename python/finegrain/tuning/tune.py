# SPDX-License-Identifier: BSD-3-Clause
"""`tune`: the fastest division of an input's job on the machine at hand."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from finegrain.base.arguments import (
    checked_count,
    checked_map,
    checked_pes,
    checked_steps,
)
from finegrain.engine.ranks import ranked_engine, usual_pes
from finegrain.errors import InputError
from finegrain.kinds.python_input import AnyInput, opened_input
from finegrain.kinds.registry import kind_of_input
from finegrain.runs.options import How
from finegrain.runs.preparation import our_errors
from finegrain.toml_input.source import is_job
from finegrain.tuning import ab_initio, classical
from finegrain.tuning.in_turns import Turns
from finegrain.tuning.search import search
from finegrain.tuning.tuned import Tuned

_tunable = {"classical": classical.tunable, "ab-initio": ab_initio.tunable}


def tune(
    input: AnyInput,  # noqa: A002 - the user's word
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
    input : path or dict
        A TOML input with [dynamics], without stages.
    steps : int, optional
        Steps of each timed run; by default as many as take about a second and a half.
    rounds : int
        How often each division is timed.
    allow_scripts : bool
        Execute Python code in the user's own force field files; otherwise such files are refused.
    on_line : callable, optional
        Called with a line about what is going on.
    **how
        ``pes``, ``ranks``, ``mpi``, ``comm_threads`` and ``map``, as of `run`.

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
    checked_map(how.get("map", "cost"))
    rounds = checked_count(rounds, "--rounds", "rounds", 1)
    steps = checked_steps(steps, at_least=1)
    ranked = ranked_engine(how.get("ranks", 1), how.get("mpi", "auto"), how.get("comm_threads", 0))
    pes, ranks = how.get("pes") or usual_pes(ranked), ranked.ranks if ranked else 1
    say = on_line or (lambda _line: None)
    with (
        our_errors(),
        opened_input(input) as path,
        tempfile.TemporaryDirectory(prefix="finegrain-tune-") as name,
    ):
        if is_job(path):
            hint = "give the input from which it was made"
            raise InputError("is a job, whose division is settled", where=str(path), hint=hint)
        folder = Path(name)
        turns = Turns(folder, how, rounds, steps, say)
        tunable = _tunable[kind_of_input(path).name]
        found = tunable(path, folder, how, pes * ranks, say, allow_scripts=allow_scripts)
        return search(found, turns, pes, ranks)
