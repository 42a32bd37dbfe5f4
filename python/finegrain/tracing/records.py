# SPDX-License-Identifier: BSD-3-Clause
"""The records of a trace: what each PE did, its clock, and the senders of its messages."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import InputError

ENTRY, RESUME, IDLE = 0, 1, 2  # the kinds of a record
CHUNK = 1 << 16  # records processed together
NO_STEP = np.iinfo(np.int64).min
_SENT_BITS = 48  # of a cause; the bits above them are the rank of the sender, counted from 1

Records = NDArray[Any]  # structured: see reading.py
Ticks = NDArray[np.int64]
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class ArrayOfObjects:
    """An array of chares."""

    name: str
    shape: tuple[int, ...]

    def element(self, ordinal: int) -> str:
        """Return the name of an element, such as "Patch[0,1,3]"."""
        count = math.prod(self.shape)
        if count == 0:
            return f"{self.name}[]"
        index = np.unravel_index(ordinal % count, self.shape)
        return f"{self.name}[{','.join(str(int(i)) for i in index)}]"


@dataclass(frozen=True)
class TickClock:
    """The tick counter of a host, which all its processes read.

    Attributes
    ----------
    host : str
        Identifies the counter: a name for the host and its present boot.
    seconds_per_tick : float
        A tick in seconds.
    zero : int
        The tick that counts as time 0 of the whole trace.
    """

    host: str
    seconds_per_tick: float
    zero: int


@dataclass(frozen=True)
class PeTrace:
    """What one PE did.

    Attributes
    ----------
    process, pe : int
        Its process, and its number among the PEs of all processes.
    begin, end : int
        Time of its loop, in ticks; if records were lost, `begin` is that of the first one kept.
    lost : int
        Records that were overwritten because the ring was full: the earliest ones.
    records : ndarray, structured, shape (records,)
        ``begin, duration`` (ticks), ``cause, step, bytes, element, array, entry, kind``; in order
        of time, none overlaps another.
    clock : TickClock
        The clock of its ticks.
    """

    process: int
    pe: int
    begin: int
    end: int
    lost: int
    records: Records
    clock: TickClock

    @property
    def name(self) -> str:
        """Its name, such as "process 0 / PE 1"."""
        return f"process {self.process} / PE {self.pe}"

    @property
    def seconds_per_tick(self) -> float:
        """A tick in seconds."""
        return self.clock.seconds_per_tick

    @property
    def seconds(self) -> float:
        """Length of its loop, as far as records are kept, in seconds."""
        return (self.end - self.begin) * self.seconds_per_tick

    def at(self, ticks: Any) -> Any:
        """Return times in seconds since the start of the trace."""
        return (ticks - self.clock.zero) * self.clock.seconds_per_tick

    def ticks_of(self, other: PeTrace, ticks: Ticks) -> Ticks:
        """Return times by another PE's clock as times by this one's."""
        if other.clock == self.clock:
            return ticks
        rounded = np.rint(other.at(ticks) / self.clock.seconds_per_tick).astype(np.int64)
        return np.asarray(self.clock.zero + rounded)

    def chunks(self) -> Iterator[Records]:
        """Yield the records in chunks."""
        for first in range(0, len(self.records), CHUNK):
            yield self.records[first : first + CHUNK]

    def between(self, begin: float, end: float) -> PeTrace:
        """Return what ran between two times in seconds; records are not cut."""
        first, last = (self.clock.zero + round(t / self.seconds_per_tick) for t in (begin, end))
        low = int(np.searchsorted(self.begins, first, side="right"))
        if low > 0 and self._end_of(low - 1) > first:
            low -= 1  # it is still running at that time
        records = self.records[low : max(int(np.searchsorted(self.begins, last)), low)]
        part = replace(self, begin=max(self.begin, first), end=min(self.end, last), records=records)
        if not len(records):
            return replace(part, end=max(part.begin, part.end))
        return replace(
            part,
            begin=min(part.begin, int(records["begin"][0])),
            end=max(part.end, part._end_of(len(records) - 1)),
        )

    def _end_of(self, number: int) -> int:
        record = self.records[number]
        return int(record["begin"]) + int(record["duration"])

    @cached_property
    def begins(self) -> Ticks:
        """Beginnings of all records in ticks: int64, shape (records,)."""
        return np.ascontiguousarray(self.records["begin"]).astype(np.int64)


@dataclass(frozen=True)
class Trace:
    """The trace of a run: all PEs, with the names of what they ran.

    Attributes
    ----------
    path : Path
        The folder of the run.
    files : tuple of Path
        One for each process.
    start : float
        When the PEs were started, seconds since 1970 UTC; time 0 of the trace.
    entries : tuple of str
        Names by number, such as "Patch::life".
    arrays : tuple of ArrayOfObjects
        By number.
    pes : tuple of PeTrace
        All PEs of all processes.
    """

    path: Path
    files: tuple[Path, ...]
    start: float
    entries: tuple[str, ...]
    arrays: tuple[ArrayOfObjects, ...]
    pes: tuple[PeTrace, ...]

    @property
    def begin(self) -> float:
        """Begin of the first record that is kept, in seconds since the start."""
        return float(min((pe.at(pe.begin) for pe in self.pes), default=0.0))

    @property
    def end(self) -> float:
        """End of the last PE, in seconds since the start."""
        return float(max((pe.at(pe.end) for pe in self.pes), default=0.0))

    @property
    def seconds(self) -> float:
        """Length of the trace in seconds."""
        return self.end - self.begin

    @property
    def lost(self) -> int:
        """Records that were overwritten, of all PEs."""
        return sum(pe.lost for pe in self.pes)

    @cached_property
    def positions(self) -> dict[int, int]:
        """Position in `pes` of each PE, by its number."""
        return {pe.pe: position for position, pe in enumerate(self.pes)}

    def between(self, begin: float | None, end: float | None) -> Trace:
        """Return the part of the trace between two times.

        Parameters
        ----------
        begin, end : float, optional
            Seconds since the start; None for the begin or end of the trace. Records that are in
            progress at either time are included as a whole.

        Returns
        -------
        Trace
            As if nothing else had been recorded.

        Raises
        ------
        InputError
            If nothing lies between the two.
        """
        first = self.begin if begin is None else begin
        last = self.end if end is None else end
        if not (first < last and first < self.end and last > self.begin):
            raise InputError(
                "has nothing between these times",
                where=str(self.path),
                value=f"--from {first:g} --to {last:g}",
                limit=f"{self.begin:.6g} to {self.end:.6g} seconds",
            )
        return replace(self, pes=tuple(pe.between(first, last) for pe in self.pes))


@dataclass(frozen=True)
class Sent:
    """Senders of the messages of some records, and the times of sending.

    Attributes
    ----------
    rank : ndarray, int64, shape (n,)
        The sender's PE among those of all processes. -1 if no PE sent it, or if the record does not
        belong to a message.
    pe : ndarray, int64, shape (n,)
        Its position in `Trace.pes`; -1 if it is not there.
    ticks : ndarray, int64, shape (n,)
        Time of sending, by the sender's counter; undefined where `pe` is -1. With the same counter
        never after the begin of the record.
    waited : ndarray, float64, shape (n,)
        Time between sending and the begin of the record in seconds, never negative.
    """

    rank: Whole
    pe: Whole
    ticks: Ticks
    waited: NDArray[np.float64]


def sent(trace: Trace, receiver: PeTrace, records: Records) -> Sent:
    """Find who sent the message of each record, and when.

    Parameters
    ----------
    trace : Trace
        The trace that contains the senders.
    receiver : PeTrace
        The PE that processed the messages.
    records : ndarray, structured, shape (n,)
        Records of this PE.

    Returns
    -------
    Sent
        Sender and time for each record.
    """
    cause = records["cause"]
    begin = records["begin"].astype(np.int64)
    rank = (cause >> np.uint64(_SENT_BITS)).astype(np.int64) - 1
    rank[records["kind"] != ENTRY] = -1
    span = np.int64(1) << np.int64(_SENT_BITS)
    low = (cause & np.uint64(span - 1)).astype(np.int64)
    pe = np.full(len(records), -1, np.int64)
    ticks, waited = begin.copy(), np.zeros(len(records))
    for other in np.unique(rank[rank >= 0]).tolist():
        number = trace.positions.get(other)
        if number is None:
            continue
        sender, here = trace.pes[number], np.flatnonzero(rank == other)
        # Only the lower bits of the time are kept: the time nearest to the begin is meant.
        came = sender.ticks_of(receiver, begin[here])
        before = (came - low[here]) & (span - 1)
        before[before >= span // 2] -= span
        if sender.clock == receiver.clock:  # the counters of two cores differ slightly
            before = np.maximum(before, 0)
        pe[here] = number
        ticks[here] = came - before
        waited[here] = np.maximum(before, 0) * sender.clock.seconds_per_tick
    return Sent(rank, pe, ticks, waited)
