# SPDX-License-Identifier: BSD-3-Clause
"""The locks on the folder of a run, so that no two runs write into the same files.

A command holds `.lock` while it works on the folder. The engine itself holds `.engine.lock`
(engine/records/files/folder_lock.hpp). If the command is killed, an engine with several processes
may outlive it until it has saved its state. A command waits for that before it touches anything.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

from finegrain.engine.engine import when_engine_rests
from finegrain.errors import ResourceError
from finegrain.files.whole import disk_hint

NAME = ".lock"
ENGINE_NAME = ".engine.lock"
PATIENCE_S = 60.0  # for the engine of an ended command to save its state and stop
_PAUSE_S = 0.05


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of an existing folder until the block ends and the engine is idle.

    Raises
    ------
    ResourceError
        If another run, of this process or another, holds it, if an engine still writes there, or if
        the folder cannot be written to.
    """
    path = folder / NAME
    handle = _acquire(path, folder)

    def release() -> None:
        # Removed while locked: a process that opened it before sees that it is gone, and tries
        # again.
        with contextlib.suppress(OSError):
            path.unlink()
        os.close(handle)

    try:
        _wait_for_engine(folder)
        yield
    except KeyboardInterrupt:  # the second Ctrl-C: the engine still writes, on its own thread
        when_engine_rests(release)
        raise
    except BaseException:
        release()
        raise
    else:
        release()


def is_being_written(folder: Path) -> bool:
    """Return whether a command or an engine is at work on a folder.

    False if it is one of another machine, on a file system that shares no locks.
    """
    return any(_holder(folder / name) is not None for name in (NAME, ENGINE_NAME))


def _holder(path: Path) -> str | None:
    """Return who holds a lock, in words; None if nobody does, or if locks do not show it."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:  # usually that it is not there: nobody has it
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EACCES):
            return None  # a file system without locks, such as some network ones
        return os.pread(handle, 300, 0).decode(errors="replace") or "another process"
    else:
        return None
    finally:
        os.close(handle)


def _wait_for_engine(folder: Path) -> None:
    """Return once no engine writes into the folder.

    Raises
    ------
    ResourceError
        If one still does when `PATIENCE_S` is over.
    """
    end = time.monotonic() + PATIENCE_S
    while (holder := _holder(folder / ENGINE_NAME)) is not None:
        if time.monotonic() >= end:
            raise ResourceError(
                "a run is still writing into this folder",
                where=str(folder),
                value=holder,
                hint="wait until it has ended, or stop it; then try again",
            )
        time.sleep(_PAUSE_S)


def _acquire(path: Path, folder: Path) -> int:
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW, 0o666)
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
            return handle  # a file system without locks, as some network file systems
        if _is_still(path, handle):
            return handle
        os.close(handle)


def _is_still(path: Path, handle: int) -> bool:
    """Return whether the path still names the file that was opened."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(handle))
    except FileNotFoundError:
        return False
