# SPDX-License-Identifier: BSD-3-Clause
"""Advises which division of a grid, and how many processes, make a transform fast on a machine.

The model: a transform takes the time of its arithmetic, of its messages and of its bytes,

    T(p) = s T(1) c + sum over exchanges (m L + B (1/W + 2/C) c)

Here s is the largest share of a process, and m and B are the messages and bytes that it sends. L is
the time of a message. W is the bytes a second between two processes, and C those of a copy (packing
and unpacking). c = max(1, p / cores) is for processes that have to share cores. L, W, C and T(1)
are measured on this machine.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from finegrain.engine.engine import usable_cores
from finegrain.errors import InputError
from finegrain.fft import engine
from finegrain.fft.boxes import bricks, pencils, three
from finegrain.fft.transform import Transform

_WORTH_IT = 0.9  # more processes are advised only if they save that much
_LARGEST_TIMED = 2**21  # points of the grid of which one process is timed
_ROUNDS = 5


@dataclass(frozen=True)
class MachineFigures:
    """What the model needs of a machine; see `measured_machine`.

    Attributes
    ----------
    message_s : float
        Seconds of a small message between two processes.
    byte_s : float
        Seconds for a byte of a large one, both ways at a time.
    copy_byte_s : float
        Seconds to copy a byte within a process.
    cores : int
        Cores that the processes may use.
    point_s : float or None
        Seconds of arithmetic for a point and a factor of two of the grid. There are N log2 N of
        them. None to time one process on the grid itself.
    """

    message_s: float
    byte_s: float
    copy_byte_s: float
    cores: int
    point_s: float | None = None

    def __post_init__(self) -> None:
        figures = (self.message_s, self.byte_s, self.copy_byte_s, self.point_s or 0.0)
        if self.cores < 1 or not all(np.isfinite(figures)) or min(figures) < 0:
            raise InputError(
                "figures of a machine are not negative, and it has a core", value=str(self)
            )


@dataclass(frozen=True)
class Division:
    """A number of processes and their pencils, with the time that the model gives.

    Attributes
    ----------
    ranks, parts
        Processes, and the number of pencils along the two divided axes.
    exchanges, messages, megabytes
        Counts for the transform; messages and megabytes are those of the busiest process.
    arithmetic_us, messages_us, bytes_us : float
        Microseconds of the three terms.
    """

    ranks: int
    parts: tuple[int, int]
    exchanges: int
    messages: int
    megabytes: float
    arithmetic_us: float
    messages_us: float
    bytes_us: float

    @property
    def us(self) -> float:
        """Microseconds of a transform."""
        return self.arithmetic_us + self.messages_us + self.bytes_us

    @property
    def name(self) -> str:
        """Slabs or pencils."""
        if self.ranks == 1:
            return "one process"
        shape = "slabs" if self.exchanges == 1 else "pencils"
        return f"{shape} {self.parts[0]} x {self.parts[1]}"

    def as_dict(self) -> dict[str, Any]:
        """Return all of it for JSON."""
        return {**asdict(self), "name": self.name, "us": self.us}


@dataclass(frozen=True)
class Advice:
    """The best division of each number of processes, and which one to use; `str` explains it."""

    grid: tuple[int, int, int]
    divisions: tuple[Division, ...]
    best: Division
    machine: MachineFigures
    reason: str

    def as_dict(self) -> dict[str, Any]:
        """Return all of it for JSON."""
        return {
            "grid": list(self.grid),
            "best": self.best.as_dict(),
            "reason": self.reason,
            "divisions": [one.as_dict() for one in self.divisions],
            "machine": asdict(self.machine),
        }

    def __str__(self) -> str:
        from finegrain.words.report import table_text

        rows = [["ranks", "division", "us", "arithmetic", "messages", "bytes"]]
        for one in self.divisions:
            terms = (one.us, one.arithmetic_us, one.messages_us, one.bytes_us)
            rows.append([str(one.ranks), one.name, *(f"{term:.1f}" for term in terms)])
        size = " x ".join(str(n) for n in self.grid)
        table = table_text(rows, numbers=(0, 2, 3, 4, 5))
        return f"{size}: {self.reason}\n\n{table}"


def advise(
    grid: Sequence[int],
    ranks: int | None = None,
    *,
    real: bool = False,
    single: bool = False,
    batch: int = 1,
    machine: MachineFigures | None = None,
) -> Advice:
    """Say which division of a grid and how many processes make a transform fast.

    Parameters
    ----------
    grid : sequence of 3 int
        Number of points along each axis.
    ranks : int, optional
        The most processes; the cores of this machine by default.
    real, single : bool, optional
        Points are real; single precision.
    batch : int, optional
        Fields that are transformed together.
    machine : MachineFigures, optional
        Measured on this machine by default, which needs an MPI and mpi4py.

    Returns
    -------
    Advice

    Raises
    ------
    InputError
        If a number makes no sense.

    Examples
    --------
    >>> from finegrain.fft import MachineFigures, advise
    >>> slow_network = MachineFigures(1e-3, 1e-8, 1e-10, cores=64, point_s=1e-10)
    >>> advise((32, 32, 32), 64, machine=slow_network).best.ranks
    1
    """
    sizes = three("grid", grid)
    bricks(sizes, (1, 1, 1))
    if ranks is not None and (type(ranks) is not int or not 1 <= ranks <= 4096):
        raise InputError(
            "processes are counted from 1 to 4096", where="ranks", value=repr(ranks), limit="4096"
        )
    if type(batch) is not int or batch < 1:
        raise InputError("a batch needs at least one field", value=repr(batch))
    figures = measured_machine() if machine is None else machine
    one = _seconds_of_one(sizes, figures, real=real, single=single) * batch
    counts = _counts(figures.cores if ranks is None else ranks)
    divisions = tuple(
        min(
            (
                _division(sizes, count, parts, figures, one, real=real, single=single, batch=batch)
                for parts in _shapes(sizes, count)
            ),
            key=lambda division: division.us,
        )
        for count in counts
    )
    best = divisions[0]
    for division in divisions[1:]:
        if division.us < _WORTH_IT * best.us:
            best = division
    return Advice(sizes, divisions, best, figures, _reason(best, divisions))


def measured_machine(mpi: str = "auto") -> MachineFigures:
    """Measure messages between two processes, and copies, on this machine.

    Raises
    ------
    ResourceError
        If there is no MPI or no mpi4py.
    """
    from finegrain.fft.processes import in_processes

    found = in_processes("network", {}, 2, mpi)
    source = np.zeros(1 << 22, np.uint8)
    target = np.ones_like(source)

    def copy() -> None:
        target[:] = source

    return MachineFigures(
        found["message_s"], found["byte_s"], _best(copy) / source.size, usable_cores()
    )


def _best(work: Any) -> float:
    """Return the shortest time of some calls."""
    times = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def _operations(grid: tuple[int, int, int]) -> float:
    points = float(grid[0]) * grid[1] * grid[2]
    return points * max(1.0, float(np.log2(points)))


def _seconds_of_one(
    grid: tuple[int, int, int], figures: MachineFigures, *, real: bool, single: bool
) -> float:
    """Return the time of one field in one process."""
    if figures.point_s is not None:
        return figures.point_s * _operations(grid) * (0.5 if real else 1.0)
    timed = grid
    while timed[0] * timed[1] * timed[2] > _LARGEST_TIMED:
        longest = max(timed)
        timed = tuple(n // 2 if n == longest else n for n in timed)  # type: ignore[assignment]
    transform = Transform(timed, real=real, dtype=np.float32 if single else np.float64)
    points, waves = transform.zeros(), transform.zeros(waves=True)
    transform.forward(points, waves)
    seconds = _best(lambda: transform.forward(points, waves))
    return seconds * _operations(grid) / _operations(timed)


def _counts(most: int) -> list[int]:
    """Return 1, 2, 4 ... and the most itself."""
    checked = [2**k for k in range(13) if 2**k < most]
    return [*checked, most]


def _shapes(grid: tuple[int, int, int], ranks: int) -> list[tuple[int, int]]:
    usual = tuple(engine.call("pencil_parts", grid, ranks))
    squarest = tuple(engine.call("squarest_parts", ranks)[0])
    return list(dict.fromkeys([usual, squarest]))


def _division(
    grid: tuple[int, int, int],
    ranks: int,
    parts: tuple[int, int],
    figures: MachineFigures,
    one: float,
    *,
    real: bool,
    single: bool,
    batch: int,
) -> Division:
    """Apply the model."""
    kept = (*grid[:2], grid[2] // 2 + 1) if real else grid
    boxes = pencils(grid, parts, 2), pencils(kept, parts, 0)
    plan = engine.call("TransformPlan", grid, real, *boxes, parts)
    shared = max(1.0, ranks / figures.cores)
    number = (4 if single else 8) * batch
    messages, bytes_ = 0, 0
    traffic = plan.traffic()
    for count, points, is_real in traffic:
        messages += count
        bytes_ += points * number * (1 if is_real else 2)
    each = figures.byte_s + 2 * figures.copy_byte_s
    return Division(
        ranks,
        parts,
        len(traffic),
        messages,
        1e-6 * bytes_,
        1e6 * one * plan.largest_share() * shared,
        1e6 * messages * figures.message_s,
        1e6 * bytes_ * each * shared,
    )


def _reason(best: Division, divisions: tuple[Division, ...]) -> str:
    """Say why."""
    most = divisions[-1]
    if len(divisions) == 1:
        return f"one process takes {best.us:.1f} us"
    alone = divisions[0]
    if best.ranks == 1:
        text = f"one process is best: it takes {alone.us:.1f} us"
    else:
        gain = alone.us / best.us
        text = f"use {best.ranks} processes ({best.name}): {gain:.1f} times as fast as one"
    if best is most:
        return text
    if most.us >= best.us:
        text += f", and {most.ranks} processes take {most.us / best.us:.1f} times as long"
    else:
        text += f", and {most.ranks} processes save only {100 * (1 - most.us / best.us):.0f} %"
    costs = {"messages": most.messages_us, "bytes": most.bytes_us, "arithmetic": most.arithmetic_us}
    dearest = max(costs, key=lambda name: costs[name])
    return f"{text}, of which {dearest} take {100 * costs[dearest] / most.us:.0f} %"
