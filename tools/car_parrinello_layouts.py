# SPDX-License-Identifier: BSD-3-Clause
"""The table of Car-Parrinello steps beside cp.x, from bench/peers/dynamics.py."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from ground_state_layouts import (
    Layout,
    Table,
    fastest_peer,
    on_what,
    seconds_of,
    times_as_fast,
)

STORED, FIGURE = "car_parrinello.json", "seconds_of_a_step"
# Phases of the engine under the words of the table.
SHARES = {
    "products": ("products of orbitals", "matrices of all orbitals"),
    "grid": ("orbitals on the grid", "transforms"),
    "orbitals": ("orbitals", "projectors of ions"),
    "density": ("density and potentials",),
    "runtime": ("orders and sums", "scheduling", "sending messages"),
    "idle": ("idle",),
}


def cell(entry: dict[str, Any]) -> str:
    """Write a median with its range."""
    runs = seconds_of(entry, FIGURE)
    spread = f"{min(runs):.3f} to {max(runs):.3f}" if len(runs) > 1 else "one run"
    return f"{statistics.median(runs):.3f} ({spread})"


def shares_of(run: dict[str, Any]) -> list[str]:
    """Write the shares of a run's time, of all its PEs, ground state included."""
    shares: dict[str, float] = run["shares"]
    return [
        f"{100 * sum(shares.get(name, 0.0) for name in names):.1f} %" for names in SHARES.values()
    ]


def car_parrinello_layouts(table: Table) -> dict[str, Layout]:
    """Return the layouts by name."""

    def steps(results: Path) -> list[str]:
        report = json.loads((results / STORED).read_text(encoding="utf-8"))
        entries: list[dict[str, Any]] = report["entries"]
        rows = []
        for waters in dict.fromkeys(entry["waters"] for entry in entries):
            of = [entry for entry in entries if entry["waters"] == waters]
            peer = fastest_peer(of, FIGURE)
            for ours in (entry for entry in of if entry["program"] == "finegrain"):
                box = f"{waters} waters, {ours['variant']} orbitals"
                rows.append((box, cell(peer), cell(ours), times_as_fast(ours, peer, FIGURE)))
        where = (
            f"{on_what(report, 'cp.x')}, orbitals held by constraints; seconds of a step, "
            f"median (range) of {report['repeats']} runs in turns:"
        )
        return [where, "", *table(("box", "cp.x", "finegrain", "finegrain is"), "lrrr", rows)]

    def parts(results: Path) -> list[str]:
        report = json.loads((results / STORED).read_text(encoding="utf-8"))
        rows = [
            (
                f"{entry['waters']} waters, {entry['variant']} orbitals",
                f"{max(run['peak_memory'] for run in entry['runs']) / 1e9:.2f}",
                *shares_of(entry["runs"][-1]),
            )
            for entry in report["entries"]
            if entry["program"] == "finegrain"
        ]
        head = ("box", "memory, GB", *SHARES)
        return table(head, "l" + "r" * (len(head) - 1), rows)

    return {
        "steps of Car-Parrinello dynamics": steps,
        "memory and phases of Car-Parrinello dynamics": parts,
    }
