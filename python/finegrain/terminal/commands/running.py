# SPDX-License-Identifier: BSD-3-Clause
"""``run``, ``resume`` and ``energy``."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Unpack

import numpy as np
import typer

from finegrain import api
from finegrain.base.arguments import as_path
from finegrain.classical.staged_run import StagedRun, is_staged
from finegrain.engine.engine import Progress
from finegrain.errors import EXIT_RESUMABLE, FinegrainError
from finegrain.files.whole import replace_file
from finegrain.kinds.registry import kind_named, open_job
from finegrain.runs.evaluation import Energies
from finegrain.runs.folder.directory import RunDirectory
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.runs.options import How, HowToGoOn
from finegrain.runs.results import RunResults
from finegrain.terminal.commands import common
from finegrain.words.progress import ProgressLine, ProgressWords
from finegrain.words.report import file_size, table_text


@common.takes(How)
def run(
    input: common.InputFile,  # noqa: A002 - the user's word
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="DIR", help="Folder of the results."),
    ] = None,
    steps: common.Steps = None,
    *,
    scale: Annotated[
        float | None,
        typer.Option("--scale", metavar="X", help="Try stages with this share of their steps."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the results of an earlier run.")
    ] = False,
    allow_scripts: common.AllowScripts = False,
    quiet: common.Quiet = False,
    json: common.Json = False,
    **how: Unpack[How],
) -> None:
    """Simulate; Ctrl-C saves the state and stops."""
    with common.nothing_was_run():
        directory = out if out is not None else api.default_directory(input)

    def work(on_progress: Callable[[Progress], None]) -> RunResults | StagedRun:
        how["on_progress"] = on_progress
        return api.run(
            input,
            directory,
            steps=steps,
            scale=scale,
            overwrite=overwrite,
            allow_scripts=allow_scripts,
            **how,
        )

    _simulate(work, directory, quiet=quiet, json=json)


@common.takes(HowToGoOn)
def resume(
    out: common.RunFolder,
    steps: common.Steps = None,
    *,
    quiet: common.Quiet = False,
    json: common.Json = False,
    **how: Unpack[HowToGoOn],
) -> None:
    """Continue a stopped run, with the same bits."""

    def work(on_progress: Callable[[Progress], None]) -> RunResults | StagedRun:
        how["on_progress"] = on_progress
        return api.resume(out, steps=steps, **how)

    _simulate(work, out, quiet=quiet, json=json)


def energy(
    input: common.InputFile,  # noqa: A002 - the user's word
    pes: common.Pes = None,
    ranks: common.Ranks = 1,
    mpi: common.Mpi = "auto",
    comm_threads: common.CommThreads = 0,
    forces: Annotated[
        Path | None,
        typer.Option(
            "--forces", parser=as_path, metavar="FILE", help="The .npz of forces to write."
        ),
    ] = None,
    overwrite: common.OverwriteFile = False,
    allow_scripts: common.AllowScripts = False,
    json: common.Json = False,
) -> None:
    """Evaluate energies by term and forces, once."""
    target = forces if forces is not None else Path(f"{input.stem}.forces.npz")
    with common.nothing_was_run():
        # The usual name is that of an earlier evaluation, if it holds one.
        replace = overwrite or (forces is None and _holds_forces(target))
        refuse_to_replace(target, overwrite=replace, inputs=(input,), option="--forces")
        answer = api.energy(
            input,
            pes=pes,
            ranks=ranks,
            mpi=mpi,
            comm_threads=comm_threads,
            allow_scripts=allow_scripts,
        )
    virial = np.zeros(0) if answer.virial is None else answer.virial
    archive = io.BytesIO()
    np.savez(archive, forces=answer.forces, virial=virial)
    replace_file(target, archive.getvalue())
    if json:
        common.print_json(
            {
                "energy": answer.energies,
                "unit": answer.unit,
                "forces_file": str(target),
                "forces_unit": answer.forces_unit,
                "virial": answer.virial,
                "virial_unit": answer.unit,
                **_about_virial(answer),
                **_about_dipole(answer),
                **_about_net_force(answer),
                "atoms": len(answer.forces),
            }
        )
        return
    digits = 6 if answer.unit == "kJ/mol" else 10
    rows = [["term", f"energy / {answer.unit}"]]
    rows.extend([name, f"{value:.{digits}f}"] for name, value in answer.energies.items())
    common.say(table_text(rows, numbers=(1,)), end="")
    largest = float(np.max(np.linalg.norm(answer.forces, axis=1), initial=0.0))
    common.say(
        f"\nforces of {len(answer.forces):,} atoms in {target}, "
        f"largest {largest:.6g} {answer.forces_unit}"
    )
    if answer.net_force is not None:
        size = float(np.linalg.norm(answer.net_force))
        what = "removed from the forces" if answer.removes_net_force else "left in the forces"
        common.say(f"net force {size:.6g} {answer.forces_unit}, {what}")


def _about_virial(answer: Energies) -> dict[str, Any]:
    """Return what the virial lacks, or the stress of which it is a multiple."""
    if answer.virial is None:
        return {}
    if answer.stress is None:
        return {"virial_without": "constraints"}
    return {"stress": answer.stress, "stress_unit": "hartree/bohr^3"}


def _about_dipole(answer: Energies) -> dict[str, Any]:
    return {} if answer.dipole is None else {"dipole": answer.dipole, "dipole_unit": "e bohr"}


def _about_net_force(answer: Energies) -> dict[str, Any]:
    if answer.net_force is None:
        return {}
    return {
        "net_force": answer.net_force,
        "net_force_unit": "hartree/bohr",
        "removes_net_force": answer.removes_net_force,
    }


def _holds_forces(file: Path) -> bool:
    """Return whether `energy` wrote this file."""
    try:
        with zipfile.ZipFile(file) as archive:
            return sorted(archive.namelist()) == ["forces.npy", "virial.npy"]
    except (OSError, zipfile.BadZipFile):
        return False


def _simulate(
    work: Callable[[Callable[[Progress], None]], RunResults | StagedRun],
    directory: Path,
    *,
    quiet: bool,
    json: bool,
) -> None:
    """Show the progress of `work`, then the results; exit with 75 if it stopped early."""
    stream = sys.stderr if json else sys.stdout
    line: ProgressLine | None = None
    shown = ""  # the stage that `line` is of

    def on_progress(progress: Progress) -> None:
        nonlocal line, shown
        stage = str(progress.get("stage", ""))
        if line is not None and stage != shown:
            line.__exit__(None, None, None)
            line = None
        if line is None:  # by now the job is in the folder
            shown, words = stage, _words_of(directory / stage / "job.h5")
            line = ProgressLine(stream, words=words, quiet=quiet, label=stage)
            line.__enter__()
        line(progress)

    try:
        done = work(on_progress)
    except FinegrainError as error:
        error.outcome = _outcome(directory, error)
        raise
    finally:
        if line is not None:
            line.__exit__(None, None, None)
    result = done.result
    with common.terminal_may_be_gone():
        if json:
            common.print_json(_run_json(done, result))
        else:
            _print_run(done, result)
    if not done.finished:
        raise typer.Exit(EXIT_RESUMABLE)


def _words_of(job: Path) -> ProgressWords:
    opened = open_job(job)
    return kind_named(opened.of_kind).progress_line(opened)


def _run_json(done: RunResults | StagedRun, result: dict[str, Any]) -> dict[str, Any]:
    if isinstance(done, StagedRun):
        return {**result, "directory": str(done.path)}
    files = done.directory.results()
    names = [file.name for file in files]
    return {**result, **done.figures(), "directory": str(done.path), "files": names}


def _print_run(done: RunResults | StagedRun, result: dict[str, Any]) -> None:
    if isinstance(done, StagedRun):
        common.say(f"\n{done}", end="")
        if not done.finished:
            common.say(f"\nStopped; continue with: finegrain resume {done.path}")
        return
    if result.get("phases") and result.get("state_digest"):
        common.say()
        common.say(done.phases(), end="")
    common.say()
    for file in done.directory.results():
        common.say(f"  {file}  {file_size(file.stat().st_size)}")
    common.say()
    common.say(done)
    if outcome := done.outcome():
        common.say(f"\n{outcome}")


def _outcome(directory: Path, error: FinegrainError) -> str:
    """Return what a failure means for the user's files."""
    run = RunDirectory(directory)
    if is_staged(directory):
        run = next((one for one in StagedRun(directory).folders if not one.finished(open_job)), run)
    if error.kind == "input" or not run.log.exists():
        return "nothing was run"
    if run.checkpoint.exists():
        return f"the last good checkpoint is {run.checkpoint}; the log is {run.log}"
    return f"the log is {run.log}"
