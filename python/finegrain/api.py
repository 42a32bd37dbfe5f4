# SPDX-License-Identifier: BSD-3-Clause
"""Everything that the commands do, as functions for scripts and notebooks."""

from __future__ import annotations

import contextlib
import math
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.energies import plot_energies, read_energies
from finegrain.engine import Progress, load_engine, run_job, usable_cores
from finegrain.errors import FinegrainError, InputError
from finegrain.jobs import Job
from finegrain.report import as_finegrain_error, phase_table
from finegrain.run_directory import RunDirectory, existing
from finegrain.runs import Run
from finegrain.whole_file import replace_file

if TYPE_CHECKING:
    from finegrain.input import Report

DRIFT_UNIT = "kJ/mol/ps/atom"


@dataclass(frozen=True)
class Energies:
    """One evaluation of the energy and its derivatives.

    Attributes
    ----------
    energies : dict of str to float
        By term and "total", in `unit`.
    forces : ndarray, float64, shape (atoms, 3)
        kJ/mol/nm, atoms in the input's order.
    virial : ndarray, float64, shape (6,), or None
        kJ/mol: xx, yy, zz, xy, xz, yz.
    """

    energies: dict[str, float]
    forces: NDArray[np.float64]
    virial: NDArray[np.float64] | None
    unit: str = "kJ/mol"

    @property
    def total(self) -> float:
        """Sum of all terms, kJ/mol."""
        return self.energies["total"]


def load(input: str | Path, out: str | Path | None = None) -> Job:  # noqa: A002 - the user's word
    """Read an input and the files it names into a job.

    Parameters
    ----------
    input : path
        A TOML input, or a job that was made before.
    out : path, optional
        Where to keep the job; by default ``NAME.job.h5`` in the current folder.

    Returns
    -------
    Job
        Atoms, masses, charges, positions and settings, and the file the engine reads.

    Raises
    ------
    InputError
        With every problem of the input, each with its line, value, limit and remedy.
    """
    source = Path(input)
    if source.suffix == ".h5":
        return Job(source)
    target = Path(out) if out is not None else Path(f"{source.stem}.job.h5")
    _write_job(source, target)
    return Job(target)


def check(input: str | Path) -> Report:  # noqa: A002 - the user's word
    """Read an input and all it names as a run would, and write nothing.

    Returns
    -------
    Report
        What a run would be: atoms, cutoffs, mesh, the cut into objects, memory; ``text()`` for
        people, ``as_dict()`` for programs.

    Raises
    ------
    InputError
        With every problem of the input, each with its line, value, limit and remedy.
    """
    from finegrain.input import check as check_input

    with _our_errors():
        return check_input(input)


