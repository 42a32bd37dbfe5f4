# SPDX-License-Identifier: BSD-3-Clause
"""Commands for ab initio runs, with a stand-in for the engine."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import made_results as made
import numpy as np
import pytest
from ab_initio_systems import INPUT, with_lines
from typer.testing import Result

import finegrain as fg
from finegrain import units
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.results.of_run import progress_line

Command = Callable[..., Result]


class NotFoundError(RuntimeError):
    """An error as the engine raises it."""

    kind = "numerics"
    what = "the ground state was not found in 3 iterations"
    where = "iteration 3"
    value = "residual 3e-3 hartree"
    limit = "1e-6 hartree"
    hint = "raise ground_state.iterations"


class StandIn:
    """Writes made-up results, or fails as an engine that finds no ground state."""

    def __init__(self) -> None:
        self.fails = False
        self.stops = False
        self.iterations: list[int] = []

    def kinds(self) -> list[str]:
        return ["classical", "ab-initio"]

    def check_job(self, _name: str, _contents: bytes) -> None:
        pass

    def run(self, job: str, out: str, *, on_progress: Any, **_options: Any) -> dict[str, Any]:
        self.iterations.append(AbInitioJob(job).steps)
        (Path(out) / "run.log").write_text("log\n")
        on_progress({"step": 1, "steps": 200, "total_energy": -17.1, "residual": 0.01})
        found = not (self.fails or self.stops)
        made.write_ground_state(Path(out) / "ground_state.h5", converged=found)
        if self.fails:
            raise NotFoundError(NotFoundError.what)
        return {
            "steps": 3,
            "finished": not self.stops,
            "pes": 1,
            "atoms": 3,
            "seconds_per_step": 0.5,
            "ns_per_day": None,
            "state_digest": "ab" * 32,
            "phases": [],
            "parts": [],
            "warnings": [],
        }

    def energy(self, _job: str, *, pes: int) -> dict[str, Any]:
        return {
            "energies": {
                name: value * units.hartree_in_kj_per_mol for name, value in made.TERMS.items()
            },
            "forces": made.FORCES * units.force_in_kj_per_mol_nm,
            "virial": np.arange(6.0) * units.hartree_in_kj_per_mol,
        }


@pytest.fixture
def engine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    """The stand-in, and an input in the current folder."""
    stand_in = StandIn()
    monkeypatch.setitem(sys.modules, "finegrain._engine", stand_in)
    monkeypatch.chdir(folder)
    (folder / "water.toml").write_text(INPUT)
    return stand_in


@pytest.mark.pictures
def test_run_reports_the_ground_state(engine: StandIn, accepted: Command) -> None:
    result = accepted("run", "water.toml", "--pes", 1)
    assert "iteration 1   energy -17.10000000 hartree   residual 1.0e-02 hartree" in result.stdout
    assert "found in 3 iterations" in result.stdout
    picture = Path("runs/water") / "ground_state.png"
    assert not picture.exists()  # it takes too much of the time of a run
    accepted("show", "runs/water")
    assert picture.exists()
    run = fg.open_run("runs/water")
    assert isinstance(run, fg.GroundStateRun)
    assert run.finished
    assert run.ground_state().energy == made.ENERGY


def test_run_gives_json(engine: StandIn, command: Command) -> None:
    answer = json.loads(command("run", "water.toml", "--pes", 1, "--json").stdout)
    for key in ("steps", "seconds_per_step", "ns_per_day", "pes", "ranks", "state_digest"):
        assert key in answer
    assert answer["energy_unit"] == "hartree"
    assert answer["ground_state"]["energies"]["total"] == made.ENERGY
    assert "ground_state.h5" in answer["files"]
    assert "timestep_fs" not in answer


@pytest.mark.pictures
def test_a_ground_state_that_is_not_found_is_exit_status_3_and_its_way_is_kept(
    engine: StandIn, accepted: Command, refused: Callable[..., str]
) -> None:
    engine.fails = True
    said = refused("run", "water.toml", "--pes", 1, status=3)
    assert "the ground state was not found in 3 iterations" in said
    assert "limit 1e-6 hartree" in said
    assert "the log is" in said
    shown = accepted("show", "runs/water")
    assert "NOT converged" in shown.stdout
    assert (Path("runs/water") / "ground_state.png").exists()


def test_a_stopped_run_without_orbitals_starts_again(
    engine: StandIn, command: Command, accepted: Command
) -> None:
    engine.stops = True
    source = Path("water.toml")
    source.write_text(with_lines(source.read_text(), "output", "orbitals = false"))
    result = command("run", "water.toml", "--pes", 1)
    assert result.exit_code == 75
    assert "Start it again with: finegrain resume runs/water" in result.stdout
    engine.stops = False
    accepted("resume", "runs/water", "--pes", 1)
    assert fg.open_run("runs/water").finished


def test_steps_are_the_largest_number_of_iterations(
    engine: StandIn, accepted: Command, refused: Callable[..., str]
) -> None:
    accepted("run", "water.toml", "--pes", 1, "--steps", 7)
    assert engine.iterations == [7]
    assert "too many iterations" in refused("run", "water.toml", "--steps", 10**9, "--overwrite")


def test_energies_and_forces_are_in_atomic_units(engine: StandIn, command: Command) -> None:
    answer = json.loads(command("energy", "water.toml", "--pes", 1, "--json").stdout)
    assert answer["unit"] == "hartree"
    assert answer["energy"]["kinetic"] == pytest.approx(made.TERMS["kinetic"], rel=1e-14)
    assert answer["energy"]["total"] == pytest.approx(sum(made.TERMS.values()), rel=1e-14)
    assert answer["forces_unit"] == "hartree/bohr"
    assert "virial_without" not in answer
    with np.load(answer["forces_file"]) as file:
        assert file["forces"] == pytest.approx(made.FORCES, rel=1e-14)
    volume = (6 / 0.529177210903) ** 3
    # The virial has xx, yy, zz, xy, xz, yz.
    expected = -np.array([[0.0, 3, 4], [3, 1, 5], [4, 5, 2]]) / volume
    assert np.array(answer["stress"]) == pytest.approx(expected, rel=1e-12)
    text = command("energy", "water.toml", "--pes", 1).stdout
    assert "energy / hartree" in text
    assert "hartree/bohr" in text


def test_energy_from_python(engine: StandIn) -> None:
    answer = fg.energy("water.toml", pes=1)
    assert (answer.unit, answer.forces_unit) == ("hartree", "hartree/bohr")
    assert answer.total == pytest.approx(sum(made.TERMS.values()), rel=1e-14)


def test_check_describes_a_job(engine: StandIn, accepted: Command) -> None:
    fg.load("water.toml", "water.job.h5")
    result = accepted("check", "water.job.h5")
    assert "8 in 4 orbitals" in result.stdout
    assert "20 Ry" in result.stdout
    report = json.loads(accepted("check", "water.job.h5", "--json").stdout)
    assert report["formula"] == "O H2"
    assert report["grid"] == [36, 36, 36]


def test_progress_says_only_what_was_measured(engine: StandIn) -> None:
    words = progress_line(SimpleNamespace(dynamics=None))  # type: ignore[arg-type]
    assert words({"step": 0}, 0.0) == "iteration 0"
    none = {"step": 2, "total_energy": float("nan"), "residual": None}
    assert words(none, 0.25) == "iteration 2   0.25 s an iteration"
