# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes and interruptions: none of them loses data, and each gets a fitting message."""

import io
from pathlib import Path

import h5py
import numpy as np
import pytest

import finegrain as fg
from finegrain.errors import EXIT_INPUT, EXIT_RESOURCE, EXIT_RESUMABLE
from finegrain.formats.extended_xyz import write_frame
from finegrain.runs.folder.lock import locked


def contents(folder: str) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in Path(folder).iterdir()}


@pytest.fixture
def finished(engine, job, command):
    """Make a finished run in "here"."""
    assert command("run", job.name, "--out", "here").exit_code == 0
    return job


@pytest.mark.parametrize(
    "slip",
    [
        ("--map", "foo"),
        ("--balance", "foo"),
        ("--balance-steps", "0"),
        ("--steps", "-5"),
        ("--pes", "-4"),
        ("--steps", "9" * 20),
    ],
)
def test_a_slip_removes_nothing(engine, finished, command, slip):
    before = contents("here")
    done = command("run", finished.name, "--out", "here", "--overwrite", *slip)
    assert done.exit_code == EXIT_INPUT
    assert slip[0] in done.stderr
    assert contents("here") == before
    assert len(engine.calls) == 1


def test_a_failed_start_does_not_stand_in_the_way(engine, job, command):
    assert command("run", job.name, "--out", "new", "--map", "foo").exit_code == EXIT_INPUT
    assert command("run", job.name, "--out", "new").exit_code == 0


def test_a_folder_that_is_being_written_is_not_written_by_another(engine, finished, command):
    with locked(Path("here")):
        for words in (("run", finished.name, "--out", "here", "--overwrite"), ("resume", "here")):
            done = command(*words)
            assert done.exit_code == EXIT_RESOURCE
            assert "another run is writing" in done.stderr
    assert len(engine.calls) == 1
    assert command("resume", "here", "--steps", "200").exit_code == 0


@pytest.mark.parametrize("steps", ["50", "-3", "9" * 20])
def test_a_wrong_number_of_steps_leaves_the_job_unchanged(engine, finished, command, steps):
    before = contents("here")
    done = command("resume", "here", "--steps", steps)
    assert done.exit_code == EXIT_INPUT
    assert contents("here") == before


@pytest.mark.parametrize(
    "target",
    ["here/trajectory.h5", "here/job.h5", "mine.xyz", "here", "nowhere/new.xyz", "new.dcd"],
)
def test_a_conversion_replaces_nothing_unasked(engine, finished, command, target):
    Path("mine.xyz").write_text("mine")
    before = contents("here")
    done = command("convert", "here", "--to", "xyz", "--out", target)
    assert done.exit_code == EXIT_INPUT
    assert target in done.stderr
    assert "defect" not in done.stderr
    assert contents("here") == before
    assert Path("mine.xyz").read_text() == "mine"


def test_a_conversion_may_be_told_to_replace(engine, finished, command):
    Path("mine.xyz").write_text("mine")
    words = ("convert", "here", "--to", "xyz", "--out", "mine.xyz", "--overwrite")
    assert command(*words).exit_code == 0
    assert Path("mine.xyz").read_text() != "mine"
    own = ("convert", "here", "--to", "xyz", "--out", "here/trajectory.h5", "--overwrite")
    assert command(*own).exit_code == EXIT_INPUT


def test_a_new_run_takes_old_conversions_away(engine, finished, command):
    assert command("convert", "here", "--to", "xyz").exit_code == 0
    assert command("run", finished.name, "--out", "here", "--overwrite").exit_code == 0
    assert not Path("here/trajectory.xyz").exists()


def test_forces_replace_nothing_unasked(engine, job, command):
    Path("mine.npz").write_text("mine")
    done = command("energy", job.name, "--forces", "mine.npz")
    assert done.exit_code == EXIT_INPUT
    assert Path("mine.npz").read_text() == "mine"
    assert command("energy", job.name, "--forces", "mine.npz", "--overwrite").exit_code == 0


def test_a_run_stopped_while_minimising_begins_again(engine, job, command, monkeypatch):
    whole = engine.run

    def stopped(job_path: str, out: str, **_options: object) -> dict[str, object]:
        Path(out, "run.log").write_text("a run\n")
        return {"steps": 0, "finished": False, "state_digest": "", "atoms": 12, "pes": 1}

    monkeypatch.setattr(engine, "run", stopped)
    done = command("run", job.name, "--out", "here")
    assert done.exit_code == EXIT_RESUMABLE, done.output
    assert "finegrain resume here" in done.output
    monkeypatch.setattr(engine, "run", whole)
    assert command("resume", "here").exit_code == 0
    assert engine.calls[-1]["resume"] == ""


