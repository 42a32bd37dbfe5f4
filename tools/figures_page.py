# SPDX-License-Identifier: BSD-3-Clause
"""Make docs/reference/figures.md: the figures that the engine reports, from its own description.

Usage: figures_page.py [--check]     --check only checks whether the page is up to date
"""

from __future__ import annotations

import sys
from pathlib import Path

from finegrain.engine.engine import load_engine
from made_page import write_or_check

PAGE = Path(__file__).resolve().parent.parent / "docs/reference/figures.md"

HEAD = """# Figures

This page lists the figures that the engine reports: in `result.json`, in the JSON of `run --json`,
and in Python. Figures that were not measured are `null` in JSON and `None` in Python. A classical
run leaves out `iterations` and `converged`. The package adds the job's title and time step, and the
machine.

This page is made by `tools/figures_page.py` from the lists in
`engine/records/options/run_result.hpp`."""

SECTIONS = {
    "result": "At the end of a run",
    "phases": "Each entry of `phases`",
    "progress": "During a run, a few times a second",
    "energy": "One evaluation (`energy`), besides the forces",
}


def page() -> str:
    """Return the text of the page."""
    figures = load_engine().figures()
    parts = [HEAD]
    for name, title in SECTIONS.items():
        rows = [f"| `{key}` | {unit} | {meaning} |" for key, unit, meaning in figures[name]]
        parts.append(
            "\n".join([f"## {title}", "", "| figure | unit | meaning |", "|---|---|---|", *rows])
        )
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(
        write_or_check(PAGE, page(), f"{PAGE.name} is not up to date: run tools/figures_page.py")
    )
