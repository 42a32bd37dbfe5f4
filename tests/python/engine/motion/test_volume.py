# SPDX-License-Identifier: BSD-3-Clause
"""Boxes whose volume changes: trials of a Monte Carlo barostat, and boxes that need another cut."""

import csv
import re
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from engine_jobs import FAST_WATER_FORCES, make_job, scaled_job
from process_runs import needs_any

import finegrain as fg
from finegrain import InputError, _engine
from finegrain.classical.job import Job
from finegrain.files.seal import is_whole
from finegrain.runs.checkpoints import step_of_checkpoint
from finegrain.units import bohr_in_nm

FORCES = FAST_WATER_FORCES | {"rebuild_interval": 10, "prune_interval": 5}
OUTPUT = {"energy_interval": 10, "trajectory_interval": 20}
TRIALS: dict[str, Any] = {
    "ensemble": "npt",
    "barostat": "monte-carlo",
    "barostat_interval": 20,
    "steps": 80,
}
# Water that is 1.25 times too wide; the edges get about 4 % shorter at every rebuild.
CRUSH: dict[str, Any] = {
    "ensemble": "npt",
    "pressure": "99000 bar",
    "barostat_time": "0.8 ps",
    "steps": 70,
}


# The edges get about 4 % longer at every rebuild; water cannot bear such a pull.
PULL: dict[str, Any] = CRUSH | {"pressure": "-99000 bar", "steps": 120}


@pytest.fixture(scope="module")
def pulled(tmp_path_factory: pytest.TempPathFactory) -> Job:
    return make_job(tmp_path_factory.mktemp("job"), "water", FORCES, PULL, output=OUTPUT)


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Job:
    return make_job(tmp_path_factory.mktemp("job"), "water", FORCES, TRIALS, output=OUTPUT)


@pytest.fixture(scope="module")
def crushed(tmp_path_factory: pytest.TempPathFactory) -> Job:
    folder = tmp_path_factory.mktemp("job")
    job = make_job(folder, "water", FORCES, CRUSH, output=OUTPUT)
    return scaled_job(job, folder / "wide.h5", 1.25)


def volumes(run: fg.Run) -> list[float]:
    with (run.path / "energies.csv").open(encoding="utf-8") as table:
        return [float(row["volume (nm3)"]) for row in csv.DictReader(table)]


@pytest.mark.parametrize(
    "name", [pytest.param("tried", marks=pytest.mark.nightly), "crushed", "pulled"]
)
def test_a_run_goes_on_from_a_stop_at_any_rebuild(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Also at a rebuild with a trial or with another cut."""
    job: Job = request.getfixturevalue(name)
    straight = fg.run(job, tmp_path / "straight", pes=2)
    assert len(set(volumes(straight))) > 1
    for stop in (10, 20, 30, 40, 50) if name != "pulled" else (60, 80, 100):
        out = tmp_path / str(stop)
        fg.run(job, out, pes=1, stop_after=stop)
        done = fg.resume(out, pes=2)
        assert done.state_digest == straight.state_digest, stop
        rows = (out / "energies.csv").read_bytes()
        assert rows == (straight.path / "energies.csv").read_bytes(), stop


def test_a_run_that_ends_at_a_cut_can_be_prolonged(crushed: Job, tmp_path: Path) -> None:
    """The box of step 30 needs another cut; the last step of the short run is made with it."""
    straight = fg.run(crushed, tmp_path / "straight", pes=2)
    out = tmp_path / "out"
    _engine.run(str(crushed.path), str(out), pes=2, steps=30)
    longer = _engine.run(str(crushed.path), str(out), pes=2, resume=str(out / "checkpoint.h5"))
    assert longer["state_digest"] == straight.state_digest


@needs_any
@pytest.mark.parametrize("name", ["tried", "crushed", "pulled"])
def test_processes_change_no_bit(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    job: Job = request.getfixturevalue(name)
    alone = fg.run(job, tmp_path / "alone", pes=1)
    assert fg.run(job, tmp_path / "two", pes=1, ranks=2).state_digest == alone.state_digest


def test_the_log_names_every_cut(crushed: Job, tmp_path: Path) -> None:
    """A cut holds for widths of 0.9 times its own, and the box ends at less than 0.9 squared."""
    run = fg.run(crushed, tmp_path / "run", pes=2)
    found = volumes(run)
    assert found[-1] < 0.9**6 * found[0]
    assert (run.path / "run.log").read_text(encoding="utf-8").count("; it is cut into") == 2


def test_a_growing_box_is_divided_and_ends_at_twice_its_widths(pulled: Job, tmp_path: Path) -> None:
    """New cuts at 1.3 and 1.69 times the widths leave checkpoints, from which a run goes on."""
    with pytest.raises(fg.NumericsError) as raised:
        fg.run(pulled, tmp_path / "run", pes=2, steps=400)
    said = str(raised.value)
    assert "flies apart" in said
    assert re.search(r"step \d+", said)
    assert re.search(r"volume [\d.]+ nm3", said)
    assert "pressure and temperature" in said
    assert (tmp_path / "run/run.log").read_text(encoding="utf-8").count("; it is cut into") == 2
    checkpoint = tmp_path / "run/checkpoint.h5"
    assert is_whole(checkpoint)
    with h5py.File(checkpoint) as file:
        widths = file["box"][:3] * bohr_in_nm / pulled.box
        assert np.isfinite(file["position"][...]).all()
    assert (widths > 1.69).all()
    assert (widths < 2).all()
    _engine.run(
        str(pulled.path),
        str(tmp_path / "run"),
        pes=2,
        resume=str(checkpoint),
        steps=step_of_checkpoint(checkpoint) + 5,
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"barostat_interval": 25}, "a multiple of rebuild_interval = 10"),
        ({"pressure_coupling": "anisotropic"}, "has no use"),
        ({"compressibility": "4.6e-5 1/bar"}, "has no use"),
        ({"barostat": "langevin-piston"}, "barostat_interval"),
    ],
)
def test_unfit_keys_are_refused(given: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        make_job(tmp_path, "water", FORCES, TRIALS | given)


def test_trials_come_every_fifty_steps_in_whole_intervals(tmp_path: Path) -> None:
    """Lists are rebuilt every 20 steps here."""
    dynamics = {key: value for key, value in TRIALS.items() if key != "barostat_interval"}
    job = make_job(tmp_path, "water", FORCES | {"rebuild_interval": 20}, dynamics)
    assert job.dynamics["barostat_interval"] == 60
