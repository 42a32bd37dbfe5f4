# SPDX-License-Identifier: BSD-3-Clause
"""A lock on the folder of a run, so that no two runs write into the same files."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from finegrain.engine import when_engine_rests
from finegrain.errors import ResourceError
from finegrain.whole_file import disk_hint

NAME = ".lock"


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which exists, until the block ends and the engine rests.

    Raises
    ------
    ResourceError
        If another run, of this process or another, holds it, or the folder cannot be written to.
    """
    path = folder / NAME
    handle = _acquire(path, folder)

    def release() -> None:
        # Removed while it is held: who opened it before sees that it is gone, and tries again.
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(handle)

    try:
        yield
    except KeyboardInterrupt:  # the second one: the engine still writes, on its own thread
        when_engine_rests(release)
        raise
    except BaseException:
        release()
        raise
    else:
        release()


def _acquire(path: Path, folder: Path) -> int:
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            what = f"cannot be written to: {(error.strerror or str(error)).lower()}"
            raise ResourceError(what, where=str(folder), hint=disk_hint(error)) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                os.close(handle)
                raise ResourceError(
                    "another run is writing into this folder",
                    where=str(folder),
                    hint="wait until it ends, stop it, or choose another folder with --out",
                ) from None
            return handle  # a file system without locks, such as some network ones
        if _is_still(path, handle):
            return handle
        os.close(handle)


def _is_still(path: Path, handle: int) -> bool:
    """Return whether the file is still the one that was opened."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
