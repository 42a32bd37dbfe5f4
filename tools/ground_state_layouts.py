# SPDX-License-Identifier: BSD-3-Clause
"""The table of ground states beside pw.x, from bench/peers/ground_states.py."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Table = Callable[[Sequence[str], str, Iterable[Sequence[str]]], list[str]]
Layout = Callable[[Path], list[str]]

STORED = "ground_states.json"
LARGEST = "ground_state_128.json"  # of another machine


def seconds_of(entry: dict[str, Any], figure: str = "seconds") -> list[float]:
    """Return the times of the whole command, or another figure of the runs."""
    return [run[figure] for run in entry["runs"]]


def fastest_peer(entries: Iterable[dict[str, Any]], figure: str = "seconds") -> dict[str, Any]:
    """Return the better of the ways in which the other program ran."""
    peers = (entry for entry in entries if entry["program"] != "finegrain")
    return min(peers, key=lambda entry: statistics.median(seconds_of(entry, figure)))


def times_as_fast(ours: dict[str, Any], peer: dict[str, Any], figure: str = "seconds") -> str:
    """Write the ratio of two medians."""
    theirs = statistics.median(seconds_of(peer, figure))
    return f"{theirs / statistics.median(seconds_of(ours, figure)):.2f} times as fast"


def on_what(report: dict[str, Any], peer: str) -> str:
    """Write when, where and with which versions it was measured."""
    machine = report["machine"]
    return (
        f"{report['date']}, {report['pes']} cores of a virtual {machine['cpu']} (family "
        f"{machine['cpu_family']}, model {machine['cpu_model']}), finegrain on {report['pes']} "
        f"threads, {peer} {report['versions'][peer]} on {report['pes']} ranks"
    )


def cell(entry: dict[str, Any]) -> str:
    """Write a median with its range, and the iterations."""
    runs = seconds_of(entry)
    iterations = entry["runs"][-1]["iterations"]
    spread = f"{min(runs):.1f} to {max(runs):.1f}" if len(runs) > 1 else "one run"
    return f"{statistics.median(runs):.1f} ({spread}), {iterations} iterations"


def ground_state_layouts(table: Table) -> dict[str, Layout]:
    """Return the layouts by name."""

    def ground_states(results: Path, stored: str = STORED) -> list[str]:
        if not (results / stored).exists():
            return ["Not measured yet."]
        report = json.loads((results / stored).read_text(encoding="utf-8"))
        entries: list[dict[str, Any]] = report["entries"]
        rows = []
        for waters in dict.fromkeys(entry["waters"] for entry in entries):
            of = [entry for entry in entries if entry["waters"] == waters]
            (ours,) = (entry for entry in of if entry["program"] == "finegrain")
            peer = fastest_peer(of)
            energies = abs(ours["runs"][-1]["energy"] - peer["runs"][-1]["energy"])
            rows.append(
                (
                    f"{waters} waters, {ours['orbitals']} orbitals",
                    cell(peer),
                    cell(ours),
                    times_as_fast(ours, peer),
                    f"{energies / ours['atoms']:.0e}",
                    f"{peer['largest_difference_of_forces']:.0e}",
                )
            )
        repeats = report["repeats"]
        what = f"median (range) of {repeats} runs in turns" if repeats > 1 else "one run of each"
        where = f"{on_what(report, 'pw.x')}; seconds of the whole command, {what}:"
        head = (
            "box",
            "pw.x",
            "finegrain",
            "finegrain is",
            "energies differ by",
            "forces without their sum by",
        )
        return [where, "", *table(head, "lrrrrr", rows)]

    return {
        "ground states of water": ground_states,
        "ground state of 128 waters": lambda results: ground_states(results, LARGEST),
    }
