# SPDX-License-Identifier: BSD-3-Clause
"""The table of grids of the density, from bench/accuracy/density_grids.py."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Table = Callable[[Sequence[str], str, Iterable[Sequence[str]]], list[str]]
Layout = Callable[[Path], list[str]]


def density_grid_layouts(table: Table) -> dict[str, Layout]:
    """Return the layout by name."""

    def grids(results: Path) -> list[str]:
        report = json.loads((results / "density_grids.json").read_text(encoding="utf-8"))
        entries: list[dict[str, Any]] = report["entries"]
        rows = []
        for name in dict.fromkeys(entry["system"] for entry in entries):
            least, *others = (entry for entry in entries if entry["system"] == name)
            for one in (least, *others[:-1]):  # the last is what the others are held against
                rows.append(
                    (
                        name if one is least else "",
                        one["grid"] if "," in one["grid"] else f"{one['grid']} times as dense",
                        " x ".join(str(points) for points in one["points"]),
                        *(
                            f"{one[key]:.0e}"
                            for key in ("net_force", "energy_per_atom", "forces", "forces_removed")
                        ),
                        f"{one['seconds'] / least['seconds']:.2f}",
                    )
                )
        head = (
            "system",
            "grid",
            "points",
            "net force",
            "energy",
            "forces",
            "without the net force",
            "time",
        )
        machine = report["machine"]
        where = (
            f"The largest figures of {report['places']} places; time of an iteration on one core "
            f"of a virtual {machine['cpu']} over that with the first grid, median:"
        )
        return [where, "", *table(head, "lllrrrrr", rows)]

    return {"grids of the density": grids}
