# SPDX-License-Identifier: BSD-3-Clause
"""What killed runs of Open MPI leave on a machine: folders of sessions, and shared memory."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

FOLDERS = "finegrain-mpi-"  # then the number of the process that made it
_SEGMENTS = "vader_segment."
_SHARED = Path("/dev/shm")
_SWEPT_AFTER_S = 600.0  # mpiexec may still be ending, and processes may still be starting


def sweep_left(temporary: Path | None = None, shared: Path = _SHARED) -> None:
    """Remove what killed commands of this user have left, if nobody uses it any more.

    Parameters
    ----------
    temporary : Path, optional
        Where folders of sessions are; the folder for temporary files if not given.
    shared : Path
        Where segments of shared memory are.

    Notes
    -----
    The name of a folder has the number of the process that made it. One whose process is gone is
    nobody's: `mpiexec` ends when the command does. A segment is nobody's if no process maps it.
    """
    for folder in (temporary or Path(tempfile.gettempdir())).glob(f"{FOLDERS}[0-9]*-*"):
        maker = folder.name.removeprefix(FOLDERS).partition("-")[0]
        gone = maker.isdigit() and not Path(f"/proc/{maker}").exists()
        if gone and _is_old_and_ours(folder, stat.S_ISDIR):
            shutil.rmtree(folder, ignore_errors=True)
    segments = [path for path in shared.glob(f"{_SEGMENTS}*") if _is_old_and_ours(path)]
    if segments:
        used = _mapped(shared)
        for path in segments:
            if str(path) not in used:
                with contextlib.suppress(OSError):
                    path.unlink()


def _is_old_and_ours(path: Path, kind: Callable[[int], bool] = stat.S_ISREG) -> bool:
    try:
        about = path.lstat()
    except OSError:
        return False
    old = time.time() - about.st_mtime > _SWEPT_AFTER_S
    return kind(about.st_mode) and about.st_uid == os.geteuid() and old


def _mapped(shared: Path) -> set[str]:
    """Return the files in a folder that processes have mapped."""
    found: set[str] = set()
    for maps in Path("/proc").glob("[0-9]*/maps"):
        with contextlib.suppress(OSError):
            lines = maps.read_text(errors="replace").splitlines()
            found.update(line[line.index("/") :] for line in lines if f" {shared}/" in line)
    return found
