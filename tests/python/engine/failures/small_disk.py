# SPDX-License-Identifier: BSD-3-Clause
"""A disk that is too small for a run."""

import resource
import subprocess
from pathlib import Path

from broken_off import TIMEOUT_S


class SmallDisk:
    """A file system in memory of a given size; where none may be mounted, a limit on each file."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._size = 0
        place.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=4k", "none", str(place)],
            capture_output=True,
            check=False,
        )
        self.is_mounted = done.returncode == 0

    def resize(self, size: int) -> None:
        self._size = size
        if self.is_mounted:
            words = ["mount", "-o", f"remount,size={size}", str(self.place)]
            subprocess.run(words, check=True, capture_output=True)

    def run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        def limit() -> None:
            if not self.is_mounted:  # the trajectory alone is about a third of all
                hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
                resource.setrlimit(resource.RLIMIT_FSIZE, (self._size // 3, hard))

        return subprocess.run(
            words,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
            preexec_fn=limit,
        )

    def close(self) -> None:
        if self.is_mounted:
            subprocess.run(["umount", str(self.place)], check=True)
