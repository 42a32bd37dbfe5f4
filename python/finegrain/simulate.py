# SPDX-License-Identifier: BSD-3-Clause
"""A job and the engine: the options of a run, and its result."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypedDict

from finegrain import machine
from finegrain.arguments import (
    checked_balance,
    checked_balance_steps,
    checked_hours,
    checked_memory_steps,
    checked_pes,
    checked_placement,
    checked_stop_after,
)
from finegrain.energies import draw_energies
from finegrain.engine import Progress, run_job
from finegrain.jobs import Job
from finegrain.ranks import ranked_engine, usual_pes
from finegrain.report import phase_table
from finegrain.run_directory import RunDirectory
from finegrain.runs import Run
from finegrain.whole_file import replace_file

DRIFT_UNIT = "kJ/mol/ps/atom"


class How(TypedDict, total=False):
    """The options that `run` and `resume` have in common."""

    pes: int | None
    ranks: int
    mpi: str
    comm_threads: int
    placement: str
    balance: str
    balance_steps: int
    memory_checkpoint_steps: int
    stop_after: int
    hours: float | None
    trace: bool
    on_progress: Callable[[Progress], None] | None


class Options:
    """The options of a run, checked before anything is written, with defaults."""

    def __init__(
        self,
        *,
        pes: int | None = None,
        ranks: int = 1,
        mpi: str = "auto",
        comm_threads: int = 0,
        placement: str = "block",
        balance: str = "none",
        balance_steps: int = 1000,
        memory_checkpoint_steps: int = 0,
        stop_after: int = -1,
        hours: float | None = None,
        trace: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
        ignore_memory: bool = False,
        new_results: bool = False,
    ) -> None:
        self._begun = time.monotonic()
        self.ranked = ranked_engine(ranks, mpi, comm_threads)
        self.pes = checked_pes(pes) or usual_pes(self.ranked)
        self.placement = checked_placement(placement)
        self.balance = checked_balance(balance)
        self.balance_steps = checked_balance_steps(balance_steps)
        self.stop_after = checked_stop_after(stop_after)
        self.hours = checked_hours(hours)
        self.on_progress = on_progress
        self.trace = bool(trace)
        self.memory_steps = checked_memory_steps(memory_checkpoint_steps)
        self.ignore_memory = bool(ignore_memory)
        self.new_results = bool(new_results)
        self.stop: threading.Event | None = None  # of a caller that runs several jobs

    def hours_left(self) -> float:
        """Return the wall time left for the engine; 0 if there is no limit."""
        if self.hours is None:
            return 0.0
        return max(self.hours - (time.monotonic() - self._begun) / 3600.0, 1e-9)


def engine_run(job: Job, directory: RunDirectory, options: Options, checkpoint: Path | None) -> Run:
    """Run a job, from a checkpoint or from its start, and put its results in order."""

    def keep(answer: Mapping[str, Any]) -> None:
        directory.write_result(_completed(answer, job, options))

    answer = run_job(
        job.path,
        directory.path,
        pes=options.pes,
        placement=options.placement,
        balance=options.balance,
        balance_steps=options.balance_steps,
        checkpoint=checkpoint,
        memory_steps=options.memory_steps,
        ignore_memory=options.ignore_memory,
        new_results=options.new_results,
        stop_after=options.stop_after,
        hours=options.hours_left(),
        trace=options.trace,
        on_progress=options.on_progress,
        on_result=keep,
        ranked=options.ranked,
        stop=options.stop,
    )
    if answer.get("state_digest"):  # otherwise it was stopped before the first step
        if answer.get("phases"):
            replace_file(directory.phases, phase_table(answer).encode())
        draw_energies(directory.energies, directory.picture, job.title)
    return Run(directory.path)


def _completed(answer: Mapping[str, Any], job: Job, options: Options) -> dict[str, Any]:
    """Return the engine's figures, completed with what a reader needs to understand them."""
    result = dict(answer)
    result.setdefault("ranks", 1)
    result.setdefault("energy_drift", None)
    result["energy_drift_unit"] = DRIFT_UNIT
    result["conserves_energy"] = job.conserves_energy  # with a heat bath the drift is meaningless
    result["title"] = job.title
    result["timestep_fs"] = job.timestep_fs
    result["map"] = options.placement
    result["balance"] = options.balance
    result["precision"] = job.settings.get("precision", "")
    result["machine"] = machine.fingerprint()
    return result
