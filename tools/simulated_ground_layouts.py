# SPDX-License-Identifier: BSD-3-Clause
"""Tables of ground states on simulated machines, and on PEs and ranks of this one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Table = Callable[[Sequence[str], str, Iterable[Sequence[str]]], list[str]]
Spread = Callable[[Mapping[str, Any], int], str]
Layout = Callable[[Path], list[str]]

SIMULATED, DYNAMICS, PROCESSES, PEERS = (
    "simulated_ground_states.json",
    "simulated_dynamics.json",
    "ground_state_processes.json",
    "ground_states.json",
)
NOT_YET = ["Not measured yet."]

# Columns of milliseconds, by the parts of the time table that they add up.
COLUMNS = {
    "transforms": ("orbitals: lines along z", "orbitals: lines along y and x"),
    "density": ("density: lines", "density in waves", "exchange and correlation"),
    "products": ("overlaps of orbitals", "orbitals times a matrix"),
    "matrices": ("matrices of all orbitals",),
    "projectors": ("projectors",),
}


def read(results: Path, name: str) -> Any:
    """Return a stored result, or None."""
    path = results / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def milliseconds(seconds: float) -> str:
    """Write a time."""
    return f"{1e3 * seconds:.1f}" if seconds < 0.01 else f"{1e3 * seconds:.0f}"


def parts_of(row: dict[str, Any]) -> list[str]:
    """Return the milliseconds of each column, all other work, messages, and the wait."""
    cells = [sum(row["parts"].get(name, 0.0) for name in names) for names in COLUMNS.values()]
    messages = row["phases"].get("scheduling", 0.0) + row["phases"].get("sending messages", 0.0)
    idle = row["phases"].get("idle", 0.0)
    busy = sum(row["phases"].values()) - messages - idle
    return [*map(milliseconds, [*cells, max(0.0, busy - sum(cells)), messages, idle])]


def cut_in_words(row: dict[str, Any]) -> str:
    """Write the division of a job."""
    return ", ".join(map(str, row["cut"]))


def simulated_ground_layouts(table: Table, spread: Spread) -> dict[str, Layout]:
    """Return the layouts by name."""

    def iterations(results: Path) -> list[str]:
        report = read(results, SIMULATED)
        if report is None:
            return NOT_YET
        rows = [
            (
                str(row["waters"]),
                cut_in_words(row),
                f"{row['nodes']}*" if "program" in row else str(row["nodes"]),
                milliseconds(row["seconds"]),
                milliseconds(row["published"]) if row["published"] else "",
                *parts_of(row),
            )
            for row in sorted(
                report["rows"], key=lambda row: (row["waters"], row["cut"], row["nodes"])
            )
            if row["map"] == "plane"
        ]
        head = ("waters", "division", "nodes", "iteration", "published", *COLUMNS)
        head += ("other work", "messages", "waits")
        return table(head, "rl" + "r" * (len(head) - 2), rows)

    def maps(results: Path) -> list[str]:
        report = read(results, SIMULATED)
        if report is None:
            return NOT_YET
        sizes = dict.fromkeys(
            (row["waters"], tuple(row["cut"]), row["nodes"])
            for row in report["rows"]
            if row["map"] != "plane"
        )
        rows = []
        for waters, cut, nodes in sorted(sizes):
            of = [
                row
                for row in report["rows"]
                if (row["waters"], tuple(row["cut"]), row["nodes"]) == (waters, cut, nodes)
            ]
            best = min(row["seconds"] for row in of)
            rows += [
                (
                    str(waters),
                    str(nodes),
                    f"`{row['map']}`",
                    milliseconds(row["seconds"]),
                    f"{row['seconds'] / best:.2f}",
                    milliseconds(row["phases"].get("scheduling", 0.0)),
                    milliseconds(row["phases"].get("idle", 0.0)),
                )
                for row in sorted(of, key=lambda row: float(row["seconds"]))
            ]
        head = ("waters", "nodes", "map", "iteration", "of the best", "messages", "waits")
        return table(head, "rrlrrrr", rows)

    def dynamics(results: Path) -> list[str]:
        report = read(results, DYNAMICS)
        if report is None:
            return NOT_YET
        rows = []
        for row in report["rows"]:
            messages = row["phases"].get("scheduling", 0.0)
            idle = row["phases"].get("idle", 0.0)
            rows.append(
                (
                    str(row["waters"]),
                    cut_in_words(row),
                    row["scheme"],
                    f"`{row['map']}`",
                    row["links"],
                    str(row["nodes"]),
                    milliseconds(row["seconds"]),
                    milliseconds(row["published"]) if row["published"] else "",
                    milliseconds(sum(row["phases"].values()) - messages - idle),
                    milliseconds(messages),
                    milliseconds(idle),
                )
            )
        head = ["waters", "division", "orbitals", "map", "links", "nodes", "step", "published"]
        head += ["own work", "messages", "waits"]
        return table(head, "rllllr" + "r" * 5, rows)

    def processes(results: Path) -> list[str]:
        report = read(results, PROCESSES)
        if report is None:
            return NOT_YET
        rows = [
            (
                one["layout"],
                spread(one["seconds"], 2),
                f"{100 * one['overhead_share']['median']:.1f}",
                f"{100 * one['idle_share']['median']:.1f}",
            )
            for one in report["layouts"]
        ]
        words = [f"{name}: {spread(found, 2)}" for name, found in sorted(report["ratios"].items())]
        where = (
            f"{report['date']}, {report['waters']} waters ({report['box']}) at "
            f"{report['cutoff_ry']:g} Ry, median (range) of {report['repeats']} runs in turns, all "
            f"with the digest {report['state_digest'][:12]}…:"
        )
        head = ("", "seconds", "runtime %", "idle %")
        return [where, "", *table(head, "lrrr", rows), "", *(f"* {line}" for line in words)]

    def shares(results: Path) -> list[str]:
        report = read(results, PEERS)
        entries = report["entries"] if report else []
        entries = [entry for entry in entries if "shares" in entry["runs"][-1]]
        if not entries:
            return NOT_YET
        rows = []
        for entry in entries:
            last = entry["runs"][-1]
            largest = sorted(last["shares"].items(), key=lambda item: -item[1])[:6]
            rows.append(
                (
                    str(entry["waters"]),
                    f"{entry['program']} {entry['variant']}".strip(),
                    f"{min(run['seconds'] for run in entry['runs']):.1f}",
                    f"{last['peak_memory'] / 1e9:.2f}",
                    ", ".join(f"{name} {100 * share:.0f} %" for name, share in largest),
                )
            )
        return table(("waters", "program", "least s", "GB", "shares"), "rlrrl", rows)

    return {
        "simulated ground states": iterations,
        "simulated maps of ground states": maps,
        "simulated dynamics": dynamics,
        "ground states on PEs and ranks": processes,
        "shares and memory of ground states": shares,
    }
