# SPDX-License-Identifier: BSD-3-Clause
"""run, resume and energy: files, statuses, JSON, and that nothing is lost silently."""

import json
import os
import signal
import sys
from pathlib import Path

import numpy as np
import pytest
from stand_ins import EngineError

from finegrain.errors import EXIT_INPUT, EXIT_INTERNAL, EXIT_NUMERICS, EXIT_RESOURCE
from finegrain.runs.folder.directory import RunDirectory

pytestmark = pytest.mark.pictures

RUN_FILES = {"job.h5", "trajectory.h5", "energies.csv", "energies.png", "run.log"}
RUN_FILES |= {"result.json", "checkpoint.h5", "phases.txt"}


def test_run_leaves_every_file_in_runs_name(engine, job, accepted):
    accepted("run", job.name)
    assert {file.name for file in Path("runs/four").iterdir()} == RUN_FILES
    assert Path("runs/four/energies.png").read_bytes().startswith(b"\x89PNG")
    assert "pair forces" in Path("runs/four/phases.txt").read_text()


def test_the_folder_of_a_run_is_not_run_again_from_elsewhere(engine, job, accepted, refused):
    accepted("run", job.name)
    folder = Path("runs/four").resolve()
    elsewhere = folder.parents[1] / "elsewhere"
    elsewhere.mkdir()
    os.chdir(elsewhere)  # the fixture of the job changes back
    assert "holds the results of an earlier run" in refused("run", folder)
    assert not Path("runs").exists()
    accepted("run", folder, "--out", "again")


def test_json_has_what_the_design_promises(engine, job, command):
    done = command("run", job.name, "--pes", "3", "--json")
    answer = json.loads(done.stdout)
    for key in ("steps", "seconds_per_step", "ns_per_day", "pes", "ranks", "state_digest"):
        assert key in answer
    assert (answer["pes"], answer["ranks"], answer["steps"]) == (3, 1, 100)
    assert answer["energy_drift_unit"] == "kJ/mol/ps/atom"
    assert set(answer["files"]) == RUN_FILES
    assert answer == {**answer, **json.loads(Path("runs/four/result.json").read_text())}


def test_a_balancer_reaches_the_engine_and_the_result(engine, job, command, accepted):
    accepted("run", job.name, "--balance", "greedy", "--balance-steps", "50")
    again = command("resume", "runs/four", "--steps", "200", "--balance", "refine", "--json")
    asked = [(call["balance"], call["balance_steps"]) for call in engine.calls]
    assert asked == [("greedy", 50), ("refine", 1000)]
    assert json.loads(again.stdout)["balance"] == "refine"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--balance", "gready"), "did you mean greedy?"),
        (("--balance", "foo"), "none, refine, greedy, bisection, random"),
        (("--balance-steps", "0"), "at least 1"),
        (("--balance-steps", "9" * 20), "at most"),
        (("--map", "hash"), "did you mean hashed?"),
    ],
)
def test_a_wrong_balancer_is_answered_with_the_right_ones(engine, job, refused, words, says):
    said = refused("run", job.name, *words)
    assert words[0] in said
    assert says in said
    assert not engine.calls


def test_results_are_not_replaced_silently(engine, job, accepted, refused):
    accepted("run", job.name, "--out", "here")
    before = Path("here/result.json").read_bytes()
    said = refused("run", job.name, "--out", "here")
    assert "--overwrite" in said
    assert "nothing was run" in said
    assert Path("here/result.json").read_bytes() == before
    assert len(engine.calls) == 1
    accepted("run", job.name, "--out", "here", "--overwrite")


def test_all_that_a_run_writes_is_its_own(tmp_path):
    """What is not among its own files would stay when a run is overwritten."""
    run = RunDirectory(tmp_path)
    named = [name for name, kind in vars(RunDirectory).items() if isinstance(kind, property)]
    paths = {name: getattr(run, name) for name in named if name != "own_files"}
    files = {name: path for name, path in paths.items() if isinstance(path, Path)}
    files.pop("trace_view")  # an output of `trace`, removed if there is a trace
    files.pop("page")  # removed if it is one of ours
    assert {"density_picture", "trajectory", "job"} <= set(files)
    assert [name for name, path in files.items() if path not in run.own_files] == []


def test_a_bad_input_harms_no_earlier_results(engine, job, command, refused):
    command("run", job.name, "--out", "here")
    before = {file: file.read_bytes() for file in Path("here").iterdir()}
    Path("bad.h5").write_bytes(job.read_bytes()[:500])
    refused("run", "bad.h5", "--out", "here", "--overwrite")
    assert {file: file.read_bytes() for file in Path("here").iterdir()} == before


def test_a_bad_input_leaves_no_folder(engine, job, refused):
    Path("bad.h5").write_bytes(b"nothing")
    refused("run", "bad.h5")
    assert not Path("runs").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_and_stops_with_75(engine, job, command, number):
    def ask(step: int) -> None:
        if step == 20:
            os.kill(os.getpid(), number)

    engine.before_step = ask
    engine.wait_for_stop_at = 30
    done = command("run", job.name)
    assert done.exit_code == 75, done.output
    assert json.loads(Path("runs/four/result.json").read_text())["steps"] == 30
    last = done.stdout.rstrip().splitlines()[-1]
    assert last == "Saved at step 30. Continue with: finegrain resume runs/four"


