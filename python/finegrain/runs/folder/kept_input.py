# SPDX-License-Identifier: BSD-3-Clause
"""The input of a run that was given in Python, kept in the folder of the run.

The folder `input` in it has `input.toml` and the files that hold objects. A run of this file has
the same bits.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from finegrain.errors import InputError, Problem
from finegrain.files.whole import replace_file
from finegrain.toml_input.from_python import HOLDERS, named_files
from finegrain.toml_input.source import is_job, read_toml

if TYPE_CHECKING:
    from finegrain.toml_input.source import TomlSource

FOLDER, NAME = "input", "input.toml"
_mark = "# An input that was given in Python, as finegrain has read it."
_names = "# The names of its atoms and residues are in the job of its run alone."
_held = re.compile(r'^\w+ = "([\w.-]+)"  # ', re.MULTILINE)


def refuse_to_lose(given: Path | TomlSource, folder: Path) -> None:
    """Complain, before anything is written, if keeping an input in `folder` harms a file.

    Parameters
    ----------
    given : Path or TomlSource
        The new input; one from a file only takes away what an earlier one left in the folder.
    folder : Path
        Where the input is kept, such as ``runs/water/input``.

    Raises
    ------
    InputError
        With each file that is not ours and would be replaced, and each that is ours and that the
        new input reads.
    """
    ours = _kept(folder)
    problems = []
    if not isinstance(given, Path):
        assert given.python is not None
        hint = "move it, or choose another out"
        if os.path.lexists(folder) and not folder.is_dir():
            problems.append(Problem("is in the way of the input's folder", str(folder), hint=hint))
        for target in (folder / name for name in (NAME, *given.python.files)):
            if os.path.lexists(target) and target not in ours:
                what = "is in the way: the input is kept in a file of this name"
                problems.append(Problem(what, str(target), hint=hint))
    if ours and not is_job(given) and not _is_in(given, folder):
        read = {file.resolve() for file in named_files(read_toml(given))}
        what = "is read by the new input, but is replaced with that of the earlier run"
        hint = "copy it to another folder and name that file, or choose another out"
        problems += [Problem(what, str(one), hint=hint) for one in ours if one.resolve() in read]
    if problems:
        raise InputError(problems)


def _is_in(given: Path | TomlSource, folder: Path) -> bool:
    """Return whether an input is a file in this folder, which then stays as it is."""
    return isinstance(given, Path) and folder.resolve() == given.resolve().parent


def keep_input(given: TomlSource, folder: Path) -> Path:
    """Write an input that was given in Python into a folder, and return its file."""
    assert given.python is not None
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in given.python.files.items():
        replace_file(folder / name, content)
    head = f"{_mark}\n{_names}\n" if given.python.objects else f"{_mark}\n"
    replace_file(folder / NAME, f"{head}\n{given.text}".encode())
    return folder / NAME


def settle_kept_input(given: Path | TomlSource, home: Path) -> None:
    """Keep the input of a new run if it was given in Python; remove that of an earlier run."""
    if isinstance(given, Path):
        if not _is_in(given, home / FOLDER):  # that is what now runs
            _drop(home)
    else:
        _drop(home)
        keep_input(given, home / FOLDER)


def _drop(home: Path) -> None:
    files = _kept(home / FOLDER)
    for file in files:
        file.unlink(missing_ok=True)
    if files:
        with contextlib.suppress(OSError):  # there are files of the user's
            (home / FOLDER).rmdir()


def _kept(folder: Path) -> list[Path]:
    """Return the files that `keep_input` has written."""
    target = folder / NAME
    if folder.is_symlink() or not target.is_file():
        return []
    text = target.read_bytes().decode("utf-8", "replace")
    if not text.startswith(_mark):
        return []
    files = (folder / name for name in _held.findall(text) if name in HOLDERS)
    return [*(file for file in files if file.is_file()), target]
