# SPDX-License-Identifier: BSD-3-Clause
"""A trace in the JSON format of Perfetto (ui.perfetto.dev) and Chrome.

The format is the "Trace Event Format" of the Chromium project. It has complete events ("X") for
what ran, a pair of flow events ("s", "f") for a message between PEs, and metadata ("M") for names.
Times are in microseconds. Events are written as they are made, a chunk of records at a time.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import ResourceError
from finegrain.files.whole import disk_hint
from finegrain.tracing.records import ENTRY, IDLE, NO_STEP, PeTrace, Records, Trace, sent
from finegrain.tracing.summary import name_of

_KINDS = ("entry", "resume", "idle")


def write_perfetto(trace: Trace, target: str | os.PathLike[str]) -> Path:
    """Write a trace for ui.perfetto.dev.

    Parameters
    ----------
    trace : Trace
        As `read_trace` returns it.
    target : path
        The file; compressed if its name ends in .gz. An existing file is replaced once all is
        written.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ResourceError
        If it cannot be written.
    """
    path = Path(target)
    unfinished = path.with_name(f".{path.name}.part")
    try:
        with _opened(unfinished, compressed=path.suffix == ".gz") as file:
            file.write('{"displayTimeUnit": "ns", "traceEvents": [\n')
            _write_names(trace, file)
            arrows = 0
            for pe in trace.pes:
                arrows = _write_pe(trace, pe, file, arrows)
            file.write("\n]}\n")
        unfinished.replace(path)
    except OSError as error:
        what = f"cannot be written: {(error.strerror or str(error)).lower()}"
        raise ResourceError(what, where=str(path), hint=disk_hint(error)) from error
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)
    return path


@contextlib.contextmanager
def _opened(path: Path, *, compressed: bool) -> Iterator[IO[str]]:
    if compressed:
        with gzip.open(path, "wt", compresslevel=4, encoding="utf-8") as file:
            yield file
    else:
        with path.open("w", encoding="utf-8") as file:
            yield file


def _write_names(trace: Trace, file: IO[str]) -> None:
    """Name processes and tracks; the first event has no comma before it."""
    events: list[dict[str, Any]] = []
    for process in sorted({pe.process for pe in trace.pes}):
        name = {"name": f"process {process}"}
        events.append({"name": "process_name", "ph": "M", "pid": process, "args": name})
    for pe in trace.pes:
        place = {"ph": "M", "pid": pe.process, "tid": pe.pe}
        events.append({"name": "thread_name", **place, "args": {"name": pe.name}})
        order = {"sort_index": pe.pe}
        events.append({"name": "thread_sort_index", **place, "args": order})
    file.write(",\n".join(json.dumps(event) for event in events))


def _write_pe(trace: Trace, pe: PeTrace, file: IO[str], arrows: int) -> int:
    """Write one PE's track and the arrows that end on it; return the number of arrows so far."""

    @functools.cache
    def name(entry: int, kind: int) -> str:
        return json.dumps("idle" if kind == IDLE else name_of(trace, entry, kind))

    @functools.cache
    def element(number: int, ordinal: int) -> str:
        return json.dumps(trace.arrays[number].element(ordinal))

    place = f'"pid": {pe.process}, "tid": {pe.pe}'
    for chunk in pe.chunks():
        begin, end = _nanoseconds(pe, chunk)
        lengths = end - begin
        columns = [chunk[field].tolist() for field in ("kind", "entry", "array", "element")]
        rows = zip(begin.tolist(), lengths.tolist(), *columns, _arguments(chunk), strict=True)
        for at, lasts, kind, entry, number, ordinal, more in rows:
            args = "" if kind == IDLE else f'"object": {element(number, ordinal)}{more}'
            file.write(
                f',\n{{"name": {name(entry, kind)}, "cat": "{_KINDS[kind]}", "ph": "X", '
                f'"ts": {at / 1000:.3f}, "dur": {lasts / 1000:.3f}, {place}, "args": {{{args}}}}}'
            )
        arrows = _write_arrows(trace, pe, chunk, file, arrows)
    return arrows


def _nanoseconds(pe: PeTrace, chunk: Records) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return beginnings and ends, rounded in the same way, so that no overlaps appear."""
    begin = chunk["begin"].astype(np.int64)
    end = begin + chunk["duration"].astype(np.int64)
    return (
        np.rint(pe.at(begin) * 1e9).astype(np.int64),
        np.rint(pe.at(end) * 1e9).astype(np.int64),
    )


def _arguments(chunk: Records) -> list[str]:
    """Return step and bytes of the messages as the tail of an event's arguments."""
    pairs = zip(
        chunk["kind"].tolist(), chunk["step"].tolist(), chunk["bytes"].tolist(), strict=True
    )
    return [
        ""
        if kind != ENTRY
        else (f', "step": {step}' if step != NO_STEP else "") + f', "bytes": {size}'
        for kind, step, size in pairs
    ]


def _write_arrows(trace: Trace, pe: PeTrace, chunk: Records, file: IO[str], arrows: int) -> int:
    """Write an arrow for each message from another PE that is sent within a record of it."""
    came = sent(trace, pe, chunk)
    for number in np.unique(came.pe[came.pe >= 0]).tolist():
        other = trace.pes[number]
        if other is pe or not len(other.records):
            continue
        here = np.flatnonzero(came.pe == number)
        when = came.ticks[here]
        slot = np.searchsorted(other.begins, when, side="right") - 1
        begin = other.begins[slot]
        end = begin + other.records["duration"][slot].astype(np.int64)
        inside = (slot >= 0) & (when <= end) & (other.records["kind"][slot] != IDLE)
        departs = np.rint(other.at(when[inside]) * 1e9) / 1e3
        arrives = _nanoseconds(pe, chunk[here[inside]])[0] / 1e3
        for leaves, comes in zip(departs.tolist(), arrives.tolist(), strict=True):
            if leaves > comes:
                continue  # the clocks of two hosts differ: no viewer could draw it
            arrows += 1
            common = f'"name": "message", "cat": "message", "id": {arrows}'
            start = f'"pid": {other.process}, "tid": {other.pe}, "ts": {leaves:.3f}'
            finish = f'"pid": {pe.process}, "tid": {pe.pe}, "ts": {comes:.3f}'
            file.write(
                f',\n{{"ph": "s", {common}, {start}}}'
                f',\n{{"ph": "f", "bp": "e", {common}, {finish}}}'
            )
    return arrows
