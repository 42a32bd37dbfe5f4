# SPDX-License-Identifier: BSD-3-Clause
"""The engine's own executable, for batch scripts: the same bits, and the same care with files."""

import json
from pathlib import Path
from typing import Any

import pytest
from engine_jobs import WATER_FORCES, make_job
from process_runs import engine

import finegrain
from finegrain import _engine
from finegrain.classical.job import Job


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return make_job(tmp_path / "job", "water", WATER_FORCES, {"steps": 40})


def test_it_ends_where_the_module_ends(job: Job, tmp_path: Path) -> None:
    done = engine(job.path, "--out", tmp_path / "here", "--quiet")
    assert done.returncode == 0, done.stderr
    there = _engine.run(str(job.path), str(tmp_path / "there"), pes=2)
    assert f"state_digest {there['state_digest']}" in done.stdout


def test_it_reports_the_figures_that_the_module_describes(job: Job, tmp_path: Path) -> None:
    of_orbitals = ("iterations", "converged")  # a classical run has none

    def names(report: str) -> list[str]:
        described = [name for name, _, _ in _engine.figures()[report]]
        return [name for name in described if name not in of_orbitals]

    seen: list[dict[str, Any]] = []
    there = _engine.run(str(job.path), str(tmp_path / "there"), on_progress=seen.append)
    done = engine(job.path, "--out", tmp_path / "here", "--json")
    last: dict[str, Any] = {}
    for line in done.stdout.splitlines():
        last |= json.loads(line)
    assert names("result") == list(last["result"]) == list(there)
    for phase in (last["result"]["phases"][0], there["phases"][0]):
        assert names("phases") == list(phase)
    for progress in [*seen, *([last["progress"]] if "progress" in last else [])]:
        assert names("progress") == list(progress)
    once = engine(job.path, "--energy", "--json").stdout.splitlines()[-1]
    assert [*names("energy"), "atoms", "forces_file"] == list(json.loads(once)["result"])
    assert [*names("energy"), "forces"] == list(_engine.energy(str(job.path)))


def test_objects_that_move_end_where_those_that_stay_do(job: Job, tmp_path: Path) -> None:
    words = ("--quiet", "--pes", 2, "--balance", "refine", "--balance-steps", 10)
    done = engine(job.path, "--out", tmp_path / "here", *words)
    assert done.returncode == 0, done.stderr
    there = _engine.run(str(job.path), str(tmp_path / "there"))
    assert f"state_digest {there['state_digest']}" in done.stdout
    assert "refine every 10 steps" in (tmp_path / "here" / "run.log").read_text()


@pytest.mark.parametrize(
    "words",
    [
        ("--balance", "gready"),
        ("--balance", "refine", "--balance-steps", 0),
        ("--balance", "refine", "--balance-steps", "ten"),
        ("--balance", "refine", "--balance-steps", 2**63 - 1),
        ("--balance", "refine", "--no-profile"),
    ],
)
def test_an_odd_balancer_is_bad_input(job: Job, tmp_path: Path, words: tuple[object, ...]) -> None:
    done = engine(job.path, "--out", tmp_path / "out", *words)
    assert done.returncode == 1
    assert "balanc" in done.stderr
    assert not (tmp_path / "out" / "checkpoint.h5").exists()


def test_it_replaces_nothing_unasked(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert engine(job.path, "--out", out, "--quiet").returncode == 0
    before = (out / "checkpoint.h5").read_bytes()
    again = engine(job.path, "--out", out, "--quiet")
    assert again.returncode == 1
    assert "earlier run" in again.stderr
    assert "--overwrite" in again.stderr
    assert (out / "checkpoint.h5").read_bytes() == before
    assert engine(job.path, "--out", out, "--quiet", "--overwrite").returncode == 0


def test_its_forces_replace_nothing_unasked(job: Job, tmp_path: Path) -> None:
    forces = tmp_path / "forces"
    forces.write_text("mine")
    refused = engine(job.path, "--energy", "--forces", forces)
    assert refused.returncode == 1
    assert "--overwrite" in refused.stderr
    assert forces.read_text() == "mine"
    assert engine(job.path, "--energy", "--forces", forces, "--overwrite").returncode == 0
    assert forces.stat().st_size == 8 * 3 * job.atoms


def test_its_runs_look_like_those_of_the_command(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert engine(job.path, "--out", out, "--stop-after", 5, "--quiet").returncode == 75
    stopped = finegrain.open_run(out)
    assert not stopped.finished
    assert 5 <= stopped.result["steps"] < 40  # it stops when lists are made again
    words = ("--resume", out / "checkpoint.h5", "--pes", 2, "--map", "block", "--quiet")
    assert engine(job.path, "--out", out, *words).returncode == 0
    ended = finegrain.open_run(out)
    assert ended.finished
    told = dict(ended.summary())
    assert told["system"] == f"{job.title}, {job.atoms:,} atoms"
    assert told["state digest"] == ended.state_digest
    assert (ended.result["map"], ended.result["ranks"], ended.result["pes"]) == ("block", 1, 2)
    assert ended.phases()


def test_figures_of_an_earlier_run_are_not_those_of_one_that_is_killed(
    job: Job, tmp_path: Path
) -> None:
    """The engine takes them away at its start; here it ends at once, by a wrong checkpoint."""
    out = tmp_path / "out"
    assert engine(job.path, "--out", out, "--quiet").returncode == 0
    (out / "checkpoint.h5").write_bytes(b"no checkpoint")
    (out / "minimisation.csv").write_text("of an earlier run")
    assert finegrain.open_run(out).finished
    refused = engine(job.path, "--out", out, "--overwrite", "--map", "nowhere", "--quiet")
    assert refused.returncode == 1
    assert not (out / "result.json").exists()
    assert not (out / "minimisation.csv").exists()


def test_its_runs_can_be_resumed(job: Job, tmp_path: Path) -> None:
    out = tmp_path / "out"
    stopped = engine(job.path, "--out", out, "--stop-after", 5, "--quiet")
    assert stopped.returncode == 75, stopped.stderr
    resumed = finegrain.resume(out)
    straight = _engine.run(str(job.path), str(tmp_path / "straight"))
    assert resumed.result["state_digest"] == straight["state_digest"]


def test_it_says_in_json_what_happens(job: Job, tmp_path: Path) -> None:
    done = engine(job.path, "--out", tmp_path / "out", "--json")
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [kind for message in messages for kind in message]
    assert kinds == ["started", *["progress"] * (len(kinds) - 2), "result"]
    reports: list[list[str]] = []
    there = _engine.run(
        str(job.path), str(tmp_path / "there"), on_progress=lambda at: reports.append(list(at))
    )
    result = messages[-1]["result"]
    assert list(result) == list(there)
    assert result["state_digest"] == there["state_digest"]
    assert list(messages[1]["progress"]) == reports[0]


def test_it_says_in_json_what_is_wrong(job: Job, tmp_path: Path) -> None:
    done = engine(tmp_path / 'no "job".h5', "--out", tmp_path / "out", "--json")
    assert done.returncode == 1
    error = json.loads(done.stdout.splitlines()[-1])["error"]
    assert (error["kind"], error["exit_status"]) == ("input", 1)
    assert error["where"] == str(tmp_path / 'no "job".h5')


def test_the_end_of_its_input_stops_it(job: Job, tmp_path: Path) -> None:
    words = (job.path, "--out", tmp_path / "out", "--steps", 10**7, "--stop-at-eof", "--quiet")
    stopped = engine(*words)  # the input is empty
    assert stopped.returncode == 75, stopped.stderr
    assert (tmp_path / "out" / "checkpoint.h5").exists()
