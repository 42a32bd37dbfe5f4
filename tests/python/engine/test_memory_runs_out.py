# SPDX-License-Identifier: BSD-3-Clause
"""One process gets no more memory, at any point: the run ends and reports it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job
from process_runs import TIMEOUT_S, first_mpi

from finegrain.mpi import Mpi, find_mpi

LEAST_KB, MOST_KB, FINE_ENOUGH_KB = 64_000, 8_000_000, 4_000


def with_limit(mpi: Mpi, folder: Path, limit_kb: int) -> Mpi:
    """Return the same engine with a memory limit for process 1."""
    script = folder / f"engine-{limit_kb}"
    script.write_text(
        f'#!/bin/bash\n[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = 1 ] && ulimit -v {limit_kb}\n'
        f'exec "{mpi.executable}" "$@"\n'
    )
    script.chmod(0o755)
    return Mpi(mpi.name, mpi.launcher, script)


# Not in `make test`: with too little memory Open MPI 4.1 may itself wait for ever in its start.
@pytest.mark.nightly
@pytest.mark.parametrize("name", first_mpi)
def test_a_process_without_memory_ends_the_run(tmp_path: Path, name: str) -> None:
    job = make_job(tmp_path, "water", FAST_WATER_FORCES, {"steps": 10})
    enough, too_little = MOST_KB, LEAST_KB
    said = []
    while enough - too_little > FINE_ENOUGH_KB:
        limit = (enough + too_little) // 2
        mpi = with_limit(find_mpi(name), tmp_path, limit)
        words = [str(job.path), "--out", str(tmp_path / "run"), "--overwrite", "--ranks", "2"]
        # If a process waited for the lost one, this would time out.
        with mpi.environment() as variables:
            done = subprocess.run(
                [*mpi.command(2), *words],
                env=variables,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
                check=False,
            )
        if done.returncode == 0:
            assert "state_digest" in done.stdout
            enough = limit
        else:
            assert "state_digest" not in done.stdout
            said.append((done.returncode, done.stderr))
            too_little = limit
    # In MPI's own start, or in HDF5, lack of memory has another message.
    told = [(status, text) for status, text in said if "process 1: not enough memory" in text]
    assert told, said
    for status, text in told:
        assert status == 2
        assert text.count("not enough memory") == 1
