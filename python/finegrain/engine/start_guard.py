# SPDX-License-Identifier: BSD-3-Clause
"""A guard that ends a start of processes whose maker is killed.

Once process 0 runs, it sees that its standard input has ended, writes a checkpoint and stops.
Before that nobody looks: an ``mpiexec`` that finds no room for its files waits for ever, and takes
no notice of SIGTERM.
"""

from __future__ import annotations

import contextlib
import subprocess

# The shell waits for a line. Its input ends without one if the process that holds it is killed.
_GUARD = 'read -r line || kill -s KILL -- "-$1"'


class StartGuard:
    """Kills a group of processes if this process ends before `release`.

    Parameters
    ----------
    group : int
        The number of the group.
    """

    def __init__(self, group: int) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "sh", str(group)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for others
        )

    def release(self) -> None:
        """Leave the group alone from now on."""
        assert self._shell.stdin is not None
        if self._shell.stdin.closed:
            return
        with contextlib.suppress(OSError):  # the shell is gone
            self._shell.stdin.write(b"\n")
            self._shell.stdin.flush()
        self._shell.wait()
        with contextlib.suppress(OSError):
            self._shell.stdin.close()
