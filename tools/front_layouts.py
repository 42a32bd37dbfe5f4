# SPDX-License-Identifier: BSD-3-Clause
"""The one table of the README: DHFR and 32 waters, each beside its best peer."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ground_state_layouts import Layout, Table, fastest_peer, seconds_of, times_as_fast

DHFR = ((1, "dhfr_peers_zen4.json"), (2, "dhfr_peers_zen4.json"), (8, "dhfr_peers_16_cores.json"))
WATERS = 32
OURS = {"sd": "finegrain", "v-rescale": "finegrain-v-rescale"}  # by the peer's thermostat
Row = tuple[str, str, str, str, str]


def front_layouts(table: Table) -> dict[str, Layout]:
    """Return the layouts by name."""

    def front(results: Path) -> list[str]:
        rows = [
            *(_dhfr(results / stored, threads) for threads, stored in DHFR),
            *_waters(results / "ground_states.json", "ground state, s", "seconds", 1),
            *_waters(
                results / "car_parrinello.json", "Car-Parrinello step, s", "seconds_of_a_step", 3
            ),
        ]
        head = ("", "on", "best peer", "finegrain", "finegrain is")
        return table(head, "lllrr", rows)

    return {"speed beside the best peers": front}


def _dhfr(stored: Path, threads: int) -> Row:
    """Compare with the fastest peer on so many threads, both with the peer's thermostat."""
    report = json.loads(stored.read_text(encoding="utf-8"))
    of = {entry["program"]: entry for entry in report["programs"] if entry["threads"] == threads}
    peers = (entry for entry in of.values() if not entry["program"].startswith("finegrain"))
    peer = max(peers, key=lambda entry: float(entry["ns_per_day_median"]))
    ours = of[OURS[peer["thermostat"]]]
    ratio = ours["ns_per_day_median"] / peer["ns_per_day_median"]
    return (
        "DHFR in water, ns/day",
        _where(report, threads),
        f"GROMACS {peer['version']}, {peer['simd']}: {_rate(peer)}",
        _rate(ours),
        f"{ratio:.2f} times as fast",
    )


def _where(report: dict[str, Any], cores: int) -> str:
    """Name the processor in short; the pages with all tables tell its family and model."""
    name = str(report["machine"]["cpu"]).replace("(R)", "").removesuffix(" Processor")
    return f"{cores} core{'s' if cores > 1 else ''}, {name}"


def _rate(entry: dict[str, Any]) -> str:
    least, most = entry["ns_per_day_min"], entry["ns_per_day_max"]
    return f"{entry['ns_per_day_median']:.1f} ({least:.1f} to {most:.1f})"


def _waters(stored: Path, what: str, figure: str, digits: int) -> Iterator[Row]:
    """Compare with the better of the ways in which the peer ran; orbitals held by constraints."""
    report = json.loads(stored.read_text(encoding="utf-8"))
    entries = [entry for entry in report["entries"] if entry["waters"] == WATERS]
    peer = fastest_peer(entries, figure)
    ours = next(
        entry for entry in entries if entry["program"] == "finegrain" and entry["variant"] != "free"
    )
    name = peer["program"]

    def cell(entry: dict[str, Any]) -> str:
        runs = seconds_of(entry, figure)
        ends = f"{min(runs):.{digits}f} to {max(runs):.{digits}f}"
        return f"{statistics.median(runs):.{digits}f} ({ends})"

    yield (
        f"{WATERS} waters, {what}",
        _where(report, report["pes"]),
        f"{name} {report['versions'][name]}: {cell(peer)}",
        cell(ours),
        times_as_fast(ours, peer, figure),
    )
