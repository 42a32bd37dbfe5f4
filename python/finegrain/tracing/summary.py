# SPDX-License-Identifier: BSD-3-Clause
"""The time of a traced run by PE and by entry, and its messages by size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.tracing.records import ENTRY, IDLE, RESUME, PeTrace, Records, Trace, sent

# upper limits of all size classes except the last, bytes
SIZES = (0, 256, 1024, 4096, 16384, 65536)


@dataclass(frozen=True)
class PeSummary:
    """One PE, in seconds.

    Attributes
    ----------
    seconds : float
        Length of its loop, as far as records are kept.
    busy, idle, runtime : float
        Time in entries and lives; waiting for messages; the rest: queues and recording.
    utilisation : float
        Busy over all.
    records, lost : int
        Records kept, and earlier records overwritten.
    """

    process: int
    pe: int
    seconds: float
    busy: float
    idle: float
    runtime: float
    utilisation: float
    records: int
    lost: int


@dataclass(frozen=True)
class EntrySummary:
    """One entry on all PEs; resumed parts of a life are counted separately from its start."""

    name: str
    calls: int
    seconds: float
    mean: float
    longest: float
    share: float  # of the time of all PEs


@dataclass(frozen=True)
class SizeClass:
    """Messages above the limit of the previous class, up to its own; sizes in bytes.

    Attributes
    ----------
    limit : int or None
        None for the last class; 0 for messages without a buffer.
    messages, bytes : int
        How many arrived, and their size between processes.
    between_pes : int
        The number of them that came from another PE.
    mean_wait : float
        From sending to the beginning of the entry, in seconds.
    """

    limit: int | None
    messages: int
    bytes: int
    between_pes: int
    mean_wait: float


@dataclass(frozen=True)
class TraceSummary:
    """The result of `summarise`."""

    seconds: float
    pes: list[PeSummary]
    entries: list[EntrySummary]
    messages: list[SizeClass]

    @property
    def utilisation(self) -> float:
        """Busy over all, of all PEs."""
        whole = sum(pe.seconds for pe in self.pes)
        return sum(pe.busy for pe in self.pes) / whole if whole else 0.0


def summarise(trace: Trace) -> TraceSummary:
    """Sum a trace up, a chunk of records at a time.

    Parameters
    ----------
    trace : Trace
        As `read_trace` returns it.

    Returns
    -------
    TraceSummary
        PEs in order, entries with the longest first, size classes of messages in order.
    """
    entries = _Entries(len(trace.entries))
    sizes = _Sizes()
    pes = []
    for pe in trace.pes:
        by_kind = np.zeros(IDLE + 1)
        for chunk in pe.chunks():
            seconds = chunk["duration"] * pe.seconds_per_tick
            by_kind += np.bincount(chunk["kind"], seconds, IDLE + 1)
            entries.add(chunk, seconds)
            sizes.add(chunk, trace, pe)
        busy, idle = float(by_kind[ENTRY] + by_kind[RESUME]), float(by_kind[IDLE])
        whole = pe.seconds
        pes.append(
            PeSummary(
                process=pe.process,
                pe=pe.pe,
                seconds=whole,
                busy=busy,
                idle=idle,
                runtime=max(whole - busy - idle, 0.0),
                utilisation=busy / whole if whole > 0 else 0.0,
                records=len(pe.records),
                lost=pe.lost,
            )
        )
    return TraceSummary(
        seconds=trace.seconds,
        pes=pes,
        entries=entries.table(trace, sum(pe.seconds for pe in pes)),
        messages=sizes.table(),
    )


def name_of(trace: Trace, entry: int, kind: int) -> str:
    """Return the name of a record's entry; a resumed life has a separate name."""
    return trace.entries[entry] + (", resumed" if kind == RESUME else "")


class _Entries:
    """Sums by entry and kind."""

    def __init__(self, entries: int) -> None:
        self.bins = 2 * max(entries, 1)
        self.calls = np.zeros(self.bins, np.int64)
        self.seconds = np.zeros(self.bins)
        self.longest = np.zeros(self.bins)

    def add(self, chunk: Records, seconds: NDArray[Any]) -> None:
        working = chunk["kind"] != IDLE
        key = 2 * chunk["entry"][working].astype(np.int64) + chunk["kind"][working]
        self.calls += np.bincount(key, minlength=self.bins)
        self.seconds += np.bincount(key, seconds[working], self.bins)
        np.maximum.at(self.longest, key, seconds[working])

    def table(self, trace: Trace, whole: float) -> list[EntrySummary]:
        found = np.flatnonzero(self.calls)
        order = found[np.argsort(-self.seconds[found], kind="stable")]
        return [
            EntrySummary(
                name=name_of(trace, int(key) // 2, int(key) % 2),
                calls=int(self.calls[key]),
                seconds=float(self.seconds[key]),
                mean=float(self.seconds[key] / self.calls[key]),
                longest=float(self.longest[key]),
                share=float(self.seconds[key] / whole) if whole > 0 else 0.0,
            )
            for key in order
        ]


class _Sizes:
    """Sums by the size of messages."""

    def __init__(self) -> None:
        self.bins = len(SIZES) + 1
        self.messages = np.zeros(self.bins, np.int64)
        self.bytes = np.zeros(self.bins)
        self.between = np.zeros(self.bins, np.int64)
        self.known = np.zeros(self.bins, np.int64)
        self.waited = np.zeros(self.bins)

    def add(self, chunk: Records, trace: Trace, pe: PeTrace) -> None:
        chunk = chunk[chunk["kind"] == ENTRY]
        key = np.searchsorted(SIZES, chunk["bytes"])
        came = sent(trace, pe, chunk)
        known = came.pe >= 0
        elsewhere = (came.rank >= 0) & (came.rank != pe.pe)
        self.messages += np.bincount(key, minlength=self.bins)
        self.bytes += np.bincount(key, chunk["bytes"], self.bins)
        self.between += np.bincount(key[elsewhere], minlength=self.bins)
        self.known += np.bincount(key[known], minlength=self.bins)
        self.waited += np.bincount(key[known], came.waited[known], self.bins)

    def table(self) -> list[SizeClass]:
        limits: list[int | None] = [*SIZES, None]
        return [
            SizeClass(
                limit=limit,
                messages=int(self.messages[i]),
                bytes=int(self.bytes[i]),
                between_pes=int(self.between[i]),
                mean_wait=float(self.waited[i] / self.known[i]) if self.known[i] else 0.0,
            )
            for i, limit in enumerate(limits)
            if self.messages[i]
        ]
