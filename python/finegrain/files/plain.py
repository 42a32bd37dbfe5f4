# SPDX-License-Identifier: BSD-3-Clause
"""Files that are read: plain ones only.

Whoever opens a pipe waits for its writer for ever, and a device has no end. Links to plain files
are followed where somebody names a file. Links in the folder of a run are not followed if they lead
out of it (`RunDirectory.held_inside`). What a run writes goes through no link.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from finegrain.errors import InputError

_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISDIR, "a folder"),
)
_REMEDY = "put a plain file there; a pipe can be written to a file first: cat PIPE > FILE"


def refuse_other_than_plain(path: str | Path) -> None:
    """Complain about what exists and is no plain file.

    Raises
    ------
    InputError
        If it is a pipe, a socket, a device or a folder.
    """
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return  # who opens it says what is wrong
    for is_of_kind, name in _KINDS:
        if is_of_kind(mode):
            what = f"is {name}, not a plain file"
            raise InputError(what, where=str(path), hint=_REMEDY)


def plain_bytes(path: str | Path) -> bytes:
    """Return the contents of a plain file.

    Raises
    ------
    InputError
        If it is something else.
    OSError
        As `Path.read_bytes`.
    """
    with opened_plain(path) as file:
        return file.read()


def opened_plain(path: str | Path) -> BinaryIO:
    """Open a plain file; errors are those of `plain_bytes`."""
    refuse_other_than_plain(path)
    # what has taken its place since then does not make the call wait
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    file = os.fdopen(handle, "rb")
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        file.close()
        raise InputError("is no longer a plain file", where=str(path), hint=_REMEDY)
    return file


def plain_text(path: str | Path, errors: str = "strict") -> str:
    """Return the contents of a plain file of UTF-8 text, with line ends as LF."""
    text = plain_bytes(path).decode("utf-8", errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")
