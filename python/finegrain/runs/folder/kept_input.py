# SPDX-License-Identifier: BSD-3-Clause
"""The input of a run that was given in Python, kept in the folder of the run.

The folder `input` in it has `input.toml` and the files that hold objects. A run of this file has
the same bits.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from finegrain.files.whole import replace_file

if TYPE_CHECKING:
    from finegrain.toml_input.source import TomlSource

FOLDER, NAME = "input", "input.toml"
_mark = "# An input that was given in Python, as finegrain has read it."
_names = "# The names of its atoms and residues are in the job of its run alone."
_held = re.compile(r'^\w+ = "([\w.-]+)"  # ', re.MULTILINE)


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
        if (home / FOLDER).resolve() != given.resolve().parent:  # that is what now runs
            _drop(home)
    else:
        _drop(home)
        keep_input(given, home / FOLDER)


def _drop(home: Path) -> None:
    files = _kept(home)
    for file in files:
        file.unlink(missing_ok=True)
    if files:
        with contextlib.suppress(OSError):  # there are files of the user's
            (home / FOLDER).rmdir()


def _kept(home: Path) -> list[Path]:
    """Return the files that `keep_input` has written."""
    target = home / FOLDER / NAME
    if (home / FOLDER).is_symlink() or not target.is_file():
        return []
    text = target.read_bytes().decode("utf-8", "replace")
    if not text.startswith(_mark):
        return []
    files = (home / FOLDER / name for name in _held.findall(text))
    return [*(file for file in files if file.is_file()), target]
