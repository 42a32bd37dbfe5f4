# SPDX-License-Identifier: BSD-3-Clause
"""The longest chain of work that had to be done one slice after the other.

A slice of work is an entry or a part of a life. It cannot begin before its message was sent, nor
before the previous slice of the same object has ended. The chain is the path through these
conditions with the most work; waiting does not count. It is the time that the run would take on a
machine with one PE for each object and messages that take no time.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np

from finegrain.tracing.records import CHUNK, IDLE, RESUME, Trace, Whole, sent
from finegrain.tracing.summary import name_of


@dataclass(frozen=True)
class PathEntry:
    """The part of the path that belongs to one entry."""

    name: str
    slices: int
    seconds: float
    share: float  # of the path


@dataclass(frozen=True)
class CriticalPath:
    """The path, in seconds.

    Attributes
    ----------
    seconds : float
        Work on the path.
    share : float
        The share of the trace's length: 1 means that more PEs would not help.
    slices : int
        Entries and parts of lives on the path.
    messages, between_pes, between_processes : int
        How many steps of the path are messages. How many of them went to another PE, and how many
        to another process.
    entries : list of PathEntry
        The entries on the path, the longest first.
    """

    seconds: float
    share: float
    slices: int
    messages: int
    between_pes: int
    between_processes: int
    entries: list[PathEntry]


def critical_path(trace: Trace) -> CriticalPath:
    """Find the longest chain of work of a trace.

    Parameters
    ----------
    trace : Trace
        As `read_trace` returns it. Needs some 100 bytes of memory for each record.

    Returns
    -------
    CriticalPath
        If early records were lost, for the records that were kept.
    """
    work = _Work(trace)
    count = len(work.duration)
    if count == 0:
        return CriticalPath(0.0, 0.0, 0, 0, 0, 0, [])
    start, finish, by_message = _longest(work)
    at = int(np.argmax(np.frombuffer(finish, np.int64)))
    length = finish[at]

    slices = messages = between = across = 0
    process = [pe.process for pe in trace.pes]
    spent = np.zeros(2 * max(len(trace.entries), 1), np.int64)
    visits = np.zeros_like(spent)
    # length of this slice up to the point on which the next one depends
    until = int(work.duration[at])
    while at >= 0:
        slices += 1
        spent[work.key[at]] += until
        visits[work.key[at]] += 1
        if start[at] == 0:
            break
        if by_message[at]:
            before, until = int(work.sender[at]), int(work.into_sender[at])
            messages += 1
            between += int(work.pe[before] != work.pe[at])
            across += int(process[work.pe[before]] != process[work.pe[at]])
        else:
            before = int(work.previous[at])
            until = int(work.duration[before])
        at = before
    order = np.argsort(-spent, kind="stable")
    return CriticalPath(
        seconds=length * 1e-9,
        share=length * 1e-9 / trace.seconds if trace.seconds > 0 else 0.0,
        slices=slices,
        messages=messages,
        between_pes=between,
        between_processes=across,
        entries=[
            PathEntry(
                name=name_of(trace, int(key) // 2, int(key) % 2),
                slices=int(visits[key]),
                seconds=float(spent[key]) * 1e-9,
                share=float(spent[key] / max(length, 1)),
            )
            for key in order
            if visits[key]
        ],
    )


class _Work:
    """All slices of work of all PEs in the order in which they began; times in nanoseconds.

    Attributes
    ----------
    duration, key, pe : ndarray, int64, shape (slices,)
        Length, twice the entry plus 1 for a resumed life, and position of the PE in the trace.
    sender, into_sender : ndarray, int64, shape (slices,)
        The slice that sent the message, -1 if unknown, and how far into it that happened.
    previous : ndarray, int64, shape (slices,)
        The previous slice of the same object; -1 if there is none.
    """

    def __init__(self, trace: Trace) -> None:
        begins, parts = [], []
        offset = 0
        slices: list[tuple[int, Whole, Whole]] = []
        for number, pe in enumerate(trace.pes):
            records = pe.records[pe.records["kind"] != IDLE]
            begin = records["begin"].astype(np.int64)
            end = begin + records["duration"].astype(np.int64)
            slices.append((offset, begin, end))
            offset += len(records)
            came = sent(trace, pe, records)
            nano = pe.seconds_per_tick * 1e9
            begins.append((pe.at(begin) * 1e9).astype(np.int64))
            # An object is identified by array and number, even after it has moved.
            chare = records["array"].astype(np.int64) << np.int64(32) | records["element"].astype(
                np.int64
            )
            key = 2 * records["entry"].astype(np.int64) + (records["kind"] == RESUME)
            duration = ((end - begin) * nano).astype(np.int64)
            where = np.full(len(records), number, np.int64)
            parts.append((duration, key, where, came.pe, came.ticks, chare))
        duration, key, where, sender, when, chare = (
            np.concatenate(columns) if columns else np.zeros(0, np.int64)
            for columns in (zip(*parts, strict=True) if parts else [()] * 6)
        )
        at, into = self._find_senders(trace, slices, sender, when)

        begin_all = np.concatenate(begins) if begins else np.zeros(0, np.int64)
        order = np.argsort(begin_all, kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        self.duration, self.key, self.pe = duration[order], key[order], where[order]
        self.sender = np.where(at >= 0, rank[at], -1)[order]
        self.into_sender = into[order]
        # Clocks of two cores differ slightly, but a cause is always earlier.
        self.sender[self.sender >= np.arange(len(order))] = -1
        self.previous = _previous_of_the_same(chare[order])

    @staticmethod
    def _find_senders(
        trace: Trace,
        slices: list[tuple[int, Whole, Whole]],
        sender: Whole,
        when: Whole,
    ) -> tuple[Whole, Whole]:
        """Find in which slice each message was sent, and how far into it."""
        found = np.full(len(sender), -1, np.int64)
        into = np.zeros(len(sender), np.int64)
        for number, (offset, begin, end) in enumerate(slices):
            here = np.flatnonzero(sender == number)
            if not len(here) or not len(begin):
                continue
            ticks = when[here]
            slot = np.searchsorted(begin, ticks, side="right") - 1
            inside = (slot >= 0) & (ticks <= end[slot])
            found[here[inside]] = offset + slot[inside]
            nano = trace.pes[number].seconds_per_tick * 1e9
            into[here[inside]] = ((ticks - begin[slot])[inside] * nano).astype(np.int64)
        return found, into


def _previous_of_the_same(chare: Whole) -> Whole:
    """Return for each slice the last one before it with the same chare, or -1."""
    order = np.argsort(chare, kind="stable")
    same = chare[order][1:] == chare[order][:-1]
    previous = np.full(len(chare), -1, np.int64)
    previous[order[1:][same]] = order[:-1][same]
    return previous


def _longest(work: _Work) -> tuple[array[int], array[int], bytearray]:
    """Return for each slice the work before it, the work including it, and what it waited for.

    One pass in order of time; plain integers in typed arrays, because each step needs earlier ones.
    """
    count = len(work.duration)
    start, finish = array("q", bytes(8 * count)), array("q", bytes(8 * count))
    by_message = bytearray(count)
    for first in range(0, count, CHUNK):
        part = slice(first, first + CHUNK)
        columns = (work.duration, work.sender, work.into_sender, work.previous)
        rows = zip(*(column[part].tolist() for column in columns), strict=True)
        for i, (duration, sender, into, previous) in enumerate(rows, first):
            before = finish[previous] if previous >= 0 else 0
            if sender >= 0 and start[sender] + into > before:
                before = start[sender] + into
                by_message[i] = 1
            start[i] = before
            finish[i] = before + duration
    return start, finish, by_message
