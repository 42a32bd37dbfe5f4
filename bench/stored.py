# SPDX-License-Identifier: BSD-3-Clause
"""The shape of stored results: figures of repeated runs, and one style of JSON.

A result keeps medians, ranges and counts, the machine, the versions and the flags. It does not keep
single runs, except where a table or a picture needs a series.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

WIDTH = 120  # of a line
DIGITS = 7  # that figures of repeated runs keep


def rounded(found: Any) -> Any:
    """Return measured figures with as many digits as are stored."""
    if isinstance(found, list):
        return [rounded(one) for one in found]
    if isinstance(found, dict):
        return {name: rounded(one) for name, one in found.items()}
    return float(f"{found:.{DIGITS}g}") if isinstance(found, float) else found


def spread(values: Sequence[float]) -> dict[str, Any]:
    """Return the median of some values and, of more than one, their range."""
    found: dict[str, Any] = {"median": rounded(statistics.median(values))}
    if len(values) > 1:
        found["range"] = [rounded(min(values)), rounded(max(values))]
    return found


def spreads(runs: Sequence[Mapping[str, Any]], *names: str) -> dict[str, Any]:
    """Return the spread of each of these figures that the runs have."""
    return {
        name: spread([run[name] for run in runs])
        for name in names
        if all(name in run for run in runs)
    }


def compact(found: Any) -> Any:
    """Return what a program printed: without single runs, with ranges beside their medians.

    A program prints a figure with its `median`, `range` and `runs`, or as NAME and NAME_range.
    """
    if isinstance(found, list):
        return [compact(one) for one in found]
    if not isinstance(found, dict):
        return found
    if "median" in found:
        return {name: value for name, value in found.items() if name != "runs"}
    made = {}
    for name, value in found.items():
        if name.endswith("_range") and name.removesuffix("_range") in found:
            continue
        limits = found.get(f"{name}_range")
        made[name] = {"median": value, "range": limits} if limits else compact(value)
    return made


def text(report: Any) -> str:
    """Return a report as JSON: what fits on one line is on one, and other lines are filled."""
    return _laid_out(report, 0, 0) + "\n"


def write(report: Any, out: Path | None) -> None:
    """Write a report, to standard output without a file."""
    if out is None:
        print(text(report), end="")
    else:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text(report), encoding="utf-8")


def read(path: Path) -> Any:
    """Return a stored report."""
    return json.loads(path.read_text(encoding="utf-8"))


def _laid_out(value: Any, indent: int, used: int, *, row: bool = False) -> str:
    """Lay out a value in a line of which some columns are used; a row has no lines of brackets."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or used + len(flat) < WIDTH:
        return flat
    margin = " " * (indent + 1)
    rows = isinstance(value, list) and any(isinstance(item, dict | list) for item in value)
    items = []
    for name, item in value.items() if isinstance(value, dict) else (("", item) for item in value):
        key = f"{json.dumps(name, ensure_ascii=False)}: " if isinstance(value, dict) else ""
        items.append(key + _laid_out(item, indent + 1, len(margin) + len(key), row=rows))
    # A line for each key of the report and for each of its rows; all else fills lines.
    lines = items if rows or not indent else _filled(items, WIDTH - len(margin) - 1)
    inside = f",\n{margin}".join(lines)
    begin, end = "{}" if isinstance(value, dict) else "[]"
    if row and not rows:
        return f"{begin}{inside}{end}"
    return f"{begin}\n{margin}{inside}\n{' ' * indent}{end}"


def _filled(items: list[str], width: int) -> list[str]:
    """Put as many items on each line as fit; one of several lines stands alone."""
    lines = items[:1]
    for item in items[1:]:
        together = f"{lines[-1]}, {item}"
        if "\n" in together or len(together) >= width:
            lines.append(item)
        else:
            lines[-1] = together
    return lines
