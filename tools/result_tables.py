# SPDX-License-Identifier: BSD-3-Clause
"""Make the tables of figures in README.md and docs/ from what is stored in bench/results.

A page has two lines for each table, between which it lies:
    <!-- figures: NAME; made by tools/result_tables.py from bench/results, do not edit -->
    <!-- end of figures -->
NAME is one of those that tables/ describes. A row with a median and its range anywhere
else is an error: nobody would notice when it is wrong.

Usage: result_tables.py [--check] [ROOT]    --check only tells whether the pages are up to date
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tables import TABLES

BEGIN = re.compile(
    r"<!-- figures: (.+); made by tools/result_tables\.py from bench/results, do not edit -->"
)
END = "<!-- end of figures -->"
MEASURED = re.compile(r"\d \([\d.]+ to [\d.]+\)")  # a median with its range


class BadPageError(Exception):
    """A page from which it cannot be seen what belongs where."""


def with_tables(text: str, results: Path) -> str:
    """Return a page with all its tables made again."""
    lines: list[str] = []
    source = iter(text.split("\n"))
    for line in source:
        lines.append(line)
        begin = BEGIN.fullmatch(line)
        if begin is None:
            if line.startswith("|") and MEASURED.search(line):
                raise BadPageError(f"a measured row between no marks: {line}")
            if "<!-- figures:" in line or line == END:
                raise BadPageError(f"a mark without its other half, or misspelt: {line}")
            continue
        name = begin[1]
        if name not in TABLES:
            raise BadPageError(f"no table is called {name!r}; there are {', '.join(TABLES)}")
        for old in source:
            if old == END:
                break
            if BEGIN.fullmatch(old):
                raise BadPageError(f"the table {name!r} has no end")
        else:
            raise BadPageError(f"the table {name!r} has no end")
        lines += ["", *TABLES[name].lines(results), "", END]
    return "\n".join(lines)


def pages(root: Path) -> Iterator[Path]:
    """Yield the pages that may hold tables of results."""
    yield root / "README.md"
    yield from sorted((root / "docs").rglob("*.md"))


def main() -> int:
    """Write the tables, or check them."""
    parser = argparse.ArgumentParser(description="Tables of figures from the stored results.")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("root", nargs="?", type=Path, default=Path())
    options = parser.parse_args()
    failed = False
    for page in pages(options.root):
        now = page.read_text(encoding="utf-8")
        try:
            wanted = with_tables(now, options.root / "bench/results")
        except (BadPageError, FileNotFoundError, KeyError) as error:
            print(f"result_tables: {page}: {error}", file=sys.stderr)
            failed = True
            continue
        if now == wanted:
            continue
        if options.check:
            print(f"result_tables: {page} is not what bench/results says", file=sys.stderr)
            failed = True
        else:
            page.write_text(wanted, encoding="utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
