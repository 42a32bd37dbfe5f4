# SPDX-License-Identifier: BSD-3-Clause
"""The tables of Car-Parrinello steps, from dynamics.py and dynamics_on_cores.py in bench/peers."""

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
from phase_layouts import machine_of

STORED, FIGURE = "car_parrinello.json", "seconds_of_a_step"
ON_CORES = "dynamics_on_cores.json"
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


def on_cores(entry: dict[str, Any], of_one: float) -> list[str]:
    """Write the time of a step, how many times as fast that is, and the idle share."""
    seconds = float(entry["seconds_of_a_step"])
    return [f"{seconds:.3f}", f"{of_one / seconds:.1f}", f"{100 * entry['idle_share']:.0f} %"]


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

    def cores(results: Path) -> list[str]:
        report = json.loads((results / ON_CORES).read_text(encoding="utf-8"))
        entries: list[dict[str, Any]] = report["entries"]
        divisions = list(dict.fromkeys(entry["divided_for"] for entry in entries))
        found = {(entry["divided_for"], entry["pes"]): entry for entry in entries}
        least = min(entry["pes"] for entry in entries)
        rows = []
        for pes in sorted({entry["pes"] for entry in entries}):
            row = [str(pes)]
            for divided_for in divisions:
                one = found.get((divided_for, pes))
                of_one = found[divided_for, least]["seconds_of_a_step"]
                row += on_cores(one, of_one) if one else ["", "", ""]
            rows.append(row)
        head = ["PEs"]
        for divided_for in divisions:
            head += [f"divided for {divided_for}: s a step", f"times {least} PE", "idle"]
        runs = f"median of {report['repeats']} runs" if report["repeats"] > 1 else "one run each"
        where = (
            f"{report['waters']} waters, {report['cutoff_ry']:g} Ry, {machine_of(report)}, {runs}:"
        )
        return [where, "", *table(head, "r" * len(head), rows)]

    return {
        "Car-Parrinello steps on more PEs": cores,
        "steps of Car-Parrinello dynamics": steps,
        "memory and phases of Car-Parrinello dynamics": parts,
    }
