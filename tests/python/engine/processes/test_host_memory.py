# SPDX-License-Identifier: BSD-3-Clause
"""Large messages between processes of a host: in place, or copied where that is impossible."""

import os
from pathlib import Path

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job
from process_runs import after, first_mpi, under_mpiexec

import finegrain as fg
from finegrain.engine.mpi import find_mpi


@pytest.mark.parametrize("mpi", first_mpi)
@pytest.mark.parametrize("limited", [False, True])
def test_they_are_copied_only_for_short_addresses(tmp_path: Path, mpi: str, limited: bool) -> None:
    """Each process maps as many addresses for each other one as the machine has memory."""
    job = make_job(tmp_path, "water", FAST_WATER_FORCES, {"steps": 40})
    expected = fg.run(job, tmp_path / "one", pes=1).state_digest
    memory_kb = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 1024
    engine = find_mpi(mpi)
    if limited:
        engine = after(engine, tmp_path, f"ulimit -v {memory_kb}")
    done = under_mpiexec(engine, 2, tmp_path, job.path, "--out", "run", "--ranks", "2")
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout
    log = (tmp_path / "run" / "run.log").read_text()
    told = "copied, because the processes" if limited else "read where they were written"
    assert told in log
