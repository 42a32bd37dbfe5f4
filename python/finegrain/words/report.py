# SPDX-License-Identifier: BSD-3-Clause
"""The layout of errors, tables and numbers: coloured on a terminal, plain text elsewhere."""

from __future__ import annotations

import errno
import math
import resource
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any

from finegrain.base.least_memory import LEAST
from finegrain.base.visible import visible
from finegrain.errors import (
    KINDS,
    FinegrainError,
    InputError,
    InternalError,
    Problem,
    ResourceError,
)
from finegrain.files.whole import disk_hint

if TYPE_CHECKING:  # rich takes its time to start, and results need none of it
    from rich.console import Console

_HEADLINE = {
    "input": "error",
    "resource": "machine error",
    "numerics": "numerical error",
    "internal": "defect of finegrain",
}

_LONGEST_VALUE = 44  # a longer value gets a line of its own


def console(stream: IO[str] | None = None) -> Console:
    """Return a console that neither wraps nor colours text outside a terminal."""
    from rich.console import Console

    target = stream if stream is not None else sys.stdout
    return Console(file=target, highlight=False, soft_wrap=True, emoji=False, markup=False)


def as_finegrain_error(error: BaseException) -> FinegrainError:
    """Translate any exception into one of ours.

    The engine's exceptions carry ``kind, what, where, value, limit, hint``. A full disk or a
    missing permission is an error of the machine; everything else is a defect of finegrain.
    """
    if isinstance(error, FinegrainError):
        return error
    kind = getattr(error, "kind", None)
    if isinstance(kind, str) and kind in KINDS:
        parts = {
            name: str(getattr(error, name, "") or "")
            for name in ("where", "value", "limit", "hint")
        }
        return KINDS[kind](str(getattr(error, "what", "") or error), **parts)
    if isinstance(error, MemoryError) or _is_without_memory(error):
        return ResourceError("not enough memory", limit=_memory_limit(), hint=_memory_hint)
    if isinstance(error, OSError) and error.strerror:
        place = str(error.filename or "")
        if error.errno in (
            errno.ENOENT,
            errno.EISDIR,
            errno.ENOTDIR,
            errno.ENAMETOOLONG,
            errno.ELOOP,
        ):
            return InputError(error.strerror.lower(), where=place, hint="check the path")
        return ResourceError(error.strerror.lower(), where=place, hint=disk_hint(error))
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return InternalError(what, where=_last_line_of(error), hint="please report it with this line")


_memory_hint = (
    "use a smaller system or another machine, or raise the limit (ulimit -v);\n"
    "`finegrain check` says how much a run takes"
)


def _is_without_memory(error: BaseException) -> bool:
    """Return whether a library or a thread did not start for want of memory."""
    text = str(error)
    if isinstance(error, ImportError):
        return "failed to map segment" in text or "cannot allocate memory" in text.lower()
    return isinstance(error, RuntimeError) and "can't start new thread" in text


def _memory_limit() -> str:
    """Return what this process may use, where something less than the machine bounds it."""
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most == resource.RLIM_INFINITY:
        return ""
    least = f"it takes about {file_size(LEAST)} besides the memory of the run"
    return f"{file_size(most)} of address space (ulimit -v); {least}"


def problem_lines(problems: Sequence[Problem]) -> list[str]:
    """Lay out problems in columns: where, value, what; limit and hint below the value."""
    width_where = max((len(p.where) for p in problems), default=0)
    fitting = [len(p.value) for p in problems if len(p.value) <= _LONGEST_VALUE]
    width_value = max(fitting, default=0)
    indent = " " * (2 + width_where + (2 if width_where else 0))
    lines: list[str] = []
    for problem in problems:
        start = "  " + (problem.where.ljust(width_where) + "  " if width_where else "")
        if len(problem.value) > _LONGEST_VALUE:
            lines += [start + part for part in problem.value.splitlines()[:1]]
            lines += [indent + part for part in problem.value.splitlines()[1:]]
            lines.append(indent + problem.what)
        elif width_value:
            lines.append(f"{start}{problem.value.ljust(width_value)}    {problem.what}")
        else:
            lines.append(start + problem.what)
        if problem.limit:
            lines.append(f"{indent}limit {problem.limit}")
        lines.extend(indent + part for part in problem.hint.splitlines())
        lines.append("")
    return lines


