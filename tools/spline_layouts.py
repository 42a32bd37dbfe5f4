# SPDX-License-Identifier: BSD-3-Clause
"""The tables of ions by splines, from bench/accuracy/ion_splines.py and bench/micro."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Table = Callable[[Sequence[str], str, Iterable[Sequence[str]]], list[str]]
Layout = Callable[[Path], list[str]]


def spline_layouts(table: Table) -> dict[str, Layout]:
    """Return the layouts by name."""

    def errors(results: Path) -> list[str]:
        stored = results / "ion_spline_errors.json"
        entries: list[dict[str, Any]] = json.loads(stored.read_text(encoding="utf-8"))["entries"]
        rows = []
        for one in entries:
            if one["part"] != "nonlocal":
                continue
            same = ("system", "order", "factor")
            (local,) = (
                other
                for other in entries
                if other["part"] == "local" and all(other[key] == one[key] for key in same)
            )
            rows.append(
                (
                    one["system"],
                    str(one["order"]),
                    f"{one['factor']:g}",
                    *(
                        f"{part[key]:.0e}"
                        for part in (one, local)
                        for key in ("energy_per_atom", "forces")
                    ),
                )
            )
        head = (
            "system",
            "order",
            "factor",
            "nonlocal: energy",
            "forces",
            "local: energy",
            "forces",
        )
        return [
            "Energies in hartree per atom, forces in hartree/bohr:",
            "",
            *table(head, "lrrrrrr", rows),
        ]

    def times(results: Path) -> list[str]:
        report = json.loads((results / "ion_splines.json").read_text(encoding="utf-8"))
        rows = []
        for one in report["systems"]:
            cells = []
            for part in ("nonlocal", "local"):
                cells += [f"{one[part][key]:.2g} s" for key in ("exact_seconds", "spline_seconds")]
            nonlocal_part = one["nonlocal"]
            sizes = f"{nonlocal_part['orbitals']} orbitals, {nonlocal_part['rows']} projectors"
            rows.append((one["system"], sizes, *cells))
        head = ("system", "sizes", "nonlocal: exact", "splines", "local: exact", "splines")
        machine = report["machine"]
        where = f"One core of a virtual {machine['cpu']}, median of {report['rounds']} rounds:"
        return [where, "", *table(head, "llrrrr", rows)]

    return {"errors of splines": errors, "time of splines": times}