def test_an_exception_of_the_callers_own_function_is_raised_unchanged(engine, job):
    def divide(progress: object) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        fg.run(job, "here", on_progress=divide)
    assert Path("here/checkpoint.h5").exists()


def test_a_job_can_be_checked(engine, job, command):
    done = command("check", job.name)
    assert done.exit_code == 0, done.output
    assert "12, of which 12 in rigid waters" in done.stdout
    damaged = bytearray(job.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    Path("damaged.h5").write_bytes(damaged)
    assert command("check", "damaged.h5").exit_code == EXIT_INPUT


def test_a_damaged_job_is_refused_before_hdf5_sees_it(finished, monkeypatch):
    # on some damage HDF5 loops without end, so it is not asked
    job = Path("here/job.h5")
    damaged = bytearray(job.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    job.write_bytes(damaged)

    opened = h5py.File

    def others(path, *rest, **named):
        if Path(path).name == job.name:
            pytest.fail("HDF5 read a damaged job")
        return opened(path, *rest, **named)

    monkeypatch.setattr("h5py.File", others)
    for use in (
        lambda: fg.Job(job),
        lambda: fg.convert("here", "pdb"),
        lambda: fg.resume("here", steps=200),
    ):
        with pytest.raises(fg.InputError, match="SHA-256 does not fit"):
            use()


def test_runs_and_jobs_stand_for_their_paths(engine, finished):
    run, job = fg.Run("here"), fg.Job("here/job.h5")
    assert fg.check(run).as_dict() == fg.check(job).as_dict()
    assert len(fg.read_energies(run)) == len(fg.read_energies("here"))
    with fg.Trajectory(run) as trajectory:
        assert len(trajectory) > 0
        assert trajectory[0].images is None or trajectory[0].images.dtype == np.int32
    assert fg.convert(run, "xyz").exists()
    assert fg.load(job).atoms == fg.load(run).atoms == 12
    assert fg.resume(run, steps=200).finished


@pytest.mark.parametrize("wrong", [{"steps": 5.5}, {"pes": 0}, {"pes": 10**6}, {"stop_after": -7}])
def test_numbers_that_mean_nothing_are_refused(engine, job, wrong):
    with pytest.raises(fg.InputError):
        fg.run(job, "here", **wrong)
    assert not Path("here").exists()


def test_a_run_can_be_shown_where_nothing_can_be_written(engine, finished, command, monkeypatch):
    def refuse(path: object, contents: bytes) -> None:
        raise fg.ResourceError("cannot be written to", where=str(path))

    monkeypatch.setattr("finegrain.runs.energies.replace_file", refuse)
    done = command("show", "here")
    assert done.exit_code == 0, done.output
    assert "the plot was not drawn" in done.stdout
    assert command("show", "here", "--json").exit_code == 0


def test_an_atom_without_an_element_is_written_as_x():
    text = io.StringIO()
    write_frame(text, ["O", ""], np.zeros((2, 3)))
    assert [line.split()[0] for line in text.getvalue().splitlines()[2:]] == ["O", "X"]


def test_time_spent_minimising_does_not_count_as_steps():
    text, now = io.StringIO(), [0.0]
    line = fg.ProgressLine(text, 2.0, clock=lambda: now[0])
    for second in range(60):
        now[0] = float(second)
        line({"step": 0, "steps": 100, "seconds": second, "evaluations": second + 1})
    for step in range(0, 100, 10):
        now[0] += 1.0
        line.interval_s = 0.0  # every report a line
        line({"step": step, "steps": 100, "seconds": now[0], "temperature": 300.0})
    # Ten steps of 2 fs a second.
    assert "1.73 ns/day" in text.getvalue().splitlines()[-1]


def test_a_checkpoint_that_was_lost_is_reported(engine, finished, command):
    with h5py.File("here/checkpoint.h5") as file:
        assert file.attrs["step"] == 100
    Path("here/checkpoint.h5").unlink()
    done = command("resume", "here", "--steps", "200")
    assert done.exit_code == EXIT_INPUT
    assert "no checkpoint to continue from" in done.stderr
