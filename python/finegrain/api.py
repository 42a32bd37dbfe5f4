# SPDX-License-Identifier: BSD-3-Clause
"""Everything that the commands do, as functions for scripts and notebooks."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from finegrain.arguments import (
    PathOrObject,
    as_path,
    checked_pes,
    checked_steps,
    input_path,
    run_folder,
)
from finegrain.checkpoints import step_of_checkpoint
from finegrain.engine import Progress, load_engine
from finegrain.errors import InputError
from finegrain.evaluation import Energies
from finegrain.job_report import JobReport, describe_job
from finegrain.jobs import Job
from finegrain.new_file import refuse_to_replace
from finegrain.preparation import made_folder, our_errors, prepared_job, write_job
from finegrain.ranks import ranked_engine, usual_pes
from finegrain.run_directory import RunDirectory, existing
from finegrain.run_lock import locked
from finegrain.runs import Run
from finegrain.simulate import Options, engine_run
from finegrain.whole_file import replace_file

if TYPE_CHECKING:
    from finegrain.input import Report


def load(
    input: PathOrObject,  # noqa: A002 - the user's word
    out: PathOrObject | None = None,
    *,
    overwrite: bool = False,
) -> Job:
    """Read an input and the files it names into a job.

    Parameters
    ----------
    input : path
        A TOML input, a job that was made before, a `Job` or a `Run`; a job is opened as it is.
    out : path, optional
        Where to keep the job; by default ``NAME.job.h5`` in the current folder, in place of a job
        of that name.
    overwrite : bool
        Replace the file `out` if it is there; otherwise that is an error. The files of a run are
        never replaced.

    Returns
    -------
    Job
        Atoms, masses, charges, positions and settings, and the file the engine reads.

    Raises
    ------
    InputError
        With every problem of the input, each with its line, value, limit and remedy.
    """
    source = input_path(input)
    if source.suffix == ".h5":
        return Job(source)
    target = as_path(out) if out is not None else Path(f"{source.stem}.job.h5")
    ours = out is None and target.is_file() and bool(Job(target).path)
    refuse_to_replace(target, overwrite=overwrite or ours, inputs=(source,), option="out")
    write_job(source, target)
    return Job(target)


def check(input: PathOrObject) -> Report | JobReport:  # noqa: A002 - the user's word
    """Read an input and all it names as a run would, and write nothing.

    Parameters
    ----------
    input : path, Job or Run
        A TOML input, or a job.

    Returns
    -------
    Report or JobReport
        What a run would be: atoms, cutoffs, mesh, the cut into objects, for a TOML input memory
        too; ``text()`` for people, ``as_dict()`` for programs.

    Raises
    ------
    InputError
        With every problem of the input, each with its line, value, limit and remedy.
    """
    from finegrain.input import check as check_input

    source = input_path(input)
    if source.suffix == ".h5":
        return describe_job(source)
    with our_errors():
        return check_input(source)


def run(
    input: PathOrObject,  # noqa: A002 - the user's word
    out: PathOrObject | None = None,
    *,
    pes: int | None = None,
    steps: int | None = None,
    placement: str = "block",
    overwrite: bool = False,
    stop_after: int = -1,
    ranks: int = 1,
    mpi: str = "auto",
    comm_threads: int = 0,
    balance: str = "none",
    balance_steps: int = 1000,
    memory_checkpoint_steps: int = 0,
    trace: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Simulate.

    Parameters
    ----------
    input : path, Job or Run
        A TOML input, or a job.
    out : path, optional
        Folder of the results; by default the input's ``output.directory``, else ``runs/NAME``.
    pes : int, optional
        Worker threads of each process; by default they share all cores that this process may use.
        No number changes a bit.
    steps : int, optional
        Number of steps, instead of the input's.
    placement : str
        Which thread each object lives on: "block", "round-robin" or "hashed".
    overwrite : bool
        Replace the results that `out` may hold, converted trajectories among them; otherwise they
        are an error.
    stop_after : int
        Stop, resumable, at the first rebuild at or after this step; -1 goes to the end.
    ranks : int
        Number of processes; more than one need an MPI. No number changes a bit.
    mpi : str
        Which MPI starts them: "openmpi", "mpich", or "auto" for the one that is there.
    comm_threads : int
        Threads of each process that do nothing but drive the network; 0 leaves it to the workers.
    balance : str
        Move objects between threads and processes while the run goes on, by the time each has
        taken: "refine" moves few, "greedy" and "bisection" all, "random" without regard to it,
        "none" leaves them where `placement` put them. Changes no bit.
    balance_steps : int
        Steps between two rounds of it; objects move at the first rebuild after so many.
    memory_checkpoint_steps : int
        Steps between two checkpoints in the memory of the hosts, each in two processes, of two
        hosts where there are two; they outlive a lost process, and `resume` goes on from them. 0
        keeps none, and those on disk are all there are.
    trace : bool
        Keep what ran when, for `Run.trace`; costs a percent or two of the time and no bit of the
        result.
    on_progress : callable, optional
        Called a few times a second with a dict of ``step, steps, seconds, temperature`` (K) and
        ``energy_drift`` (kJ/mol/ps/atom). Make it a `ProgressLine` to see it. What it raises stops
        the run, with a checkpoint, and comes out as it is.

    Returns
    -------
    Run
        The results. After Ctrl-C or SIGTERM ``finished`` is False and `resume` goes on.

    Raises
    ------
    InputError
        If something is wrong with the input or an argument, or `out` holds results already; what
        `out` holds then stays as it is.
    ResourceError
        If memory or disk do not suffice, another run is writing into `out`, there is no MPI for
        `ranks`, or a process was lost; the last checkpoint stays.
    NumericsError
        If the system explodes; the message names the atom and the step, the last good checkpoint
        stays.

    Examples
    --------
    >>> run = fg.run("water.toml", steps=1000)  # doctest: +SKIP
    >>> run.result["ns_per_day"], run.trajectory().positions().shape  # doctest: +SKIP
    """
    ranked = ranked_engine(ranks, mpi, comm_threads)
    options = Options(
        pes,
        placement,
        stop_after,
        on_progress,
        ranked,
        balance=balance,
        balance_steps=balance_steps,
        trace=trace,
        memory_steps=memory_checkpoint_steps,
    )
    steps = checked_steps(steps)
    load_engine()
    directory = RunDirectory(as_path(out) if out is not None else default_directory(input))
    directory.refuse_results(overwrite=overwrite)
    with made_folder(directory.path), locked(directory.path):
        directory.refuse_results(overwrite=overwrite)  # a run may have ended there just now
        with prepared_job(input_path(input), directory, steps) as prepared:
            directory.clear()
            prepared.replace(directory.job)
        return engine_run(Job(directory.job), directory, options, None)


