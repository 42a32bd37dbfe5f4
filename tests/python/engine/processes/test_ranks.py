# SPDX-License-Identifier: BSD-3-Clause
"""Runs in several processes under mpiexec: the same bits as in one process, the same care."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from engine_jobs import FAST_WATER_FORCES, job_from_state, make_job, state_of
from process_runs import (
    TIMEOUT_S,
    USABLE,
    digest_of,
    engines,
    finegrain,
    first_mpi,
    needs,
    needs_any,
    started,
    under_mpiexec,
    wait_until,
)
from tilted_systems import truncated_octahedron, water_files

import finegrain as fg
from finegrain.classical.job import Job
from finegrain.engine.mpi import NAMES, Mpi, choose_mpi, find_mpi
from finegrain.engine.ranks import RankedEngine
from finegrain.runs.checkpoints import step_of_checkpoint

OUTPUT = {"energy_interval": 10, "trajectory_interval": 20}
STEPS = 40
CHATTER = ("mpiexec", "mpirun", "MPI_", "-----", "=====", "PRTE", "hydra")

each_mpi = pytest.mark.parametrize("mpi", first_mpi)
SHAPES = [(2, 1, 0), (2, 2, 0), (3, 1, 0), (3, 2, 0), (2, 1, 1)]


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    folder = tmp_path_factory.mktemp("job")
    return make_job(folder, "water", FAST_WATER_FORCES, {"steps": STEPS}, output=OUTPUT)


@pytest.fixture(scope="module")
def expected(job: Job, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Digest of the run in one process."""
    return fg.run(job, tmp_path_factory.mktemp("one") / "run", pes=1).state_digest


@pytest.mark.parametrize(
    ("mpi", "ranks", "pes", "comm_threads"),
    [
        pytest.param(
            name, *shape, marks=[needs(name)] if usual else [needs(name), pytest.mark.nightly]
        )
        for name in NAMES
        for shape in SHAPES
        for usual in [name == NAMES[0] or shape == (2, 2, 0)]
    ],
)
def test_the_digest_is_that_of_one_process(
    job: Job, expected: str, tmp_path: Path, mpi: str, ranks: int, pes: int, comm_threads: int
) -> None:
    seen: list[int] = []
    done = fg.run(
        job,
        tmp_path / "run",
        pes=pes,
        ranks=ranks,
        mpi=mpi,
        comm_threads=comm_threads,
        on_progress=lambda progress: seen.append(progress["step"]),
    )
    assert done.state_digest == expected
    assert (done.result["ranks"], done.result["pes"]) == (ranks, pes)
    assert seen
    alone = fg.run(job, tmp_path / "alone", pes=2)
    assert set(done.result) == set(alone.result)
    assert {file.name for file in done.path.iterdir()} == {
        file.name for file in alone.path.iterdir()
    }
    assert (done.path / "energies.csv").read_bytes() == (alone.path / "energies.csv").read_bytes()


@pytest.mark.nightly
@each_mpi
def test_a_tilted_cell_under_a_barostat_has_one_digest(tmp_path: Path, mpi: str) -> None:
    """Over processes, PEs, maps and restarts; lists are rebuilt, and the cell scaled, 5 times."""
    section = water_files(tmp_path, truncated_octahedron(2.7), rigid=True)
    dynamics = {
        "ensemble": "npt",
        "barostat": "langevin-piston",
        "thermostat": "velocity-rescaling",
        "piston_period": "0.3 ps",
        "steps": 50,
    }
    forces = FAST_WATER_FORCES | {"rebuild_interval": 10, "prune_interval": 5}
    system = {"kind": "classical"} | section
    job = make_job(tmp_path, "x.xml", forces, dynamics, system=system, output=OUTPUT)
    alone = fg.run(job, tmp_path / "alone", pes=1)
    rows = (alone.path / "energies.csv").read_bytes()
    volumes = alone.energies()["volume (nm3)"]
    assert len(np.unique(volumes)) == len(volumes)
    shapes = [
        {"ranks": 2, "pes": 1},
        {"ranks": 2, "pes": 2, "map": "hashed"},
        {"ranks": 3, "pes": 1, "balance": "random", "balance_steps": 10},
    ]
    for number, shape in enumerate(shapes):
        done = fg.run(job, tmp_path / str(number), mpi=mpi, **shape)
        assert done.state_digest == alone.state_digest, shape
        assert (done.path / "energies.csv").read_bytes() == rows, shape
    out = tmp_path / "stopped"
    assert not fg.run(job, out, mpi=mpi, ranks=2, pes=2, stop_after=25).finished
    last = fg.resume(out, mpi=mpi, ranks=3, pes=1, map="hashed")
    assert last.state_digest == alone.state_digest
    assert (out / "energies.csv").read_bytes() == rows


