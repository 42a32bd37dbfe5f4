# SPDX-License-Identifier: BSD-3-Clause
"""A start of processes ends with the command that makes it, and says which place is full."""

import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from finegrain.engine import room_for_mpi
from finegrain.engine.start_guard import StartGuard

# It starts a group that waits for ever, as an mpiexec without room does, and says its number.
_MAKER = """
import subprocess, sys, time
from finegrain.engine.start_guard import StartGuard
group = subprocess.Popen(["/bin/sh", "-c", "trap '' TERM; cat"], start_new_session=True,
                         stdin=sys.stdin, stdout=sys.stderr)
guard = StartGuard(group.pid)
{then}
print(group.pid, flush=True)
time.sleep(1000)
"""


def killed_maker(then: str) -> tuple[subprocess.Popen[bytes], int]:
    """Start a maker, kill it, and return what is left: its pipes and its group."""
    maker = subprocess.Popen(
        [sys.executable, "-c", _MAKER.format(then=then)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert maker.stdout is not None
    group = int(maker.stdout.readline())
    maker.kill()
    maker.wait()
    return maker, group


def test_a_start_ends_when_its_maker_is_killed() -> None:
    maker, _ = killed_maker("pass")
    assert maker.stderr is not None
    assert maker.stderr.read() == b""  # it ends with the group, which holds the other end
    maker.communicate()


def test_a_group_that_has_started_is_left_alone() -> None:
    maker, group = killed_maker("guard.release()")
    assert maker.stdin is not None
    assert maker.stderr is not None
    maker.stdin.write(b"here\n")
    maker.stdin.flush()
    assert maker.stderr.readline() == b"here\n"
    os.killpg(group, signal.SIGKILL)
    maker.communicate()


def test_a_guard_may_be_released_twice() -> None:
    guard = StartGuard(2**22 + 1)  # no process has this number
    guard.release()
    guard.release()


@pytest.mark.parametrize(
    ("full", "remedy", "other"),
    [("/dev/shm", "--shm-size", "TMPDIR"), ("/scratch", "TMPDIR", "--shm-size")],
)
def test_a_full_place_is_named_with_what_helps_there(
    full: str, remedy: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def room(place: object) -> SimpleNamespace:
        free = 16 if str(place) == full else 2**20
        return SimpleNamespace(f_bavail=free, f_frsize=4096, f_favail=0, f_files=0, f_blocks=32)

    monkeypatch.setattr("tempfile.tempdir", "/scratch")
    monkeypatch.setattr(room_for_mpi.os, "statvfs", room)
    said = room_for_mpi.little_room()
    assert f"{full}, which has 0.1 MB free of 0.1 MB" in said
    assert remedy in said
    assert other not in said
