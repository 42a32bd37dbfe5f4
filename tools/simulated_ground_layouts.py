# SPDX-License-Identifier: BSD-3-Clause
"""Tables of ground states on simulated machines, and on PEs and ranks of this one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ground_state_layouts import LARGEST, STORED

Table = Callable[[Sequence[str], str, Iterable[Sequence[str]]], list[str]]
Spread = Callable[[Mapping[str, Any], int], str]
Layout = Callable[[Path], list[str]]

SIMULATED, DYNAMICS, PROCESSES = (
    "simulated_ground_states.json",
    "simulated_dynamics.json",
    "ground_state_processes.json",
)
NOT_YET = ["Not measured yet."]
CUTOFF_RY = 70.0

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


def links_in_words(row: dict[str, Any]) -> str:
    """Write how messages use links, and a cut-off that is not the usual one."""
    low = "" if row["cutoff_ry"] == CUTOFF_RY else f", {row['cutoff_ry']:g} Ry"
    return str(row["links"]) + low


def rows_of(results: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows of a stored result."""
    report = read(results, name)
    return report["rows"] if report else []


def of_job(row: dict[str, Any]) -> tuple[Any, ...]:
    """Return what rows of one curve have in common."""
    return (
        *(row["machine"], row["waters"], row["cutoff_ry"], tuple(row["cut"]), row["links"]),
        row.get("scheme", ""),
    )


def simulated_ground_layouts(table: Table, spread: Spread) -> dict[str, Layout]:
    """Return the layouts by name."""

    def iterations(results: Path) -> list[str]:
        return by_nodes(results, SIMULATED, "bluegene-l", "iteration")

    def iterations_on_q(results: Path) -> list[str]:
        return by_nodes(results, SIMULATED, "bluegene-q", "iteration")

    def steps(results: Path) -> list[str]:
        return by_nodes(results, DYNAMICS, "bluegene-l", "step")

    def by_nodes(results: Path, name: str, machine: str, what: str) -> list[str]:
        rows = [
            row
            for row in rows_of(results, name)
            if row["machine"] == machine and row["map"] == "plane"
        ]
        if not rows:
            return NOT_YET
        cells = []
        first: dict[Any, Any] = {}
        for row in sorted(rows, key=lambda row: (of_job(row), row["nodes"])):
            least = first.setdefault(of_job(row), row)
            cells.append(
                (
                    str(row["waters"]),
                    cut_in_words(row),
                    links_in_words(row),
                    f"{row['nodes']}*" if "program" in row else str(row["nodes"]),
                    milliseconds(row["seconds"]),
                    f"{least['seconds'] / row['seconds'] * least['nodes']:.0f}",
                    milliseconds(row["published"]) if row["published"] else "",
                    *parts_of(row),
                )
            )
        head = ("waters", "division", "links", "nodes", what, "speed-up", "published", *COLUMNS)
        head += ("other work", "messages", "waits")
        return table(head, "rll" + "r" * (len(head) - 3), cells)

    def maps(results: Path) -> list[str]:
        return by_map(results, SIMULATED, "iteration")

    def maps_of_steps(results: Path) -> list[str]:
        return by_map(results, DYNAMICS, "step")

    def by_map(results: Path, name: str, what: str) -> list[str]:
        found = rows_of(results, name)
        sizes = dict.fromkeys((of_job(row), row["nodes"]) for row in found if row["map"] != "plane")
        if not sizes:
            return NOT_YET
        rows = []
        for job, nodes in sorted(sizes):
            of = [row for row in found if (of_job(row), row["nodes"]) == (job, nodes)]
            best = min(row["seconds"] for row in of)
            rows += [
                (
                    row["machine"],
                    str(row["waters"]),
                    links_in_words(row),
                    str(nodes),
                    f"`{row['map']}`",
                    milliseconds(row["seconds"]),
                    f"{row['seconds'] / best:.2f}",
                    milliseconds(row["phases"].get("scheduling", 0.0)),
                    milliseconds(row["phases"].get("idle", 0.0)),
                )
                for row in sorted(of, key=lambda row: float(row["seconds"]))
            ]
        head = ("machine", "waters", "links", "nodes", "map", what, "of the best", "messages")
        return table((*head, "waits"), "lrlrlrrrr", rows)

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
        reports = [report for name in (STORED, LARGEST) if (report := read(results, name))]
        entries = [entry for report in reports for entry in report["entries"]]
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
        "simulated ground states on Blue Gene/Q": iterations_on_q,
        "simulated maps of ground states": maps,
        "simulated dynamics": steps,
        "simulated maps of dynamics": maps_of_steps,
        "ground states on PEs and ranks": processes,
        "shares and memory of ground states": shares,
    }
