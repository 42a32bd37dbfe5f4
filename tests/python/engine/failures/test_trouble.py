# SPDX-License-Identifier: BSD-3-Clause
"""Runs with errors: exit status, place, remedy, and nothing lost."""

import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from engine_jobs import job_from_state, make_job, state_of

from finegrain import _engine
from finegrain.classical.job import Job
from finegrain.files.seal import is_whole
from finegrain.runs.checkpoints import step_of_checkpoint

FORCES = {
    "cutoff": "7 Å",
    "switch": "off",
    "electrostatics": "pme",
    "mesh": [36, 36, 32],
    "ewald_coefficient": "0.4 1/Å",
}


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return make_job(
        tmp_path / "job",
        "AlanineDipeptideExplicit",
        FORCES,
        {"steps": 400, "remove_com_motion": 0},
        output={"energy_interval": 20, "trajectory_interval": 20},
    )


def failure(job: Job, out: Path, **options: Any) -> Any:
    with pytest.raises(_engine.EngineError) as raised:
        _engine.run(str(job.path), str(out), pes=2, **options)
    return raised.value


def test_an_explosion_names_atom_and_step_and_keeps_a_checkpoint(job: Job, tmp_path: Path) -> None:
    """An atom is shot at a water 6 Å away, so that the run works for a while first."""
    out = tmp_path / "out"
    _engine.run(str(job.path), str(out), pes=2, steps=20)
    state = state_of(out / "checkpoint.h5")
    # 1 nm per 100 steps of 2 fs is 50 nm/ps; it is the first water oxygen behind the peptide.
    with h5py.File(job.path) as file:
        first_water = int(file["waters/atoms"][0, 0])
    state["velocity"][first_water : first_water + 3] += np.array([0.4, 0.0, 0.0])
    shot = job_from_state(job, tmp_path / "shot.h5", state, checkpoint_seconds=1e-6)
    error = failure(shot, tmp_path / "shot")
    assert error.kind == "numerics"
    assert error.exit_status == 3
    text = str(error)
    assert "atom" in text
    assert "step" in text
    assert error.hint
    checkpoint = tmp_path / "shot" / "checkpoint.h5"
    if checkpoint.exists():
        assert is_whole(checkpoint)
        assert np.isfinite(state_of(checkpoint)["position"]).all()


def test_atoms_on_top_of_each_other_are_named(job: Job, tmp_path: Path) -> None:
    """A water on another one; an atom on its constraint partner would only be moved."""
    positions = job.positions / 0.0529177210903
    with h5py.File(job.path) as file:
        here, there = (int(file["waters/atoms"][water, 0]) for water in (0, 1))
    move = positions[there] - positions[here] + 1e-7
    positions[here : here + 3] += move
    spoilt = job_from_state(job, tmp_path / "spoilt.h5", {"position": positions})
    error = failure(spoilt, tmp_path / "out")
    assert error.kind in ("input", "numerics")
    assert any(
        f"atom {i + 1} " in str(error) for i in (*range(here, here + 3), *range(there, there + 3))
    )


def test_a_failed_run_leaves_the_last_good_checkpoint(job: Job, tmp_path: Path) -> None:
    """Stopped normally, then resumed from a bad state: the checkpoint is not changed."""
    out = tmp_path / "out"
    _engine.run(str(job.path), str(out), pes=2, stop_after=40)
    checkpoint = out / "checkpoint.h5"
    before = checkpoint.read_bytes()
    wild = job_from_state(job, tmp_path / "wild.h5", {}, timestep=2000.0)
    error = failure(wild, out, resume=str(checkpoint))
    assert error.kind in ("input", "numerics")
    assert checkpoint.read_bytes() == before


