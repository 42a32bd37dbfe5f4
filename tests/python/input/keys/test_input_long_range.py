# SPDX-License-Identifier: BSD-3-Clause
"""Forces of the mesh on every n-th step: what is moved to these steps, what is refused."""

from collections.abc import Callable
from pathlib import Path

import h5py
import pytest
from changed_jobs import expect_refusals, job_of
from input_systems import water_input, write_waters

from finegrain.classical.preparation.check import check
from finegrain.errors import Problem

Problems = Callable[..., list[Problem]]

STEPS = 120
ONE = "long_range_interval = 1\n"
MONTE_CARLO = 'ensemble = "npt"\nbarostat = "monte-carlo"\nbarostat_interval = 51'


def text(every: int, more: str = "", *, forces: str = "", steps: int = STEPS) -> str:
    """Return the input of waters; `more` follows the keys of [dynamics]."""
    lines = [line for line in water_input.splitlines() if not line.startswith("steps")]
    lines.insert(lines.index("[forces]") + 1, forces)
    lines.insert(lines.index("[dynamics]") + 1, f"steps = {steps}\nlong_range_interval = {every}")
    return "\n".join(lines) + f"\n{more}\n"


@pytest.mark.parametrize("every", [1, 2, 3, 4])
def test_what_is_not_given_is_moved_to_steps_with_the_mesh(tmp_path: Path, every: int) -> None:
    job = job_of(tmp_path, text(every))
    assert job.dynamics["long_range_interval"] == every
    assert job.settings["rebuild_interval"] % every == 0
    for key, usual in (("energy_interval", 100), ("trajectory_interval", 1000)):
        assert job.dynamics[key] % every == 0
        assert usual <= job.dynamics[key] < usual + every


def test_one_is_the_default_and_its_intervals_are_as_before(tmp_path: Path) -> None:
    jobs = []
    for name, words in (("with", text(1)), ("without", text(1).replace(ONE, ""))):
        (tmp_path / name).mkdir()
        jobs.append(job_of(tmp_path / name, words))
    with h5py.File(jobs[0].path) as one, h5py.File(jobs[1].path) as other:
        for group in ("settings", "dynamics"):
            assert str(dict(one[group].attrs)) == str(dict(other[group].attrs))


@pytest.mark.parametrize(
    ("words", "key", "value", "hint"),
    [
        (text(2, steps=121), "dynamics.steps", "121", "take 122"),
        (text(4, forces="rebuild_interval = 10"), "forces.rebuild_interval", "10", "take 12"),
        (text(2, "[output]\nenergy_interval = 5"), "output.energy_interval", "5", "take 6"),
        (text(4, "[output]\ntrajectory_interval = 10"), "output.trajectory_interval", "10", "12"),
        (text(2, MONTE_CARLO), "dynamics.barostat_interval", "51", "take 52"),
    ],
)
def test_an_interval_between_two_evaluations_is_refused(
    problems: Problems, words: str, key: str, value: str, hint: str
) -> None:
    found = [problem for problem in problems(words) if problem.value.startswith(key)]
    (problem, *_) = found
    assert problem.where.startswith("water.toml:")
    assert problem.value.endswith(f"= {value}")
    assert "between two evaluations of the mesh" in problem.what
    assert "multiple of long_range_interval" in problem.limit
    assert hint in problem.hint


@pytest.mark.parametrize("every", [0, 5, -2])
def test_intervals_beyond_the_limits_are_refused(problems: Problems, every: int) -> None:
    (found,) = problems(text(every))
    assert found.value.startswith("dynamics.long_range_interval")
    assert found.what == "out of range"
    assert found.limit


def test_without_a_mesh_it_is_refused(problems: Problems) -> None:
    (found,) = problems(text(2).replace('"pme"', '"reaction-field"'))
    assert found.value == "dynamics.long_range_interval = 2"
    assert "there is no mesh" in found.what
    assert "take long_range_interval out" in found.hint


def test_zero_intervals_of_output_stay_zero(tmp_path: Path) -> None:
    words = text(4, "[output]\nenergy_interval = 0\ntrajectory_interval = 0")
    job = job_of(tmp_path, words)
    assert job.dynamics["energy_interval"] == job.dynamics["trajectory_interval"] == 0


def test_the_report_says_how_often_and_estimates_less_time(tmp_path: Path) -> None:
    once, twice = (check(write_waters(tmp_path, text(every))) for every in (1, 2))
    assert "long range" not in once.settings
    assert twice.settings["long range"] == "every 2 steps, 4 fs, as impulses"
    assert twice.seconds_per_step < once.seconds_per_step


@pytest.mark.parametrize(
    ("every", "step", "noted"), [(4, "2 fs", False), (3, "3 fs", True), (2, "4 fs", False)]
)
def test_impulses_far_apart_are_noted(tmp_path: Path, every: int, step: str, noted: bool) -> None:
    """Rigid waters only, whose hydrogens bend no angle."""
    words = text(every).replace("2 fs", step).replace('cutoff = "8 Å"', 'cutoff = "6 Å"')
    report = check(write_waters(tmp_path, words))
    notes = [note for note in report.notes if "forces of the mesh" in note]
    assert len(notes) == noted
    if noted:
        assert "every 9 fs" in notes[0]
        assert "long_range_interval" in notes[0]


def test_the_engine_refuses_what_python_would(tmp_path: Path) -> None:
    """The job is one that another program has changed."""
    job = job_of(tmp_path, text(2))
    changes = (
        ("dynamics", "energy_interval", 5, "not evaluated on these steps"),
        ("dynamics", "trajectory_interval", 5, "not evaluated on these steps"),
        ("dynamics", "steps", 121, "would end between two evaluations"),
        ("dynamics", "long_range_interval", 5, "out of range"),
        ("settings", "rebuild_interval", 9, "not evaluated on these steps"),
    )
    expect_refusals(job, changes)
