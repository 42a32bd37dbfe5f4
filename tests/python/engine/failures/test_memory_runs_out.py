# SPDX-License-Identifier: BSD-3-Clause
"""One process gets no more memory, at any point: the run ends and reports it."""

from pathlib import Path

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job
from process_runs import after, first_mpi, under_mpiexec

from finegrain.engine.mpi import find_mpi

LEAST_KB, MOST_KB, FINE_ENOUGH_KB = 64_000, 8_000_000, 4_000


# Not in `make test`: with too little memory Open MPI 4.1 may itself wait for ever in its start.
@pytest.mark.nightly
@pytest.mark.parametrize("name", first_mpi)
def test_a_process_without_memory_ends_the_run(tmp_path: Path, name: str) -> None:
    job = make_job(tmp_path, "water", FAST_WATER_FORCES, {"steps": 10})
    enough, too_little = MOST_KB, LEAST_KB
    said = []
    while enough - too_little > FINE_ENOUGH_KB:
        limit = (enough + too_little) // 2
        # Process 1 gets less than the others.
        line = f'[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = 1 ] && ulimit -v {limit}'
        mpi = after(find_mpi(name), tmp_path, line)
        words = (job.path, "--out", "run", "--overwrite", "--ranks", "2")
        # If a process waited for the lost one, this would time out.
        done = under_mpiexec(mpi, 2, tmp_path, *words)
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
