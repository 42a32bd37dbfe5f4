# SPDX-License-Identifier: BSD-3-Clause
"""The command is killed and its engines live on for a while: `resume` at once loses nothing.

FINEGRAIN_EFFORT multiplies the number of kills.
"""

import os
import random
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from broken_off import Results
from engine_jobs import FAST_WATER_FORCES, job_from_state, make_job
from process_runs import (
    ENGINE,
    TIMEOUT_S,
    USABLE,
    effort,
    finegrain,
    needs_any,
    started,
    wait_until,
)

import finegrain as fg
from finegrain.classical.job import Job
from finegrain.errors import EXIT_RESOURCE
from finegrain.runs.checkpoints import step_of_checkpoint

STEPS = 400


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    folder = tmp_path_factory.mktemp("job")
    output = {"energy_interval": 5, "trajectory_interval": 5}
    water = make_job(folder, "water", FAST_WATER_FORCES, {"steps": STEPS}, output=output)
    return job_from_state(water, folder / "often.h5", {}, checkpoint_seconds=0.05)


@pytest.fixture(scope="module")
def expected(job: Job, tmp_path_factory: pytest.TempPathFactory) -> Results:
    return Results(fg.run(job, tmp_path_factory.mktemp("expected") / "run", pes=2).path)


def killed_front(job: Job, out: Path, chance: random.Random) -> None:
    """Start in two processes, and kill the command at a random step beyond the first checkpoint."""
    mpi = USABLE[chance.randrange(len(USABLE))]
    process = started(
        out.parent, "run", job.path, "--out", out, "--pes", 1, "--ranks", 2, "--mpi", mpi, "--quiet"
    )
    wanted = chance.randrange(10, STEPS // 2)
    wait_until(
        lambda: (
            (out / "checkpoint.h5").exists() and step_of_checkpoint(out / "checkpoint.h5") >= wanted
        ),
        process,
        0.005,
    )
    os.kill(process.pid, signal.SIGKILL)
    process.wait(TIMEOUT_S)


def resumed(out: Path, *words: Any) -> int:
    """Resume, again and again while an engine still writes there; return how often that was."""
    for refusals in range(5):
        done = finegrain(out.parent, "resume", out, "--pes", 1, "--quiet", *words)
        if done.returncode == 0:
            return refusals
        if "the run is complete" in done.stderr:  # the engine had come to the end by itself
            return refusals
        assert done.returncode == EXIT_RESOURCE, done.stderr
        assert "still writing into this folder" in done.stderr, done.stderr
        assert "process " in done.stderr, done.stderr
    pytest.fail(f"it never came free: {done.stderr}")


def check(
    job: Job, expected: Results, folder: Path, trials: int, record: Callable[[str, Any], None]
) -> None:
    refusals = 0
    for trial in range(trials):
        chance = random.Random(trial)
        out = folder / f"run{trial}"
        killed_front(job, out, chance)
        refusals += resumed(out, *(["--ranks", 2] if chance.random() < 0.5 else []))
        assert not Results(out).differences(expected), trial
        assert fg.Run(out).finished
    record("kills", trials)
    print(f"{trials} fronts killed, {refusals} refusals before a resume went on")


@needs_any
def test_resumed_at_once_after_the_command_was_killed_nothing_is_missing(
    job: Job, expected: Results, tmp_path: Path, record_property: Callable[[str, Any], None]
) -> None:
    check(job, expected, tmp_path, effort(2), record_property)


@needs_any
@pytest.mark.physics
def test_fifty_commands_killed_and_resumed_at_once(
    job: Job, expected: Results, tmp_path: Path, record_property: Callable[[str, Any], None]
) -> None:
    check(job, expected, tmp_path, 50, record_property)


def test_an_engine_that_still_writes_keeps_others_out(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine by itself, without a command: its lock alone keeps a command out."""

    out = tmp_path / "run"
    words = [str(ENGINE), str(job.path), "--out", str(out), "--steps", "10000000", "--quiet"]
    engine = subprocess.Popen(words, stdin=subprocess.DEVNULL)
    try:
        wait_until((out / "checkpoint.h5").exists)
        monkeypatch.setattr("finegrain.runs.folder.lock.PATIENCE_S", 0.0)
        for act in (lambda: fg.resume(out, pes=1), lambda: fg.run(job, out, pes=1, overwrite=True)):
            with pytest.raises(fg.ResourceError) as raised:
                act()
            assert f"process {engine.pid} on " in raised.value.value
        # Nor does another engine write there.
        other = subprocess.run(
            [*words, "--resume", str(out / "checkpoint.h5")],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=TIMEOUT_S,
            check=False,
        )
        assert other.returncode == EXIT_RESOURCE, other.stderr
        assert f"process {engine.pid} on " in other.stderr
    finally:
        engine.send_signal(signal.SIGHUP)  # saves and stops, as with SIGTERM
        assert engine.wait(TIMEOUT_S) == 75
    assert not (out / ".engine.lock").exists()
