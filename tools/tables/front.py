# SPDX-License-Identifier: BSD-3-Clause
"""The one table of the README: DHFR and 32 waters, each beside its best peer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from table_maker import Entry, Table, fill, read
from tables.ab_initio import GROUND_STATES, beside_peer
from tables.classical import RATE

DHFR = ((1, "dhfr_peers_zen4.json"), (2, "dhfr_peers_zen4.json"), (8, "dhfr_peers_16_cores.json"))
WATERS = 32
OURS = {"sd": "finegrain", "v-rescale": "finegrain-v-rescale"}  # by the peer's thermostat
GROMACS, QE = "GROMACS {version}, {simd}: ", "{peer[program]} {version}: "


def rows(results: Path) -> Iterator[Entry]:
    """Yield DHFR on some numbers of threads, a ground state and a step of dynamics."""
    for threads, stored in DHFR:
        yield dhfr(read(results / stored), threads)
    yield waters(read(results / GROUND_STATES), "ground state, s", "seconds", 1)
    steps = read(results / "car_parrinello.json")
    yield waters(steps, "Car-Parrinello step, s", "seconds_of_a_step", 3)


def dhfr(report: Any, threads: int) -> Entry:
    """Compare with the fastest peer on so many threads, both with the peer's thermostat."""
    of = {entry["program"]: entry for entry in report["programs"] if entry["threads"] == threads}
    peers = (entry for entry in of.values() if not entry["program"].startswith("finegrain"))
    peer = max(peers, key=lambda entry: float(entry["ns_per_day_median"]))
    ours = of[OURS[peer["thermostat"]]]
    return {
        "what": "DHFR in water, ns/day",
        "on": where(report, threads),
        "theirs": fill(GROMACS + RATE, peer),
        "ours": fill(RATE, ours),
        "ratio": ours["ns_per_day_median"] / peer["ns_per_day_median"],
    }


def where(report: Any, cores: int) -> str:
    """Name the processor in short; the pages with all tables tell its family and model."""
    name = str(report["machine"]["cpu"]).replace("(R)", "").removesuffix(" Processor")
    return f"{cores} core{'s' if cores > 1 else ''}, {name}"


def waters(report: Any, what: str, figure: str, digits: int) -> Entry:
    """Compare with the better of the ways in which the peer ran; orbitals held by constraints."""
    entries = [entry for entry in beside_peer(figure)(report) if entry["variant"] != "free"]
    (ours,) = (entry for entry in entries if entry["waters"] == WATERS)
    version = report["versions"][ours["peer"]["program"]]
    return {
        "what": f"{WATERS} waters, {what}",
        "on": where(report, report["pes"]),
        "theirs": fill(f"{QE}{{peer[{figure}]:spread {digits}}}", {**ours, "version": version}),
        "ours": fill(f"{{{figure}:spread {digits}}}", ours),
        "ratio": ours["peer"][figure]["median"] / ours[figure]["median"],
    }


TABLES = [
    Table("speed beside the best peers", lambda results: [rows(results)], list, """
        <            | {what}
        < on         | {on}
        < best peer  | {theirs}
        finegrain    | {ours}
        finegrain is | {ratio:.2f} times as fast
    """),
]  # fmt: skip
