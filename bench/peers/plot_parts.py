# SPDX-License-Identifier: BSD-3-Clause
"""Draw the stored results of parts.py: buffers after Fig. 6 of Kumar et al., IPDPS 2013; the queue.

Medians, with bars from the least to the greatest of the repeats.

Usage: plot_parts.py [RESULTS] [OUT]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt

COLOURS = {
    "finegrain": "#0b6e4f",
    "malloc": "#c8553d",
    "malloc, never trimmed": "#e3a587",
    "mutex+deque": "#c8553d",
    "moodycamel": "#8fa8c8",
    "moodycamel, tokens": "#33658a",
}
BUFFERS_TARGET_NS = 40


def size_name(count: int) -> str:
    """Name a number of bytes."""
    return f"{count // 1024} KiB" if count >= 1024 else f"{count} B"


def draw(axes: Any, entries: list[dict[str, Any]], x: str, figure: str) -> None:
    """Draw one figure of all peers against a key of the entries."""
    for peer in dict.fromkeys(entry["peer"] for entry in entries):
        own = [entry for entry in entries if entry["peer"] == peer]
        middle = [entry[figure]["median"] for entry in own]
        below = [m - entry[figure]["range"][0] for m, entry in zip(middle, own, strict=True)]
        above = [entry[figure]["range"][1] - m for m, entry in zip(middle, own, strict=True)]
        axes.errorbar(
            [entry[x] for entry in own],
            middle,
            yerr=[below, above],
            label=peer,
            color=COLOURS.get(peer),
            marker="o",
            markersize=4,
            linewidth=2.2 if peer == "finegrain" else 1.4,
            elinewidth=0.9,
            capsize=2,
        )
    axes.set_xscale("log", base=2)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def mark(axes: Any, counts: set[int]) -> None:
    """Mark the measured numbers under the axis instead of powers."""
    axes.set_xticks(sorted(counts), [str(count) for count in sorted(counts)])
    axes.minorticks_off()


def legend(page: Any, axes: Any) -> None:
    """Name the peers of one part of the page above it."""
    handles, labels = axes.get_legend_handles_labels()
    page.legend(
        handles,
        labels,
        ncols=len(labels),
        loc="upper center",
        frameon=False,
        fontsize=8,
        bbox_to_anchor=(0.5, 0.95),
    )


def caption(report: dict[str, Any]) -> str:
    """Describe where and how it was measured."""
    machine = report["machine"]
    return (
        f"{machine['cpu']}, {report['cores']} cores; {report['compiler']}, {report['libc']}; "
        f"{report['date']}; medians of {report['repeats']} interleaved runs, bars: their range"
    )


def buffers(report: dict[str, Any]) -> Any:
    """Draw time per buffer against threads, a column for each size."""
    entries = report["entries"]
    sizes = sorted({entry["bytes"] for entry in entries})
    givers = ("same thread", "neighbour")
    page, grid = plt.subplots(2, len(sizes), figsize=(9, 5.6), sharex=True, sharey=True)
    for row, giver in zip(grid, givers, strict=True):
        for axes, count in zip(row, sizes, strict=True):
            shown = [e for e in entries if e["bytes"] == count and e["given_back_by"] == giver]
            draw(axes, shown, "threads", "cpu_ns")
            axes.axhline(BUFFERS_TARGET_NS, color="black", linewidth=0.8, linestyle="--")
            axes.set_yscale("log")
            axes.set_title(f"{size_name(count)}, given back by {giver}", fontsize=9)
        row[0].set_ylabel("ns of core time per pair")
    for axes in grid[-1]:
        axes.set_xlabel("threads")
        mark(axes, {entry["threads"] for entry in entries})
    for axes in grid.flat:
        axes.tick_params(axis="y", which="minor", length=0)
    legend(page, grid[0][0])
    page.suptitle("Taking a buffer and giving it back (dashed: the target, 40 ns)", fontsize=11)
    return page


def queue(report: dict[str, Any]) -> Any:
    """Draw items per second against producers, and the uncontended pair."""
    entries = report["entries"]
    page, grid = plt.subplots(1, 3, figsize=(9, 3.8), width_ratios=(3, 3, 2))
    titles = {"window": "at most 512 items under way", "flood": "producers never wait"}
    for axes, (flow, title) in zip(grid, titles.items(), strict=False):
        draw(axes, [e for e in entries if e.get("flow") == flow], "producers", "rate")
        axes.set_ylim(bottom=0)
        axes.set_xlabel("producers")
        mark(axes, {entry["producers"] for entry in entries if "producers" in entry})
        axes.set_title(title, fontsize=9)
    grid[0].set_ylabel("million items per second")
    legend(page, grid[0])
    pairs = [entry for entry in entries if "pair_ns" in entry]
    for place, entry in enumerate(reversed(pairs)):
        least, most = entry["pair_ns"]["range"]
        middle = entry["pair_ns"]["median"]
        grid[2].barh(
            place,
            middle,
            xerr=[[middle - least], [most - middle]],
            color=COLOURS.get(entry["peer"]),
            capsize=2,
        )
    grid[2].set_yticks(range(len(pairs)), [e["peer"] for e in reversed(pairs)], fontsize=8)
    grid[2].set_xlabel("ns")
    grid[2].set_title("push and pop alone", fontsize=9)
    page.suptitle("Many producers, one consumer", fontsize=11)
    return page


def main() -> None:
    """Draw the plots of all results that exist."""
    given = [Path(argument) for argument in sys.argv[1:]]
    results = given[0] if given else Path("bench/results")
    out = given[1] if len(given) > 1 else Path("docs/reference")
    plt.rcParams["font.size"] = 8.5
    for part, drawing in (("buffer", buffers), ("queue", queue)):
        path = results / f"{part}_peers.json"
        if not path.is_file():
            print(f"plot_parts: {path} does not exist; no plot of it", file=sys.stderr)
            continue
        report = json.loads(path.read_text(encoding="utf-8"))
        page = drawing(report)
        page.text(0.5, 0.01, caption(report), ha="center", fontsize=7, color="#555555")
        page.tight_layout(rect=(0, 0.03, 1, 0.97))
        page.savefig(out / f"{part}_peers.png", dpi=100, metadata={"Software": None})


if __name__ == "__main__":
    main()
