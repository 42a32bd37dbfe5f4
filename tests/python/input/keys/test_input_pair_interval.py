# SPDX-License-Identifier: BSD-3-Clause
"""Pair forces on every k-th step: what follows from the key, what is refused."""

from collections.abc import Callable
from pathlib import Path

import h5py
import pytest
from changed_jobs import expect_refusals, job_of
from input_systems import water_input, write_waters

from finegrain.classical.preparation.check import check
from finegrain.errors import InputError, Problem

Problems = Callable[..., list[Problem]]

STEPS = 120
FIELD = '"reaction-field"'


def text(
    pairs: int, mesh: int | None = None, more: str = "", *, forces: str = "", step: str = "1 fs"
) -> str:
    """Return the input of waters; `more` follows the keys of [dynamics]."""
    lines = [line for line in water_input.splitlines() if not line.startswith("steps")]
    lines.insert(lines.index("[forces]") + 1, forces)
    keys = f"steps = {STEPS}\npair_interval = {pairs}"
    if mesh is not None:
        keys += f"\nlong_range_interval = {mesh}"
    lines.insert(lines.index("[dynamics]") + 1, keys)
    return "\n".join(lines).replace('"2 fs"', f'"{step}"') + f"\n{more}\n"


@pytest.mark.parametrize("pairs", [1, 2, 3, 4])
def test_without_another_key_the_mesh_is_evaluated_as_often(tmp_path: Path, pairs: int) -> None:
    job = job_of(tmp_path, text(pairs))
    assert (job.pair_interval, job.long_range_interval) == (pairs, pairs)
    for key in ("rebuild_interval", "prune_interval"):
        assert job.settings[key] % pairs == 0, key
    for key in ("energy_interval", "trajectory_interval"):
        assert job.dynamics[key] % pairs == 0, key


def test_the_mesh_may_be_evaluated_less_often(tmp_path: Path) -> None:
    job = job_of(tmp_path, text(2, 4))
    assert (job.pair_interval, job.long_range_interval) == (2, 4)
    assert job.settings["rebuild_interval"] % 4 == 0
    assert job.settings["prune_interval"] % 2 == 0


def test_without_a_mesh_only_pairs_have_an_interval(tmp_path: Path) -> None:
    job = job_of(tmp_path, text(3).replace('"pme"', FIELD))
    assert (job.pair_interval, job.long_range_interval) == (3, 1)
    assert job.settings["rebuild_interval"] % 3 == 0
    with pytest.raises(InputError, match="two evaluations of pair forces") as caught:
        job.refuse_steps(STEPS + 1, "here")
    (problem,) = caught.value.problems
    assert problem.limit == "a multiple of pair_interval = 3"
    assert f"take {STEPS} or {STEPS + 3} steps" in problem.hint


def test_one_is_the_default(tmp_path: Path) -> None:
    attributes = []
    for name, words in (("with", text(1)), ("without", text(1).replace("pair_interval = 1", ""))):
        (tmp_path / name).mkdir()
        with h5py.File(job_of(tmp_path / name, words).path) as file:
            attributes.append(str([dict(file[group].attrs) for group in ("settings", "dynamics")]))
    assert attributes[0] == attributes[1]


@pytest.mark.parametrize(
    ("words", "key", "value", "limit", "hint"),
    [
        (text(2, 3), "dynamics.long_range_interval", "3", "pair_interval = 2", "take 2, or"),
        (text(3, 4), "dynamics.long_range_interval", "4", "pair_interval = 3", "take 3, or"),
        (
            text(2, 1),
            "dynamics.long_range_interval",
            "1",
            "pair_interval = 2",
            "take 2, or pair_interval = 1",
        ),
        (
            text(2, 4, forces="rebuild_interval = 12\nprune_interval = 3"),
            "forces.prune_interval",
            "3",
            "pair_interval = 2",
            "take 4",
        ),
        (
            text(2, 4, "[output]\nenergy_interval = 6"),
            "output.energy_interval",
            "6",
            "long_range_interval = 4",
            "take 8",
        ),
        (
            text(4, None, "[output]\ntrajectory_interval = 6"),
            "output.trajectory_interval",
            "6",
            "pair_interval = 4",
            "take 8",
        ),
    ],
)
def test_an_interval_that_does_not_fit_is_refused(
    problems: Problems, words: str, key: str, value: str, limit: str, hint: str
) -> None:
    (problem, *_) = [one for one in problems(words) if one.value.startswith(key)]
    assert problem.where.startswith("water.toml:")
    assert problem.value.endswith(f"= {value}")
    assert problem.limit == f"a multiple of {limit}"
    assert hint in problem.hint


@pytest.mark.parametrize("pairs", [0, 5, -2])
def test_intervals_beyond_the_limits_are_refused(problems: Problems, pairs: int) -> None:
    (found,) = problems(text(pairs))
    assert found.value.startswith("dynamics.pair_interval")
    assert found.what == "out of range"
    assert found.limit


def test_the_report_says_how_often_and_estimates_less_time(tmp_path: Path) -> None:
    always, levels = (check(write_waters(tmp_path, text(pairs, 4))) for pairs in (1, 2))
    assert "pair forces" not in always.settings
    assert levels.settings["pair forces"] == "every 2 steps, 2 fs, as impulses"
    assert levels.settings["long range"] == "every 4 steps, 4 fs, as impulses"
    assert levels.seconds_per_step < 0.8 * always.seconds_per_step


def test_the_engine_refuses_what_python_would(tmp_path: Path) -> None:
    """The job is one that another program has changed."""
    job = job_of(tmp_path, text(2, 4))
    changes = (
        ("dynamics", "long_range_interval", 3, "on steps without pair forces"),
        ("dynamics", "pair_interval", 5, "out of range"),
        ("dynamics", "energy_interval", 6, "mesh is not evaluated on these steps"),
        ("settings", "prune_interval", 3, "pair forces are not evaluated on these steps"),
    )
    expect_refusals(job, changes)
