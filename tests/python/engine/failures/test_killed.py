# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL at random moments of a checkpoint: the run continues from the last whole one.

FINEGRAIN_EFFORT multiplies the number of kills.
"""

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine_jobs import FAST_WATER_FORCES, job_from_state, make_job
from process_runs import (
    TIMEOUT_S,
    USABLE,
    effort,
    engines,
    finegrain,
    needs_any,
    started,
    wait_until,
)

import finegrain as fg
from finegrain.classical.job import Job
from finegrain.runs.checkpoints import step_of_checkpoint

KILLS = 2  # in each number of processes


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """Saves at every rebuild, or as often as the disk allows."""
    folder = tmp_path_factory.mktemp("job")
    output = {"energy_interval": 10, "trajectory_interval": 20}
    water = make_job(folder, "water", FAST_WATER_FORCES, {"steps": 40}, output=output)
    return job_from_state(water, folder / "frequent.h5", {}, checkpoint_seconds=1e-3)


@pytest.fixture(scope="module")
def undisturbed(job: Job, tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], str]:
    """Digest of a run of this many steps in one process that is not killed."""
    known: dict[int, str] = {}

    def digest(steps: int) -> str:
        if steps not in known:
            out = tmp_path_factory.mktemp("undisturbed") / "run"
            known[steps] = fg.run(job, out, pes=2, steps=steps).state_digest
        return known[steps]

    return digest


def wait_for_the_moment(out: Path, process: subprocess.Popen[str], chance: random.Random) -> None:
    """Return while a checkpoint is written, after it was written, or at another random moment."""
    checkpoint = out / "checkpoint.h5"
    wait_until(checkpoint.exists, process, 0.002)
    for _ in range(chance.randrange(3)):
        before = checkpoint.stat().st_ino
        wait_until(lambda seen=before: checkpoint.stat().st_ino != seen, process, 0.002)
    names = 3 * ["checkpoint.h5.part"] + ["checkpoint_previous.h5.part", ""]
    unfinished = chance.choice(names)
    if unfinished:
        end = time.monotonic() + 1.0  # some exist for microseconds and may be missed
        while not (out / unfinished).exists() and time.monotonic() < end:
            pass
    delay = chance.choice([0.0, 0.0, chance.uniform(0, 0.002), chance.uniform(0, 0.1)])
    if delay > 0:
        time.sleep(delay)


def check_message(process: subprocess.Popen[str], ranks: int, mpi: str, out: Path) -> None:
    text, complaints = process.communicate(timeout=TIMEOUT_S)
    if ranks == 1:  # no process is left to report anything
        assert process.returncode == -signal.SIGKILL, text + complaints
        return
    assert process.returncode == 2, text + complaints
    assert "a process of the run was lost" in complaints
    assert complaints.count("machine error") == 1
    signals = ["signal 9, SIGKILL"] + ["signal 6, SIGABRT"] * (mpi == "mpich")
    assert any(number in complaints for number in signals), complaints
    assert f"finegrain resume {out}" in complaints
    wait_until(lambda: not engines(out))


@needs_any
@pytest.mark.parametrize(
    "ranks", [1, *(pytest.param(ranks, marks=pytest.mark.nightly) for ranks in (2, 3))]
)
def test_killed_at_random_moments_of_a_checkpoint(
    job: Job,
    undisturbed: Callable[[int], str],
    tmp_path: Path,
    ranks: int,
    record_property: Callable[[str, Any], None],
) -> None:
    half_written = 0
    for trial in range(effort(KILLS)):
        chance = random.Random(1000 * ranks + trial)
        mpi = USABLE[trial % len(USABLE)]
        out = tmp_path / f"run{trial}"
        words = ["run", job.path, "--out", out, "--steps", 10**6, "--pes", 1]
        if ranks > 1:
            words += ["--ranks", ranks, "--mpi", mpi]
        process = started(tmp_path, *words)
        wait_until((out / "energies.csv").exists, process)
        victim = engines(out)[chance.randrange(ranks)] if ranks > 1 else process.pid
        wait_for_the_moment(out, process, chance)
        os.kill(victim, signal.SIGKILL)
        check_message(process, ranks, mpi, out)
        half_written += any(out.glob("*.part"))

        step = step_of_checkpoint(out / "checkpoint.h5")
        assert step > 0
        steps = -(-(step + 10) // 100) * 100
        shape = ["--ranks", chance.choice([1, 2, 3]), "--pes", chance.choice([1, 2])]
        resumed = finegrain(tmp_path, "resume", out, "--steps", steps, "--json", *shape)
        assert resumed.returncode == 0, (trial, resumed.stderr)
        result = json.loads(resumed.stdout)
        assert result["finished"]
        assert result["state_digest"] == undisturbed(steps), trial
        assert not list(out.glob("*.part")), "what was half written lies about"
    record_property("kills", effort(KILLS))
    record_property("while a file was half written", half_written)
    print(f"{ranks} processes: {effort(KILLS)} kills, {half_written} of them in a write")
