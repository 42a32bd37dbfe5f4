# SPDX-License-Identifier: BSD-3-Clause
"""The table of pair computes of a patch, from bench/accuracy/pair_computes.py."""

from __future__ import annotations

import json
from pathlib import Path

from phase_layouts import Layouts, Table, machine_of

PES = (2, 4, 6, 8)


def grain_layouts(table: Table) -> Layouts:
    """Return the layouts by name; `table` lays out one table."""

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

    return {"pair computes of a patch": pair_computes}