def test_resume_continues_where_the_run_stopped(engine, job, accepted, refused):
    refused("run", job.name, "--stop-after", "40", status=75)
    done = accepted("resume", "runs/four", "--json")
    answer = json.loads(done.stdout)
    assert answer["steps"] == 100
    assert engine.calls[1]["resume"] == "runs/four/checkpoint.h5"


def test_a_complete_run_is_prolonged_only_on_demand(engine, job, command, refused):
    command("run", job.name)
    assert "finegrain resume runs/four --steps 200" in refused("resume", "runs/four")
    longer = command("resume", "runs/four", "--steps", "150", "--json")
    assert json.loads(longer.stdout)["steps"] == 150


def test_a_run_that_never_wrote_a_checkpoint_begins_again_and_says_so(engine, job, accepted):
    accepted("run", job.name)
    for file in Path("runs/four").iterdir():  # as a run leaves it that is killed early
        if file.name != "job.h5":
            file.unlink()
    Path("runs/four/run.log").write_text("one line\n")
    done = accepted("resume", "runs/four")
    assert "no checkpoint had been written yet; the run begins again from the start" in done.stderr
    assert not engine.calls[-1]["resume"]


def test_a_job_that_never_ran_begins_without_a_note(engine, job, command):
    command("run", job.name)
    for file in Path("runs/four").iterdir():
        if file.name != "job.h5":
            file.unlink()
    done = command("resume", "runs/four")
    assert (done.exit_code, done.stderr) == (0, "")


def test_resume_without_a_checkpoint_says_so(engine, job, command, refused):
    command("run", job.name, "--stop-after", "40")
    Path("runs/four/checkpoint.h5").unlink()
    assert "there is no checkpoint to continue from" in refused("resume", "runs/four")


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("input", EXIT_INPUT),
        ("resource", EXIT_RESOURCE),
        ("numerics", EXIT_NUMERICS),
        ("internal", EXIT_INTERNAL),
    ],
)
def test_engine_errors_keep_their_kind(engine, job, refused, kind, status):
    def explode(step: int) -> None:
        raise EngineError(kind, "position is not finite", where="step 20", hint="minimise first")

    engine.before_step = explode
    said = refused("run", job.name, status=status)
    assert "position is not finite" in said
    assert "minimise first" in said


def test_after_an_explosion_the_checkpoint_is_named(engine, job, refused):
    def explode(step: int) -> None:
        if step == 30:
            raise EngineError("numerics", "atom 5 (H1 of HOH 2) moved 3 nm", where="step 30")

    engine.before_step = explode
    said = refused("run", job.name, status=EXIT_NUMERICS)
    assert "the last good checkpoint is runs/four/checkpoint.h5" in said


def test_an_unknown_exception_is_our_bug(engine, job, command):
    def fail(step: int) -> None:
        raise ValueError("unforeseen")

    engine.before_step = fail
    done = command("run", job.name, "--json")
    assert done.exit_code == EXIT_INTERNAL
    error = json.loads(done.stdout)["error"]
    assert error["kind"] == "internal"
    assert error["problems"][0]["what"] == "ValueError: unforeseen"


def test_processes_without_an_mpi_are_refused_by_name(engine, job, refused):
    said = refused("run", job.name, "--ranks", "2", status=EXIT_RESOURCE)
    assert "finegrain-engine-openmpi" in said
    assert "--pes N" in said
    assert "nothing was run" in said
    assert not engine.calls


@pytest.mark.parametrize("words", [["--ranks", "0"], ["--ranks", "2", "--mpi", "lam"]])
def test_wrong_words_about_processes_are_bad_input(engine, job, refused, words):
    said = refused("run", job.name, *words)
    assert words[-2] in said
    assert "limit " in said
    assert not engine.calls


@pytest.mark.parametrize(
    "words", [["run"], ["rum"], ["run", "x.h5", "--pes", "many"], ["run", "--"]]
)
def test_a_wrong_command_line_is_bad_input(refused, words):
    assert "--help" in refused(*words)


def test_a_missing_input_is_named(engine, job, refused):
    assert "absent.toml" in refused("run", "absent.toml")


def test_energy_writes_forces_and_prints_terms(engine, job, accepted):
    done = accepted("energy", job.name, "--json")
    answer = json.loads(done.stdout)
    assert answer["energy"] == {"bonds": 1.5, "lennard_jones": -4.0, "total": -2.5}
    assert answer["virial_without"] == "constraints"
    assert answer["virial_unit"] == "kJ/mol"
    assert answer["unit"] == "kJ/mol"
    with np.load(answer["forces_file"]) as stored:
        assert stored["forces"].shape == (12, 3)


def test_without_the_engine_the_remedy_is_named(job, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "finegrain._engine", None)
    assert "make build" in refused("energy", job.name, status=EXIT_RESOURCE)
