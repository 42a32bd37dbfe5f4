# SPDX-License-Identifier: BSD-3-Clause
"""Pair lists follow the motion of the atoms, not only the temperature of the bath."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from engine_jobs import job_from_state, make_job, state_of

from finegrain import _engine, api
from finegrain.classical.job import Job
from finegrain.runs.energies import read_energies

FORCES = {"cutoff": "7 Å", "switch": "off", "electrostatics": "pme", "precision": "double"}
OUTRUN = "atoms move more than the pair lists allow for"


def water_at(folder: Path, kelvin: int) -> Job:
    return make_job(
        folder, "water", FORCES, {"temperature": f"{kelvin} K", "steps": 0, "remove_com_motion": 0}
    )


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a checkpoint whose velocities are of 1200 K."""
    folder = tmp_path_factory.mktemp("start")
    job = water_at(folder / "job", 1200)
    _engine.run(str(job.path), str(folder / "out"), pes=1)
    shutil.copyfile(job.path, folder / "out" / "job.h5")  # as `finegrain run` writes it
    return folder / "out" / "checkpoint.h5"


def second_stage(folder: Path, start: Path) -> Job:
    """Make a job from the files of an earlier run, in a bath of 300 K."""
    water_at(folder, 300)  # for its system.xml
    text = (folder / "input.toml").read_text(encoding="utf-8")
    before = next(line for line in text.splitlines() if line.startswith("coordinates"))
    text = text.replace(before, f'coordinates = "{start}"')
    text = text.replace("[dynamics]", '[dynamics]\nvelocities = "from-file"')
    (folder / "input.toml").write_text(text, encoding="utf-8")
    return api.load(folder / "input.toml", folder / "hot.h5")


def missed(job: Job, start: Path, out: Path) -> tuple[float, list[str]]:
    """Run to the last step before a rebuild; return the missing energy, and the warnings."""
    steps = int(job.settings["rebuild_interval"]) - 1
    hot = job_from_state(job, out / "hot.h5", state_of(start), integrator="verlet", steps=steps)
    result = _engine.run(str(hot.path), str(out / "run"), pes=2)
    with_old_list = read_energies(out / "run")["potential energy (kJ/mol)"][-1]
    end = state_of(out / "run" / "checkpoint.h5")
    again = job_from_state(hot, out / "again.h5", end)
    fresh = _engine.energy(str(again.path), pes=1)["energies"]["total"]
    return abs(with_old_list - fresh), list(result["warnings"])


def test_a_start_hotter_than_the_bath_gets_longer_lists(tmp_path: Path, start: Path) -> None:
    cold = water_at(tmp_path / "cold", 300)
    hot = second_stage(tmp_path / "hot", start)
    per_step = [
        (job.settings["list_cutoff"] - job.settings["cutoff"]) / job.settings["rebuild_interval"]
        for job in (cold, hot)
    ]
    assert per_step[1] > 1.5 * per_step[0]
    bath = water_at(tmp_path / "bath", 1200)
    assert hot.settings["list_temperature"] == pytest.approx(
        bath.settings["list_temperature"], rel=0.15
    )
    assert hot.dynamics["temperature"] == cold.dynamics["temperature"]


def test_energies_of_a_hot_start_are_those_of_fresh_lists(tmp_path: Path, start: Path) -> None:
    """Lists made for the bath would have the error of the second figure."""
    hot, warnings = missed(second_stage(tmp_path / "hot", start), start, tmp_path / "a")
    cold, _ = missed(water_at(tmp_path / "cold", 300), start, tmp_path / "b")
    print(f"missed: {hot:.5f} kJ/mol with lists for the start, {cold:.5f} for the bath")
    assert hot < 2e-4 < cold
    assert not any(OUTRUN in warning for warning in warnings)


def test_a_run_that_outruns_its_lists_says_so_alike_on_any_pes(tmp_path: Path, start: Path) -> None:
    job = water_at(tmp_path / "job", 300)
    hot = job_from_state(job, tmp_path / "hot.h5", state_of(start), steps=100)
    results = [_engine.run(str(hot.path), str(tmp_path / f"{pes}"), pes=pes) for pes in (1, 3)]
    said = [[w for w in result["warnings"] if OUTRUN in w] for result in results]
    assert len(said[0]) == 1
    assert said[0] == said[1]
    assert results[0]["state_digest"] == results[1]["state_digest"]
    assert "lists made for 300 K" in said[0][0]


def test_an_ordinary_run_says_nothing_of_its_lists(tmp_path: Path) -> None:
    job = make_job(tmp_path / "job", "water", FORCES, {"steps": 200})
    result = _engine.run(str(job.path), str(tmp_path / "out"), pes=2)
    assert not any(OUTRUN in warning for warning in result["warnings"])
    assert np.isfinite(result["energy_drift"])
