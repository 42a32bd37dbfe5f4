# SPDX-License-Identifier: BSD-3-Clause
"""How fast this machine is, as longer runs leave it for later estimates."""

import json
from pathlib import Path
from typing import Any

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job

import finegrain as fg
from finegrain.classical.division import step_estimate
from finegrain.classical.division.step_estimate import estimate_own_step
from finegrain.engine import kept_speed as kept
from finegrain.engine.kept_speed import KeptSpeed, keep_speed, kept_speed


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of a cache that is not there yet."""
    folder = tmp_path / "cache" / "finegrain"
    monkeypatch.setattr(kept, "folder", lambda: folder)
    return folder / kept.FILE


@pytest.fixture
def job(tmp_path: Path) -> fg.Job:
    return make_job(tmp_path, "water", FAST_WATER_FORCES, {"steps": 20})


def test_the_fastest_of_the_latest_runs_counts(cache: Path) -> None:
    assert kept_speed() is None
    for factor in (9.0, 0.4, 0.7, 0.5, 0.6, 0.3):
        keep_speed(factor, 2)
    found = kept_speed()
    assert found is not None  # the first one is forgotten
    assert (found.factor, found.pes) == (0.7, 2)
    (runs,) = json.loads(cache.read_text()).values()
    assert [one["factor"] for one in runs] == [0.4, 0.7, 0.5, 0.6, 0.3]


@pytest.mark.parametrize("factor", [0.0, -1.0, float("nan"), float("inf")])
def test_no_speed_is_not_kept(cache: Path, factor: float) -> None:
    keep_speed(factor, 1)
    assert not cache.exists()


@pytest.mark.usefixtures("cache")
def test_another_machine_is_not_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_speed(0.5, 1)
    here = kept.machine.fingerprint()
    monkeypatch.setattr(kept.machine, "fingerprint", lambda: here | {"cpu": "another"})
    assert kept_speed() is None
    keep_speed(2.0, 1)
    monkeypatch.undo()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"a": 1}', '{"a": [{}]}', '{"a": [{"factor": -1, "pes": 1, "day": "x"}]}'],
)
def test_a_damaged_cache_counts_for_nothing(cache: Path, text: str) -> None:
    cache.parent.mkdir(parents=True)
    cache.write_text(text)
    assert kept_speed() is None
    keep_speed(0.5, 1)
    found = kept_speed()
    assert found is not None
    assert found.factor == 0.5


def test_a_cache_that_cannot_be_written_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setattr(kept, "folder", lambda: tmp_path / "file" / "finegrain")
    keep_speed(0.5, 1)
    assert kept_speed() is None


def test_without_a_home_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "")
    keep_speed(0.5, 1)
    assert kept_speed() is None
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv("HOME", str(tmp_path))
    assert kept.folder() == tmp_path / ".cache/finegrain"


@pytest.mark.usefixtures("cache")
def test_a_pace_says_whose_it_is(job: fg.Job) -> None:
    contents = job.path.read_bytes()
    before = estimate_own_step("water", contents, 2)
    assert before.speed is None
    of_the_fit = "2 PEs if none waits, at another machine's speed (no long run here yet)"
    assert before.pace(2.0).endswith(of_the_fit)
    keep_speed(0.5, 2)
    after = estimate_own_step("water", contents, 2)
    assert after.seconds_here == pytest.approx(2 * before.seconds)
    assert after.speed is not None
    assert after.pace(2.0).endswith(f"as fast as this machine was on {after.speed.day}")
    assert after.as_dict()["seconds_here"] == after.seconds_here


@pytest.mark.parametrize(
    ("changed", "is_kept"),
    [
        ({}, True),
        ({"ranks": 2}, False),
        ({"pes": 4096}, False),
        ({"steps": 100, "seconds": 1.0}, False),
        ({"seconds": 4.5}, False),  # the last 450 steps of a resumed run
        ({"seconds": 1.0, "seconds_per_step": 0.001}, False),
        ({"seconds_per_step": None}, False),
    ],
)
@pytest.mark.usefixtures("cache")
def test_what_a_run_shows(job: fg.Job, changed: dict[str, Any], is_kept: bool) -> None:
    result = {"steps": 1000, "seconds": 10.0, "seconds_per_step": 0.01, "pes": 1, "ranks": 1}
    step_estimate.keep_speed_of(job.path, result | changed)
    found = kept_speed()
    assert (found is not None) == is_kept
    if found is not None:
        expected = estimate_own_step("water", job.path.read_bytes(), 1).seconds
        assert found.factor == pytest.approx(expected / 0.01)


@pytest.mark.usefixtures("cache")
def test_a_longer_run_leaves_its_speed_and_no_other_bits(
    tmp_path: Path, job: fg.Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fg.run(job, tmp_path / "short", pes=1)
    assert kept_speed() is None
    monkeypatch.setattr(step_estimate, "LEAST_STEPS", 1)
    monkeypatch.setattr(step_estimate, "LEAST_SECONDS", 0.0)
    second = fg.run(job, tmp_path / "long", pes=1)
    found = kept_speed()
    assert isinstance(found, KeptSpeed)
    estimate = estimate_own_step("water", job.path.read_bytes(), 1)
    assert found.factor == pytest.approx(estimate.seconds / second.result["seconds_per_step"])
    third = fg.run(job, tmp_path / "third", pes=1)
    assert first.result["state_digest"] == third.result["state_digest"]
