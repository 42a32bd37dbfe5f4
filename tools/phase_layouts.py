# SPDX-License-Identifier: BSD-3-Clause
"""The layouts of a step by its parts, and of the pair kernel beside its bound.

See result_tables.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

Table = Callable[..., list[str]]
Layouts = dict[str, Callable[[Path], list[str]]]

NOT_YET = ["Not measured yet."]
UNITS = {"pair": "ns a pair", "atom": "ns an atom", "point": "ns a mesh point"}


def machine_of(report: Mapping[str, Any]) -> str:
    """Name the processor; families differ that have one name."""
    of = report.get("machine", {})
    name = str(of.get("cpu", "a machine that the result does not name"))
    return (
        f"{name} (family {of['cpu_family']}, model {of['cpu_model']})"
        if "cpu_model" in of
        else name
    )


def tolerance_of(report: Mapping[str, Any]) -> str:
    """Name the tolerance of pair lists if programs were given the same; with a comma before it."""
    given = report.get("settings", {}).get("pair_list_tolerance_kj_per_mol_ps")
    return f", both with a pair list tolerance of {given:g} kJ/mol/ps" if given else ""


def phase_layouts(table: Table) -> Layouts:
    """Return the layouts by name; `table` lays out rows."""

    def parts(results: Path) -> list[str]:
        lines: list[str] = []
        for path in sorted(results.glob("*.json")):
            report = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(report, dict) and report.get("counts"):
                lines += ["", *_of_report(report, table)]
        return lines[1:] or NOT_YET

    def kernel(results: Path) -> list[str]:
        path = results / "pair_kernel.json"
        if not path.exists():
            return NOT_YET
        found = json.loads(path.read_text(encoding="utf-8"))
        rows = [
            (
                entry["row"],
                f"{100 * entry['share']:.0f} %",
                *(f"{entry['operations'][name]:.1f}" for name in found["limits"]),
                f"{entry['bound']:.1f}",
                entry["by"],
            )
            for entry in found["rows"]
        ]
        head = ("a row of 16 pairs", "share", *found["limits"], "bound, cycles", "set by")
        measured = found["cycles_per_row"]
        return [
            *table(head, "lr" + "r" * len(found["limits"]) + "rl", rows),
            "",
            f"{found['machine']['cpu']}: {measured:.1f} cycles for a row, bound "
            f"{found['bound']:.1f}: {100 * found['bound'] / measured:.0f} % of the roof.",
        ]

    return {"a step by its parts": parts, "the pair kernel and its bound": kernel}


def _of_report(report: Mapping[str, Any], table: Table) -> list[str]:
    """Lay out one comparison: the programs that tell where their time goes."""
    found = [entry for entry in report["programs"] if entry.get("parts")]
    lines: list[str] = []
    for threads in dict.fromkeys(entry["threads"] for entry in found):
        these = [entry for entry in found if entry["threads"] == threads]
        head = ["", ""]
        for entry in these:
            simd = entry.get("simd")
            head += [f"{entry['program']}{', ' + simd if simd else ''}", ""]
        names = _in_one_order(entry["parts"] for entry in these)
        rows = []
        for name, within in names:
            cells = [_one(entry["parts"], name) for entry in these]
            unit = next((part.get("per", "") for part in cells if part), "")
            row = [f"· {name}" if within else name, UNITS.get(unit, "")]
            for part in cells:
                row.append(f"{part['ms']:.3f}" if part else "")
                row.append(f"{part['ns_per']:.2f}" if part and "ns_per" in part else "")
            rows.append(row)
        counts = report["counts"]
        lines += [
            "",
            f"{report['benchmark'].upper()}, {counts['atom']:,} atoms, {counts['pair']:,} pairs "
            f"within the cutoff, {counts['point']:,} mesh points; {threads} "
            f"thread{'s' if threads > 1 else ''} on {machine_of(report)}{tolerance_of(report)}. "
            "Core time of a step in ms, and divided "
            "by what is counted:",
            "",
            *table(head, "ll" + "rr" * len(these), rows),
        ]
    return lines[1:]


def _in_one_order(programs: Iterable[list[dict[str, Any]]]) -> list[tuple[str, bool]]:
    """Return the parts of all programs with whether each is a share of one before it.

    What only one of them tells stands behind what comes before it there.
    """
    names: list[tuple[str, bool]] = []
    for parts in programs:
        before = 0
        for part in parts:
            name = part["part"], bool(part["within"])
            if name not in names:
                names.insert(before, name)
            before = names.index(name) + 1
    return names


def _one(parts: list[dict[str, Any]], name: str) -> dict[str, Any] | None:
    return next((part for part in parts if part["part"] == name), None)
