# SPDX-License-Identifier: BSD-3-Clause
"""MPIs whose folders for temporary files have no room: the start ends, and says which folder."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job
from process_runs import TIMEOUT_S, command, needs, wait_until

from finegrain.classical.job import Job
from finegrain.errors import EXIT_RESOURCE

pytestmark = pytest.mark.nightly

_IN_PLACE = 'mount -t tmpfs -o size="$1" none "$2" && shift 2 && exec "$@"'


def _may_mount() -> bool:
    try:
        done = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


needs_mounts = pytest.mark.skipif(not _may_mount(), reason="no file systems may be mounted")


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    return make_job(tmp_path_factory.mktemp("job"), "water", FAST_WATER_FORCES, {"steps": 20})


def started(job: Job, mpi: str, place: Path, size: str) -> subprocess.Popen[str]:
    """Start a run in two processes, for which alone a place is that small."""
    out = job.path.parent / f"{mpi}-{size}"
    words = ["run", job.path, "--out", out, "--pes", 1, "--ranks", 2, "--mpi", mpi, "--overwrite"]
    return subprocess.Popen(
        ["unshare", "-m", "sh", "-c", _IN_PLACE, "sh", size, str(place), *command(*words)],
        env={**os.environ, "TMPDIR": str(place), "FINEGRAIN_MPI_START_SECONDS": "8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def processes(*words: str) -> list[int]:
    """Return the numbers of processes with all these words in their command lines."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if all(word in line for word in words):
            found.append(int(file.parent.name))
    return found


def launchers(job: Job, name: str) -> list[int]:
    """Return the numbers of the mpiexec of a run."""
    return processes("/mpiexec", str(job.path.parent / name))


def is_guarded(group: int) -> bool:
    return bool(processes("read -r line", f" sh {group} "))


@needs_mounts
@pytest.mark.parametrize(
    ("mpi", "place", "size"),
    [
        pytest.param("openmpi", "tmp", "16k", marks=needs("openmpi")),
        pytest.param("openmpi", "tmp", "256k", marks=needs("openmpi")),  # it waits for ever
        pytest.param("mpich", "/dev/shm", "64k", marks=needs("mpich")),
        pytest.param("mpich", "/dev/shm", "8m", marks=needs("mpich")),
    ],
)
def test_a_start_without_room_ends_with_the_folder(
    job: Job, mpi: str, place: str, size: str, tmp_path: Path
) -> None:
    (tmp_path / "tmp").mkdir()
    process = started(job, mpi, tmp_path / place, size)
    said = " ".join(process.communicate(timeout=TIMEOUT_S)[1].split())
    assert process.returncode == EXIT_RESOURCE
    assert f"an MPI keeps files in {tmp_path / place}" in said
    assert not launchers(job, f"{mpi}-{size}")


@needs_mounts
@needs("openmpi")
def test_a_start_that_waits_ends_when_its_command_is_killed(job: Job, tmp_path: Path) -> None:
    process = started(job, "openmpi", tmp_path, "256k")
    name = "openmpi-256k"
    wait_until(lambda: any(map(is_guarded, launchers(job, name))), process)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=TIMEOUT_S)
    wait_until(lambda: not launchers(job, name))
