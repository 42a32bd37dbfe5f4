# SPDX-License-Identifier: BSD-3-Clause
"""Checkpoints in memory after the loss of a process, the loss of a host, and with full memory."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine_jobs import FAST_WATER_FORCES, job_from_state, make_job
from kept_in_memory import kept, kill_process, own_memory, resumed, start_of, steps_kept
from process_runs import effort, needs_any, started, wait_until

import finegrain as fg
from finegrain.classical.job import Job
from finegrain.runs.checkpoints import step_of_checkpoint

EVERY = 20


@pytest.fixture(scope="module")
def undisturbed(job: Job, tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Path]:
    """Folder of a run of this many steps in one process that is not killed."""
    known: dict[int, Path] = {}

    def folder(steps: int) -> Path:
        if steps not in known:
            known[steps] = tmp_path_factory.mktemp("undisturbed") / "run"
            fg.run(job, known[steps], pes=2, steps=steps)
        return known[steps]

    return folder


@pytest.fixture(scope="module")
def breathing(tmp_path_factory: pytest.TempPathFactory) -> Job:
    """A box under a barostat and a thermostat that remember more than the atoms."""
    dynamics = {
        "ensemble": "npt",
        "barostat": "langevin-piston",
        "thermostat": "velocity-rescaling",
        "piston_period": "0.3 ps",
    }
    forces = FAST_WATER_FORCES | {"rebuild_interval": 10, "prune_interval": 5}
    output = {"energy_interval": 10, "trajectory_interval": 20}
    folder = tmp_path_factory.mktemp("breathing")
    return make_job(folder, "water", forces, dynamics | {"steps": 40}, output=output)


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return own_memory(tmp_path / "memory", monkeypatch)


def kill_one(
    job: Job, out: Path, memory: Path, ranks: int, victim: int, *more: Any, least: int = 100
) -> int:
    """Kill a process after a step, when all keep two states; return the step of the one on disk."""
    words = ["run", job.path, "--out", out, "--steps", 10**6, "--pes", 1, "--ranks", ranks]
    words += ["--memory-checkpoint-steps", EVERY, *more]
    process = started(out.parent, *words)
    wait_until(lambda: rows(out) > least // 10 and len(kept(memory)) == 2 * ranks, process)
    kill_process(process, out, ranks, victim)
    return step_of_checkpoint(out / "checkpoint.h5")


def rows(out: Path) -> int:
    energies = out / "energies.csv"
    return energies.read_text().count("\n") if energies.exists() else 0


def next_hundred(step: int) -> int:
    return (step + 10) // 100 * 100 + 100


def newest(memory: Path) -> int:
    return steps_kept(memory)[-1]


@needs_any
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_a_lost_process_costs_the_way_from_the_checkpoint_in_memory(
    job: Job, undisturbed: Callable[[int], Path], tmp_path: Path, memory: Path, ranks: int
) -> None:
    for trial in range(effort(1)):
        chance = random.Random(100 * ranks + trial)
        out = tmp_path / f"run{trial}"
        least = chance.randrange(60, 200)
        disk = kill_one(job, out, memory, ranks, chance.randrange(ranks), least=least)
        in_memory = steps_kept(memory)
        assert disk < in_memory[0]
        steps = next_hundred(in_memory[-1])
        shape = ["--ranks", chance.choice([1, 2, 3]), "--pes", chance.choice([1, 2])]
        result = resumed(out, steps, *shape, "--memory-checkpoint-steps", EVERY)
        start, place = start_of(result)
        assert place == "kept in memory"
        assert start in in_memory
        straight = undisturbed(steps)
        assert result["state_digest"] == fg.Run(straight).state_digest
        assert (out / "energies.csv").read_bytes() == (straight / "energies.csv").read_bytes()
        with fg.Run(out).trajectory() as here, fg.Run(straight).trajectory() as there:
            assert len(here) == len(there)
        assert not result["warnings"]
        assert result["energy_drift"] == pytest.approx(fg.Run(straight).result["energy_drift"])
        assert not list(memory.iterdir())
        assert not (out / "memory_checkpoint.txt").exists()


@needs_any
def test_a_barostat_goes_on_from_memory(breathing: Job, tmp_path: Path, memory: Path) -> None:
    out = tmp_path / "run"
    disk = kill_one(breathing, out, memory, 2, 1)
    steps = next_hundred(newest(memory))
    result = resumed(out, steps, "--ranks", 3, "--pes", 1)
    start, place = start_of(result)
    assert place == "kept in memory"
    assert start > disk
    straight = fg.run(breathing, tmp_path / "straight", pes=2, steps=steps)
    assert result["state_digest"] == straight.state_digest
    assert (out / "energies.csv").read_bytes() == (straight.path / "energies.csv").read_bytes()


@needs_any
def test_lost_hosts_lose_nothing(
    job: Job, undisturbed: Callable[[int], Path], tmp_path: Path, memory: Path
) -> None:
    one = tmp_path / "one"
    kill_one(job, one, memory, 3, 1, "--balance", "random", "--balance-steps", 30)
    for name, file in kept(memory).items():
        if name.startswith("2."):
            file.unlink()
    steps = next_hundred(newest(memory))
    result = resumed(one, steps, "--ranks", 2, "--pes", 1)
    assert start_of(result)[1] == "kept in memory"
    assert result["state_digest"] == fg.Run(undisturbed(steps)).state_digest

    two = tmp_path / "two"
    disk = kill_one(job, two, memory, 3, 0)
    for name, file in kept(memory).items():
        if not name.startswith("0."):
            file.unlink()
    steps = next_hundred(newest(memory))
    result = resumed(two, steps, "--pes", 2)
    assert start_of(result) == (disk, "saved on disk")
    assert "cannot continue from the checkpoint in memory" in result["warnings"][0]
    assert f"of {job.atoms} atoms" in result["warnings"][0]
    assert result["state_digest"] == fg.Run(undisturbed(steps)).state_digest
    assert not list(memory.iterdir())


@needs_any
def test_damaged_records_count_for_nothing(
    job: Job, undisturbed: Callable[[int], Path], tmp_path: Path, memory: Path
) -> None:
    out = tmp_path / "run"
    kill_one(job, out, memory, 2, 0)
    *_, before, step = steps_kept(memory)
    chance = random.Random(1)
    for file in kept(memory).values():  # both copies of the newest state
        contents = bytearray(file.read_bytes())
        if len(contents) > 88 and int.from_bytes(contents[80:88], "little") == step:
            contents[chance.randrange(88, len(contents))] ^= 1 << chance.randrange(8)
            file.write_bytes(contents)
    steps = next_hundred(step)
    result = resumed(out, steps)
    assert start_of(result) == (before, "kept in memory")
    assert result["state_digest"] == fg.Run(undisturbed(steps)).state_digest


@needs_any
def test_a_state_beyond_the_results_on_disk_is_not_used(
    job: Job, undisturbed: Callable[[int], Path], tmp_path: Path, memory: Path
) -> None:
    out = tmp_path / "run"
    disk = kill_one(job, out, memory, 2, 1)
    energies = out / "energies.csv"
    energies.write_text("".join(energies.read_text().splitlines(keepends=True)[:4]))
    steps = next_hundred(newest(memory))
    result = resumed(out, steps)
    assert start_of(result) == (disk, "saved on disk")
    assert "energies.csv lacks the row of step 30" in result["warnings"][0]
    assert energies.read_bytes() == (undisturbed(steps) / "energies.csv").read_bytes()


@needs_any
def test_memory_can_be_refused_and_is_of_one_run(
    job: Job, undisturbed: Callable[[int], Path], tmp_path: Path, memory: Path
) -> None:
    out = tmp_path / "run"
    disk = kill_one(job, out, memory, 2, 1)
    steps = next_hundred(newest(memory))
    result = resumed(out, steps, "--ignore-memory")
    assert start_of(result) == (disk, "saved on disk")
    assert result["state_digest"] == fg.Run(undisturbed(steps)).state_digest
    assert not list(memory.iterdir())

    kill_one(job, tmp_path / "again", memory, 2, 1)
    fresh = fg.run(job, tmp_path / "again", pes=1, steps=40, overwrite=True)
    assert fresh.result["went_on_from"] == ""
    assert fresh.state_digest == fg.Run(undisturbed(40)).state_digest
    assert not list(memory.iterdir())


@needs_any
def test_without_room_the_run_continues(
    job: Job, tmp_path: Path, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = fg.run(job, tmp_path / "alone", pes=1).state_digest
    monkeypatch.setenv("FINEGRAIN_MEMORY_DIR", str(memory / "absent"))
    run = fg.run(job, tmp_path / "run", pes=1, ranks=2, memory_checkpoint_steps=1)
    assert run.state_digest == expected
    (warning,) = run.result["warnings"]
    assert warning.startswith("no more checkpoints in memory")
    assert str(memory) in warning


@needs_any
def test_nothing_is_left_after_a_stop(job: Job, tmp_path: Path, memory: Path) -> None:
    often = job_from_state(job, tmp_path / "often.h5", {}, checkpoint_seconds=1e-3)
    out = tmp_path / "run"
    first = fg.run(
        often, out, pes=1, ranks=2, stop_after=60, steps=100, memory_checkpoint_steps=EVERY
    )
    assert not first.finished
    assert not list(memory.iterdir())
    step = first.result["steps"]
    assert start_of(fg.resume(out, pes=1).result) == (step, "saved on disk")


def test_numbers_of_steps_that_make_no_sense(job: Job, tmp_path: Path) -> None:
    with pytest.raises(fg.InputError) as raised:
        fg.run(job, tmp_path / "run", memory_checkpoint_steps=-1)
    assert raised.value.where == "--memory-checkpoint-steps"
    assert not (tmp_path / "run").exists()
