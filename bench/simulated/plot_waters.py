# SPDX-License-Identifier: BSD-3-Clause
"""Draw iterations and steps of waters on simulated nodes beside the published times of steps.

Pictures: simulated_ground_states.png and simulated_dynamics.png, in docs/explanation.

Usage: plot_waters.py [FOLDER_OF_RESULTS] [FOLDER_OF_PICTURES]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
from simulated_waters import PUBLISHED, ROOT

COLOURS = {8: "#33658a", 32: "#0b6e4f", 64: "#b5651d", 256: "#7b2d8b"}
MACHINES = {"bluegene-l": ("o", "Blue Gene/L"), "bluegene-q": ("s", "Blue Gene/Q")}
LINKS = {"shared": "-", "own": "--"}
PUBLISHED_CUTOFF = 70  # Ry

Curves = dict[tuple[str, int, str, float, str], list[tuple[int, float]]]


def curves(rows: list[dict[str, Any]]) -> Curves:
    """Return nodes and seconds by machine, waters, links and division."""
    found: Curves = {}
    for row in sorted(rows, key=lambda row: int(row["nodes"])):
        if row["map"] == "plane":
            key = (
                row["machine"],
                row["waters"],
                row["links"],
                row["cutoff_ry"],
                str(row["division"]),
            )
            found.setdefault(key, []).append((row["nodes"], row["seconds"]))
    return found


def draw(rows: list[dict[str, Any]], what: str, picture: Path) -> None:
    """Make one picture."""
    figure, axes = plt.subplots(figsize=(6.4, 5.4))
    for (machine, waters, links, cutoff, _), points in sorted(curves(rows).items()):
        marker, name = MACHINES[machine]
        axes.loglog(
            *zip(*points, strict=True),
            color=COLOURS[waters],
            marker=marker,
            markersize=4,
            # An empty mark: other work than that of the published step.
            markerfacecolor=None if cutoff == PUBLISHED_CUTOFF else "white",
            linestyle=LINKS[links],
            label=f"{waters} waters at {cutoff:g} Ry, {name}, {links} links",
        )
    for waters in sorted({row["waters"] for row in rows}):
        axes.loglog(
            *zip(*PUBLISHED[waters].items(), strict=True),
            "*:",
            color=COLOURS[waters],
            label=f"{waters} waters, published (Blue Gene/L)",
        )
    axes.set_xlabel("nodes")
    axes.set_ylabel(f"{what}, or published step [s]")
    nodes = sorted({row["nodes"] for row in rows} | {512, 1024})
    axes.set_xticks(nodes, [str(n) for n in nodes], minor=False)
    axes.minorticks_off()
    handles, labels = axes.get_legend_handles_labels()
    known = dict(zip(labels, handles, strict=True))  # divisions have one label
    axes.legend(
        known.values(),
        known.keys(),
        frameon=False,
        fontsize=7,
        ncols=2,
        loc="lower left",
        bbox_to_anchor=(0, 1),
    )
    figure.tight_layout()
    figure.savefig(picture, dpi=130)


def main() -> None:
    """Make the pictures."""
    results = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "bench/results"
    pictures = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/explanation"
    for name, what in (("ground_states", "iteration"), ("dynamics", "step")):
        report = json.loads((results / f"simulated_{name}.json").read_text(encoding="utf-8"))
        draw(report["rows"], what, pictures / f"simulated_{name}.png")


if __name__ == "__main__":
    main()
