# SPDX-License-Identifier: BSD-3-Clause
"""A process of a ground state that is killed ends the run with one message."""

import os
import signal
from pathlib import Path

import pytest
from process_runs import TIMEOUT_S, engines, finegrain, first_mpi, started, wait_until


@pytest.mark.parametrize("mpi", first_mpi)
@pytest.mark.parametrize("rank", [0, pytest.param(1, marks=pytest.mark.nightly)])
def test_a_lost_process_ends_a_search_with_one_message(tmp_path: Path, mpi: str, rank: int) -> None:
    made = finegrain(tmp_path, "init", "ice")
    assert made.returncode == 0, made.stderr
    (source,) = tmp_path.rglob("*.toml")
    out = tmp_path / "run"
    words = ("run", source, "--out", out, "--ranks", 2, "--pes", 1, "--mpi", mpi)
    process = started(tmp_path, *words)
    log = out / "run.log"
    wait_until(lambda: log.exists() and "iteration 0" in log.read_text(), process)
    os.kill(engines(out)[rank], signal.SIGKILL)
    text, complaints = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 2, text + complaints
    assert "a process of the run was lost" in complaints
    assert complaints.count("machine error") == 1
    assert "-----" not in complaints
    wait_until(lambda: not engines(out))
    assert not (out / "ground_state.h5").exists()
    again = finegrain(tmp_path, "resume", out, "--pes", 2)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "ground state" in again.stdout
