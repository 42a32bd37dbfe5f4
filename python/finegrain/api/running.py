# SPDX-License-Identifier: BSD-3-Clause
"""Runs: simulate, continue, evaluate once, open."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Unpack

from finegrain.api.inputs import default_directory
from finegrain.base.arguments import (
    PathOrObject,
    as_path,
    checked_pes,
    checked_scale,
    checked_steps,
    run_folder,
)
from finegrain.classical.staged_run import StagedRun, clear_stages, is_staged, refuse_stages
from finegrain.classical.stages import (
    prepare_stage_jobs,
    refuse_steps,
    resume_stages,
    run_stages,
)
from finegrain.engine.engine import load_engine
from finegrain.engine.ranks import ranked_engine, usual_pes
from finegrain.errors import InputError, InputNote
from finegrain.files.hdf5 import refuse_excess
from finegrain.files.plain import plain_bytes
from finegrain.files.whole import replace_file
from finegrain.kinds.new_job import prepared_job, write_job
from finegrain.kinds.python_input import AnyInput, opened_input
from finegrain.kinds.registry import has_stages, kind_named, open_job, open_plain_run
from finegrain.runs.checkpoints import refuse_odd_checkpoints, step_of_checkpoint
from finegrain.runs.evaluation import Energies
from finegrain.runs.folder.directory import RunDirectory, existing
from finegrain.runs.folder.kept_input import FOLDER, refuse_to_lose, settle_kept_input
from finegrain.runs.folder.lock import locked
from finegrain.runs.job import JobFile
from finegrain.runs.job_header import own_version
from finegrain.runs.options import How, HowToGoOn
from finegrain.runs.preparation import made_folder, our_errors
from finegrain.runs.results import RunResults
from finegrain.runs.same_processor import note_other_simd_target
from finegrain.runs.simulate import Options, engine_run, refuse_checkpoints_beyond_memory
from finegrain.toml_input.source import is_job


def run(
    input: AnyInput,  # noqa: A002 - the user's word
    out: PathOrObject | None = None,
    *,
    steps: int | None = None,
    scale: float | None = None,
    overwrite: bool = False,
    allow_scripts: bool = False,
    **how: Unpack[How],
) -> RunResults | StagedRun:
    """Simulate; if the input has stages, one stage after the other.

    Parameters
    ----------
    input : path, Job, Run or dict
        A TOML input, or a job. Or a dict with the sections and keys of TOML; in ``system`` objects
        may stand for files. ``topology`` may be ``(System, Topology)`` or a Simulation of OpenMM,
        or an AMBER topology of ParmEd, ``coordinates`` positions with their unit, or a State of
        OpenMM, ``structure`` of an ab initio run atoms of ASE. Quantities may be text, or those of
        pint or OpenMM. Names of files are relative to the current folder.
    out : path, optional
        Folder of the results; by default the input's ``output.directory``, else ``runs/NAME``. A
        dict is kept there as ``input/input.toml``, with files that hold its objects.
    steps : int, optional
        Number of steps, instead of the input's.
    scale : float, optional
        For a quick try of an input with stages: the share of its steps that each stage makes, such
        as 0.01. Rows of energies and frames come as much closer together.
    overwrite : bool
        Replace results in `out`, including converted trajectories; otherwise existing results are
        an error.
    allow_scripts : bool
        Execute Python code in the user's own force field files; otherwise such files are refused.
    pes : int, optional
        Worker threads of each process; by default they share all cores that this process may use.
        The number changes no bit.
    ranks : int
        Number of processes, 1 by default; more than one needs an MPI. The number changes no bit.
    mpi : str
        Which MPI starts them: "openmpi", "mpich", or "auto", the default, for the installed one.
    comm_threads : int
        Threads of each process that only drive the network; with 0, the default, the workers drive
        it.
    map : str
        Map from objects to threads. The default, "cost", places by estimated work; in an ab initio
        run on several processes it is "plane". Others are "block", "hybrid", "round-robin" and
        "hashed"; with "mesh-1" the mesh of a classical run is on one thread of each process, which
        has nothing else with "mesh-1-alone". Changes no bit.
    pin : str
        Where threads are bound. With "cores", the default, each has one core; with "none" they are
        free. "0-3,8" names processors of each host, one for each thread of the host's processes.
    balance : str
        Move objects between threads and processes during the run, by the time that each has taken.
        "refine" moves few, "greedy" and "bisection" move all, "random" moves them at random. With
        "none", the default, they stay where `map` put them. Changes no bit.
    balance_steps : int
        Steps between two rounds of balancing, 1000 by default; objects move at the first rebuild
        after that many steps.
    memory_checkpoint_steps : int
        Steps between two checkpoints in the memory of the hosts. Each is kept by two processes, on
        two hosts if possible. It survives the loss of a process, and `resume` continues from it.
        With 0, the default, there are only checkpoints on disk.
    stop_after : int
        Stop, resumable, at the first rebuild at or after this step; -1, the default, runs to the
        end. The steps of all stages count together.
    hours : float, optional
        Stop, resumable, after so many hours of wall time; without it there is no limit.
    companion_seconds : float
        Longest wait for one answer of the program that finds the dispersion while ions move, 600 s
        by default. If it takes longer, the run ends; `resume` continues it.
    trace : bool
        Record what ran when, for `Run.trace`; changes no bit.
    on_progress : callable, optional
        Called a few times a second with a dict of ``step, steps, seconds, temperature`` (K) and
        ``energy_drift`` (kJ/mol/ps/atom). Use a `ProgressLine` to print it. If it raises an
        exception, the run stops with a checkpoint and the exception is raised unchanged.

    Returns
    -------
    Run, GroundStateRun, DynamicsRun or StagedRun
        The results. After Ctrl-C, SIGTERM or SIGHUP, and when `hours` are over, ``finished`` is
        False and `resume` continues the run.

    Raises
    ------
    InputError
        If something is wrong with the input or an argument, or if `out` holds results already,
        which are then left unchanged.
    ResourceError
        If memory or disk do not suffice, another run is writing into `out`, there is no MPI for
        `ranks`, or a process was lost. The last checkpoint is kept.
    NumericsError
        If the simulation becomes unstable, or a ground state is not found. The message names the
        atom or the iteration, and the step; the last good checkpoint is kept.

    Examples
    --------
    >>> run = fg.run("water.toml", steps=1000)  # doctest: +SKIP
    >>> run.result["ns_per_day"], run.trajectory().positions().shape  # doctest: +SKIP
    """
    options = Options(**how)
    steps, share = checked_steps(steps), checked_scale(scale)
    load_engine()
    directory = RunDirectory(as_path(out) if out is not None else default_directory(input))
    refuse_stages(directory.path, overwrite=overwrite)
    directory.refuse_results(open_job, overwrite=overwrite)
    with opened_input(input, directory.path.resolve().name or "input") as source:
        refuse_to_lose(source, directory.path / FOLDER)
        staged = has_stages(source)
        if staged:
            refuse_steps(steps)
        elif scale is not None:
            what, hint = "is for an input with stages", "--steps N sets the steps of this one"
            raise InputError(what, where="--scale", value=f"{share:g}", hint=hint)
        with made_folder(directory.path), locked(directory.path):
            refuse_stages(directory.path, overwrite=overwrite)  # a run may just have ended there
            directory.refuse_results(open_job, overwrite=overwrite)
            if staged:
                stages = prepare_stage_jobs(
                    source,
                    directory.path,
                    overwrite=overwrite,
                    allow_scripts=allow_scripts,
                    scale=share,
                )
                settle_kept_input(source, directory.path)
                return run_stages(stages, options, _continue)
            with prepared_job(source, directory, steps, allow_scripts) as job:
                refuse_checkpoints_beyond_memory(job, options)
                directory.clear()
                clear_stages(directory.path)
                job.move(directory.job)
            settle_kept_input(source, directory.path)
            return engine_run(kind_named(job.of_kind), job, directory, options, None)


def resume(
    out: PathOrObject,
    *,
    steps: int | None = None,
    **how: Unpack[HowToGoOn],
) -> RunResults | StagedRun:
    """Continue a stopped run, with the same bits; of a run in stages, all stages that are left.

    Parameters
    ----------
    out : path, Run or StagedRun
        Folder of the run.
    steps : int, optional
        New total number of steps, to continue a run that was complete; not of a run in stages.
    ignore_memory : bool
        Use the checkpoint on disk even if one in memory is newer.
    new_results : bool
        If the trajectory or the energies are missing or damaged, begin new files at the checkpoint
        and keep the old ones under other names. Without this option it is an error, unless the
        files are whole up to the previous checkpoint.
    **how
        All other arguments as for `run`; the number of threads and processes may be different.

    Returns
    -------
    Run, GroundStateRun, DynamicsRun or StagedRun
        The results; old and new frames are in one trajectory.

    Raises
    ------
    InputError
        If the checkpoint is gone, corrupt or of another job, if the results do not reach it, or if
        there is nothing left to do. The job in the folder then stays as it is.
    ResourceError
        If memory or disk do not suffice, another run is writing into the folder, or a process was
        lost. The last checkpoint is kept.
    NumericsError
        As for `run`.

    Notes
    -----
    A run that was stopped before its first checkpoint, during minimisation, starts again and gives
    the same bits.
    """
    options = Options(**how)
    steps = checked_steps(steps)
    load_engine()
    if is_staged(out):
        return resume_stages(StagedRun(out), options, steps, _continue)
    directory = existing(run_folder(out))
    if not directory.job.exists():
        raise _nothing_to_go_on_from(directory, directory.job, "job")
    with locked(directory.path):
        return _resume(directory, options, steps)


def _continue(directory: RunDirectory, options: Options) -> RunResults:
    return _resume(directory, options, None)


def _resume(directory: RunDirectory, options: Options, steps: int | None) -> RunResults:
    job = open_job(directory.job)
    refuse_other_version(job)
    refuse_checkpoints_beyond_memory(job, options)
    refuse_odd_checkpoints(directory.path)
    refuse_excess(directory.trajectory)
    checkpoint = directory.checkpoint if directory.checkpoint.exists() else None
    if directory.finished(lambda _path: job) and (steps is None or not job.makes_steps):
        raise _complete(directory, job, steps)
    if steps is not None:
        done = step_of_checkpoint(checkpoint) if checkpoint is not None else 0
        if steps < done:
            raise InputError(
                "the run is already beyond this step",
                where=str(directory.path),
                value=f"--steps {steps}",
                limit=f"more than {done:,} steps",
            )
    if checkpoint is None:
        if job.checkpoints and directory.lost_its_checkpoint():
            raise _nothing_to_go_on_from(directory, directory.checkpoint, "checkpoint")
        if directory.log.exists() or directory.got_beyond_a_start():
            warnings.warn(
                f"{directory.path}: no checkpoint had been written yet; the run begins again from "
                "the start",
                InputNote,
                stacklevel=3,
            )
        directory.clear(keep_job=True)
    else:
        note_other_simd_target(job, directory.log)
    before = plain_bytes(directory.job)
    if steps is not None:
        job.refuse_steps(steps, str(directory.path))
        job.set_steps(steps)
    try:
        return engine_run(kind_named(job.of_kind), job, directory, options, checkpoint)
    except InputError:
        replace_file(directory.job, before)  # it was refused: a later resume needs the old steps
        raise


def open_run(path: PathOrObject) -> RunResults | StagedRun:
    """Open the results in the folder of a run of any kind.

    Parameters
    ----------
    path : path
        The folder.

    Returns
    -------
    Run, GroundStateRun, DynamicsRun or StagedRun
        By the kind of its job; a `StagedRun` if the folder is of a run in stages.

    Raises
    ------
    InputError
        If the folder holds no run.
    """
    return StagedRun(path) if is_staged(path) else open_plain_run(path)


def refuse_other_version(job: JobFile) -> None:
    """Complain about a run of another version: this one would not give the same bits."""
    if not job.made_by or job.made_by == own_version():
        return
    hint = "continue it with that version; or start a new run from where it stands, with the "
    hint += 'input and [system] coordinates = "checkpoint.h5" (ab initio: [ground_state] start)'
    raise InputError(
        "the run was made by another version, and would not continue the same bits",
        where=str(job.path),
        value=f"finegrain {job.made_by}",
        limit=f"finegrain {own_version()}",
        hint=hint,
    )


def _complete(directory: RunDirectory, job: JobFile, steps: int | None) -> InputError:
    """Return why a run that is done does not continue."""
    what, value = "the run is complete", f"{job.steps:,} steps"
    if not job.makes_steps:
        what = (
            "the ground state was found: a search for the electrons' lowest energy with the ions "
            "at rest, which ends there and has no further steps"
        )
        value = "" if steps is None else f"--steps {steps}"
    hint = job.goes_on_with(directory.path)
    return InputError(what, where=str(directory.path), value=value, hint=hint)


def _nothing_to_go_on_from(directory: RunDirectory, file: Path, what: str) -> InputError:
    return InputError(
        f"there is no {what} to continue from",
        where=str(directory.path),
        value=file.name,
        hint="start the run again with finegrain run",
    )


def energy(
    input: AnyInput,  # noqa: A002 - the user's word
    *,
    pes: int | None = None,
    ranks: int = 1,
    mpi: str = "auto",
    comm_threads: int = 0,
    allow_scripts: bool = False,
) -> Energies:
    """Evaluate energies by term and forces at the input's positions.

    Parameters
    ----------
    input : path, Job, Run or dict
        A TOML input, a job, or a dict with the keys of TOML, see `run`.
    pes, ranks, mpi, comm_threads
        As for `run`; none changes a bit.
    allow_scripts : bool
        As for `run`.

    Returns
    -------
    Energies
        Energies by term; forces, float64, shape (atoms, 3); and more. Units are kJ/mol and
        kJ/mol/nm, for an ab initio input hartree and hartree/bohr.

    Raises
    ------
    InputError
        With every problem of the input.
    ResourceError
        If memory does not suffice, there is no MPI for `ranks`, or a process was lost.
    NumericsError
        If the ground state of an ab initio run was not found.
    """
    ranked = ranked_engine(ranks, mpi, comm_threads)
    threads = checked_pes(pes) or usual_pes(ranked)
    engine = ranked or load_engine()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "job.h5"
        with opened_input(input) as source:
            if is_job(source):
                path = source
            else:
                write_job(source, path, allow_scripts=allow_scripts)
        with our_errors():
            answer = engine.energy(str(path), pes=threads)
            job = open_job(path)
            return kind_named(job.of_kind).energies(answer, job)
