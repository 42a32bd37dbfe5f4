# SPDX-License-Identifier: BSD-3-Clause
"""Dynamics that keep states in memory: a process is killed, and they go on to the same bits."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kept_in_memory import kept, kill_process, own_memory, resumed, start_of, steps_kept
from moving_silicon import SCHEMES, frames, job_of, write_input
from process_runs import effort, first_mpi, needs_any, started, wait_until

import finegrain as fg
from finegrain.errors import ResourceError
from finegrain.runs import simulate
from finegrain.runs.checkpoints import step_of_checkpoint

EVERY = 3
STEPS = 400  # of a run that is killed long before
SOME = 6  # steps after the state that is found

# Rows every fourth step, so that states are kept between two rows. No checkpoint on disk but the
# first one.
OUTPUT = (
    "[output]",
    "energy_interval = 4",
    "trajectory_interval = 8",
    'checkpoint_interval = "1 h"',
)


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    known: dict[str, Path] = {}

    def of(scheme: str) -> Path:
        if scheme not in known:
            known[scheme] = job_of(tmp_path_factory.mktemp(scheme), scheme, STEPS, *OUTPUT)
        return known[scheme]

    return of


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return own_memory(tmp_path / "memory", monkeypatch)


def rows(out: Path) -> int:
    table = out / "energies.csv"
    return table.read_text().count("\n") - 1 if table.exists() else 0


def kill_one(
    job: Path, out: Path, memory: Path, ranks: int, victim: int, least: int, *more: Any
) -> int:
    """Kill a process when all keep two states; return the step of the state on disk."""
    words = ["run", job, "--out", out, "--pes", 1, "--ranks", ranks]
    process = started(out.parent, *words, "--memory-checkpoint-steps", EVERY, *more)
    wait_until(lambda: rows(out) > least and len(kept(memory)) == 2 * ranks, process, 0.01)
    complaints = kill_process(process, out, ranks, victim)
    if ranks > 1:
        assert "a process of the run was lost" in complaints
    return step_of_checkpoint(out / "checkpoint.h5")


def check_same(out: Path, alone: Path) -> None:
    assert fg.open_run(out).state_digest == fg.open_run(alone).state_digest
    assert (out / "energies.csv").read_bytes() == (alone / "energies.csv").read_bytes()
    here, there = frames(out), frames(alone)
    assert all((here[name] == there[name]).all() for name in there)


SHAPES = [*zip((2, 1, 3), SCHEMES, strict=True)]


@needs_any
@pytest.mark.parametrize(("ranks", "scheme"), SHAPES)
def test_a_lost_process_costs_the_way_from_the_state_in_memory(
    jobs: Callable[[str], Path], tmp_path: Path, memory: Path, ranks: int, scheme: str
) -> None:
    for trial in range(effort(1)):
        chance = random.Random(100 * ranks + trial)
        out = tmp_path / f"run{trial}"
        kill_one(jobs(scheme), out, memory, ranks, chance.randrange(ranks), chance.randrange(1, 6))
        in_memory = steps_kept(memory)
        steps = in_memory[-1] + SOME
        shape = ["--ranks", chance.choice([1, 2, 3]), "--pes", chance.choice([1, 2])]
        result = resumed(out, steps, *shape, "--memory-checkpoint-steps", EVERY)
        start, place = start_of(result)
        assert place == "kept in memory"
        assert start in in_memory
        assert not result["warnings"]
        assert not list(memory.iterdir())
        assert not (out / "memory_checkpoint.txt").exists()
        alone = fg.run(jobs(scheme), tmp_path / f"alone{trial}", pes=2, steps=steps)
        check_same(out, alone.path)


@pytest.mark.nightly
@pytest.mark.parametrize("mpi", first_mpi)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_so_it_is_with_each_mpi(
    jobs: Callable[[str], Path], tmp_path: Path, memory: Path, scheme: str, mpi: str
) -> None:
    for ranks in (2, 3):
        out = tmp_path / f"run{ranks}"
        kill_one(jobs(scheme), out, memory, ranks, ranks - 1, 2, "--mpi", mpi)
        steps = steps_kept(memory)[-1] + SOME
        result = resumed(out, steps, "--ranks", 2, "--pes", 1, "--mpi", mpi)
        assert start_of(result)[1] == "kept in memory"
        check_same(out, fg.run(jobs(scheme), tmp_path / f"alone{ranks}", steps=steps).path)


@pytest.mark.nightly
@needs_any
def test_lost_hosts_lose_nothing(jobs: Callable[[str], Path], tmp_path: Path, memory: Path) -> None:
    job = jobs("constrained")
    one = tmp_path / "one"
    kill_one(job, one, memory, 3, 1, 2)
    for name, file in kept(memory).items():
        if name.startswith("2."):
            file.unlink()
    steps = steps_kept(memory)[-1] + SOME
    assert start_of(resumed(one, steps, "--pes", 1))[1] == "kept in memory"
    check_same(one, fg.run(job, tmp_path / "alone", steps=steps).path)

    two = tmp_path / "two"
    kill_one(job, two, memory, 3, 0, 2)
    for name, file in kept(memory).items():
        if not name.startswith("0."):
            file.unlink()
    result = resumed(two, steps, "--pes", 2)
    assert start_of(result)[1] == "saved on disk"
    assert "cannot continue from the checkpoint in memory" in result["warnings"][0]
    assert "records are there" in result["warnings"][0]
    check_same(two, tmp_path / "alone")
    assert not list(memory.iterdir())


@needs_any
def test_damaged_records_and_states_beyond_the_results_are_not_used(
    jobs: Callable[[str], Path], tmp_path: Path, memory: Path
) -> None:
    job = jobs("constrained")
    out = tmp_path / "run"
    kill_one(job, out, memory, 2, 0, 3)
    *_, before, step = steps_kept(memory)
    for file in kept(memory).values():  # both copies of the newest state
        contents = bytearray(file.read_bytes())
        if len(contents) > 200 and int.from_bytes(contents[80:88], "little") == step:
            contents[200] ^= 1
            file.write_bytes(contents)
    assert start_of(resumed(out, step + SOME)) == (before, "kept in memory")
    check_same(out, fg.run(job, tmp_path / "alone", steps=step + SOME).path)

    out = tmp_path / "cut"
    kill_one(job, out, memory, 2, 1, 3)
    steps = steps_kept(memory)[-1] + SOME
    energies = out / "energies.csv"
    energies.write_text("".join(energies.read_text().splitlines(keepends=True)[:2]))
    result = resumed(out, steps)
    assert start_of(result)[1] == "saved on disk"
    assert "energies.csv lacks the row of step 4" in result["warnings"][0]
    check_same(out, fg.run(job, tmp_path / "straight", steps=steps).path)


@needs_any
def test_an_end_leaves_no_memory(jobs: Callable[[str], Path], tmp_path: Path, memory: Path) -> None:
    alone = fg.run(jobs("free"), tmp_path / "alone", pes=1, steps=10)
    for name, ranks in (("one", 1), ("two", 2)):
        run = fg.run(
            jobs("free"), tmp_path / name, pes=2, ranks=ranks, steps=10, memory_checkpoint_steps=2
        )
        assert not run.result["warnings"]
        check_same(run.path, alone.path)
        assert not list(memory.iterdir())


@needs_any
@pytest.mark.parametrize("scheme", ["constrained", "free"])
def test_states_take_the_memory_that_is_told(
    jobs: Callable[[str], Path], tmp_path: Path, memory: Path, scheme: str
) -> None:
    job = fg.open_job(jobs(scheme))
    told = job.memory_of_checkpoints(2)
    assert told == 2 * job.memory_of_checkpoints(1)
    kill_one(jobs(scheme), tmp_path / "run", memory, 2, 1, 4)
    # One file of each process may be half written, the other has a state and its partner's: four
    # states of the six that are told, the rest is in messages. Beside the orbitals there are their
    # energies, and the number of waves in so small a sphere is not quite that of its volume.
    largest = max(file.stat().st_size for file in kept(memory).values())
    assert largest == pytest.approx(told / 6, rel=0.15)


def test_checkpoints_beyond_the_memory_are_refused(
    jobs: Callable[[str], Path], tmp_path: Path, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = fg.open_job(jobs("free"))
    most = job.memory + 0.9 * job.memory_of_checkpoints(1)
    monkeypatch.setattr(simulate, "machine_memory", lambda: most)
    with pytest.raises(ResourceError, match="take more than this machine has") as error:
        fg.run(job, tmp_path / "run", pes=1, steps=4, memory_checkpoint_steps=2)
    assert error.value.where == "--memory-checkpoint-steps"
    assert "its checkpoints about" in error.value.limit
    assert "checkpoint_interval" in error.value.hint
    assert not (tmp_path / "run/job.h5").exists()
    run = fg.run(job, tmp_path / "run", pes=1, steps=4)
    with pytest.raises(ResourceError, match="take more than this machine has"):
        fg.resume(run, pes=1, steps=6, memory_checkpoint_steps=2)
    assert not list(memory.iterdir())


def test_check_tells_the_memory_of_checkpoints(tmp_path: Path) -> None:
    report = fg.check(write_input(tmp_path, "constrained", 5))
    # 16 orbitals, 2 vectors of 16 bytes for each wave, three times.
    assert report.checkpoint_memory == 16 * report.plane_waves * 2 * 16 * 3
    assert "more with --memory-checkpoint-steps" in report.text()


@needs_any
def test_without_room_the_run_continues(
    jobs: Callable[[str], Path], tmp_path: Path, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FINEGRAIN_MEMORY_DIR", str(memory / "absent"))
    job = jobs("born-oppenheimer")
    run = fg.run(job, tmp_path / "run", pes=1, ranks=2, steps=4, memory_checkpoint_steps=1)
    (warning,) = run.result["warnings"]
    assert warning.startswith("no more checkpoints in memory: process ")
    assert str(memory) in warning
    assert run.state_digest == fg.run(job, tmp_path / "alone", steps=4).state_digest
