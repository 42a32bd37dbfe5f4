# SPDX-License-Identifier: BSD-3-Clause
"""The trace of a run: reading, sums, plots, and export for other viewers."""

from __future__ import annotations

from finegrain.tracing.critical_path import CriticalPath, critical_path
from finegrain.tracing.perfetto import write_perfetto
from finegrain.tracing.picture import plot_utilisation
from finegrain.tracing.reading import read_trace
from finegrain.tracing.records import PeTrace, Trace
from finegrain.tracing.summary import TraceSummary, summarise

__all__ = [
    "CriticalPath",
    "PeTrace",
    "Trace",
    "TraceSummary",
    "critical_path",
    "plot_utilisation",
    "read_trace",
    "summarise",
    "write_perfetto",
]