def run(
    input: str | Path | Job,  # noqa: A002 - the user's word
    out: str | Path | None = None,
    *,
    pes: int | None = None,
    steps: int | None = None,
    placement: str = "block",
    overwrite: bool = False,
    stop_after: int = -1,
    on_progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Simulate.

    Parameters
    ----------
    input : path or Job
        A TOML input, or a job.
    out : path, optional
        Folder of the results; by default the input's ``output.directory``, else ``runs/NAME``.
    pes : int, optional
        Worker threads; by default all cores this process may use. No number changes a bit.
    steps : int, optional
        Number of steps, instead of the input's.
    placement : str
        Which thread each object lives on: "block", "round-robin" or "hashed".
    overwrite : bool
        Replace the results that `out` may hold; otherwise they are an error.
    stop_after : int
        Stop, resumable, at the first rebuild at or after this step; -1 goes to the end.
    on_progress : callable, optional
        Called a few times a second with a dict of ``step, steps, seconds, temperature`` (K) and
        ``energy_drift`` (kJ/mol/ps/atom). Make it a `ProgressLine` to see it.

    Returns
    -------
    Run
        The results. After Ctrl-C or SIGTERM ``finished`` is False and `resume` goes on.

    Raises
    ------
    InputError
        If something is wrong with the input, or `out` holds results already.
    ResourceError
        If memory or disk do not suffice.
    NumericsError
        If the system explodes; the message names the atom and the step, the last good checkpoint
        stays.

    Examples
    --------
    >>> run = fg.run("water.toml", steps=1000)  # doctest: +SKIP
    >>> run.result["ns_per_day"], run.trajectory().positions().shape  # doctest: +SKIP
    """
    directory = RunDirectory(Path(out) if out is not None else default_directory(input))
    directory.refuse_results(overwrite=overwrite)
    with _prepared(input, directory) as prepared:
        directory.clear()
        prepared.replace(directory.job)
    job = Job(directory.job)
    if steps is not None:
        job.set_steps(steps)
    return _engine_run(job, directory, pes, placement, None, stop_after, on_progress)


def resume(
    out: str | Path,
    *,
    pes: int | None = None,
    steps: int | None = None,
    placement: str = "block",
    stop_after: int = -1,
    on_progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Go on with a run that was stopped, to the bit.

    Parameters
    ----------
    out : path
        Folder of the run.
    steps : int, optional
        New total number of steps, to prolong a run that had ended.
    pes, placement, stop_after, on_progress
        As for `run`; the number of worker threads may differ from before.

    Returns
    -------
    Run
        The results, old and new frames in one trajectory.

    Raises
    ------
    InputError
        If the folder holds no checkpoint, if the checkpoint is corrupt or of another job, or if
        there is nothing left to do.
    """
    directory = existing(Path(out))
    for file, what in ((directory.job, "job"), (directory.checkpoint, "checkpoint")):
        if not file.exists():
            raise InputError(
                f"there is no {what} to go on from",
                where=str(directory.path),
                value=file.name,
                hint="start the run again with finegrain run",
            )
    job = Job(directory.job)
    if steps is not None:
        if steps < job.steps and directory.finished():
            raise InputError(
                "the run has gone further than that",
                where=str(directory.path),
                value=f"--steps {steps}",
                limit=f"{job.steps} steps",
            )
        job.set_steps(steps)
    elif directory.finished():
        raise InputError(
            "the run is complete",
            where=str(directory.path),
            value=f"{job.steps:,} steps",
            hint=f"prolong it with: finegrain resume {directory.path} --steps {2 * job.steps}",
        )
    return _engine_run(
        job, directory, pes, placement, directory.checkpoint, stop_after, on_progress
    )


def energy(
    input: str | Path | Job,  # noqa: A002 - the user's word
    *,
    pes: int | None = None,
) -> Energies:
    """Evaluate energies by term and forces at the input's positions.

    Parameters
    ----------
    input : path or Job
        A TOML input, or a job.
    pes : int, optional
        Worker threads; by default all cores this process may use.

    Returns
    -------
    Energies
        kJ/mol and kJ/mol/nm.
    """
    engine = load_engine()
    with tempfile.TemporaryDirectory() as folder:
        path = input.path if isinstance(input, Job) else Path(input)
        if path.suffix != ".h5":
            target = Path(folder) / "job.h5"
            _write_job(path, target)
            path = target
        with _our_errors():
            answer = engine.energy(str(path), pes=pes or usable_cores())
    terms = {str(name): float(value) for name, value in answer["energies"].items()}
    if "total" not in terms:
        terms["total"] = math.fsum(terms.values())
    virial = answer.get("virial")
    return Energies(
        energies=terms,
        forces=np.asarray(answer["forces"], np.float64).reshape(-1, 3),
        virial=None if virial is None else np.asarray(virial, np.float64),
    )


def default_directory(input: str | Path | Job) -> Path:  # noqa: A002 - the user's word
    """Return the folder of results where the user names none."""
    path = input.path if isinstance(input, Job) else Path(input)
    if path.suffix != ".h5":
        from finegrain.input.load import load_input

        wanted = load_input(path, strict=False).model.output.directory
        if wanted:
            return Path(wanted)
    return Path("runs") / path.name.removesuffix(".h5").removesuffix(".toml").removesuffix(".job")


def _write_job(source: Path, target: Path) -> None:
    from finegrain.input import make_job

    with _our_errors():
        make_job(source, target)


@contextlib.contextmanager
def _our_errors() -> Iterator[None]:
    try:
        yield
    except FinegrainError:
        raise
    except Exception as error:
        raise as_finegrain_error(error) from error


@contextlib.contextmanager
def _prepared(source: str | Path | Job, directory: RunDirectory) -> Iterator[Path]:
    """Yield the new job beside the results, so that a bad input harms none of them."""
    path_and_parents = (directory.path, *directory.path.parents)
    made_folders = [folder for folder in path_and_parents if not folder.exists()]
    directory.path.mkdir(parents=True, exist_ok=True)
    beside = directory.path / ".job.new.h5"
    try:
        path = source.path if isinstance(source, Job) else Path(source)
        if path.suffix == ".h5":
            Job(path)  # complains about anything that is not a job
            replace_file(beside, path.read_bytes())
        else:
            _write_job(path, beside)
        yield beside
    except BaseException:
        beside.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # somebody else has put something there
            for folder in made_folders:
                folder.rmdir()
        raise


def _engine_run(
    job: Job,
    directory: RunDirectory,
    pes: int | None,
    placement: str,
    checkpoint: Path | None,
    stop_after: int,
    on_progress: Callable[[Progress], None] | None,
) -> Run:
    answer = run_job(
        job.path,
        directory.path,
        pes=pes or usable_cores(),
        placement=placement,
        checkpoint=checkpoint,
        stop_after=stop_after,
        on_progress=on_progress,
    )
    result = _completed(answer, job, placement)
    directory.write_result(result)
    replace_file(directory.phases, phase_table(result).encode())
    table = read_energies(directory.energies) if directory.energies.exists() else {}
    if table and len(next(iter(table.values()))):
        plot_energies(table, directory.picture, job.title)
    return Run(directory.path)


def _completed(answer: Mapping[str, Any], job: Job, placement: str) -> dict[str, Any]:
    """Return the engine's figures with what a reader needs to understand them."""
    from finegrain import machine

    result = dict(answer)
    result.setdefault("ranks", 1)
    result.setdefault("energy_drift", None)
    result["energy_drift_unit"] = DRIFT_UNIT
    result["conserves_energy"] = job.conserves_energy  # under a heat bath the drift means nothing
    result["title"] = job.title
    result["timestep_fs"] = job.timestep_fs
    result["map"] = placement
    result["precision"] = job.settings.get("precision", "")
    result["machine"] = machine.fingerprint()
    return result
