# SPDX-License-Identifier: BSD-3-Clause
"""Who waits for whom: the way back through a trace from its last message to its first.

A slice of work begins when its node is free and its message has come. The way goes back to the
work before it on the same node, if that ended just then, else along the message to the work that
sent it; so its slices and messages fill the time of the run without gaps. What a sum of many
objects (a reduction) waited for is not in a trace: the way goes on at the work that ended last
among the objects that give it.

Usage: waits.py RUN [--from SECONDS] [--to SECONDS] [--steps]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.tracing.reading import read_trace
from finegrain.tracing.records import IDLE, Trace, sent

# Entries that get sums: the arrays whose objects give them.
SUMS = {
    "Ortho::sums": ("PairCalculator",),
    "Density::density": ("OrbitalPoints",),
    "Orbitals::projected": ("Orbitals",),
    "Orbitals::placed": ("ProjectorWriter",),
    "Leader::orbital_sums": ("Orbitals",),
    "Leader::largest": ("Orbitals",),
    "Leader::search_products": ("Orbitals",),
    "Leader::density_sums": ("Density",),
    "Leader::orbital_forces": ("Orbitals",),
    "Leader::density_forces": ("Density",),
    "Ortho::residual": ("Ortho",),
    "Ortho::deviation": ("Ortho",),
}


@dataclass
class Way:
    """The slices of the way: seconds and number by name."""

    work: dict[str, list[float]] = field(default_factory=dict)
    messages: dict[str, list[float]] = field(default_factory=dict)
    steps: list[tuple[float, str]] = field(default_factory=list)

    def add(self, to: dict[str, list[float]], name: str, begin: float, end: float) -> None:
        """Add a slice."""
        found = to.setdefault(name, [0.0, 0])
        found[0] += end - begin
        found[1] += 1
        self.steps.append((begin, f"{end - begin:.6f} {name}"))


class Slices:
    """All work of all nodes, in seconds since the start."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.begin, self.end, self.name, self.array = [], [], [], []
        self.sender, self.sent = [], []
        for pe in trace.pes:
            records = pe.records[pe.records["kind"] != IDLE]
            begin = pe.at(records["begin"].astype(np.int64))
            self.begin.append(begin)
            self.end.append(begin + records["duration"] * pe.seconds_per_tick)
            self.name.append(records["entry"].astype(np.int64))
            self.array.append(records["array"].astype(np.int64))
            came = sent(trace, pe, records)
            self.sender.append(came.pe)
            self.sent.append(pe.at(came.ticks))
        names = [one.name for one in trace.arrays]
        self.number = {name.split("::")[-1]: i for i, name in enumerate(names)}

    def at(self, node: int, time: float) -> int:
        """Return the last work of a node that begins before a time, or -1."""
        return int(np.searchsorted(self.begin[node], time, side="left")) - 1

    def last_of(self, arrays: tuple[str, ...], time: float) -> tuple[int, int]:
        """Return node and number of the work of some arrays that ended last before a time."""
        numbers = [self.number[one] for one in arrays if one in self.number]
        best, where = -1.0, (-1, -1)
        for node, ends in enumerate(self.end):
            last = int(np.searchsorted(ends, time, side="right")) - 1
            theirs = np.flatnonzero(np.isin(self.array[node][: last + 1], numbers))
            if len(theirs) and ends[theirs[-1]] > best:
                best, where = float(ends[theirs[-1]]), (node, int(theirs[-1]))
        return where


def way_back(trace: Trace, first: float, last: float) -> Way:
    """Find the way from a time back to another one."""
    slices, way = Slices(trace), Way()
    node, at = 0, slices.at(0, last)
    until = float(slices.end[0][at])
    seen: set[tuple[int, int]] = set()
    while at >= 0 and until > first and (node, at) not in seen:
        seen.add((node, at))
        begin = float(slices.begin[node][at])
        entry = trace.entries[slices.name[node][at]]
        way.add(way.work, entry, begin, until)
        before = at - 1
        if before >= 0 and begin - slices.end[node][before] < 2e-9:
            at, until = before, begin
            continue
        sender, when = int(slices.sender[node][at]), float(slices.sent[node][at])
        short = "::".join(entry.split("::")[-2:])
        if short in SUMS:
            there, which = slices.last_of(SUMS[short], begin - 1e-9)
            kind = "sum to "
        elif sender >= 0:
            there, which = sender, slices.at(sender, when + 1e-9)
            kind = "message to "
        else:
            break
        if which < 0:
            break
        left = (
            min(float(slices.end[there][which]), begin) if kind == "sum to " else min(when, begin)
        )
        way.add(way.messages, kind + entry, left, begin)
        node, at, until = there, which, left
    return way


def main() -> None:
    """Print the way."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="a folder with a trace")
    parser.add_argument("--from", dest="first", type=float, metavar="S", default=0.0)
    parser.add_argument("--to", dest="last", type=float, metavar="S")
    parser.add_argument("--steps", action="store_true", help="print each slice of the way, too")
    chosen = parser.parse_args()
    trace: Any = read_trace(chosen.run)
    way = way_back(trace, chosen.first, trace.end if chosen.last is None else chosen.last)
    if chosen.steps:
        for begin, text in reversed(way.steps):
            print(f"{begin:.6f} {text}")
    for title, found in (("work", way.work), ("messages", way.messages)):
        print(f"{title}: {1e3 * sum(one[0] for one in found.values()):.2f} ms")
        for name, (seconds, count) in sorted(found.items(), key=lambda item: -item[1][0]):
            if seconds > 1e-5:
                print(f"  {1e3 * seconds:9.3f} ms {count:6.0f} {name}")


if __name__ == "__main__":
    main()