def resume(
    out: PathOrObject,
    *,
    pes: int | None = None,
    steps: int | None = None,
    placement: str = "block",
    stop_after: int = -1,
    ranks: int = 1,
    mpi: str = "auto",
    comm_threads: int = 0,
    balance: str = "none",
    balance_steps: int = 1000,
    memory_checkpoint_steps: int = 0,
    ignore_memory: bool = False,
    trace: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Go on with a run that was stopped, to the bit.

    Parameters
    ----------
    out : path or Run
        Folder of the run.
    steps : int, optional
        New total number of steps, to prolong a run that had ended.
    ignore_memory : bool
        Go on from the checkpoint on disk even if that in memory is newer.
    pes, placement, stop_after, ranks, mpi, comm_threads, balance, balance_steps, trace, on_progress
        As for `run`; the number of worker threads and processes may differ from before.
    memory_checkpoint_steps
        As for `run`.

    Returns
    -------
    Run
        The results, old and new frames in one trajectory.

    Raises
    ------
    InputError
        If the checkpoint is gone, corrupt or of another job, or if there is nothing left to do;
        the job in the folder then stays as it is.
    ResourceError
        If memory or disk do not suffice, or another run is writing into the folder.

    Notes
    -----
    A run that was stopped before its first checkpoint, while it minimised, starts again; its bits
    are those it would have had.
    """
    ranked = ranked_engine(ranks, mpi, comm_threads)
    options = Options(
        pes,
        placement,
        stop_after,
        on_progress,
        ranked,
        balance=balance,
        balance_steps=balance_steps,
        trace=trace,
        memory_steps=memory_checkpoint_steps,
        ignore_memory=ignore_memory,
    )
    steps = checked_steps(steps)
    load_engine()
    directory = existing(run_folder(out))
    if not directory.job.exists():
        raise _nothing_to_go_on_from(directory, directory.job, "job")
    with locked(directory.path):
        return _resume(directory, options, steps)


def _resume(directory: RunDirectory, options: Options, steps: int | None) -> Run:
    job = Job(directory.job)
    checkpoint = directory.checkpoint if directory.checkpoint.exists() else None
    if steps is None:
        if directory.finished():
            raise InputError(
                "the run is complete",
                where=str(directory.path),
                value=f"{job.steps:,} steps",
                hint=f"prolong it with: finegrain resume {directory.path} --steps {2 * job.steps}",
            )
    else:
        done = step_of_checkpoint(checkpoint) if checkpoint is not None else 0
        if steps < done:
            raise InputError(
                "the run has gone further than that",
                where=str(directory.path),
                value=f"--steps {steps}",
                limit=f"more than {done:,} steps",
            )
    if checkpoint is None:
        if directory.lost_its_checkpoint():
            raise _nothing_to_go_on_from(directory, directory.checkpoint, "checkpoint")
        directory.clear(keep_job=True)
    before = directory.job.read_bytes()
    if steps is not None:
        job.set_steps(steps)
    try:
        return engine_run(job, directory, options, checkpoint)
    except InputError:
        replace_file(directory.job, before)  # it was refused: a later resume wants the old steps
        raise


def _nothing_to_go_on_from(directory: RunDirectory, file: Path, what: str) -> InputError:
    return InputError(
        f"there is no {what} to go on from",
        where=str(directory.path),
        value=file.name,
        hint="start the run again with finegrain run",
    )


def energy(
    input: PathOrObject,  # noqa: A002 - the user's word
    *,
    pes: int | None = None,
    ranks: int = 1,
    mpi: str = "auto",
    comm_threads: int = 0,
) -> Energies:
    """Evaluate energies by term and forces at the input's positions.

    Parameters
    ----------
    input : path, Job or Run
        A TOML input, or a job.
    pes, ranks, mpi, comm_threads
        As for `run`; none changes a bit.

    Returns
    -------
    Energies
        kJ/mol and kJ/mol/nm.
    """
    ranked = ranked_engine(ranks, mpi, comm_threads)
    threads = checked_pes(pes) or usual_pes(ranked)
    engine = ranked or load_engine()
    with tempfile.TemporaryDirectory() as folder:
        path = input_path(input)
        if path.suffix != ".h5":
            target = Path(folder) / "job.h5"
            write_job(path, target)
            path = target
        with our_errors():
            answer = engine.energy(str(path), pes=threads)
    terms = {str(name): float(value) for name, value in answer["energies"].items()}
    if "total" not in terms:
        terms["total"] = math.fsum(terms.values())
    virial = answer.get("virial")
    return Energies(
        energies=terms,
        forces=np.asarray(answer["forces"], np.float64).reshape(-1, 3),
        virial=None if virial is None else np.asarray(virial, np.float64),
    )


def default_directory(input: PathOrObject) -> Path:  # noqa: A002 - the user's word
    """Return the folder of results where the user names none."""
    path = input_path(input)
    if path.name == "job.h5":  # in the folder of a run, whose name says more
        return Path("runs") / path.resolve().parent.name
    if path.suffix != ".h5":
        from finegrain.input.load import load_input

        wanted = load_input(path, strict=False).model.output.directory
        if wanted:
            return Path(wanted)
    return Path("runs") / path.name.removesuffix(".h5").removesuffix(".toml").removesuffix(".job")
