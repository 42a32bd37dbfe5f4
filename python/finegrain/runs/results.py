# SPDX-License-Identifier: BSD-3-Clause
"""The results of a run of any kind: its job, figures, log and trace."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

from finegrain.base.arguments import PathOrObject, run_folder
from finegrain.base.visible import visible
from finegrain.files.plain import plain_text
from finegrain.page.html import (
    Section,
    items,
    names_and_values,
    preformatted,
    style,
    table,
)
from finegrain.runs.folder.directory import RunDirectory, existing
from finegrain.runs.folder.lock import is_being_written
from finegrain.runs.job import JobFile
from finegrain.tracing.reading import read_trace
from finegrain.tracing.records import Trace
from finegrain.words.report import file_size, phase_rows, phase_table

Rows = list[tuple[str, str]]
FileState = tuple[int, int, int] | None
Job = TypeVar("Job", bound=JobFile)
_longest_input = 200_000  # letters of an input that a page has


class RunResults:
    """The results in the folder of a run.

    Each kind of run has a class of its own, with its further results.

    Parameters
    ----------
    path : path
        The folder, as named by ``finegrain run``.

    Raises
    ------
    InputError
        If the folder holds no run.
    """

    def __init__(self, path: PathOrObject) -> None:
        self.directory: RunDirectory = existing(run_folder(path))
        self._job: JobFile | None = None
        self._state_of_job: FileState = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.directory.path)!r})"

    def __fspath__(self) -> str:
        return str(self.directory.path)

    @property
    def path(self) -> Path:
        """The folder."""
        return self.directory.path

    def holding(self, job: JobFile | None) -> Self:
        """Return these results, with the job of the run if that is open already."""
        self._job, self._state_of_job = job, _state_of(self.directory.job)
        return self

    def _opened(self, kind: type[Job]) -> Job:
        """Return the job of the run, opened again only if the file has changed."""
        state = _state_of(self.directory.job)
        if isinstance(self._job, kind) and state is not None and state == self._state_of_job:
            return self._job
        job = kind(self.directory.job)
        self._job, self._state_of_job = job, state
        return job

    @property
    def job(self) -> JobFile:
        """The job of the run."""
        raise NotImplementedError

    @property
    def result(self) -> dict[str, Any]:
        """The figures of the run: ``steps, seconds_per_step, state_digest``..."""
        return self.directory.read_result()

    @property
    def finished(self) -> bool:
        """Whether the run came to the end of its job; otherwise `resume` continues."""
        return self.directory.finished(lambda _path: self.job)

    @property
    def running(self) -> bool:
        """Whether a command or an engine is at work on the run now."""
        return is_being_written(self.path)

    @property
    def state_digest(self) -> str:
        """SHA-256 of the final state: equal bits, equal digests."""
        return str(self.result["state_digest"])

    def trace(self) -> Trace:
        """Open the trace of a run that was made with ``trace=True``."""
        return read_trace(self)

    def log(self) -> str:
        """Return run.log."""
        return plain_text(self.directory.log, "replace")

    def summary(self) -> Rows:
        """Return the lines of ``finegrain show`` as name and value."""
        rows = self._rows() if self.directory.result.exists() else self._unfinished()
        return [(name, visible(value, keep="")) for name, value in rows if value]

    def _rows(self) -> Rows:
        """Return what is known about a run with a result."""
        result = self.result
        title = result.get("title", "")
        if "title" not in result and self.directory.job.exists():  # the engine ran alone
            title = self.job.title
        return [
            ("run", str(self.path)),
            ("state", "running; the figures here are of its last stop" if self.running else ""),
            ("system", f"{title}, {int(result.get('atoms', 0)):,} atoms"),
            *self._length(result),
            ("worker threads", threads_in_words(result)),
            ("speed", self._speed(result)),
            *self._found(result),
            *(("warning", str(warning)) for warning in result.get("warnings", ())),
            ("state digest", str(result.get("state_digest", ""))),
        ]

    def _length(self, _result: dict[str, Any], /) -> Rows:
        """Return how long a run with a result is."""
        return []

    def _speed(self, result: dict[str, Any], /) -> str:
        """Return how fast it was; nothing if that was not measured."""
        raise NotImplementedError

    def _found(self, result: dict[str, Any], /) -> Rows:
        """Return what it has found."""
        raise NotImplementedError

    def _unfinished(self) -> Rows:
        """Return what is known about a run that is in progress, or ended without a result."""
        ended = "ended without a result, or at work on another machine"
        state = "running" if self.running else ended
        rows = [("run", str(self.path)), ("state", state)]
        if self.directory.job.exists():
            rows.append(("system", f"{self.job.title}, {self.job.atoms:,} atoms"))
        return rows

    def figures(self) -> dict[str, Any]:
        """Return what ``--json`` has in addition to the figures of the engine."""
        return {}

    def outcome(self) -> str:
        """Return what a command says of a run that stopped early, or nothing."""
        return ""

    def _saved_at(self, word: str) -> str:
        """Return what a command says of a run that has saved its state at a step, or WORD."""
        step = int(self.result.get("steps", 0))
        saved = f"Saved at {word} {step:,}. Continue with: finegrain resume {self.path}"
        if self.result.get("stopped_by") == "hours":
            return f"Stopped because the wall time of --hours was over.\n\n{saved}"
        return saved

    def notes(self) -> list[str]:
        """Return what `check` said of the input, such as what was kept aside of its files."""
        if not self.directory.job.exists():
            return []
        return [visible(note, keep="") for note in self.job.notes]

    def phases(self) -> str:
        """Return the table of time per phase."""
        return phase_table(self.result)

    def page_title(self) -> str:
        """Return the title of a page of this run."""
        title = self.job.title if self.directory.job.exists() else ""
        return self.directory.titled(title) or self.path.name

    def page_sections(
        self, *, points: int = 1000, alone: bool = True, structure: bool = True
    ) -> list[Section]:
        """Return the sections of a page: summary, warnings, curves, structure, times.

        Parameters
        ----------
        points : int
            Points that a curve is drawn with.
        alone : bool
            Whether there are no other runs in the page, which have the same notes.
        structure : bool
            Whether the structure is drawn.
        """
        found = [Section("Summary", [names_and_values(self._short_summary())])]
        if warnings := [*self._warnings(), *(self.notes() if alone else [])]:
            found.append(Section("Warnings and notes", [items(warnings, style="warnings")]))
        found += self._curves(points)
        if structure:
            found += self._structure()
        if self.directory.result.exists() and self.result.get("phases"):
            rows = table(phase_rows(self.result), numbers=(1, 2, 3))
            found.append(Section("Where the time went", [rows]))
        return found

    def settings_section(self) -> list[Section]:
        """Return the input of the run for a page, if the job has it."""
        words = self.job.input_text if self.directory.job.exists() else ""
        if not words.strip():
            return []
        cut = len(words) - _longest_input
        shown = words[:_longest_input] + (f"\n… {cut:,} more letters" if cut > 0 else "")
        return [Section("Settings", [preformatted(shown)], closed=True)]

    def files_section(self) -> Section:
        """Return the files of the run for a page."""
        sizes = [(file.name, file_size(file.stat().st_size)) for file in self.directory.results()]
        return Section("Files", [table([("file", "size"), *sizes], numbers=(1,))], closed=True)

    def _short_summary(self) -> Rows:
        return [row for row in self.summary() if row[0] != "warning"]

    def _warnings(self) -> Sequence[str]:
        if not self.directory.result.exists():
            return []
        return [str(warning) for warning in self.result.get("warnings", ())]

    def _curves(self, _points: int, /, *, frames: bool = True) -> list[Section]:  # noqa: ARG002
        """Return what changes over time, with pictures; without `frames` from tables alone."""
        return []

    def _structure(self) -> list[Section]:
        """Return the structure, and other pictures that are not of curves."""
        return []

    def _repr_html_(self) -> str:
        found = [Section("", [names_and_values(self.summary())]), *self._curves(300, frames=False)]
        parts = [part for section in found for part in section.parts]
        return f'{style()}<div class="finegrain">{"".join(parts)}</div>'

    def __str__(self) -> str:
        """Return the summary as text."""
        lines = self.summary()
        width = max(len(name) for name, _ in lines)
        return "\n".join(f"{name.ljust(width)}  {value}" for name, value in lines)


def _state_of(file: Path) -> FileState:
    """Return what changes when a file is written again; None if there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def threads_in_words(result: dict[str, Any]) -> str:
    """Return the number of worker threads, and of processes if there are several."""
    ranks = int(result.get("ranks") or 1)
    return str(result.get("pes") or "") + (f" in each of {ranks} processes" if ranks > 1 else "")
