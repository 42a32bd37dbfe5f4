# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of callers: paths, `Run` or `Job`, and numbers within their limits.

All of them are checked before anything is written, so that a mistake harms no results.
"""

from __future__ import annotations

import math
import operator
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from finegrain.errors import InputError, Problem, nearest

Value = TypeVar("Value")
PathOrObject = str | os.PathLike[str]  # Run and Job are path-like too

MAPS = ("cost", "block", "plane", "hybrid", "round-robin", "hashed")
BALANCERS = ("none", "refine", "greedy", "bisection", "random")
_BATCH_JOBS = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID")
_PROCESSORS = re.compile(r"\d+(-\d+)?(,\d+(-\d+)?)*")
_NO_BIT = "choose one of these; the result is the same with all of them"
_MOST_COUNTED = 65_536
MOST_STEPS = 10**15  # the engine's limit


def as_path(value: PathOrObject) -> Path:
    """Return the path given by a string, a path, a `Run` or a `Job`.

    In a string "~" is the home folder, as in a shell; in a path object it is a plain name.
    """
    try:
        text: Any = os.fspath(value)
    except TypeError:
        text = value
    if not isinstance(text, str):
        raise InputError(
            "is not a path", value=repr(value), limit="a path, a Run or a Job", hint="give a path"
        )
    if not text.strip():
        raise InputError("is an empty name", value=repr(text), hint='"." is the current folder')
    if "\0" in text:
        raise InputError(
            "a file name cannot contain a NUL", value=repr(text), hint="check the path"
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(
            "the name is not UTF-8", value=text, hint="rename it, or choose another name"
        ) from None
    if isinstance(value, str) and text.startswith("~"):
        try:
            return Path(text).expanduser()
        except RuntimeError:
            raise InputError(
                "there is no home folder of that user",
                value=value,
                hint=f"write the path in full; ./{value} is a file of this name",
            ) from None
    return Path(text)


def input_path(value: PathOrObject) -> Path:
    """Return the file of an input; for the folder of a run, its job."""
    path = as_path(value)
    if path.is_char_device() or path.is_block_device():  # some never end
        raise InputError("is a device, not a file", where=str(path), hint="check the path")
    return path / "job.h5" if (path / "job.h5").is_file() else path


def run_folder(value: PathOrObject) -> Path:
    """Return the folder of a run; for the job in it, the folder that contains it."""
    path = as_path(value)
    return path.parent if path.name == "job.h5" and path.is_file() else path


def gathered(problems: list[Problem], check: Callable[..., Value], *given: Any) -> Value | None:
    """Return what a check returns; if it complains, add that to the problems and return None."""
    try:
        return check(*given)
    except InputError as error:
        problems += error.problems
        return None


def checked_pes(pes: Any) -> int | None:
    """Return the number of worker threads; None means all usable cores."""
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


def checked_ranks_to_count(ranks: Any) -> int | None:
    """Return a number of processes whose messages are to be counted; none of them is started."""
    if ranks is None:
        return None
    hint = f"give a number of processes from 1 to {_MOST_COUNTED:,}"
    return _whole(ranks, "--ranks", "processes", 1, _MOST_COUNTED, hint)


def refuse_count(ranks: int | None, what: str) -> None:
    """Refuse to count the messages of processes for what has no such count."""
    if ranks is not None:
        raise InputError(
            f"messages of {what} are not counted here",
            where="--ranks",
            value=str(ranks),
            limit="a classical TOML input",
            hint="finegrain map counts those of any job, for a machine",
        )


def checked_comm_threads(threads: Any, ranks: int) -> int:
    """Return the number of threads of each process that drive the network."""
    count = _whole(threads, "--comm-threads", "communication threads", 0, 64, "one is usual")
    if count > 0 and ranks == 1:
        raise InputError(
            "a single process needs no communication threads",
            where="--comm-threads",
            value=str(count),
            limit="0 without --ranks",
            hint="add --ranks N",
        )
    return count


def checked_steps(steps: Any, at_least: int = 0) -> int | None:
    """Return the number of steps; None means the job's own."""
    if steps is None:
        return None
    return _whole(steps, "--steps", "steps", at_least, MOST_STEPS, "")


