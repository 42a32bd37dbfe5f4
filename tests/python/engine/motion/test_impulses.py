# SPDX-License-Identifier: BSD-3-Clause
"""Runs with the mesh, or pair forces too, on every second step: bits, ends, rows, references."""

from pathlib import Path

import pytest
from engine_jobs import FAST_WATER_FORCES, make_job
from process_runs import finegrain, needs_any

import finegrain as fg
from finegrain import _engine
from finegrain.classical.job import Job

STEPS = 48
DYNAMICS = {"steps": STEPS, "long_range_interval": 2}
OUTPUT = {"energy_interval": 6, "trajectory_interval": 12}
FORCES = FAST_WATER_FORCES | {"rebuild_interval": 12, "prune_interval": 6}
BATHS = {
    "nve": {"ensemble": "nve"},
    "langevin": {"ensemble": "nvt", "friction": "1 1/ps"},
    "npt": {"ensemble": "npt", "thermostat": "velocity-rescaling"},
    "nve-levels": {"ensemble": "nve", "pair_interval": 2},
    "npt-levels": {"ensemble": "npt", "pair_interval": 2},
}


@pytest.fixture(scope="module", params=BATHS)
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Job:
    folder = tmp_path_factory.mktemp("job")
    return make_job(folder, "water", FORCES, DYNAMICS | BATHS[request.param], output=OUTPUT)


@pytest.fixture(scope="module")
def alone(job: Job, tmp_path_factory: pytest.TempPathFactory) -> fg.Run:
    """One process, one PE."""
    return fg.run(job, tmp_path_factory.mktemp("one") / "run", pes=1)


def test_any_pes_give_the_same_bits_and_rows(job: Job, alone: fg.Run, tmp_path: Path) -> None:
    rows = (alone.path / "energies.csv").read_bytes()
    for pes in (2, 3):
        out = tmp_path / str(pes)
        assert fg.run(job, out, pes=pes).state_digest == alone.state_digest, pes
        assert (out / "energies.csv").read_bytes() == rows, pes


@needs_any
def test_processes_and_resuming_give_the_same_bits(job: Job, alone: fg.Run, tmp_path: Path) -> None:
    done = fg.run(job, tmp_path / "two", ranks=2, pes=1)
    assert done.state_digest == alone.state_digest
    out = tmp_path / "stopped"
    assert not fg.run(job, out, pes=2, stop_after=STEPS // 2).finished
    last = fg.resume(out, ranks=2, pes=1)
    assert last.state_digest == alone.state_digest
    assert (out / "energies.csv").read_bytes() == (alone.path / "energies.csv").read_bytes()


def test_another_interval_is_another_trajectory(alone: fg.Run, job: Job, tmp_path: Path) -> None:
    """The first rows agree in every energy, and the last ones closely."""
    words = {key: job.dynamics[key] for key in ("integrator", "thermostat_time")}
    bath = BATHS["nve" if words["integrator"] == "verlet" else "langevin"]
    if words["thermostat_time"]:
        bath = BATHS["npt"]
    elif job.barostat:
        bath = {"ensemble": "npt"}
    other = make_job(tmp_path / "job", "water", FORCES, {"steps": STEPS} | bath, output=OUTPUT)
    once = fg.run(other, tmp_path / "run", pes=2)
    assert once.state_digest != alone.state_digest
    here, there = alone.energies(), once.energies()
    for name in ("potential energy (kJ/mol)", "kinetic energy (kJ/mol)", "pressure (bar)"):
        # Velocity rescaling sees half steps, in whose kicks the mesh counts several times.
        rescaled = bool(words["thermostat_time"]) and name.startswith("kinetic")
        if name in here and not rescaled:
            assert here[name][0] == there[name][0], name
    energy = "potential energy (kJ/mol)"
    assert here[energy][-1] == pytest.approx(there[energy][-1], rel=5e-3)


def test_an_end_between_evaluations_is_refused(job: Job, alone: fg.Run, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with pytest.raises(fg.InputError, match="between two evaluations") as caught:
        fg.run(job, out, steps=STEPS + 1)
    (problem,) = caught.value.problems
    assert f"{STEPS} or {STEPS + 2}" in problem.hint
    assert not out.exists()
    digest = alone.state_digest
    with pytest.raises(fg.InputError, match="between two evaluations"):
        fg.resume(alone, steps=STEPS + 1)
    assert alone.job.steps == STEPS
    assert alone.state_digest == digest


def test_the_engine_by_itself_refuses_such_an_end(job: Job, tmp_path: Path) -> None:
    with pytest.raises(_engine.EngineError, match=r"--steps.*between two evaluations"):
        _engine.run(str(job.path), str(tmp_path / "run"), steps=STEPS + 1)


def test_the_log_and_the_references_name_the_scheme(alone: fg.Run, tmp_path: Path) -> None:
    log = (alone.path / "run.log").read_text(encoding="utf-8")
    assert "forces of the mesh" in log
    assert log.count("as impulses") == (2 if alone.job.pair_interval > 1 else 1)
    assert "{tuckerman1992," in finegrain(tmp_path, "cite", alone.path).stdout
