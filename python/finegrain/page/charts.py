# SPDX-License-Identifier: BSD-3-Clause
"""Panels of curves, for PNG files and pages."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from finegrain.base.visible import visible
from finegrain.page.averages import running_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
_few = 30  # points that are also marked one by one
_most = 4000  # points that a curve is drawn with
_width, _beside = 7.0, 4.5  # inches, of one panel and of each of several beside each other
_pale = 0.35
_letters_per_inch = 15  # of a legend
_most_labels = 12  # a longer legend would take the place of its curves


@dataclass(frozen=True)
class Curve:
    """A curve; values that are not finite leave a gap.

    Attributes
    ----------
    label : str
        Its words in the legend; none if empty.
    colour : str
        One of matplotlib's.
    pale : bool
        Whether it stands behind the others.
    """

    label: str
    x: Floats
    y: Floats
    colour: str
    pale: bool = False


@dataclass(frozen=True)
class Level:
    """A horizontal line, such as a tolerance."""

    label: str
    value: float
    colour: str = "0.5"


@dataclass(frozen=True)
class Chart:
    """A panel of curves over one axis.

    Attributes
    ----------
    y : str
        Name and unit of the vertical axis.
    x : str
        Name and unit of the horizontal axis.
    curves : sequence of Curve
    logarithmic : bool
        Whether the vertical axis is.
    levels : sequence of Level
    whole : bool
        Whether the horizontal axis has whole numbers.
    """

    y: str
    x: str
    curves: Sequence[Curve]
    logarithmic: bool = False
    levels: Sequence[Level] = field(default=())
    whole: bool = False


def about_mean(
    name: str, x: ArrayLike, y: ArrayLike, colour: str, form: str = "{:,.1f}"
) -> Curve | None:
    """Return the change of a quantity about its mean, which is in the label; None without values.

    On axes from zero, or beside a large offset, such a change would be a flat line.
    """
    values = np.asarray(y, np.float64)
    if not np.isfinite(values).any():
        return None
    mean = float(np.mean(values[np.isfinite(values)]))
    label = f"{name}, mean {form.format(mean)}".replace("-", "−")
    return Curve(label, np.asarray(x, np.float64), values - mean, colour)


def with_mean(x: ArrayLike, y: ArrayLike, colour: str) -> list[Curve]:
    """Return a quantity that jumps from row to row, pale, and its running mean."""
    times, values = np.asarray(x, np.float64), np.asarray(y, np.float64)
    width = len(values) // 20
    if width < 3 or not np.isfinite(values).all():
        return [Curve("", times, values, colour)]
    words = f"mean of {width} rows"
    mean = running_mean(times, values, width)
    return [Curve("", times, values, colour, pale=True), Curve(words, *mean, colour)]


def thinned(curve: Curve, most: int = _most) -> tuple[Floats, Floats]:
    """Return the points of a curve; of a long one the lowest and the highest of each stretch."""
    count = len(curve.x)
    if count <= most:
        return curve.x, curve.y
    edges = np.linspace(0, count, max(most // 2, 1) + 1).astype(int)
    kept = set()
    for start, end in pairwise(edges):
        part = curve.y[start:end]
        if np.isfinite(part).any():
            kept |= {start + int(np.nanargmin(part)), start + int(np.nanargmax(part))}
        else:
            kept.add(int(start))
    index = sorted({0, count - 1} | kept)
    return curve.x[index], curve.y[index]


def draw(axes: Axes, chart: Chart, *, columns: int = 1, most: int = _most) -> None:
    """Draw a chart, one of so many beside each other; its legend above it hides no curve."""
    from matplotlib.ticker import MaxNLocator

    for curve in chart.curves:
        x, y = thinned(curve, most)
        if chart.logarithmic:
            y = np.where(y > 0, y, np.nan)
        axes.plot(
            x,
            y,
            color=curve.colour,
            label=visible(curve.label, keep="") or None,
            alpha=_pale if curve.pale else 1.0,
            linewidth=0.8 if curve.pale else 1.3,
            marker="." if len(x) <= _few else None,
        )
    for level in chart.levels:
        axes.axhline(level.value, color=level.colour, linestyle="--", label=level.label)
    if chart.logarithmic:
        axes.set_yscale("log")
    else:
        axes.ticklabel_format(axis="y", useOffset=False)
    if chart.whole:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel(chart.y)
    axes.set_xlabel(chart.x)
    axes.grid(alpha=0.3)
    labels = [curve.label for curve in chart.curves if curve.label]
    labels += [level.label for level in chart.levels]
    if 0 < len(labels) <= _most_labels:
        room = _letters_per_inch * (_width if columns == 1 else _beside)
        axes.legend(
            loc="lower right",  # a power of ten of the axis stands on the left
            bbox_to_anchor=(1, 1),
            ncols=max(1, min(len(labels), int(room / (max(map(len, labels)) + 8)))),
            frameon=False,
            fontsize="small",
            borderaxespad=0.2,
        )


def figure_of(charts: Sequence[Chart], title: str = "", *, height: float = 2.1) -> Figure:
    """Return a figure with charts below each other; equal horizontal axes are written once."""
    figure = empty_figure(_width, (0.7 if title else 0.3) + height * len(charts))
    shared = len({chart.x for chart in charts}) == 1
    panels = figure.subplots(len(charts), squeeze=False, sharex=shared)[:, 0]
    for axes, chart in zip(panels, charts, strict=True):
        draw(axes, chart)
        if shared and axes is not panels[-1]:
            axes.set_xlabel("")
    figure.align_ylabels()
    if title:
        figure.suptitle(visible(title, keep=""), parse_math=False)
    return figure


def empty_figure(width: float, height: float) -> Figure:
    """Return a figure of so many inches that needs no display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def png_of(figure: Any) -> bytes:
    """Return a figure as PNG."""
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=120)
    return image.getvalue()
