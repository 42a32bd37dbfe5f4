# SPDX-License-Identifier: BSD-3-Clause
"""Draw iterations of ground states on simulated nodes beside the published times of steps.

Usage: plot_ground_states.py [RESULT] [PICTURE]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
from ground_state_table import PUBLISHED

COLOURS = {8: "#33658a", 32: "#0b6e4f", 64: "#8fa8c8"}
ROOT = Path(__file__).resolve().parents[2]


def curves(rows: list[dict[str, Any]]) -> dict[tuple[int, str], list[tuple[int, float]]]:
    """Return nodes and seconds by waters and division."""
    found: dict[tuple[int, str], list[tuple[int, float]]] = {}
    for row in sorted(rows, key=lambda row: int(row["nodes"])):
        if row["map"] == "plane":
            key = row["waters"], str(row["cut"])
            found.setdefault(key, []).append((row["nodes"], row["seconds"]))
    return found


def main() -> None:
    """Make the picture."""
    stored = ROOT / "bench/results/simulated_ground_states.json"
    result = Path(sys.argv[1]) if len(sys.argv) > 1 else stored
    picture = Path(
        sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs/explanation/simulated_ground_states.png"
    )
    rows = json.loads(result.read_text(encoding="utf-8"))["rows"]
    figure, axes = plt.subplots(figsize=(5.2, 3.8))
    drawn = set()
    for (waters, _), points in curves(rows).items():
        label = f"{waters} waters" if waters not in drawn else None
        drawn.add(waters)
        axes.loglog(*zip(*points, strict=True), color=COLOURS[waters], marker="o", label=label)
    for waters in sorted(drawn):
        axes.loglog(
            *zip(*PUBLISHED[waters].items(), strict=True),
            "*:",
            color=COLOURS[waters],
            label=f"{waters} waters, published",
        )
    axes.set_xlabel("nodes")
    axes.set_ylabel("iteration, or published step [s]")
    nodes = sorted({row["nodes"] for row in rows} | {512})
    axes.set_xticks(nodes, [str(n) for n in nodes], minor=False)
    axes.minorticks_off()
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(picture, dpi=130)


if __name__ == "__main__":
    main()
