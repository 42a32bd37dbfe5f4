# SPDX-License-Identifier: BSD-3-Clause
"""Results that were lost or damaged while a run was stopped: reported, put back, or started
again on request; never ignored silently, and never replaced."""

import shutil
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from broken_off import Results

import finegrain as fg
from finegrain.classical.job import Job
from finegrain.files.seal import seal
from finegrain.runs.checkpoints import step_of_checkpoint


@pytest.fixture(scope="module")
def half_done(short_water: Job, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("half") / "run"
    assert not fg.run(short_water, out, pes=1, stop_after=40).finished
    (out / "checkpoint_previous.h5").unlink(missing_ok=True)  # written if the run was slow
    return out


@pytest.fixture
def stopped(half_done: Path, tmp_path: Path) -> Path:
    """A run that was stopped at step 40, with nothing older to go back to."""
    return Path(shutil.copytree(half_done, tmp_path / "run"))


def without_trajectory(out: Path) -> None:
    (out / "trajectory.h5").unlink()


def trajectory_cut_short(out: Path) -> None:
    whole = (out / "trajectory.h5").read_bytes()
    (out / "trajectory.h5").write_bytes(whole[: 2 * len(whole) // 3])


def trajectory_of_junk(out: Path) -> None:
    (out / "trajectory.h5").write_bytes(bytes(1000))


def change(name: str, act: Callable[[h5py.Dataset], None]) -> Callable[[Path], None]:
    def spoil(out: Path) -> None:
        with h5py.File(out / "trajectory.h5", "r+", locking=False) as file:
            act(file[name])

    return spoil


def zeros(table: h5py.Dataset) -> None:
    table[3] = 0


def one_less(table: h5py.Dataset) -> None:
    table.resize(len(table) - 1, axis=0)


def twice(table: h5py.Dataset) -> None:
    table[4] = table[3]


def step_zero(table: h5py.Dataset) -> None:
    table[5] = 0


def energies_cut_short(out: Path) -> None:
    lines = (out / "energies.csv").read_text().splitlines(keepends=True)
    (out / "energies.csv").write_text("".join(lines[:-2]))


def energies_without_a_row(out: Path) -> None:
    lines = (out / "energies.csv").read_text().splitlines(keepends=True)
    (out / "energies.csv").write_text("".join(lines[:4] + lines[5:]))


def energies_of_another_run(out: Path) -> None:
    text = (out / "energies.csv").read_text().splitlines(keepends=True)
    fields = text[3].split(",")
    fields[4] = "1.5"
    text[3] = ",".join(fields)
    (out / "energies.csv").write_text("".join(text))


POSITION = "particles/all/position"
DAMAGES = [
    (without_trajectory, "trajectory.h5 is missing"),
    (trajectory_cut_short, "trajectory.h5 cannot be read"),
    (trajectory_of_junk, "trajectory.h5 cannot be read"),
    (change(f"{POSITION}/value", zeros), "nothing but zeros for the frame of step 15"),
    (change(f"{POSITION}/step", step_zero), "trajectory.h5 lacks the frame of step 25"),
    (change(f"{POSITION}/step", twice), "trajectory.h5 lacks the frame of step 20"),
    (change(f"{POSITION}/step", one_less), "trajectory.h5 lacks the frame of step 35"),
    (change(f"{POSITION}/value", one_less), "was never given the frame of step 35"),
    (change(f"{POSITION}/time", zeros), "trajectory.h5 lacks the frame of step 15"),
    (
        change("parameters/energies/total_energy/value", zeros),
        "do not agree in the energies of step 15",
    ),
    (energies_cut_short, "energies.csv lacks the row of step 30"),
    (energies_without_a_row, "energies.csv lacks the row of step 15"),
    (energies_of_another_run, "do not agree in the energies of step 10"),
]


@pytest.mark.parametrize(("damage", "told"), DAMAGES)
def test_missing_files_are_told(stopped: Path, damage: Callable[[Path], None], told: str) -> None:
    damage(stopped)
    before = {file.name: file.read_bytes() for file in stopped.glob("*.[hc]*")}
    with pytest.raises(fg.InputError) as raised:
        fg.resume(stopped, pes=1)
    problem = raised.value
    assert told in problem.what
    assert "step 40" in problem.value
    assert f"finegrain resume {stopped} --new-results" in problem.hint
    assert {file.name: file.read_bytes() for file in stopped.glob("*.[hc]*")} == before


def test_put_back_the_run_goes_on(stopped: Path, whole_results: Results) -> None:
    kept = (stopped / "trajectory.h5").read_bytes()
    without_trajectory(stopped)
    with pytest.raises(fg.InputError):
        fg.resume(stopped, pes=1)
    (stopped / "trajectory.h5").write_bytes(kept)
    fg.resume(stopped, pes=1)
    assert not Results(stopped).differences(whole_results)


def test_on_demand_new_results_begin_beside_the_old(stopped: Path, whole_results: Results) -> None:
    """Even after two such accidents no file is lost, and the state is the undisturbed one."""
    trajectory_cut_short(stopped)
    old = {name: (stopped / name).read_bytes() for name in ("trajectory.h5", "energies.csv")}
    first = fg.resume(stopped, pes=1, new_results=True, stop_after=45)
    assert any("begin at step 40" in warning for warning in first.result["warnings"])
    assert (stopped / "trajectory_damaged.h5").read_bytes() == old["trajectory.h5"]
    assert (stopped / "energies_damaged.csv").read_bytes() == old["energies.csv"]
    step = first.result["steps"]
    with first.trajectory() as trajectory:
        assert list(trajectory.steps) == list(range(40, step, 5))

    second = fg.resume(stopped, pes=1)  # now the results begin at step 40, and are whole
    assert second.state_digest == whole_results.digest
    with second.trajectory() as trajectory:
        assert list(trajectory.steps) == list(range(40, 61, 5))
        last = trajectory[-1].positions
    assert np.array_equal(last, whole_results.tables[f"{POSITION}/value"][-1])
    (stopped / "trajectory.h5").write_bytes(b"")
    third = fg.resume(stopped, pes=1, new_results=True, steps=80)
    assert third.finished
    assert (stopped / "trajectory_damaged.h5").read_bytes() == old["trajectory.h5"]
    assert (stopped / "trajectory_damaged_2.h5").read_bytes() == b""
    assert (stopped / "energies_damaged_2.csv").exists()


def test_an_older_checkpoint_that_the_results_reach_is_gone_back_to(
    short_water: Job, tmp_path: Path, whole_results: Results
) -> None:
    out = tmp_path / "run"
    fg.run(short_water, out, pes=1, stop_after=20)
    fg.resume(out, pes=1, stop_after=40)
    before = step_of_checkpoint(out / "checkpoint_previous.h5")
    assert before < step_of_checkpoint(out / "checkpoint.h5")
    lines = (out / "energies.csv").read_text().splitlines(keepends=True)
    (out / "energies.csv").write_text("".join(lines[: 1 + -(-before // 5)]))
    run = fg.resume(out, pes=1)
    assert run.result["went_on_from"].startswith(f"step {before},")
    (warning,) = run.result["warnings"]
    assert "energies.csv lacks the row" in warning
    assert f"the checkpoint before it, of step {before}" in warning
    assert not Results(out).differences(whole_results)


def test_a_run_without_a_checkpoint_begins_again_and_says_so(
    short_water: Job, tmp_path: Path, whole_results: Results
) -> None:
    out = tmp_path / "run"
    fg.run(short_water, out, pes=1)
    for name in ("checkpoint.h5", "checkpoint_previous.h5", "result.json"):
        (out / name).unlink()
    with pytest.warns(fg.InputNote, match="begins again from the start"):
        fg.resume(out, pes=1)
    assert not Results(out).differences(whole_results)


def test_a_trajectory_that_a_kill_left_unfinished_is_told_from_a_damaged_one(stopped: Path) -> None:
    trajectory_cut_short(stopped)
    with pytest.raises(fg.InputError) as raised:
        fg.Trajectory(stopped)
    assert "resume" not in raised.value.hint
    (stopped / "trajectory.h5.journal").write_bytes(b"")
    with pytest.raises(fg.InputError) as raised:
        fg.Trajectory(stopped)
    assert "finegrain resume puts it right" in raised.value.hint


@pytest.mark.parametrize(
    ("to", "table"),
    [
        ("gro", "atoms/name"),
        ("gro", "residues/name"),
        ("pdb", "atoms/element"),
        ("pdb", "residues/number"),
    ],
)
def test_a_job_with_unfit_tables_is_refused_by_convert(stopped: Path, to: str, table: str) -> None:
    with h5py.File(stopped / "job.h5", "r+", locking=False) as file:
        shorter = file[table][:-1]
        del file[table]
        file[table] = shorter
    seal(stopped / "job.h5")
    with pytest.raises(fg.InputError, match="is damaged"):
        fg.convert(stopped, to, stopped / f"x.{to}", frame=0)
