# SPDX-License-Identifier: BSD-3-Clause
"""The tables of divisions: bench/accuracy/pair_computes.py and patch_sizes.py."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from phase_layouts import Layouts, Table, machine_of
from simulated_ground_layouts import Spread

PES = (2, 4, 6, 8)


def of_all(values: list[float]) -> dict[str, Any]:
    """Return the median and the range of values."""
    return {"median": statistics.median(values), "range": (min(values), max(values))}


def grain_layouts(table: Table, spread: Spread) -> Layouts:
    """Return the layouts by name; `table` lays out one table, `spread` a median with its range."""

    def pair_computes(results: Path) -> list[str]:
        report = json.loads((results / "pair_computes.json").read_text(encoding="utf-8"))
        rows = []
        for system, entries in report["systems"].items():
            for entry in entries:
                fullest = (f"{entry['fullest_ms'][str(pes)]:.3g}" for pes in PES)
                name = f"{system}, {entry['atoms']:,} atoms" if entry is entries[0] else ""
                rows.append(
                    (name, str(entry["pair_computes"]), f"{entry['work_ms']:.4g}", *fullest)
                )
        head = ("system", "pair computes", "all work, ms", *(f"fullest of {n} PEs" for n in PES))
        about = f"On {machine_of(report)}, {report['turns']} turns:"
        return [about, "", *table(head, "lrr" + "r" * len(PES), rows)]

    def patch_sizes(results: Path) -> list[str]:
        report = json.loads((results / "patch_sizes.json").read_text(encoding="utf-8"))
        usual = {row["pes"]: row["ms"] for row in report["rows"][:2]}
        rows = []
        for row in report["rows"]:
            patches = row["patches"]
            count = patches[0] * patches[1] * patches[2]
            ratios = [ms / other for ms, other in zip(row["ms"], usual[row["pes"]], strict=True)]
            rows.append(
                (
                    " x ".join(map(str, patches)),
                    str(row["pair_computes"]),
                    str(round(row["atoms"] / count)),
                    str(row["pes"]),
                    spread(of_all(row["ms"]), 2),
                    spread(of_all(ratios), 2),
                )
            )
        head = ("patches", "pair computes each", "atoms each", "PEs", "ms a step", "of the first")
        about = f"On {machine_of(report)}, {report['rounds']} rounds in turns:"
        return [about, "", *table(head, "lrrrrr", rows)]

    return {"pair computes of a patch": pair_computes, "patch sizes": patch_sizes}