@needs_any
def test_objects_on_the_move_change_no_bit(job: Job, expected: str, tmp_path: Path) -> None:
    for balancer in ("greedy", "random"):
        out = tmp_path / balancer
        done = fg.run(job, out, pes=2, ranks=2, balance=balancer, balance_steps=10)
        assert done.state_digest == expected, balancer
        assert done.result["balance"] == balancer


@each_mpi
def test_one_process_of_mpiexec_is_alone(job: Job, expected: str, tmp_path: Path, mpi: str) -> None:
    """Started by hand, as in a batch script."""
    words = (job.path, "--out", "run", "--pes", "2", "--quiet")
    done = under_mpiexec(find_mpi(mpi), 1, tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert f"state_digest {expected}" in done.stdout


@needs_any
def test_sessions_leave_nothing(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = tmp_path / "s"
    sessions.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(sessions))
    fg.run(job, tmp_path / "run", ranks=2, pes=1)
    assert list(sessions.iterdir()) == []


@needs_any
def test_a_program_with_mpi_starts_processes(job: Job, expected: str, tmp_path: Path) -> None:
    """Open MPI leaves variables with which its mpiexec fails; other readers import mpi4py."""
    pytest.importorskip("mpi4py")
    words = [sys.executable, "-m", "finegrain", "run", str(job.path), "--ranks", "2", "--json"]
    program = f"""
import subprocess, sys
from mpi4py import MPI
sys.exit(subprocess.run({[*words, "--out", str(tmp_path / "run")]!r}).returncode)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["state_digest"] == expected


@needs_any
def test_each_process_leaves_its_trace(job: Job, expected: str, tmp_path: Path) -> None:
    run = fg.run(job, tmp_path / "run", ranks=2, pes=1, trace=True)
    assert run.state_digest == expected
    assert {"trace.0.bin", "trace.1.bin"} <= {file.name for file in run.path.iterdir()}


@needs_any
def test_resumed_in_other_shapes(job: Job, expected: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert not fg.run(job, out, ranks=2, pes=2, stop_after=10).finished
    assert not fg.resume(out, ranks=1, pes=3, stop_after=25).finished
    last = fg.resume(out, ranks=3, pes=1)
    assert last.finished
    assert last.state_digest == expected


@each_mpi
def test_energies_and_forces_are_equal_to_the_bit(job: Job, mpi: str) -> None:
    there, here = fg.energy(job, ranks=2, pes=1, mpi=mpi), fg.energy(job, pes=1)
    assert there.energies == here.energies
    np.testing.assert_array_equal(there.forces, here.forces)
    np.testing.assert_array_equal(there.virial, here.virial)


@pytest.mark.parametrize(
    ("mpi", "number"),
    [
        pytest.param("openmpi", signal.SIGINT, marks=needs("openmpi")),
        pytest.param("openmpi", signal.SIGTERM, marks=needs("openmpi")),
        pytest.param("mpich", signal.SIGINT, marks=[needs("mpich"), pytest.mark.nightly]),
    ],
)
def test_a_signal_saves_the_run(job: Job, tmp_path: Path, mpi: str, number: signal.Signals) -> None:
    """Ctrl-C reaches the whole process group."""
    out = tmp_path / "run"
    words = ("run", job.path, "--out", "run", "--steps", 10**6, "--ranks", 2, "--pes", 1)
    process = started(tmp_path, *words, "--mpi", mpi)
    wait_until(lambda: (out / "energies.csv").exists(), process)
    os.killpg(process.pid, number)
    text, complaints = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 75, text + complaints
    assert not complaints
    step = fg.Run(out).result["steps"]
    assert f"Saved at step {step:,}." in text
    resumed = fg.resume(out, ranks=2, pes=1, mpi=mpi, steps=step + 20)
    assert resumed.state_digest == digest_of(tmp_path, job, step + 20)


@each_mpi
@pytest.mark.parametrize("rank", [0, 1])
def test_lost_processes_cost_a_restart(job: Job, tmp_path: Path, mpi: str, rank: int) -> None:
    frequent = job_from_state(job, tmp_path / "frequent.h5", {}, checkpoint_seconds=1e-3)
    out = tmp_path / "run"
    words = ("run", frequent.path, "--out", out, "--steps", 10**6, "--ranks", 2, "--pes", 1)
    process = started(tmp_path, *words, "--mpi", mpi)
    wait_until(lambda: (out / "checkpoint_previous.h5").exists(), process)
    os.kill(engines(out)[rank], signal.SIGKILL)
    text, complaints = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 2, text + complaints
    assert "a process of the run was lost" in complaints
    # A network library may abort in the remaining process before MPICH's mpiexec has noticed.
    signals = ["signal 9, SIGKILL"] + ["signal 6, SIGABRT"] * (mpi == "mpich")
    assert any(signal in complaints for signal in signals), complaints
    assert f"finegrain resume {out}" in complaints
    assert complaints.count("machine error") == 1
    assert "-----" not in complaints
    wait_until(lambda: not engines(out))
    step = step_of_checkpoint(out / "checkpoint.h5")
    resumed = finegrain(tmp_path, "resume", out, "--steps", step + 20, "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["state_digest"] == digest_of(tmp_path, frequent, step + 20)


@each_mpi
def test_without_us_the_run_saves_its_state_and_stops(job: Job, tmp_path: Path, mpi: str) -> None:
    out = tmp_path / "run"
    words = ("run", job.path, "--out", out, "--steps", 10**6, "--ranks", 2, "--pes", 1)
    process = started(tmp_path, *words, "--mpi", mpi)
    wait_until(lambda: (out / "energies.csv").exists(), process)
    process.kill()
    process.communicate(timeout=TIMEOUT_S)
    wait_until(lambda: not engines(out))
    step = step_of_checkpoint(out / "checkpoint.h5")
    assert step > 0
    assert fg.resume(out, ranks=2, pes=1, mpi=mpi, steps=step + 20).finished


@needs_any
def test_a_second_ctrl_c_breaks_off(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ("run", job.path, "--out", out, "--steps", 10**6, "--ranks", 2, "--pes", 1)
    process = started(tmp_path, *words)
    wait_until(lambda: (out / "energies.csv").exists(), process)
    process.send_signal(signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        # shorter than saving and leaving; two signals at once would count as one
        process.wait(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 130
    wait_until(lambda: not engines(out))


@each_mpi
def test_an_explosion_is_told_once(job: Job, expected: str, tmp_path: Path, mpi: str) -> None:
    fg.run(job, tmp_path / "first", steps=20, pes=1)
    state = state_of(tmp_path / "first" / "checkpoint.h5")
    state["velocity"][300:303] += np.array([0.4, 0.0, 0.0])
    shot = job_from_state(job, tmp_path / "shot.h5", state)
    words = ("run", shot.path, "--out", "run", "--ranks", 3, "--pes", 1, "--mpi", mpi)
    done = finegrain(tmp_path, *words, "--steps", 400)
    assert done.returncode == 3, done.stdout + done.stderr
    assert done.stderr.startswith("numerical error  1 problem\n")
    assert "atom " in done.stderr
    assert "step " in done.stderr
    assert not [word for word in CHATTER if word in done.stderr]
    alone = finegrain(tmp_path, "run", shot.path, "--out", "alone", "--steps", 400)
    assert alone.returncode == 3


@each_mpi
def test_what_is_wrong_with_the_input_is_said_once(job: Job, tmp_path: Path, mpi: str) -> None:
    out = tmp_path / "run"
    fg.run(job, out, ranks=2, pes=1, mpi=mpi, stop_after=10)
    checkpoint = out / "checkpoint.h5"
    contents = bytearray(checkpoint.read_bytes())
    contents[len(contents) // 2] ^= 0xFF
    checkpoint.write_bytes(contents)
    done = finegrain(tmp_path, "resume", "run", "--ranks", 2, "--pes", 1, "--mpi", mpi)
    alone = finegrain(tmp_path, "resume", "run")
    assert done.returncode == alone.returncode == 1
    assert done.stderr == alone.stderr


@pytest.mark.skipif(len(USABLE) < 2, reason="two MPIs are needed to mix them up")
def test_processes_that_do_not_find_each_other_are_detected(job: Job, tmp_path: Path) -> None:
    mixed = Mpi("mpich", find_mpi("mpich").launcher, find_mpi("openmpi").executable)
    out = tmp_path / "run"
    with pytest.raises(fg.ResourceError) as raised:
        RankedEngine(2, mixed).run(str(job.path), str(out), pes=1)
    assert "number of processes" in raised.value.what
    assert not out.exists()


@pytest.mark.parametrize("ranks", [0, -2, 10**7])
def test_numbers_of_processes_that_make_no_sense(job: Job, tmp_path: Path, ranks: int) -> None:
    with pytest.raises(fg.InputError) as raised:
        fg.run(job, tmp_path / "run", ranks=ranks)
    assert raised.value.where == "--ranks"
    assert raised.value.limit
    assert not (tmp_path / "run").exists()


def test_words_for_processes_and_mpis(job: Job, tmp_path: Path) -> None:
    done = finegrain(tmp_path, "run", job.path, "--ranks", "two")
    assert done.returncode == 1
    assert "--ranks" in done.stderr
    with pytest.raises(fg.InputError) as raised:
        fg.energy(job, ranks=2, mpi="lam")
    assert "openmpi" in raised.value.limit
    for options in ({"ranks": 2.5}, {"ranks": 2, "comm_threads": -1}, {"comm_threads": 1}):
        with pytest.raises(fg.InputError):
            fg.energy(job, **options)


def test_no_mpi_is_the_machine(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(fg.ResourceError) as raised:
        fg.run(job, tmp_path / "run", ranks=2)
    assert "mpiexec" in raised.value.value
    assert "apt-get install" in raised.value.hint
    assert not (tmp_path / "run").exists()


@needs_any
def test_a_bad_launcher_says_why(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    launcher = tmp_path / "mpiexec.openmpi"
    launcher.write_text(
        "#!/bin/sh\n[ $1 = --version ] && echo 'mpiexec (OpenRTE) 4'\n"
        "echo ------- >&2\necho 'no slots are left' >&2\nexit 1\n"
    )
    launcher.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(fg.ResourceError) as raised:
        fg.energy(job, ranks=2, mpi="openmpi")
    assert "could not be started" in raised.value.what
    assert raised.value.value == "no slots are left"


def test_the_environment_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in USABLE:
        monkeypatch.setenv("FINEGRAIN_MPI", name)
        assert choose_mpi().name == name
    monkeypatch.setenv("FINEGRAIN_MPI", "lam")
    with pytest.raises(fg.InputError) as raised:
        choose_mpi()
    assert raised.value.where == "FINEGRAIN_MPI"
