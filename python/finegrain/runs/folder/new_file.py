# SPDX-License-Identifier: BSD-3-Clause
"""New files that the user names: no existing file is replaced without permission."""

from __future__ import annotations

from pathlib import Path

from finegrain.errors import InputError
from finegrain.runs.folder.directory import RunDirectory


def refuse_to_replace(
    target: Path, *, overwrite: bool, inputs: tuple[Path, ...] = (), option: str = "--out"
) -> None:
    """Complain, before any work is done, if a new file must not or cannot be written there.

    Parameters
    ----------
    target : Path
        The new file.
    overwrite : bool
        Replace an existing file; but never one of `inputs` or one that a run wrote itself.
    inputs : tuple of Path
        The files from which the new file is made.
    option : str
        The option that names the file.

    Raises
    ------
    InputError
        Naming the file.
    """
    where = str(target)
    if target.is_dir():
        raise InputError("is a folder, not a file", where=where, hint=f"name a file with {option}")
    if not target.parent.is_dir():
        raise InputError(
            "there is no such folder to write into",
            where=where,
            value=str(target.parent),
            hint="make the folder first, or check the path",
        )
    _refuse_reserved(target, option)
    if not target.exists():
        return
    if any(file.exists() and target.samefile(file) for file in inputs):
        raise InputError(
            "is what is being read", where=where, hint=f"choose another name with {option}"
        )
    if not overwrite:
        raise InputError(
            "is there already",
            where=where,
            hint=f"choose another name with {option}, or replace it with --overwrite",
        )


def _refuse_reserved(target: Path, option: str) -> None:
    """Complain about the name of a file that belongs to the run in the same folder."""
    real = target.resolve()
    run = RunDirectory(real.parent)
    if (real in run.own_files or real in run.traces()) and (
        run.job.exists() or run.trajectory.exists()
    ):
        raise InputError(
            "belongs to the run in this folder and is never replaced by this",
            where=str(target),
            hint=f"choose another name with {option}",
        )
