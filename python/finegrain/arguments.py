# SPDX-License-Identifier: BSD-3-Clause
"""What callers may pass: paths, `Run` or `Job`, and numbers within their limits.

All of it is checked before anything is written, so that a slip harms no results.
"""

from __future__ import annotations

import operator
import os
from pathlib import Path
from typing import Any

from finegrain.errors import InputError

PathOrObject = str | os.PathLike[str]  # Run and Job are path-like too

PLACEMENTS = ("block", "round-robin", "hashed")
BALANCERS = ("none", "refine", "greedy", "bisection", "random")
_BATCH_JOBS = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID")
MOST_STEPS = 10**15  # as the engine has it


def as_path(value: PathOrObject) -> Path:
    """Return the path that a string, a path, a `Run` or a `Job` stands for."""
    try:
        return Path(value)
    except TypeError:
        raise InputError(
            "is not a path", value=repr(value), limit="a path, a Run or a Job", hint="give a path"
        ) from None


def input_path(value: PathOrObject) -> Path:
    """Return the file of an input; for the folder of a run its job."""
    path = as_path(value)
    return path / "job.h5" if (path / "job.h5").is_file() else path


def run_folder(value: PathOrObject) -> Path:
    """Return the folder of a run; for the job in it the folder around it."""
    path = as_path(value)
    return path.parent if path.name == "job.h5" and path.is_file() else path


def checked_pes(pes: Any) -> int | None:
    """Return the number of worker threads; None stands for all usable cores."""
    if pes is None:
        return None
    most = max(1024, 8 * (os.cpu_count() or 1))
    return _whole(pes, "--pes", "worker threads", 1, most, "one for each core is usual")


def checked_ranks(ranks: Any) -> int:
    """Return the number of processes; a batch job may have many machines for them."""
    batch = any(name in os.environ for name in _BATCH_JOBS)
    most = 2**20 if batch else max(64, 8 * (os.cpu_count() or 1))
    return _whole(
        ranks, "--ranks", "processes", 1, most, "use --pes N for the cores of one machine"
    )


def checked_comm_threads(threads: Any, ranks: int) -> int:
    """Return the number of threads of each process that drive the network."""
    count = _whole(threads, "--comm-threads", "communication threads", 0, 64, "one is usual")
    if count > 0 and ranks == 1:
        raise InputError(
            "one process has no network to drive",
            where="--comm-threads",
            value=str(count),
            limit="0 without --ranks",
            hint="add --ranks N",
        )
    return count


def checked_steps(steps: Any, at_least: int = 0) -> int | None:
    """Return the number of steps; None stands for the job's own."""
    if steps is None:
        return None
    return _whole(steps, "--steps", "steps", at_least, MOST_STEPS, "")


def checked_stop_after(step: Any) -> int:
    """Return the step to stop after; -1 stands for the end."""
    return _whole(step, "--stop-after", "steps", -1, MOST_STEPS, "leave it out to go to the end")


def checked_count(value: Any, where: str, noun: str, at_least: int) -> int:
    """Return a number of something that is counted."""
    return _whole(value, where, noun, at_least, MOST_STEPS, "")


def checked_placement(name: str) -> str:
    """Return the name of a map from objects to threads."""
    return _one_of(name, PLACEMENTS, "--map", "map")


def checked_balance(name: str) -> str:
    """Return the name of a way to move objects between threads."""
    return _one_of(name, BALANCERS, "--balance", "balancer")


def checked_balance_steps(steps: Any) -> int:
    """Return the number of steps between two rounds of moving objects."""
    noun = "steps between two rounds of balancing"
    return _whole(steps, "--balance-steps", noun, 1, MOST_STEPS, "a thousand are usual")


def checked_memory_steps(steps: Any) -> int:
    """Return the number of steps between two checkpoints in memory; 0 stands for none."""
    noun = "steps between two checkpoints in memory"
    hint = "0 keeps none; a thousand are usual"
    return _whole(steps, "--memory-checkpoint-steps", noun, 0, MOST_STEPS, hint)


def _one_of(name: str, names: tuple[str, ...], where: str, noun: str) -> str:
    if name in names:
        return name
    from finegrain.input.load import nearest

    close = nearest(str(name), names)
    raise InputError(
        f"there is no such {noun}",
        where=where,
        value=str(name),
        limit=", ".join(names),
        hint=(f"did you mean {close}? " if close else "choose one of these; ")
        + "none changes a bit of the result",
    )


def _whole(value: Any, where: str, noun: str, least: int, most: int, hint: str) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(
            "is not a whole number", where=where, value=repr(value), limit="a whole number"
        ) from None
    if number < least:
        limit = f"at least {least:,}"
        raise InputError(f"too few {noun}", where=where, value=str(number), limit=limit, hint=hint)
    if number > most:
        limit = f"at most {most:,}"
        raise InputError(f"too many {noun}", where=where, value=str(number), limit=limit, hint=hint)
    return number
