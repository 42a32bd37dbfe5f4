# SPDX-License-Identifier: BSD-3-Clause
"""The engine's own executable, which batch scripts start: the same bits, and as careful."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from engine_jobs import WATER_FORCES, make_job

import finegrain
from finegrain import _engine
from finegrain.jobs import Job

ENGINE = Path(_engine.__file__).parent / "bin" / "finegrain-engine"


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return make_job(tmp_path / "job", "water", WATER_FORCES, {"steps": 40})


def engine(*words: object) -> subprocess.CompletedProcess[str]:
    command = [str(ENGINE), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_it_ends_where_the_module_ends(job: Job, tmp_path: Path) -> None:
    done = engine(job.path, "--out", tmp_path / "here", "--quiet")
    assert done.returncode == 0, done.stderr
    there = _engine.run(str(job.path), str(tmp_path / "there"), pes=2)
    assert f"state_digest {there['state_digest']}" in done.stdout


def test_it_replaces_nothing_unasked(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert engine(job.path, "--out", out, "--quiet").returncode == 0
    before = (out / "checkpoint.h5").read_bytes()
    again = engine(job.path, "--out", out, "--quiet")
    assert again.returncode == 1
    assert "earlier run" in again.stderr
    assert "--overwrite" in again.stderr
    assert (out / "checkpoint.h5").read_bytes() == before
    assert engine(job.path, "--out", out, "--quiet", "--overwrite").returncode == 0


def test_its_runs_can_be_gone_on_with(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    stopped = engine(job.path, "--out", out, "--stop-after", 5, "--quiet")
    assert stopped.returncode == 75, stopped.stderr
    resumed = finegrain.resume(out)
    straight = _engine.run(str(job.path), str(tmp_path / "straight"))
    assert resumed.result["state_digest"] == straight["state_digest"]
