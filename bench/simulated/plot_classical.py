# SPDX-License-Identifier: BSD-3-Clause
"""Draw steps of classical dynamics on simulated nodes of Blue Gene/L, by assignment of pairs.

The left picture has the time of a step over the nodes, beside the published one of rhodopsin, the
right one what the nodes do in it on the average.

Usage: plot_classical.py [RESULT] [PICTURE]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "bench")]
import stored  # noqa: E402  (folders of scripts, not packages)

from tables.simulated import ASSIGNED_JOBS, ASSIGNMENTS, TABLE_III, shared_out  # noqa: E402

PICTURE = ROOT / "docs/explanation/simulated_classical.png"
COLOURS = dict(zip(ASSIGNED_JOBS, ("#33658a", "#b5651d"), strict=True))
WAYS = {
    "": ("o-", "half shell"),
    "-midpoint": ("s--", "midpoint"),
    "-cut": ("^:", "midpoint, cut"),
}
PARTS = {"work": "#0b6e4f", "messages": "#b5651d", "waits": "#bbbbbb"}
MOST_NODES = 512  # of a division into 8 x 8 x 8 patches

Rows = dict[tuple[str, int], dict[str, Any]]


def draw_times(axes: Axes, rows: Rows) -> None:
    """Draw the time of a step over the number of nodes."""
    for job, system in ASSIGNED_JOBS.items():
        for way, (style, name) in WAYS.items():
            points = sorted(
                (n, 1e3 * row["seconds"]) for (one, n), row in rows.items() if one == job + way
            )
            if points:
                label = f"{system.split(',')[0]}, {name}"
                axes.loglog(
                    *zip(*points, strict=True), style, color=COLOURS[job], ms=4, label=label
                )
    published = [(n, both) for n, (_, both) in TABLE_III.items() if n <= MOST_NODES]
    axes.loglog(*zip(*published, strict=True), "*-", color="#222222", label="rhodopsin, published")
    nodes = sorted({n for _, n in rows} | {n for n, _ in published})
    axes.set_xticks(nodes, [str(n) for n in nodes], minor=False)
    ticks = [10, 20, 50, 100, 200, 400]
    axes.set_yticks(ticks, [str(one) for one in ticks], minor=False)
    axes.minorticks_off()
    axes.set(xlabel="nodes of Blue Gene/L", ylabel="step [ms]")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=7, loc="upper right")


def draw_parts(axes: Axes, rows: Rows) -> None:
    """Draw what a node does in a step of DHFR, as shares of the step."""
    job = next(iter(ASSIGNED_JOBS))
    bars = [
        (n, way) for n in sorted({n for _, n in rows}) for way in WAYS if (job + way, n) in rows
    ]
    below = [0.0] * len(bars)
    for part, colour in PARTS.items():
        shares = []
        for n, way in bars:
            row = rows[job + way, n]
            shares.append(100 * shared_out(row)[part] / row["seconds"])
        axes.bar(range(len(bars)), shares, bottom=below, color=colour, label=part, width=0.7)
        below = [low + share for low, share in zip(below, shares, strict=True)]
    names = [f"{n}\n{WAYS[way][1]}" for n, way in bars]
    axes.set_xticks(range(len(bars)), names, fontsize=6, rotation=45, ha="right")
    axes.set(ylabel="share of a step of DHFR [%]", xlabel="nodes and assignment", ylim=(0, 100))
    axes.legend(frameon=False, fontsize=8, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))


def main() -> None:
    """Make the picture."""
    result = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "bench/results" / ASSIGNMENTS
    picture = Path(sys.argv[2]) if len(sys.argv) > 2 else PICTURE
    rows = {(row["job"], row["nodes"]): row for row in stored.read(result)["rows"]}
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.2))
    draw_times(axes[0], rows)
    draw_parts(axes[1], rows)
    figure.tight_layout()
    figure.savefig(picture, dpi=130)


if __name__ == "__main__":
    main()
