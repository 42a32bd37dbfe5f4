# SPDX-License-Identifier: BSD-3-Clause
"""The summary of a trace as tables, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from finegrain.tracing.critical_path import CriticalPath
from finegrain.tracing.records import Trace
from finegrain.tracing.summary import SizeClass, TraceSummary
from finegrain.words.report import file_size, table_text

_MOST_PES = 16  # with a line each


def trace_text(trace: Trace, summary: TraceSummary, path: CriticalPath) -> str:
    """Lay out the summary: PEs, entries, messages, critical path."""
    parts = [_pes(summary), _entries(summary), _messages(summary), _path(path)]
    if trace.lost:
        parts.insert(
            0,
            f"note: only the last {summary.seconds:.3g} s are kept; {trace.lost:,} earlier "
            "records were overwritten\n",
        )
    return "\n".join(parts)


def trace_json(
    trace: Trace, summary: TraceSummary, path: CriticalPath, files: Sequence[Path]
) -> dict[str, Any]:
    """Return the summary for ``--json``; times in seconds, sizes in bytes."""
    return {
        "directory": str(trace.path),
        "files": [str(file) for file in files],
        "seconds": summary.seconds,
        "utilisation": summary.utilisation,
        "lost": trace.lost,
        "pes": [asdict(pe) for pe in summary.pes],
        "entries": [asdict(entry) for entry in summary.entries],
        "messages": [asdict(size) for size in summary.messages],
        "critical_path": asdict(path),
    }


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _pes(summary: TraceSummary) -> str:
    rows = [["PE", "seconds", "busy", "idle", "runtime"]]
    for pe in summary.pes[:_MOST_PES]:
        length = pe.seconds or 1.0
        shares = (_percent(part / length) for part in (pe.busy, pe.idle, pe.runtime))
        rows.append([f"process {pe.process} / PE {pe.pe}", f"{pe.seconds:.3f}", *shares])
    hidden = len(summary.pes) - _MOST_PES
    more = f"and {hidden} more; --json has them all\n" if hidden > 0 else ""
    whole = f"utilisation {_percent(summary.utilisation)} over {summary.seconds:.3f} s\n"
    return table_text(rows, numbers=(1, 2, 3, 4)) + more + whole


def _entries(summary: TraceSummary) -> str:
    rows = [["entry", "calls", "seconds", "share", "mean / us", "longest / us"]]
    for entry in summary.entries:
        rows.append(
            [
                entry.name,
                f"{entry.calls:,}",
                f"{entry.seconds:.3f}",
                _percent(entry.share),
                f"{1e6 * entry.mean:.1f}",
                f"{1e6 * entry.longest:.1f}",
            ]
        )
    return table_text(rows, numbers=(1, 2, 3, 4, 5))


def _messages(summary: TraceSummary) -> str:
    rows = [["messages of", "number", "volume", "between PEs", "mean wait / us"]]
    for size in summary.messages:
        rows.append(
            [
                _limits(size),
                f"{size.messages:,}",
                file_size(size.bytes),
                f"{size.between_pes:,}",
                f"{1e6 * size.mean_wait:.1f}",
            ]
        )
    return table_text(rows, numbers=(1, 2, 3, 4))


def _limits(size: SizeClass) -> str:
    if size.limit is None:
        return "more"
    return f"up to {size.limit:,} B" if size.limit else "a value, or nothing"


def _path(path: CriticalPath) -> str:
    rows = [["on the critical path", "slices", "seconds", "share"]]
    for entry in path.entries:
        rows.append(
            [entry.name, f"{entry.slices:,}", f"{entry.seconds:.4f}", _percent(entry.share)]
        )
    return (
        table_text(rows, numbers=(1, 2, 3))
        + f"critical path {path.seconds:.3f} s, {_percent(path.share)} of the time: "
        f"{path.slices:,} slices of work, {path.messages:,} messages, "
        f"{path.between_pes:,} of them between PEs"
        + (f", {path.between_processes:,} between processes" if path.between_processes else "")
        + "\n"
    )
