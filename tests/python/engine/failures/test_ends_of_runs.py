# SPDX-License-Identifier: BSD-3-Clause
"""Ends of runs, with their messages: by a signal, by a time limit, without a file of results."""

import json
import os
import pty
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job
from process_runs import TIMEOUT_S, USABLE, command, finegrain, started, wait_until

import finegrain as fg
from finegrain.classical.job import Job
from finegrain.errors import EXIT_INPUT, EXIT_RESUMABLE

LONG = 10**6


def result_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_hangup_ends_a_run_with_a_checkpoint(job: Job, tmp_path: Path, ranks: int) -> None:
    if ranks > 1 and not USABLE:
        pytest.skip("no MPI is usable")
    out = tmp_path / "run"
    words = ["run", job.path, "--out", out, "--steps", LONG, "--pes", 1, "--ranks", ranks]
    process = started(tmp_path, *words)
    wait_until((out / "energies.csv").exists, process)
    process.send_signal(signal.SIGHUP)
    text, complaints = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == EXIT_RESUMABLE, text + complaints
    assert (out / "checkpoint.h5").exists()
    assert f"finegrain resume {out}" in text


def test_a_terminal_that_is_closed_ends_a_run_with_a_checkpoint(job: Job, tmp_path: Path) -> None:
    """SIGHUP comes, and what is printed from then on meets an error."""
    out = tmp_path / "run"
    words = command("run", job.path, "--out", out, "--steps", LONG, "--pes", 1)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(tmp_path)
        os.execv(words[0], words)
    wait_until((out / "energies.csv").exists)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == EXIT_RESUMABLE
    assert not fg.Run(out).finished
    assert (out / "checkpoint.h5").exists()


def test_nohup_is_respected(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = command("run", job.path, "--out", out, "--steps", LONG, "--pes", 1, "--quiet")
    process = subprocess.Popen(["nohup", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait_until((out / "energies.csv").exists)
    process.send_signal(signal.SIGHUP)
    rows = (out / "energies.csv").stat().st_size
    wait_until(lambda: (out / "energies.csv").stat().st_size > 2 * rows + 1000)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == EXIT_RESUMABLE


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_wall_time_limit_ends_in_a_checkpoint(job: Job, tmp_path: Path, ranks: int) -> None:
    if ranks > 1 and not USABLE:
        pytest.skip("no MPI is usable")
    words = ["--pes", 1, "--ranks", ranks, "--hours", 1e-6]
    done = finegrain(tmp_path, "run", job.path, "--out", "run", "--steps", LONG, *words)
    assert done.returncode == EXIT_RESUMABLE, done.stderr
    assert "wall time of --hours was over" in done.stdout
    assert "finegrain resume run" in done.stdout
    step = fg.Run(tmp_path / "run").result["steps"]
    assert 0 < step < LONG
    again = finegrain(tmp_path, "resume", "run", "--json", *words)
    assert again.returncode == EXIT_RESUMABLE, again.stderr
    assert result_of(again)["stopped_by"] == "hours"
    assert result_of(again)["steps"] > step
    assert "the wall time is over" in (tmp_path / "run" / "run.log").read_text()


def test_a_limit_on_wall_time_that_is_not_reached_changes_nothing(job: Job, tmp_path: Path) -> None:
    done = fg.run(job, tmp_path / "run", pes=1, hours=100.0)
    assert done.finished
    assert done.result["stopped_by"] == ""
    assert done.state_digest == fg.run(job, tmp_path / "other", pes=2).state_digest
    for wrong in (0.0, -1.0, float("nan"), float("inf"), "soon"):
        with pytest.raises(fg.InputError) as raised:
            fg.run(job, tmp_path / "wrong", hours=wrong)  # type: ignore[arg-type]
        assert raised.value.where == "--hours"


def test_a_run_that_ended_without_its_figures_gets_them(job: Job, tmp_path: Path) -> None:
    """As after a disk that was full at the end, or an end of the command there."""
    whole = fg.run(job, tmp_path / "whole", pes=1)
    run = fg.run(job, tmp_path / "run", pes=1)
    kept = {name: (run.path / name).read_bytes() for name in ("energies.csv", "checkpoint.h5")}
    (run.path / "result.json").unlink()
    (run.path / "energies.png").unlink()
    shown = finegrain(tmp_path, "show", "run")
    assert "step 40 of 40" in shown.stdout
    assert "all steps are done" in shown.stdout
    done = finegrain(tmp_path, "resume", "run", "--json")
    assert done.returncode == 0, done.stderr
    result, expected = result_of(done), whole.result
    for name in ("steps", "finished", "state_digest", "atoms", "title"):
        assert result[name] == expected[name]
    for name in ("temperature", "potential", "kinetic", "energy_drift", "density"):
        assert result[name] == pytest.approx(expected[name], rel=1e-6)
    assert result["ns_per_day"] is None
    assert {name: (run.path / name).read_bytes() for name in kept} == kept
    assert (run.path / "energies.png").exists()
    assert fg.Run(run.path).finished
    again = finegrain(tmp_path, "resume", "run")
    assert again.returncode == EXIT_INPUT
    assert "the run is complete" in again.stderr


def test_what_the_callers_function_raises_last_costs_no_figures(job: Job, tmp_path: Path) -> None:
    def fail(progress: object) -> None:
        raise OSError("the reader has gone")

    with pytest.raises(OSError, match="the reader has gone"):
        fg.run(job, tmp_path / "run", pes=1, on_progress=fail)
    result = fg.Run(tmp_path / "run").result
    assert result["state_digest"]


def test_what_a_stopped_run_did_not_measure_is_not_told_as_zero(job: Job, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    output = {"energy_interval": 0, "trajectory_interval": 20}
    silent = make_job(folder, "water", FAST_WATER_FORCES, {"steps": 100}, output=output)
    run = fg.run(silent, tmp_path / "run", pes=1, stop_after=20)
    for name in ("temperature", "potential", "kinetic", "energy_drift", "density"):
        assert run.result[name] is None, name
    shown = dict(run.summary())
    assert shown["temperature"] == "not measured"
    assert shown["conserved energy drift"] == "not measured"
    assert "energy drift" not in (tmp_path / "run" / "run.log").read_text()
    done = fg.resume(run, pes=1)  # at its last step a run always measures
    assert done.result["temperature"] > 100
