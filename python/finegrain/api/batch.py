# SPDX-License-Identifier: BSD-3-Clause
"""A batch script for an input."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from finegrain.api.inputs import check, default_directory, plain_name
from finegrain.base.arguments import PathOrObject, as_path
from finegrain.errors import InputError
from finegrain.files.whole import replace_file
from finegrain.kinds.python_input import AnyInput, needs_a_name, opened_input
from finegrain.machines.slurm.batch import batch_request, batch_script, refuse_odd_names
from finegrain.runs.folder.kept_input import NAME, keep_input, refuse_to_lose
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.toml_input.given import directory_of
from finegrain.toml_input.source import InputFile, TomlSource


def slurm_script(
    input: AnyInput,  # noqa: A002 - the user's word
    out: PathOrObject | None = None,
    *,
    pes: int | None = None,
    nodes: int = 1,
    ranks_per_node: int = 1,
    hours: float = 24.0,
    mpi: str = "auto",
    overwrite: bool = False,
    allow_scripts: bool = False,
) -> Path:
    """Check an input and write a batch script for Slurm that runs it until it is complete.

    Parameters
    ----------
    input : path, Job, Run or dict
        A TOML input, also one with stages, or a job. A dict with the keys of TOML, see `run`, is
        written beside the script, into the folder ``NAME-input``.
    out : path, optional
        The script to write, by default ``NAME.sbatch`` in the current folder. The run works in the
        current folder, wherever the script is submitted. For a dict it has to be given.
    pes : int
        Worker threads of each process: the cores of a node, divided by `ranks_per_node`.
    nodes, ranks_per_node : int
        Nodes of each batch job, and processes on each node. More than one process needs an MPI that
        knows Slurm.
    hours : float
        Time limit of each batch job. Shortly before it is reached, the run saves its state, and the
        script submits itself again.
    mpi : str
        Which MPI starts the processes: "openmpi", "mpich" or "auto".
    overwrite : bool
        Replace the script if it exists; otherwise that is an error.
    allow_scripts : bool
        Execute Python code in the user's own force field files; otherwise such files are refused.

    Returns
    -------
    Path
        The script.

    Raises
    ------
    InputError
        With every problem of the input, or with all that is wrong with the arguments.
    """
    request = batch_request(nodes, ranks_per_node, pes, hours, mpi)
    if out is None:
        needs_a_name(input, "the script", 'give out="NAME.sbatch"')
    with opened_input(input, "input" if out is None else as_path(out).stem) as opened:
        source, directory, name = _names(opened, out)
        target = as_path(out) if out is not None else Path(f"{name}.sbatch")
        refuse_odd_names(Path.cwd(), source, target, directory)
        refuse_to_replace(target, overwrite=overwrite, inputs=(source,))
        if isinstance(opened, TomlSource):
            refuse_to_lose(opened, source.parent)
            if source.exists():
                refuse_to_replace(source, overwrite=overwrite)
        _refuse_another_run(source, directory)
        check(opened, allow_scripts=allow_scripts)
        if isinstance(opened, TomlSource):
            _refuse_lost_names(opened, allow_scripts=allow_scripts)
            keep_input(opened, source.parent)
    script = batch_script(
        request,
        script=target,
        source=source,
        directory=directory,
        program=sys.executable,
        allow_scripts=allow_scripts,
    )
    replace_file(target, script.encode())
    return target


def _names(opened: InputFile, out: PathOrObject | None) -> tuple[Path, Path, str]:
    """Return the input that the script runs, its folder of results, and its name."""
    if isinstance(opened, TomlSource):
        assert out is not None
        script = as_path(out)
        wanted = directory_of(opened) or f"runs/{script.stem}"
        return script.with_name(f"{script.stem}-input") / NAME, as_path(wanted), script.stem
    directory = default_directory(opened)
    name = directory.resolve().name if opened.name == "job.h5" else plain_name(opened)
    return opened, directory, name


def _refuse_lost_names(opened: TomlSource, *, allow_scripts: bool) -> None:
    """Complain about an input that needs names from a Topology, which no file holds."""
    if opened.python is None or not opened.python.objects:
        return
    in_files = replace(opened, python=replace(opened.python, objects={}))
    try:
        check(in_files, allow_scripts=allow_scripts)
    except InputError as error:
        hint = "select atoms by number, such as 1-340, or name a PDB file as the coordinates"
        if "stages" not in opened.data:
            hint += '; or make the job, load(input, "NAME.job.h5"), and give that'
        what = "in a batch job, whose files do not have the names of the Topology"
        problems = [replace(one, what=f"{one.what} {what}", hint=hint) for one in error.problems]
        raise InputError(problems, source=opened.name) from None


def _refuse_another_run(source: Path, directory: Path) -> None:
    """Complain about a run in the folder, which a batch script would continue instead."""
    there = directory.is_dir() and any(directory.iterdir())
    if not there or source.resolve() == (directory / "job.h5").resolve():
        return
    raise InputError(
        "holds a run already, which the script would continue",
        where=str(directory),
        hint="to continue it, give this folder as the input; for a new run choose another "
        "directory in [output], or remove the folder",
    )
