# SPDX-License-Identifier: BSD-3-Clause
"""Charts as SVG inside a page: text stays text, and lines take the colour of the page's text."""

from __future__ import annotations

import io
import itertools
import re
from typing import TYPE_CHECKING, Any

from finegrain.base.visible import visible
from finegrain.page.charts import Chart, draw, empty_figure
from finegrain.page.html import text

if TYPE_CHECKING:
    from collections.abc import Sequence

_width, _height = 7.0, 2.3  # inches
_points = 1000  # of a curve
_numbers = itertools.count()


def charts_as_svg(charts: Sequence[Chart], *, points: int = _points) -> list[str]:
    """Return each chart as a picture for a page."""
    return [chart_as_svg(chart, points=points) for chart in charts]


def chart_as_svg(chart: Chart, *, points: int = _points) -> str:
    """Return a chart as a picture for a page."""
    figure = empty_figure(_width, _height)
    draw(figure.subplots(), chart, most=points)
    words = chart.y.replace("-\n", "").replace("\n", " ")
    return svg_of(figure, f"{words} over {chart.x}")


def svg_of(figure: Any, words: str) -> str:
    """Return a figure as SVG with a description; no two in a page share a name of an element."""
    from matplotlib import rc_context

    image = io.StringIO()
    with rc_context({"svg.fonttype": "none", "font.family": "sans-serif"}):
        figure.savefig(image, format="svg", transparent=True, metadata={"Date": None})
    found = image.getvalue()
    found = found[found.index("<svg") :]
    found = re.sub(r"<metadata>.*?</metadata>", "", found, flags=re.DOTALL)
    found = re.sub(r"#000000\b", "currentColor", found)
    found = re.sub(r"\n\s*", "\n", found)
    own = f"c{next(_numbers)}-"
    found = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{own}", found)
    label = text(visible(words, keep=""))
    return found.replace("<svg", f'<svg role="img" aria-label="{label}"', 1).strip()
