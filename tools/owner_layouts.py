# SPDX-License-Identifier: BSD-3-Clause
"""How the table of the comparison with the owners of formats is laid out; see result_tables.py."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Table = Callable[[Sequence[str], str, Iterable[Sequence[str]]], list[str]]


def owner_layouts(table: Table) -> dict[str, Callable[[Path], list[str]]]:
    """Return the layouts by name; `table` lays out one table."""

    def owners(results: Path) -> list[str]:
        rows: list[Sequence[str]] = []
        for path in sorted((results / "owners").glob("*.json")):
            rows += _rows(json.loads(path.read_text(encoding="utf-8")))
        head = ("family", "owner", "term", "inputs", "largest difference", "of", "in")
        return table(head, "lllrrrl", rows)

    return {"owners": owners}


def _rows(report: Any) -> list[Sequence[str]]:
    """Return a row for each term of a family: the input with the largest difference."""
    found: dict[str, list[tuple[float, float, str, str]]] = {}
    for entry in report["inputs"]:
        for name, term in entry.get("terms", {}).items():
            apart = abs(term["ours"] - term["owner"])
            found.setdefault(name, []).append(
                (apart, term["owner"], entry["input"], term["unit"] or report["unit"])
            )
    rows: list[Sequence[str]] = []
    for name, values in found.items():
        apart, of, where, unit = max(values)
        head = (report["family"], f"{report['owner']} {report['version']}", name)
        size = f"{apart:.1e} {unit}".rstrip()
        rows.append((*head, str(len(values)), size, f"{of:.6g}" if of else "", where))
    return rows
