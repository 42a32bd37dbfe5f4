# SPDX-License-Identifier: BSD-3-Clause
"""The fastest way to exchange numbers over mpi4py, measured once and remembered.

The engine keeps the file (engine/fft/exchange_memory.hpp); C++ programs use the same one.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from finegrain.engine import machine
from finegrain.errors import InputError, InputNote
from finegrain.fft import engine

TRAVELS = ("messages", "collective")
Parts = tuple[int, int]
Way = tuple[str, Parts]

_BUDGET_S = 0.5  # for all rounds after the first
_ROUNDS = 5  # at most, of which the best counts
_TURN_S = 0.002  # of one way in one round, at least
_HOPELESS = 2.5  # times the best of the first round
_BETTER = 0.97  # of the time of the usual way, to leave it
_noted: set[str] = set()


def exchange_file() -> Path | None:
    """Return the file with the ways to exchange that were measured; None without a home folder."""
    name = engine.call("exchange_file")
    return Path(name) if name else None


def remembered_exchanges() -> dict[str, Any]:
    """Return what ``travel="measured"`` has found on this machine.

    Returns
    -------
    dict
        Its keys are kinds of transforms: texts with grid, ranks, host and MPI. Each has a dict with
        ``travel``, ``parts`` and ``microseconds``, the time forward and back of each way.

    Raises
    ------
    InputError
        If the file is damaged.
    """
    file = exchange_file()
    if file is None or not file.exists():
        return {}
    try:
        choices = json.loads(file.read_text(encoding="utf-8"))["choices"]
        return {str(key): dict(choice) for key, choice in choices.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            "the file of measured exchanges is damaged",
            where=str(file),
            hint="delete it, or call finegrain.fft.forget_exchanges()",
        ) from error


def forget_exchanges() -> None:
    """Delete the file with what was measured; each transform then measures again."""
    file = exchange_file()
    if file is not None:
        file.unlink(missing_ok=True)


def key_of(comm: Any, what: str, boxes: Any) -> str:
    """Return the text under which a choice is remembered; all processes call this together.

    Nodes of one machine are alike, so that the number in the name of a host does not count.
    """
    from mpi4py import MPI

    host = comm.Split_type(MPI.COMM_TYPE_SHARED)
    hosts = comm.allreduce(int(host.Get_rank() == 0))
    host.Free()
    name = re.sub(r"\d", "#", MPI.Get_processor_name())
    library = re.split(r"[,\n]", MPI.Get_library_version())[0]
    digest = hashlib.sha256(repr(boxes).encode()).hexdigest()[:16]
    return (
        f"Python {machine.version()}, {name}, {' '.join(library.split())}, "
        f"{comm.Get_size()} ranks on {hosts} hosts, {what}, boxes {digest}"
    )


def choose(
    comm: Any, make: Callable[[str, Parts], Any], shapes: Sequence[Parts], key: str
) -> tuple[str, Parts, bool]:
    """Return how to exchange, the same on all processes, and whether it was measured now.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm
        The processes.
    make : callable
        Makes a `Transform` with a travel and parts.
    shapes : sequence of (int, int)
        The parts to try, the usual ones first.
    key : str
        The name under which the choice is remembered.
    """
    ways = [(travel, parts) for parts in shapes for travel in TRAVELS]
    first = comm.Get_rank() == 0
    remembered = comm.bcast(_recall(key, ways) if first else None)
    if remembered is not None:
        return (*ways[remembered], False)
    seconds = _measure(comm, make, ways)
    best = min(range(len(ways)), key=lambda k: seconds[k])
    best = comm.bcast(best if seconds[best] < _BETTER * seconds[0] else 0)
    if first:
        times = [
            (f"{travel} {a} x {b}", 1e6 * t)
            for (travel, (a, b)), t in zip(ways, seconds, strict=True)
        ]
        _note(engine.call("remember_exchange", key, *ways[best], times))
    return (*ways[best], True)


def _recall(key: str, ways: Sequence[Way]) -> int | None:
    choice, trouble = engine.call("recall_exchange", key)
    _note(trouble)
    if choice is None:
        return None
    way = (choice[0], (choice[1][0], choice[1][1]))
    return ways.index(way) if way in ways else None


def _note(trouble: str) -> None:
    """Say once what is wrong with the file."""
    if trouble and trouble not in _noted:
        _noted.add(trouble)
        warnings.warn(InputNote(trouble), stacklevel=2)


def _measure(comm: Any, make: Callable[[str, Parts], Any], ways: Sequence[Way]) -> list[float]:
    """Return the best time of each way, forward and back, of rounds in which all take turns.

    Times are those of the slowest process, so that all processes make the same rounds.
    """
    from mpi4py import MPI

    trials = [make(*way) for way in ways]

    def seconds(trial: Any, times: int) -> float:
        points, waves = trial.zeros(), trial.zeros(waves=True)
        comm.Barrier()
        start = time.perf_counter()
        for _ in range(times):
            trial.forward(points, waves)
            trial.backward(waves, points)
        return float(comm.allreduce((time.perf_counter() - start) / times, op=MPI.MAX))

    best = []
    for trial in trials:
        seconds(trial, 1)
        best.append(seconds(trial, 1))
    limit = _HOPELESS * min(best)
    times = [
        min(max(int(_TURN_S / t), 1), 100) if k == 0 or t <= limit else 0
        for k, t in enumerate(best)
    ]
    round_s = sum(n * t for n, t in zip(times, best, strict=True))
    for _ in range(min(max(int(_BUDGET_S / round_s), 1), _ROUNDS)):
        for k, trial in enumerate(trials):
            if times[k]:
                best[k] = min(best[k], seconds(trial, times[k]))
    return best
