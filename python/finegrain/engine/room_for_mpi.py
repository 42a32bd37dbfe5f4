# SPDX-License-Identifier: BSD-3-Clause
"""Where an MPI needs room before the first step: for folders of sessions and shared memory."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_NEEDED = 64 << 20  # bytes: segments of a few processes of Open MPI or MPICH
_SHARED = Path("/dev/shm")


def little_room() -> str:
    """Return which of these places is nearly full, and a remedy; empty if none is."""
    places = dict.fromkeys((Path(tempfile.gettempdir()), _SHARED))
    short = {place: found for place in places if (found := _shortage(place))}
    if not short:
        return ""
    remedies = ["remove what ended runs have left there"]
    if set(short) - {_SHARED}:
        remedies.append("name another folder for temporary files in TMPDIR")
    if _SHARED in short:
        remedies.append("let a container have more shared memory (docker run --shm-size 1g)")
        remedies.append("mount -o remount,size=1g /dev/shm")
    return f"an MPI keeps files in {' and '.join(short.values())}: {', or '.join(remedies)}"


def _shortage(place: Path) -> str:
    try:
        room = os.statvfs(place)
    except OSError:
        return ""
    free, nodes = room.f_bavail * room.f_frsize, room.f_favail
    if free < _NEEDED:
        whole = room.f_blocks * room.f_frsize
        return f"{place}, which has {free / 1e6:.1f} MB free of {whole / 1e6:.1f} MB"
    if room.f_files and nodes < 64:  # of a file system that counts them
        return f"{place}, which has room for {nodes} more files only"
    return ""