def checked_scale(scale: Any) -> float:
    """Return the share of its steps that each stage makes; None stands for all of them."""
    number = 1.0 if scale is None else _number(scale)
    if not 0 < number <= 1:
        raise InputError(
            "is no share of the steps",
            where="--scale",
            value=str(scale),
            limit="above 0, at most 1",
            hint="0.01 makes a hundredth of the steps",
        )
    return number


def checked_stop_after(step: Any) -> int:
    """Return the step to stop after; -1 means the end."""
    return _whole(step, "--stop-after", "steps", -1, MOST_STEPS, "leave it out to run to the end")


def checked_hours(hours: Any) -> float | None:
    """Return the limit on the wall time in hours; None stands for none."""
    if hours is None:
        return None
    number = _number(hours)
    if not 0 < number < 1e9:
        raise InputError(
            "is not a length of time", where="--hours", value=str(hours), limit="hours above 0"
        )
    return number


def checked_companion_seconds(seconds: Any) -> float:
    """Return the longest wait for one answer of a program beside the run."""
    number = _number(seconds)
    if not 1e-3 <= number <= 1e9:
        raise InputError(
            "is not a length of time that a run may wait",
            where="--companion-seconds",
            value=str(seconds),
            limit="0.001 to 1e9 seconds",
            hint="600 are usual",
        )
    return number


def checked_count(
    value: Any, where: str, noun: str, at_least: int, at_most: int = MOST_STEPS
) -> int:
    """Return a count, checked against its limits."""
    return _whole(value, where, noun, at_least, at_most, "")


def checked_map(name: str) -> str:
    """Return the map from objects to threads, for all arrays and for some by name."""
    for part in str(name).split(","):
        one = part.rpartition("=")[2]
        if not one.startswith(("torus-", "mesh-")):  # the engine reads their numbers
            known = (*MAPS, "mesh-1", "mesh-1-alone")
            one_of(one, known, "--map", "there is no such map", _NO_BIT)
    return str(name)


def checked_pin(pin: str) -> str:
    """Return where threads are bound: "cores", "none", or processors such as "0-3,8"."""
    text = str(pin)
    if text not in ("cores", "none") and not _PROCESSORS.fullmatch(text):
        raise InputError(
            "the processors to bind threads to cannot be read",
            where="--pin",
            value=text,
            hint="cores, none, or numbers and ranges such as 0-3,8",
        )
    return text


def checked_balance(name: str) -> str:
    """Return the name of a way to move objects between threads."""
    return one_of(name, BALANCERS, "--balance", "there is no such balancer", _NO_BIT)


def checked_balance_steps(steps: Any) -> int:
    """Return the number of steps between two rounds of moving objects."""
    noun = "steps between two rounds of balancing"
    return _whole(steps, "--balance-steps", noun, 1, MOST_STEPS, "a thousand are usual")


def checked_memory_checkpoint_steps(steps: Any) -> int:
    """Return the number of steps between two checkpoints in memory; 0 means none."""
    noun = "steps between two checkpoints in memory"
    hint = "0 keeps none; a thousand are usual"
    return _whole(steps, "--memory-checkpoint-steps", noun, 0, MOST_STEPS, hint)


def one_of(name: Any, names: Sequence[str], where: str, what: str, hint: str) -> str:
    """Return a word that must be one of several; otherwise complain, with the nearest."""
    if name in names:
        return str(name)
    close = nearest(str(name), names)
    raise InputError(
        what,
        where=where,
        value=str(name),
        limit=", ".join(names),
        hint=f"did you mean {close}?" if close else hint,
    )


def _number(value: Any) -> float:
    """Return a number; NaN, which is within no limits, for what is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


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
