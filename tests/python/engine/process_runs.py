# SPDX-License-Identifier: BSD-3-Clause
"""Runs in separate processes, which tests wait for, signal and kill."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain import _engine
from finegrain.classical.job import Job
from finegrain.engine.mpi import NAMES, Mpi, find_mpi

ENGINE = Path(_engine.__file__).parent / "bin" / "finegrain-engine"
TIMEOUT_S = 120
USABLE = [name for name in NAMES if find_mpi(name).usable]
needs_any = pytest.mark.skipif(not USABLE, reason="no MPI is usable")


def needs(name: str) -> Any:
    """Return the mark of a test that needs one of the MPIs."""
    mpi = find_mpi(name)
    return pytest.mark.skipif(not mpi.usable, reason=mpi.missing)


# Both MPIs with each shape of a run; in `make test`, the first MPI with each shape.
every_mpi = [pytest.param(name, marks=needs(name)) for name in NAMES]
first_mpi = [
    every_mpi[0],
    *(pytest.param(name, marks=[needs(name), pytest.mark.nightly]) for name in NAMES[1:]),
]


def command(*words: Any) -> list[str]:
    return [sys.executable, "-m", "finegrain", *map(str, words)]


def started(folder: Path, *words: Any) -> subprocess.Popen[str]:
    """Start a command as a shell with job control does: in a process group of its own."""
    return subprocess.Popen(
        command(*words),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )


def engine(*words: object) -> subprocess.CompletedProcess[str]:
    """Run the engine's own program."""
    command = [str(ENGINE), *map(str, words)]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False
    )


def finegrain(folder: Path, *words: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words), cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )


def under_mpiexec(
    mpi: Mpi, processes: int, folder: Path, *words: Any
) -> subprocess.CompletedProcess[str]:
    """Start the executable in several processes by hand, as in a batch script."""
    with mpi.environment() as variables:
        return subprocess.run(
            [*mpi.command(processes), *map(str, words)],
            env=variables,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )


def after(mpi: Mpi, folder: Path, line: str) -> Mpi:
    """Return the same engine, which runs a line of the shell before it starts."""
    script = folder / "engine"
    script.write_text(f'#!/bin/bash\n{line}\nexec "{mpi.executable}" "$@"\n')
    script.chmod(0o755)
    return Mpi(mpi.name, mpi.launcher, script)


def wait_until(
    true: Callable[[], Any], process: subprocess.Popen[str] | None = None, every_s: float = 0.05
) -> None:
    """Return once `true()` is, or fail if the run has ended before or it takes too long."""
    end = time.monotonic() + TIMEOUT_S
    while not true():
        if process is not None and process.poll() is not None:
            pytest.fail(f"the run ended too early: {process.communicate()}")
        assert time.monotonic() < end
        select.select([], [], [], every_s)


def engines(out: Path) -> dict[int, int]:
    """Return the engine's processes that write into a folder: pid by rank."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            variables = dict(
                item.split(b"=", 1)
                for item in (entry / "environ").read_bytes().split(b"\0")
                if b"=" in item
            )
        except OSError:
            continue
        rank = variables.get(b"OMPI_COMM_WORLD_RANK", variables.get(b"PMI_RANK"))
        if rank is not None and b"finegrain-engine-" in words[0] and str(out).encode() in words:
            found[int(rank)] = int(entry.name)
    return found


def digest_of(folder: Path, job: Job, steps: int) -> str:
    """Return the digest of a run of this many steps without an interruption."""
    return fg.run(job, folder / "straight", pes=2, steps=steps).state_digest


def effort(usual: int) -> int:
    """Return how often a randomised test tries; FINEGRAIN_EFFORT multiplies it."""
    return usual * int(os.environ.get("FINEGRAIN_EFFORT", "1"))
