# SPDX-License-Identifier: BSD-3-Clause
"""Make the README's table of speed from the comparisons stored in bench/results.

Usage: readme_table.py [--check] [ROOT]     --check only tells whether the README is up to date
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

BEGIN = "<!-- speed: made by tools/readme_table.py from bench/results; do not edit -->"
END = "<!-- end of speed -->"


def comparisons(results: Path) -> list[dict[str, Any]]:
    """Read the results that compare programs, in the order of their file names."""
    reports = [
        json.loads(path.read_text(encoding="utf-8")) for path in sorted(results.glob("*.json"))
    ]
    return [report for report in reports if isinstance(report, dict) and report.get("programs")]


def rows(report: Mapping[str, Any]) -> list[str]:
    """Lay out one comparison: a caption, and a row for each program and number of threads."""
    machine = report.get("machine", {}).get("cpu", "a machine that the result does not name")
    system = str(report.get("benchmark", "dhfr")).upper()
    repeats = report.get("repeats")
    runs = f", median (range) of {repeats} interleaved runs" if repeats else ""
    lines = [
        f"{system}, {report['atoms']:,} atoms, on {machine}{runs}:"
        if report.get("atoms")
        else f"{system} on {machine}{runs}:",
        "",
        "| program | threads | ns/day | finegrain is |",
        "|---|---:|---:|---:|",
    ]
    for entry in report["programs"]:
        ratio = entry.get("finegrain_ratio")
        lines.append(
            f"| {entry['program']} {entry.get('version', '')} | {entry['threads']} "
            f"| {entry['ns_per_day_median']:.1f} "
            f"({entry['ns_per_day_min']:.1f} to {entry['ns_per_day_max']:.1f}) "
            f"| {'' if ratio is None else f'{ratio:.2f} times as fast'} |"
        )
    return lines


def with_table(readme: str, reports: list[dict[str, Any]]) -> str:
    """Return the README with its table replaced."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"readme_table: README.md has no lines {BEGIN!r} and {END!r}")
    blocks = ["\n".join(rows(report)) for report in reports] or ["Not measured yet."]
    return f"{before}{begin}\n\n" + "\n\n".join(blocks) + f"\n\n{end}{after}"


def main() -> int:
    """Write the table, or check it."""
    parser = argparse.ArgumentParser(description="The README's table of speed.")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("root", nargs="?", type=Path, default=Path())
    options = parser.parse_args()
    readme = options.root / "README.md"
    now = readme.read_text(encoding="utf-8")
    wanted = with_table(now, comparisons(options.root / "bench/results"))
    if options.check:
        if now != wanted:
            print("readme_table: README.md is not what bench/results says", file=sys.stderr)
        return int(now != wanted)
    readme.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
