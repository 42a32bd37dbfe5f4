# SPDX-License-Identifier: BSD-3-Clause
"""A report of times as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from finegrain.words.report import table_text


def report_text(report: Mapping[str, Any]) -> str:
    """Return a report as a table: microseconds for a transform forward and one back."""
    settings = report["settings"]
    kind = "real" if settings["real"] else "complex"
    precision = "single" if settings["single"] else "double"
    where = f"{report['ranks']} processes of {report['mpi']}" if report["mpi"] else "one process"
    batch = f", batch of {settings['batch']}" if settings["batch"] > 1 else ""
    head = (
        f"{kind} transforms in {precision} precision{batch}, forward and back, {where}; "
        f"microseconds, median and range of {report['repeats']} rounds"
    )
    rows = [["grid", "program", "median", "from", "to", "time / ours"]]
    for entry in report["entries"]:
        times = entry["microseconds"]
        rows.append(
            [
                " x ".join(str(n) for n in entry["grid"]),
                f"{entry['program']} {entry['version']}".rstrip(),
                f"{times['median']:.1f}",
                f"{times['range'][0]:.1f}",
                f"{times['range'][1]:.1f}",
                f"{entry['finegrain_ratio']:.2f}",
            ]
        )
    lines = [head, "", table_text(rows, numbers=(2, 3, 4, 5)).rstrip("\n")]
    if report["left_out"]:
        lines += ["", *(f"left out: {name}: {why}" for name, why in report["left_out"].items())]
    return "\n".join(lines) + "\n"
