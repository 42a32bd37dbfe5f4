# SPDX-License-Identifier: BSD-3-Clause
"""A job and the engine: the options of a run, and its result."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from finegrain.engine import machine
from finegrain.engine.engine import run_job
from finegrain.engine.memory import machine_memory
from finegrain.engine.ranks import ranked_engine, usual_pes
from finegrain.errors import InputNote, ResourceError
from finegrain.files.whole import replace_file
from finegrain.runs.folder.directory import RunDirectory
from finegrain.runs.job import JobFile
from finegrain.runs.kind import Kind
from finegrain.runs.minimisation import MinimisationRows
from finegrain.runs.options import OPTIONS, HowToGoOn
from finegrain.runs.results import RunResults
from finegrain.words.report import file_size, phase_table


class Options:
    """The options of a run, checked before anything is written, with defaults."""

    def __init__(self, **how: Unpack[HowToGoOn]) -> None:
        self._begun = time.monotonic()
        given: dict[str, Any] = dict(how)
        self.on_progress = how.get("on_progress")
        given.pop("on_progress", None)
        if unknown := sorted(given.keys() - OPTIONS.keys()):
            raise TypeError(f"there is no such option: {', '.join(unknown)}")
        values = {name: given.get(name, option.default) for name, option in OPTIONS.items()}
        self.ranked = ranked_engine(values["ranks"], values["mpi"], values["comm_threads"])
        self.values = {name: option.check(values[name]) for name, option in OPTIONS.items()}
        self.stop: threading.Event | None = None  # of a caller that runs several jobs
        self._noted: set[str] = set()

    def for_engine(self, checkpoint: Path | None) -> dict[str, Any]:
        """Return the options as ``_engine.run`` takes them."""
        values = {
            **self.values,
            "pes": self.values["pes"] or usual_pes(self.ranked),
            "hours": self.hours_left(),
        }
        wanted = {name: values[name] for name, option in OPTIONS.items() if option.engine}
        return {**wanted, "resume": "" if checkpoint is None else str(checkpoint)}

    def note(self, job: JobFile) -> None:
        """Warn, once in a run, if the job is not divided finely enough for all PEs.

        Warns
        -----
        InputNote
        """
        each = self.values["pes"] or usual_pes(self.ranked)
        note = job.note_of_pes(each * (self.ranked.ranks if self.ranked else 1))
        if note and note not in self._noted:
            self._noted.add(note)
            warnings.warn(note, InputNote, stacklevel=4)

    def hours_left(self) -> float:
        """Return the wall time left for the engine; 0 if there is no limit."""
        hours: float | None = self.values["hours"]
        if hours is None:
            return 0.0
        return max(hours - (time.monotonic() - self._begun) / 3600.0, 1e-9)


def refuse_checkpoints_beyond_memory(job: JobFile, options: Options) -> None:
    """Complain if a run with checkpoints in memory takes more than the machine has.

    Raises
    ------
    ResourceError
        Also if the run alone takes too much.
    """
    steps = options.values["memory_checkpoint_steps"]
    if not steps:
        return
    ranks = options.ranked.ranks if options.ranked else 1
    most = machine_memory()
    checkpoints = job.memory_of_checkpoints(ranks)
    if checkpoints == 0 or job.memory + checkpoints <= most:
        return
    raise ResourceError(
        "checkpoints in memory take more than this machine has",
        where="--memory-checkpoint-steps",
        value=str(steps),
        limit=f"{file_size(most)}; the run takes about {file_size(job.memory)}, and its "
        f"checkpoints about {file_size(checkpoints)} more",
        hint="leave it out: there are still checkpoints on disk (output.checkpoint_interval)",
    )


def engine_run(
    kind: Kind, job: JobFile, directory: RunDirectory, options: Options, checkpoint: Path | None
) -> RunResults:
    """Run a job of a kind, from a checkpoint or from its start, and put its results in order."""
    options.note(job)

    def keep(answer: Mapping[str, Any]) -> None:
        directory.write_result(_completed(answer, kind.figures(job), job, options))

    descent = MinimisationRows(directory.minimisation, options.on_progress)
    try:
        answer = run_job(
            job.path,
            directory.path,
            options.for_engine(checkpoint),
            on_progress=descent,
            on_result=keep,
            ranked=options.ranked,
            stop=options.stop,
        )
    finally:
        descent.write()
    if answer.get("state_digest"):  # otherwise it was stopped before the first step
        if answer.get("phases"):
            replace_file(directory.phases, phase_table(answer).encode())
        if kind.drawn_after_runs:
            kind.finish(directory, job)
        if not options.values["trace"]:
            kind.learn(job, answer)
    return kind.open_run(directory.path, job)


def _completed(
    answer: Mapping[str, Any], figures: Mapping[str, Any], job: JobFile, options: Options
) -> dict[str, Any]:
    """Return the engine's figures, completed with what a reader needs to understand them."""
    result = {**figures, **answer}
    result.setdefault("ranks", 1)
    result["title"] = job.title
    result["map"] = options.values["map"]
    result["balance"] = options.values["balance"]
    result["machine"] = machine.fingerprint()
    return result
