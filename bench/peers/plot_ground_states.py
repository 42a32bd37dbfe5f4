# SPDX-License-Identifier: BSD-3-Clause
"""Draw time, memory and shares of ground states over the number of waters, beside pw.x.

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

COLOURS = {"finegrain": "#0b6e4f", "pw.x": "#8fa8c8"}
ROOT = Path(__file__).resolve().parents[2]


def best(entries: list[dict[str, Any]], waters: int, program: str) -> dict[str, Any] | None:
    """Return the entry of a program with the least median time; variants of pw.x compete."""
    of = [one for one in entries if (one["waters"], one["program"]) == (waters, program)]
    return min(of, key=lambda one: float(one["seconds"]["median"]), default=None)


def draw_lines(axes: Any, entries: list[dict[str, Any]], figure: str) -> None:
    """Draw seconds or gigabytes of both programs."""
    for program, colour in COLOURS.items():
        sizes = sorted({one["waters"] for one in entries if one["program"] == program})
        chosen = [(n, best(entries, n, program)) for n in sizes]
        values = [
            one[figure]["median"] / (1 if figure == "seconds" else 1e9) for _, one in chosen if one
        ]
        axes.loglog(sizes, values, color=colour, marker="o", label=program)
    axes.set_xlabel("waters")
    axes.set_ylabel({"seconds": "time of the command [s]", "peak_memory": "memory [GB]"}[figure])
    ticks = sorted({one["waters"] for one in entries})
    axes.set_xticks(ticks, [str(n) for n in ticks], minor=False)
    axes.minorticks_off()
    axes.legend(frameon=False)


def draw_shares(axes: Any, entries: list[dict[str, Any]]) -> None:
    """Draw the shares of our phases, one bar for each size."""
    sizes = sorted({one["waters"] for one in entries})
    bars = [best(entries, n, "finegrain") for n in sizes]
    names = list(dict.fromkeys(name for bar in bars if bar for name in bar["shares"]))
    low = [0.0] * len(sizes)
    for name in names:
        shares = [bar["shares"].get(name, 0.0) if bar else 0.0 for bar in bars]
        if max(shares) < 0.01:
            continue
        axes.bar([str(n) for n in sizes], shares, bottom=low, label=name, width=0.6)
        low = [a + b for a, b in zip(low, shares, strict=True)]
    axes.set_xlabel("waters")
    axes.set_ylabel("share of the time, finegrain")
    axes.legend(frameon=False, fontsize=6, loc="lower left")


def main() -> None:
    """Make the picture."""
    result = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "bench/results/ground_states.json")
    picture = Path(
        sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs/explanation/ground_states_by_size.png"
    )
    entries = json.loads(result.read_text(encoding="utf-8"))["entries"]
    if any("shares" not in one for one in entries):
        sys.exit(f"plot_ground_states: {result} has no shares: measure again with ground_states.py")
    figure, (time_axes, memory_axes, share_axes) = plt.subplots(1, 3, figsize=(10.5, 3.4))
    draw_lines(time_axes, entries, "seconds")
    draw_lines(memory_axes, entries, "peak_memory")
    draw_shares(share_axes, entries)
    figure.tight_layout()
    figure.savefig(picture, dpi=130)


if __name__ == "__main__":
    main()
