# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes and interruptions: none of them loses data, and each gets a fitting message."""

import io
import json
from pathlib import Path

import h5py
import numpy as np
import pytest

import finegrain as fg
from finegrain.errors import EXIT_RESOURCE, EXIT_RESUMABLE
from finegrain.formats.extended_xyz import write_frame
from finegrain.runs.folder.lock import locked


def contents(folder: str) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in Path(folder).iterdir()}


@pytest.fixture
def finished(engine, job, accepted):
    """Make a finished run in "here"."""
    accepted("run", job.name, "--out", "here")
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
def test_a_slip_removes_nothing(engine, finished, refused, slip):
    before = contents("here")
    assert slip[0] in refused("run", finished.name, "--out", "here", "--overwrite", *slip)
    assert contents("here") == before
    assert len(engine.calls) == 1


def test_a_failed_start_does_not_stand_in_the_way(engine, job, accepted, refused):
    refused("run", job.name, "--out", "new", "--map", "foo")
    accepted("run", job.name, "--out", "new")


def test_a_folder_in_use_is_not_written_by_another(engine, finished, accepted, refused):
    with locked(Path("here")):
        for words in (("run", finished.name, "--out", "here", "--overwrite"), ("resume", "here")):
            assert "another run is writing" in refused(*words, status=EXIT_RESOURCE)
    assert len(engine.calls) == 1
    accepted("resume", "here", "--steps", "200")


def test_show_says_whether_a_run_is_at_work(engine, finished, accepted):
    assert "running" not in accepted("show", "here").stdout
    assert json.loads(accepted("show", "here", "--json").stdout)["running"] is False
    with locked(Path("here")):
        told = accepted("show", "here").stdout
        assert "running; the figures here are of its last stop" in told
        assert json.loads(accepted("show", "here", "--json").stdout)["running"] is True
        Path("here/result.json").unlink()
        assert "  running\n" in accepted("show", "here").stdout
    assert "ended without a result" in accepted("show", "here").stdout


@pytest.mark.parametrize("steps", ["50", "-3", "9" * 20])
def test_a_wrong_number_of_steps_leaves_the_job_unchanged(engine, finished, refused, steps):
    before = contents("here")
    refused("resume", "here", "--steps", steps)
    assert contents("here") == before


@pytest.mark.parametrize(
    "target",
    ["here/trajectory.h5", "here/job.h5", "mine.xyz", "here", "nowhere/new.xyz", "new.dcd"],
)
def test_a_conversion_replaces_nothing_unasked(engine, finished, refused, target):
    Path("mine.xyz").write_text("mine")
    before = contents("here")
    said = refused("convert", "here", "--to", "xyz", "--out", target)
    assert target in said
    assert "defect" not in said
    assert contents("here") == before
    assert Path("mine.xyz").read_text() == "mine"


def test_a_conversion_may_be_told_to_replace(engine, finished, accepted, refused):
    Path("mine.xyz").write_text("mine")
    words = ("convert", "here", "--to", "xyz", "--out", "mine.xyz", "--overwrite")
    accepted(*words)
    assert Path("mine.xyz").read_text() != "mine"
    own = ("convert", "here", "--to", "xyz", "--out", "here/trajectory.h5", "--overwrite")
    refused(*own)


def test_a_new_run_takes_old_conversions_away(engine, finished, accepted):
    accepted("convert", "here", "--to", "xyz")
    accepted("run", finished.name, "--out", "here", "--overwrite")
    assert not Path("here/trajectory.xyz").exists()


def test_forces_replace_nothing_unasked(engine, job, accepted, refused):
    Path("mine.npz").write_text("mine")
    refused("energy", job.name, "--forces", "mine.npz")
    assert Path("mine.npz").read_text() == "mine"
    accepted("energy", job.name, "--forces", "mine.npz", "--overwrite")


def test_a_run_stopped_while_minimising_begins_again(engine, job, command, accepted, monkeypatch):
    whole = engine.run

    def stopped(job_path: str, out: str, **_options: object) -> dict[str, object]:
        Path(out, "run.log").write_text("a run\n")
        return {"steps": 0, "finished": False, "state_digest": "", "atoms": 12, "pes": 1}

    monkeypatch.setattr(engine, "run", stopped)
    done = command("run", job.name, "--out", "here")
    assert done.exit_code == EXIT_RESUMABLE, done.output
    assert "finegrain resume here" in done.output
    monkeypatch.setattr(engine, "run", whole)
    accepted("resume", "here")
    assert engine.calls[-1]["resume"] == ""


def test_an_exception_of_the_callers_own_function_is_raised_unchanged(engine, job):
    def divide(progress: object) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        fg.run(job, "here", on_progress=divide)
    assert Path("here/checkpoint.h5").exists()


def with_one_bit_changed(job: Path) -> bytes:
    damaged = bytearray(job.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    return bytes(damaged)


def test_a_job_can_be_checked(engine, job, accepted, refused):
    done = accepted("check", job.name)
    assert "12, of which 12 in rigid waters" in done.stdout
    Path("damaged.h5").write_bytes(with_one_bit_changed(job))
    refused("check", "damaged.h5")


def test_a_damaged_job_is_refused_before_hdf5_sees_it(finished, monkeypatch):
    # on some damage HDF5 loops without end, so it is not asked
    job = Path("here/job.h5")
    job.write_bytes(with_one_bit_changed(job))
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


def test_a_run_can_be_shown_where_nothing_can_be_written(engine, finished, accepted, monkeypatch):
    def refuse(path: object, contents: bytes) -> None:
        raise fg.ResourceError("cannot be written to", where=str(path))

    monkeypatch.setattr("finegrain.runs.energy_charts.replace_file", refuse)
    done = accepted("show", "here")
    assert "the plot was not drawn" in done.stdout
    accepted("show", "here", "--json")


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


def test_a_checkpoint_that_was_lost_is_reported(engine, finished, refused):
    with h5py.File("here/checkpoint.h5") as file:
        assert file.attrs["step"] == 100
    Path("here/checkpoint.h5").unlink()
    assert "no checkpoint to continue from" in refused("resume", "here", "--steps", "200")
