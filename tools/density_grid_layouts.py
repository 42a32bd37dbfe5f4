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
            usual, *others = (entry for entry in entries if entry["system"] == name)
            for one in (usual, *others[:-1]):  # the last is what the others are held against
                rows.append(
                    (
                        name if one is usual else "",
                        f"of {one['grid']}" if "," in one["grid"] else f"{one['grid']} times",
                        " x ".join(str(points) for points in one["points"]),
                        *(
                            f"{one[key]:.1e}"
                            for key in ("net_force", "energy_per_atom", "forces", "forces_removed")
                        ),
                        f"{one['core_seconds'] / usual['core_seconds']:.2f}",
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
        where = (
            f"The largest figures of {report['places']} places, hartree/bohr and hartree per atom; "
            "the time of a run over that with the usual grid:"
        )
        return [where, "", *table(head, "lllrrrrr", rows)]

    return {"grids of the density": grids}
