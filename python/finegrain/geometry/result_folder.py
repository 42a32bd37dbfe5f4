# SPDX-License-Identifier: BSD-3-Clause
"""The folder of a relaxation or of vibrations: what is in it is not replaced by mistake."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from finegrain.base.arguments import PathOrObject, as_path
from finegrain.errors import InputError
from finegrain.kinds.python_input import needs_a_name
from finegrain.runs.folder.lock import locked
from finegrain.runs.preparation import made_folder
from finegrain.toml_input.source import InputFile


def result_folder(out: PathOrObject | None, source: InputFile, ending: str) -> Path:
    """Return the folder of the results, by default ``runs/NAME-ENDING``; it need not exist."""
    if out is None:
        needs_a_name(source, "its folder", f'give out="runs/NAME-{ending}"')
    folder = as_path(out) if out is not None else Path("runs") / f"{source.stem}-{ending}"
    if folder.is_file():
        raise InputError("is a file, not a folder", where=str(folder), hint="name a folder")
    return folder


def refuse_results(
    folder: Path,
    names: tuple[str, ...],
    source: InputFile,
    structure: PathOrObject | None,
    *,
    overwrite: bool,
) -> None:
    """Complain about files that would be replaced; one that is read is never replaced.

    Parameters
    ----------
    names : tuple of str
        The files that will be written.
    source, structure : path
        The files that are read; there may be no `structure`.
    """
    inputs = [] if structure is None else [as_path(structure)]
    inputs += [source] if isinstance(source, Path) else []
    there = [folder / name for name in names if (folder / name).exists()]
    for file in there:
        if any(one.exists() and file.samefile(one) for one in inputs):
            hint = "choose another folder with --out"
            raise InputError("is what is being read", where=str(file), hint=hint)
    if there and not overwrite:
        raise InputError(
            "holds results already",
            where=str(folder),
            value=", ".join(file.name for file in there),
            hint="choose another folder with --out, or replace them with --overwrite",
        )


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Make the folder and hold its lock; a folder that stays empty after an error is removed."""
    with made_folder(folder), locked(folder):
        yield