def error_text(error: FinegrainError) -> str:
    """Return the whole message, without colour; its last line is the error's `outcome`."""
    count = len(error.problems)
    noun = "1 problem" if count == 1 else f"{count} problems"
    head = f"{_HEADLINE[error.kind]}  {noun}"
    if error.source:
        head += f" in {error.source}"
    lines = [head, "", *problem_lines(error.problems)]
    if error.outcome:
        lines.append(visible(error.outcome))
    return "\n".join(lines).rstrip("\n") + "\n"


def print_error(error: FinegrainError, stream: IO[str] | None = None) -> None:
    """Print the message to `stream` (stderr), the headline in red on a terminal."""
    from rich.text import Text

    text = Text(error_text(error).rstrip("\n"))
    text.highlight_regex(r"^[a-z ]*(error|defect of finegrain)", "bold red")
    text.highlight_regex(r"(?m)^\s+limit .*$", "yellow")
    console(stream if stream is not None else sys.stderr).print(text)


def error_json(error: FinegrainError) -> dict[str, Any]:
    """Return the message for ``--json``."""
    return {
        "error": {
            "kind": error.kind,
            "exit_status": error.exit_status,
            "source": error.source,
            "problems": [problem.as_dict() for problem in error.problems],
        }
    }


def aligned(rows: Sequence[tuple[str, str]]) -> list[str]:
    """Return names and values as indented lines; further lines of a value stand below its first."""
    width = max(len(name) for name, _ in rows) + 2
    further = "\n" + " " * (width + 2)
    return [f"  {name.ljust(width)}" + value.replace("\n", further) for name, value in rows]


def table_text(rows: Sequence[Sequence[str]], *, numbers: Iterable[int] = ()) -> str:
    """Align columns; the first row is the heading, columns in `numbers` are right-aligned."""
    right = set(numbers)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "-" * max(len(line) for line in lines))
    return "\n".join(lines) + "\n"


def phase_table(result: Mapping[str, Any]) -> str:
    """Lay out the time per phase of a run: seconds over all PEs, share, milliseconds a step."""
    return table_text(phase_rows(result), numbers=(1, 2, 3))


def phase_rows(result: Mapping[str, Any]) -> list[list[str]]:
    """Return the rows of the time per phase, the heading first."""
    pace, seconds = float(result.get("seconds_per_step") or 0), float(result.get("seconds") or 0)
    steps = max(round(seconds / pace), 1) if pace else 1  # of this part of the run
    pes = max(int(result.get("pes") or 1), 1) * max(int(result.get("ranks") or 1), 1)
    rows = [["phase", "PE seconds", "share", "ms/step"]]
    phases = list(result.get("phases", ()))
    whole = sum(float(p["seconds"]) for p in phases)
    for phase in phases:
        seconds = float(phase["seconds"])
        share = seconds / whole if whole else 0.0
        rows.append(
            [
                str(phase["name"]),
                f"{seconds:.2f}",
                f"{100 * share:.1f} %",
                f"{1000 * seconds / steps / pes:.3f}",
            ]
        )
    all_share = "100.0 %" if whole else "-"
    rows.append(["all", f"{whole:.2f}", all_share, f"{1000 * whole / steps / pes:.3f}"])
    return rows


def number_in_words(value: Any, form: str) -> str:
    """Return a number in words; nothing for one that is missing or not finite."""
    return "" if value is None or not math.isfinite(value) else form.format(float(value))


def duration(seconds: float) -> str:
    """Return a length of time in usual words: "45 s", "6 min", "2 h 10 min", "3 d 4 h"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours} h"


def file_size(count: float) -> str:
    """Return a number of bytes with a decimal unit: "1.2 MB"."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def _last_line_of(error: BaseException) -> str:
    trace = error.__traceback__
    place = ""
    while trace is not None:
        code = trace.tb_frame.f_code
        place = f"{code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def atoms_in_words(atoms: int, waters: int, virtual_sites: int) -> str:
    """Return for example "1,360, of which 1,020 in rigid waters, 340 virtual sites"."""
    words = f"{atoms:,}, of which {3 * waters:,} in rigid waters"
    return words + (f", {virtual_sites:,} virtual sites" if virtual_sites else "")