def test_a_corrupt_checkpoint_is_refused_and_the_one_before_named(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    checkpoint = out / "checkpoint.h5"
    _engine.run(str(job.path), str(out), pes=2, stop_after=20)
    _engine.run(str(job.path), str(out), pes=2, resume=str(checkpoint), stop_after=60)
    previous = out / "checkpoint_previous.h5"
    assert is_whole(previous)
    damaged = bytearray(checkpoint.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    checkpoint.write_bytes(damaged)
    error = failure(job, out, resume=str(checkpoint))
    assert error.kind == "input"
    assert error.exit_status == 1
    assert str(checkpoint) in str(error)
    assert "checkpoint_previous.h5" in error.hint
    # The remedy works, and the run ends like an undisturbed one.
    shutil.copyfile(previous, checkpoint)
    last = _engine.run(str(job.path), str(out), pes=2, resume=str(checkpoint), steps=100)
    straight = _engine.run(str(job.path), str(tmp_path / "straight"), pes=2, steps=100)
    assert last["state_digest"] == straight["state_digest"]


def test_a_checkpoint_of_another_job_is_refused(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    _engine.run(str(job.path), str(out), pes=2, stop_after=20)
    other = job_from_state(job, tmp_path / "other.h5", {}, seed=2)
    error = failure(other, out, resume=str(out / "checkpoint.h5"))
    assert error.kind == "input"
    assert "another job" in str(error)


def test_a_truncated_job_is_refused(job: Job, tmp_path: Path) -> None:
    whole = job.path.read_bytes()
    job.path.write_bytes(whole[: len(whole) // 2])
    error = failure(job, tmp_path / "out")
    assert error.kind == "input"
    assert str(job.path) in str(error)


_LIMITED = """
import resource, sys
from finegrain import _engine
job, out, limit = sys.argv[1:]
resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), resource.RLIM_INFINITY))
try:
    _engine.run(job, out, pes=2)
except _engine.EngineError as error:
    print(error.kind, "|", error)
    sys.exit(error.exit_status)
"""


@pytest.mark.parametrize("frames", [0, 5])
def test_a_full_disk_is_named(job: Job, tmp_path: Path, frames: int) -> None:
    """A limit on the file size simulates it: the same failed write, without a disk."""
    limit = 4096 if frames == 0 else 600_000 + frames * 24 * job.atoms
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 0
    command = [sys.executable, "-c", _LIMITED, str(job.path), str(tmp_path / "out"), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout.startswith("resource | ")
    assert str(tmp_path / "out") in done.stdout


def test_what_was_written_before_the_disk_was_full_is_readable(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    limit = 600_000 + 5 * 24 * job.atoms
    command = [sys.executable, "-c", _LIMITED, str(job.path), str(out), str(limit)]
    subprocess.run(command, capture_output=True, timeout=120, check=False)
    with h5py.File(out / "trajectory.h5", "r", locking=False) as file:
        frames = file["particles/all/position/value"]
        assert 0 < len(frames) < 21
        assert np.isfinite(frames[...]).all()


def test_a_full_trajectory_does_not_cost_the_checkpoint(job: Job, tmp_path: Path) -> None:
    """What was saved before stays, and nothing is saved beyond what the trajectory holds."""
    out = tmp_path / "out"
    job = job_from_state(job, tmp_path / "often.h5", {}, checkpoint_seconds=1e-6)
    limit = 600_000 + 5 * 24 * job.atoms
    command = [sys.executable, "-c", _LIMITED, str(job.path), str(out), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    assert is_whole(out / "checkpoint.h5")
    resumed = _engine.run(str(job.path), str(out), resume=str(out / "checkpoint.h5"), pes=2)
    straight = _engine.run(str(job.path), str(tmp_path / "straight"), pes=2)
    assert resumed["state_digest"] == straight["state_digest"]


def test_a_stop_while_minimising_says_that_nothing_was_saved(job: Job, tmp_path: Path) -> None:
    rough = job_from_state(job, tmp_path / "rough.h5", {}, minimise="l-bfgs", minimise_steps=10_000)
    result = _engine.run(str(rough.path), str(tmp_path / "out"), on_progress=lambda _: False)
    assert not result["finished"]
    assert result["steps"] == 0
    assert any("while minimising" in warning for warning in result["warnings"])
    assert not (tmp_path / "out" / "checkpoint.h5").exists()


def test_a_killed_run_leaves_a_readable_trajectory_and_continues(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    script = (
        "import os, signal, sys\n"
        "from finegrain import _engine\n"
        "def kill(at):\n"
        "    if at['step'] > 60: os.kill(os.getpid(), signal.SIGKILL)\n"
        "_engine.run(sys.argv[1], sys.argv[2], pes=2, steps=10**6, on_progress=kill)\n"
    )
    frequent = job_from_state(job, tmp_path / "frequent.h5", {}, checkpoint_seconds=1e-3)
    command = [sys.executable, "-c", script, str(frequent.path), str(out)]
    killed = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert killed.returncode == -9
    checkpoint = out / "checkpoint.h5"
    assert is_whole(checkpoint)
    # The trajectory holds all frames before the checkpoint; how far both have got is the disk's.
    with h5py.File(out / "trajectory.h5", "r", locking=False) as file:
        frames = len(file["particles/all/position/value"])
    assert frames >= -(-step_of_checkpoint(checkpoint) // 20)
    end = step_of_checkpoint(checkpoint) // 20 * 20 + 200
    resumed = _engine.run(str(frequent.path), str(out), resume=str(checkpoint), pes=2, steps=end)
    assert resumed["finished"]
    with h5py.File(out / "trajectory.h5", "r", locking=False) as file:
        steps = list(file["particles/all/position/step"][...])
    assert steps == list(range(0, end + 1, 20))
