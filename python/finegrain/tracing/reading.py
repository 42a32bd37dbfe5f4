# SPDX-License-Identifier: BSD-3-Clause
"""The trace files of all processes of a run, read as one trace.

A file is never read as a whole: records stay on disk until a chunk of them is needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.base.arguments import PathOrObject, run_folder
from finegrain.errors import InputError
from finegrain.files.plain import refuse_other_than_plain
from finegrain.runs.folder.directory import existing
from finegrain.tracing import heading_values as values
from finegrain.tracing.records import IDLE, ArrayOfObjects, PeTrace, Records, TickClock, Trace

MARK = b"FGTRACE1"
NAMESPACES = re.compile(r"^(?:[a-z]\w*::)+")
_MOST_RECORD = 4096  # bytes
_FIELDS = ("begin", "duration", "cause", "step", "bytes", "element", "array", "entry", "kind")


def read_trace(run: PathOrObject) -> Trace:
    """Open the trace of a run.

    Parameters
    ----------
    run : path or Run
        Folder of a run that was made with ``trace=True`` or ``--trace``.

    Returns
    -------
    Trace
        Its records are read from the files when they are needed.

    Raises
    ------
    InputError
        If the run left no trace, or a file of it is damaged or cut short.
    """
    directory = existing(run_folder(run))
    files = directory.traces()
    if not files:
        raise InputError(
            "has no trace",
            where=str(directory.path),
            hint="make one with: finegrain run INPUT --trace, or\n"
            f"finegrain resume {directory.path} --trace",
        )
    heads = [_Heading(path) for path in files]
    first = heads[0]
    known: set[int] = set()
    for head in heads:
        own = {part[0] for part in head.parts}
        if len(own) < len(head.parts) or known & own:
            raise _damaged(head.path, "has a PE twice, or one of another process")
        known |= own
        if head.entries != first.entries or head.arrays != first.arrays:
            raise _damaged(head.path, f"is not of the same run as {first.path.name}")
    start = min(head.start for head in heads)
    clocks = _clocks(heads, start)
    return Trace(
        path=directory.path,
        files=tuple(files),
        start=start,
        entries=first.entries,
        arrays=first.arrays,
        pes=tuple(pe for head in heads for pe in head.pes(clocks[head.host])),
    )


def _clocks(heads: list[_Heading], start: float) -> dict[str, TickClock]:
    """Return the clock of each host; one process per host defines it."""
    clocks: dict[str, TickClock] = {}
    for head in heads:
        if head.host not in clocks:
            before = round((head.start - start) / head.seconds_per_tick)
            if before > values.MOST_TICKS:
                raise _damaged(head.path, "has begun at another time than the rest of its run")
            clocks[head.host] = TickClock(
                head.host, head.seconds_per_tick, head.start_ticks - before
            )
    return clocks


def _damaged(path: Path, what: str, value: str = "", limit: str = "") -> InputError:
    return InputError(
        what,
        where=str(path),
        value=value,
        limit=limit,
        hint="it was changed or cut short: make the trace again with --trace",
    )


class _Heading:
    """The heading of a file, checked against the records after it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        refuse_other_than_plain(path)
        with path.open("rb") as file:
            mark, size = file.read(8), path.stat().st_size
            if mark != MARK:
                raise _damaged(path, "is not a trace of finegrain", limit=MARK.decode())
            length = int.from_bytes(file.read(8), "little")
            if not 0 < length <= min(size - 16, values.MOST_BYTES):
                raise _damaged(path, "ends within its heading", f"{size:,} bytes")
            text = file.read(length)
        try:
            self._read(_parsed(text))
        except ValueError as error:
            raise _damaged(path, "has a heading that makes no sense", str(error)) from None
        self.offset = 16 + length
        expected = self.offset + sum(count for *_, count in self.parts) * self.dtype.itemsize
        if size != expected:
            raise _damaged(path, "is not complete", f"{size:,} bytes", f"{expected:,} bytes")

    def _read(self, head: Any) -> None:
        version = values.value_of(head, "format")
        if version != 1:
            shown = str(version) if isinstance(version, int) else "no number"
            raise _damaged(self.path, "was written by another version", shown[:20], "format 1")
        self.process, self.host = values.whole(head, "process"), values.text(head, "host")
        self.start = values.start_time(head, "start")
        self.start_ticks = values.whole(head, "start_ticks")
        self.seconds_per_tick = values.tick(head, "seconds_per_tick")
        order = values.text(head, "byte_order")
        if order not in ("<", ">"):
            raise ValueError("byte_order is neither < nor >")
        width = values.whole(head, "record_bytes", 1, _MOST_RECORD)
        fields = values.fields(head, "fields", width)
        if missing := set(_FIELDS) - fields.keys():
            raise ValueError(f"fields lack {', '.join(sorted(missing))}")
        self.dtype = np.dtype(
            {
                "names": _FIELDS,
                "formats": [order + fields[name][0] for name in _FIELDS],
                "offsets": [fields[name][1] for name in _FIELDS],
                "itemsize": width,
            }
        )
        self.entries = tuple(_short(name) for name in values.texts(head, "entries"))
        self.arrays = tuple(
            ArrayOfObjects(_short(values.text(array, "name")), values.shape(array, "shape"))
            for array in values.rows(head, "arrays")
        )
        keys = ("pe", "begin", "end", "lost", "records")
        self.parts = [
            tuple(values.whole(part, key) for key in keys) for part in values.rows(head, "pes")
        ]

    def pes(self, clock: TickClock) -> Iterator[PeTrace]:
        """Yield the PEs of this process."""
        offset = self.offset
        for pe, begin, end, lost, count in self.parts:
            records = self._map(offset, count)
            offset += count * self.dtype.itemsize
            trace = PeTrace(
                process=self.process,
                pe=pe,
                begin=int(records["begin"][0]) if lost and count else begin,
                end=end,
                lost=lost,
                records=records,
                clock=clock,
            )
            self._check(trace)
            yield trace

    def _map(self, offset: int, count: int) -> Records:
        if count == 0:
            return np.zeros(0, self.dtype)
        return np.memmap(self.path, self.dtype, mode="r", offset=offset, shape=(count,))

    def _check(self, trace: PeTrace) -> None:
        """Complain about records that no engine writes."""
        at = trace.begin
        for chunk in trace.chunks():
            begin = chunk["begin"].astype(np.int64)
            end = begin + chunk["duration"].astype(np.int64)
            if begin[0] < at or end[-1] > trace.end or (begin[1:] < end[:-1]).any():
                raise _damaged(self.path, "has records out of order", trace.name)
            at = int(end[-1])
            if (
                chunk["kind"].max() > IDLE
                or chunk["entry"].max() >= max(len(self.entries), 1)
                or chunk["array"].max() >= max(len(self.arrays), 1)
            ):
                raise _damaged(self.path, "has records of unknown entries or objects", trace.name)


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # bytes, JSON, a number without end, depth
        raise ValueError("it is not JSON") from None


def _short(name: str) -> str:
    """Return "Patch::life" for "fg::classical::Patch<float>::life": the rest is always the same."""
    plain, depth = "", 0
    for letter in name:
        depth += (letter == "<") - (letter == ">")
        if depth == 0 and letter != ">":
            plain += letter
    return NAMESPACES.sub("", plain)
