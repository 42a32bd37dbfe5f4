# SPDX-License-Identifier: BSD-3-Clause
"""The table of Car-Parrinello steps beside cp.x, from bench/peers/dynamics.py."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Table = Callable[[Sequence[str], str, Iterable[Sequence[str]]], list[str]]
Layout = Callable[[Path], list[str]]

STORED = "car_parrinello.json"


def seconds_of(entry: dict[str, Any]) -> list[float]:
    """Return the times of a step."""
    return [run["seconds_of_a_step"] for run in entry["runs"]]


def cell(entry: dict[str, Any]) -> str:
    """Write a median with its range."""
    runs = seconds_of(entry)
    return f"{statistics.median(runs):.3f} ({min(runs):.3f} to {max(runs):.3f})"


def car_parrinello_layouts(table: Table) -> dict[str, Layout]:
    """Return the layouts by name."""

    def steps(results: Path) -> list[str]:
        report = json.loads((results / STORED).read_text(encoding="utf-8"))
        entries: list[dict[str, Any]] = report["entries"]
        rows = []
        for waters in dict.fromkeys(entry["waters"] for entry in entries):
            of = [entry for entry in entries if entry["waters"] == waters]
            peer = min(
                (entry for entry in of if entry["program"] != "finegrain"),
                key=lambda entry: statistics.median(seconds_of(entry)),
            )
            for ours in (entry for entry in of if entry["program"] == "finegrain"):
                ratio = statistics.median(seconds_of(peer)) / statistics.median(seconds_of(ours))
                rows.append(
                    (
                        f"{waters} waters, {ours['variant']} orbitals",
                        cell(peer),
                        cell(ours),
                        f"{ratio:.2f} times as fast",
                    )
                )
        machine, versions = report["machine"], report["versions"]
        where = (
            f"{report['date']}, {report['pes']} cores of a virtual {machine['cpu']} (family "
            f"{machine['cpu_family']}, model {machine['cpu_model']}), finegrain on {report['pes']} "
            f"threads, cp.x {versions['cp.x']} on {report['pes']} ranks, orbitals held by "
            f"constraints; seconds of a step, median (range) of {report['repeats']} runs in turns:"
        )
        return [where, "", *table(("box", "cp.x", "finegrain", "finegrain is"), "lrrr", rows)]

    return {"steps of Car-Parrinello dynamics": steps}
