# SPDX-License-Identifier: BSD-3-Clause
"""Draw the transforms on a simulated Blue Gene/L after figures 2 to 5 of Eleftheriou et al. (2005).

Usage: plot_transforms.py [RESULT] [PICTURE]
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
import matplotlib.ticker

from tables import TRANSFORM_COST, VOLUMETRIC, bound_us

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "machines"))
from machines import MACHINES

COLOURS = {"slabs": "#8fa8c8", "pencils": "#33658a", "bricks": "#0b6e4f"}
STYLES = {32: ":", 64: "--", 128: "-"}


def one_node_us(mesh: int) -> float:
    """Return the time of the arithmetic on one node."""
    operations = 15 * mesh**3 * math.log2(mesh)
    return 1e6 * operations * TRANSFORM_COST / MACHINES["bluegene-l"].operations


def curves(rows: list[dict[str, Any]]) -> dict[tuple[str, int], list[tuple[int, float]]]:
    """Return nodes and microseconds by decomposition and grid."""
    found: dict[tuple[str, int], list[tuple[int, float]]] = {}
    for row in sorted(rows, key=lambda row: int(row["nodes"])):
        found.setdefault((row["decomposition"], row["mesh"]), []).append((row["nodes"], row["us"]))
    return found


def draw(axes: Any, kind: str, mesh: int, points: list[tuple[int, float]]) -> None:
    """Draw one curve."""
    label = f"{kind}, {mesh}³"
    axes.loglog(
        *zip(*points, strict=True),
        STYLES[mesh],
        color=COLOURS[kind],
        marker="o",
        markersize=3,
        label=label,
    )


def main() -> None:
    """Make the picture."""
    root = Path(__file__).resolve().parents[2]
    result = (
        Path(sys.argv[1])
        if len(sys.argv) > 1
        else root / ("bench/results/simulated_volumetric.json")
    )
    picture = (
        Path(sys.argv[2])
        if len(sys.argv) > 2
        else root / ("docs/explanation/simulated_transforms.png")
    )
    every = json.loads(result.read_text(encoding="utf-8"))["rows"]
    rows = [row for row in every if "senders" not in row and "network" not in row]
    figure, (time, speedup, approach) = plt.subplots(1, 3, figsize=(14.5, 4.4))
    for (kind, mesh), points in curves(rows).items():
        draw(time, kind, mesh, points)
        draw(speedup, kind, mesh, [(n, one_node_us(mesh) / us) for n, us in points])
        if kind == "bricks":
            draw(approach, kind, mesh, [(n, us * n ** (2 / 3)) for n, us in points])
    for mesh, (packets, _) in VOLUMETRIC.items():
        bounds = {r["nodes"]: bound_us(mesh, r["torus"]) for r in rows if r["mesh"] == mesh}
        nodes = sorted(bounds)
        own = {"color": "#c8553d", "linestyle": STYLES[mesh], "linewidth": 0.9}
        time.loglog(nodes, [bounds[n] for n in nodes], **own)
        approach.loglog(
            nodes, [bounds[n] * n ** (2 / 3) for n in nodes], label=f"bandwidth, {mesh}³", **own
        )
        time.loglog(512, 1e6 * packets, "*", color="#222222")
        approach.loglog(
            512, 1e6 * packets * 512 ** (2 / 3), "*", color="#222222", label="bricks, published"
        )
    time.set_title("time of a forward transform (µs)")
    speedup.set_title("speed-up over the arithmetic of one node")
    approach.set_title("time × nodes$^{2/3}$ (µs)")
    for axes in (time, speedup, approach):
        axes.set_xlabel("nodes")
        axes.set_xticks([8, 64, 128, 256, 512], minor=False)
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.xaxis.set_minor_locator(mpl.ticker.NullLocator())
        axes.grid(color="#dddddd", linewidth=0.6)
    lines, labels = speedup.get_legend_handles_labels()
    more, more_labels = approach.get_legend_handles_labels()
    wanted = [*(f"bandwidth, {mesh}³" for mesh in VOLUMETRIC), "bricks, published"]
    others = [more_labels.index(label) for label in wanted]
    approach.legend(
        [*lines, *(more[place] for place in others)],
        [*labels, *(more_labels[place] for place in others)],
        fontsize=8,
        loc="center left",
        bbox_to_anchor=(1.02, 0.5),
    )
    figure.tight_layout()
    figure.savefig(picture, dpi=100, metadata={"Software": None})


if __name__ == "__main__":
    main()
