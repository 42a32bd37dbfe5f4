# SPDX-License-Identifier: BSD-3-Clause
"""The plot of a trace: what each PE did over time."""

from __future__ import annotations

import os
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.tracing.records import IDLE, PeTrace, Trace

BINS = 240
_NAMED = 6  # entries with their own colour
_PANELS = 8  # PEs with their own panel; more PEs are drawn as a map

Shares = NDArray[np.float64]


def shares_over_time(trace: Trace, bins: int = BINS) -> tuple[NDArray[np.float64], Shares]:
    """Return the share of each interval that each PE spent on each entry.

    Parameters
    ----------
    trace : Trace
        As `read_trace` returns it.
    bins : int
        Number of intervals of equal length.

    Returns
    -------
    edges : ndarray, float64, shape (bins + 1,)
        Seconds since the start.
    shares : ndarray, float64, shape (PEs, entries + 1, bins)
        Between 0 and 1, entries by number, idle last; the rest is the runtime's own time.
    """
    edges = np.linspace(trace.begin, max(trace.end, trace.begin + 1e-9), bins + 1)
    shares = np.zeros((len(trace.pes), len(trace.entries) + 1, bins))
    for number, pe in enumerate(trace.pes):
        _add(pe, edges, shares[number])
    return edges, shares / (edges[1] - edges[0])


def _add(pe: PeTrace, edges: NDArray[np.float64], seconds: Shares) -> None:
    """Add the seconds of each record to the intervals that it overlaps."""
    rows, bins = seconds.shape
    width = edges[1] - edges[0]
    for chunk in pe.chunks():
        begin = (pe.at(chunk["begin"].astype(np.int64)) - edges[0]) / width
        end = begin + chunk["duration"] * (pe.seconds_per_tick / width)
        row = np.where(chunk["kind"] == IDLE, rows - 1, chunk["entry"])
        first = np.clip(begin.astype(np.int64), 0, bins - 1)
        last = np.clip(end.astype(np.int64), 0, bins - 1)
        for step in range(int((last - first).max(initial=0)) + 1):
            bin_ = first + step
            inside = bin_ <= last
            part = np.minimum(end, bin_ + 1) - np.maximum(begin, bin_)
            flat = row[inside] * bins + bin_[inside]
            weights = np.maximum(part[inside], 0) * width
            seconds += np.bincount(flat, weights, rows * bins).reshape(rows, bins)


def plot_utilisation(
    trace: Trace, picture: str | os.PathLike[str] | IO[bytes], title: str = ""
) -> None:
    """Draw what each PE did over time.

    Parameters
    ----------
    trace : Trace
        As `read_trace` returns it.
    picture : path or binary file
        The PNG (a path may be of a PDF or SVG) to write.
    title : str
        Printed above.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    edges, shares = shares_over_time(trace)
    panels = len(trace.pes) <= _PANELS
    height = 1.2 + 1.5 * max(len(trace.pes), 1) if panels else 6
    figure = Figure(figsize=(9, height), layout="constrained")
    FigureCanvasAgg(figure)
    if panels:
        _draw_panels(figure, trace, edges, shares)
    else:
        _draw_map(figure, trace, edges, shares)
    if title:
        figure.suptitle(title, fontsize=11)
    figure.savefig(picture, dpi=100)


def _draw_panels(figure: Any, trace: Trace, edges: NDArray[np.float64], shares: Shares) -> None:
    """Draw a panel for each PE, with the longest entries as coloured layers."""
    whole = shares.sum(axis=(0, 2))
    longest = [int(i) for i in np.argsort(-whole[:-1], kind="stable")[:_NAMED] if whole[i] > 0]
    others = [i for i in range(len(trace.entries)) if i not in longest]
    times = 1e3 * (edges - edges[0])
    all_axes = figure.subplots(max(len(trace.pes), 1), sharex=True, squeeze=False)[:, 0]
    for axes, pe, share in zip(all_axes, trace.pes, shares, strict=False):
        bottom = np.zeros(len(times) - 1)
        layers = [(trace.entries[i], share[i], f"C{n}") for n, i in enumerate(longest)]
        layers.append(("other entries", share[others].sum(axis=0), "0.45"))
        layers.append(("idle", share[-1], "0.88"))
        for name, height, colour in layers:
            axes.stairs(
                bottom + height, times, baseline=bottom, fill=True, color=colour, label=name
            )
            bottom = bottom + height
        axes.set_ylim(0, 1)
        axes.set_xlim(times[0], times[-1])
        axes.set_ylabel(f"PE {pe.pe}" if _one_process(trace) else pe.name.replace(" / ", "\n"))
        axes.set_yticks([0, 0.5, 1], ["0", "50 %", "100 %"])
    all_axes[-1].set_xlabel(_time_label(trace))
    handles, labels = all_axes[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside lower center", ncols=4, frameon=False, fontsize="small"
    )


def _draw_map(figure: Any, trace: Trace, edges: NDArray[np.float64], shares: Shares) -> None:
    """Draw a row for each PE; darker means busier."""
    busy = shares[:, :-1].sum(axis=1)
    axes = figure.subplots()
    extent = (0.0, 1e3 * (edges[-1] - edges[0]), len(trace.pes) - 0.5, -0.5)
    image = axes.imshow(
        busy, aspect="auto", extent=extent, vmin=0, vmax=1, cmap="viridis", interpolation="nearest"
    )
    axes.set_xlabel(_time_label(trace))
    axes.set_ylabel("PE")
    figure.colorbar(image, ax=axes, label="busy share of time")


def _one_process(trace: Trace) -> bool:
    return len({pe.process for pe in trace.pes}) <= 1


def _time_label(trace: Trace) -> str:
    if trace.lost:
        return f"time / ms, from {trace.begin:.2f} s on: earlier records were overwritten"
    return "time / ms"
