# SPDX-License-Identifier: BSD-3-Clause
"""Rounds in which all contestants take turns, so that a busy machine slows all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

from finegrain.transform_bench.case import Case
from finegrain.transform_bench.contestants import Contestant

TURN_S = 0.04  # of one contestant in one round, about

Maker = Callable[[Case, Any], Contestant]


def time_case(
    case: Case, makers: Mapping[str, Maker], repeats: int, comm: Any = None
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the figures of each contestant, and why others were left out.

    Times are of a transform forward and one back, on the slowest process.
    """
    made, left_out = _made(case, makers, comm)
    turns = []
    for one in made:
        _seconds(one, 1, comm)
        turns.append(min(max(int(TURN_S / _seconds(one, 1, comm)), 1), 1000))
    rounds: list[list[float]] = [[] for _ in made]
    for _ in range(repeats):
        for k, one in enumerate(made):
            rounds[k].append(1e6 * _seconds(one, turns[k], comm))
    entries: list[dict[str, Any]] = [
        {
            "grid": list(case.grid),
            "program": one.program,
            "version": one.version,
            "microseconds": spread(times),
        }
        for one, times in zip(made, rounds, strict=True)
    ]
    ours = statistics.median(rounds[0])
    for entry, times in zip(entries, rounds, strict=True):
        entry["finegrain_ratio"] = round(statistics.median(times) / ours, 3)
    return entries, left_out


def spread(values: list[float]) -> dict[str, Any]:
    """Return the median of some values, their range and all of them."""
    return {
        "median": round(statistics.median(values), 2),
        "range": [round(min(values), 2), round(max(values), 2)],
        "runs": [round(value, 2) for value in values],
    }


def _made(
    case: Case, makers: Mapping[str, Maker], comm: Any
) -> tuple[list[Contestant], dict[str, str]]:
    """Make all contestants that all processes can make; the first one must be there."""
    made, left_out = [], {}
    for name, maker in makers.items():
        trouble, one = "", None
        try:
            one = maker(case, comm)
        except Exception as error:  # whatever another library may throw
            if name == "finegrain":
                raise
            trouble = f"{type(error).__name__}: {error}".splitlines()[0]
            if isinstance(error, ImportError):
                trouble = "not installed"
        troubles = [trouble] if comm is None else comm.allgather(trouble)
        bad = next((text for text in troubles if text), "")
        if bad or one is None:
            left_out[name] = bad
        else:
            made.append(one)
    return made, left_out


def _seconds(one: Contestant, times: int, comm: Any) -> float:
    if comm is not None:
        comm.Barrier()
    start = time.perf_counter()
    for _ in range(times):
        one.forward()
        one.backward()
    mine = (time.perf_counter() - start) / times
    if comm is None:
        return mine
    return float(max(comm.allgather(mine)))
