# SPDX-License-Identifier: BSD-3-Clause
"""A job's way through the engine: how it is to be run, and what is made of the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from finegrain import machine
from finegrain.arguments import (
    checked_balance,
    checked_balance_steps,
    checked_memory_steps,
    checked_pes,
    checked_placement,
    checked_stop_after,
)
from finegrain.energies import draw_energies
from finegrain.engine import Progress, run_job
from finegrain.jobs import Job
from finegrain.ranks import RankedEngine, usual_pes
from finegrain.report import phase_table
from finegrain.run_directory import RunDirectory
from finegrain.runs import Run
from finegrain.whole_file import replace_file

DRIFT_UNIT = "kJ/mol/ps/atom"


class Options:
    """How to run, checked before anything is written."""

    def __init__(
        self,
        pes: int | None,
        placement: str,
        stop_after: int,
        on_progress: Callable[[Progress], None] | None,
        ranked: RankedEngine | None,
        *,
        balance: str,
        balance_steps: int,
        trace: bool,
        memory_steps: int = 0,
        ignore_memory: bool = False,
    ) -> None:
        self.ranked = ranked
        self.pes = checked_pes(pes) or usual_pes(self.ranked)
        self.placement = checked_placement(placement)
        self.balance = checked_balance(balance)
        self.balance_steps = checked_balance_steps(balance_steps)
        self.stop_after = checked_stop_after(stop_after)
        self.on_progress = on_progress
        self.trace = bool(trace)
        self.memory_steps = checked_memory_steps(memory_steps)
        self.ignore_memory = bool(ignore_memory)


def engine_run(job: Job, directory: RunDirectory, options: Options, checkpoint: Path | None) -> Run:
    """Run a job, from a checkpoint or from its start, and put its results in order."""
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
        stop_after=options.stop_after,
        trace=options.trace,
        on_progress=options.on_progress,
        ranked=options.ranked,
    )
    result = _completed(answer, job, options)
    directory.write_result(result)
    if result.get("state_digest"):  # otherwise it was stopped before the first step
        replace_file(directory.phases, phase_table(result).encode())
        draw_energies(directory.energies, directory.picture, job.title)
    return Run(directory.path)


def _completed(answer: Mapping[str, Any], job: Job, options: Options) -> dict[str, Any]:
    """Return the engine's figures with what a reader needs to understand them."""
    result = dict(answer)
    result.setdefault("ranks", 1)
    result.setdefault("energy_drift", None)
    result["energy_drift_unit"] = DRIFT_UNIT
    result["conserves_energy"] = job.conserves_energy  # under a heat bath the drift means nothing
    result["title"] = job.title
    result["timestep_fs"] = job.timestep_fs
    result["map"] = options.placement
    result["balance"] = options.balance
    result["precision"] = job.settings.get("precision", "")
    result["machine"] = machine.fingerprint()
    return result
