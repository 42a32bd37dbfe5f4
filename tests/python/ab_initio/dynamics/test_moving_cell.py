# SPDX-License-Identifier: BSD-3-Clause
"""A cell that moves: what reaches the job, what is refused, and what a run writes of it."""

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from ab_initio_systems import INPUT, values_of, with_lines
from ase.io import read
from moving_silicon import silicon, write_silicon

import finegrain as fg
from finegrain import units
from finegrain.ab_initio.ions.moving_cell import mass_of_period, mass_of_sound
from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.ab_initio.results.references import references
from finegrain.errors import NumericsError, Problem
from finegrain.kinds.new_job import write_job

Problems = Callable[..., list[Problem]]
Preparing = Callable[..., Prepared]

CP = with_lines(
    INPUT,
    "dynamics",
    'kind = "car-parrinello"',
    'timestep = "0.1 fs"',
    "steps = 100",
    'temperature = "300 K"',
)
CELL = with_lines(CP, "dynamics", 'cell = "full"')


def test_a_cell_at_rest_is_not_in_the_job(prepared: Preparing) -> None:
    assert "cell" not in values_of(prepared(CP))


def test_a_moving_cell_reaches_the_job_with_its_defaults(prepared: Preparing) -> None:
    made = prepared(CELL)
    values = values_of(made)
    assert values["cell"] == "full"
    assert values["pressure"] == pytest.approx(1 / units.pressure_in_bar)
    assert values["cell_friction"] == 0
    # Three quarters of 18.015 Da over pi^2.
    dalton = 18.015 / units.electron_mass_in_dalton
    assert values["cell_mass"] == pytest.approx(0.75 * dalton / np.pi**2)


def test_every_key_of_a_cell_reaches_the_job(prepared: Preparing) -> None:
    lines = ('pressure = "-2 GPa"', 'cell_mass = "12 Da"', 'cell_friction = "5 1/ps"')
    values = values_of(prepared(with_lines(CELL, "dynamics", *lines)))
    assert values["pressure"] == pytest.approx(-2e4 / units.pressure_in_bar)
    assert values["cell_mass"] == pytest.approx(12 / units.electron_mass_in_dalton)
    assert values["cell_friction"] == pytest.approx(5 * units.time_in_ps)


def test_a_period_and_a_modulus_give_a_mass(prepared: Preparing) -> None:
    lines = ('cell_period = "0.2 ps"', 'bulk_modulus = "2.2 GPa"')
    made = prepared(with_lines(CELL, "dynamics", *lines))
    volume = abs(np.linalg.det(made.structure.vectors))
    omega = 2 * np.pi / (0.2 / units.time_in_ps)
    modulus = 2.2e4 / units.pressure_in_bar
    assert values_of(made)["cell_mass"] == pytest.approx(3 * modulus * volume ** (1 / 3) / omega**2)


def test_the_mass_of_sound_has_the_period_of_sound() -> None:
    mass, volume, modulus = 3e5, 700.0, 3e-3
    period = np.sqrt(mass / (modulus * volume)) * volume ** (1 / 3)
    assert mass_of_sound(mass) == pytest.approx(mass_of_period(period, modulus, volume))


@pytest.mark.parametrize(
    ("text", "line", "what", "hint"),
    [
        (CP, 'pressure = "1 bar"', 'has no use with cell = "fixed"', "take it out"),
        (CP, 'cell_mass = "1 Da"', 'has no use with cell = "fixed"', "take it out"),
        (CELL, 'cell_period = "1 ps"', "needs bulk_modulus", "100 GPa"),
        (CELL, 'bulk_modulus = "9 GPa"', "needs cell_period", "1 ps"),
        (CELL, 'cell_mass = "9 Da"\ncell_period = "1 ps"', "has no use with cell_mass", "take it"),
        (CELL, 'pressure = "3 Da"', "Da is not the unit of a pressure", "bar"),
        (CELL, 'cell_mass = "0 Da"', "must be positive", ""),
        (CELL, 'pressure = "1e9 bar"', "out of range", ""),
        (CP, 'cell = "cubic"', "not a known value", "isotropic"),
    ],
)
def test_clashes_are_refused(
    problems: Problems, text: str, line: str, what: str, hint: str
) -> None:
    found = problems(with_lines(text, "dynamics", line))
    assert any(what in problem.what and hint in problem.hint for problem in found), found


def test_what_has_no_pressure_has_no_moving_cell(problems: Problems) -> None:
    isolated = with_lines(CELL, "system", 'boundary = "isolated"')
    assert any("has no pressure" in one.what for one in problems(isolated))
    resting = CELL.replace('temperature = "300 K"', 'ions = "rest"')
    assert any("moves with its ions only" in one.what for one in problems(resting))
    ground = with_lines(INPUT, "dynamics", 'cell = "full"')
    assert any("ground-state" in one.what for one in problems(ground))


def write_input(folder: Path, *more: str, kind: str = "car-parrinello", steps: int = 8) -> Path:
    """Write an input of compressed silicon, with more lines of [dynamics]."""
    return write_silicon(
        folder,
        silicon(0.96, 0.01),
        "1e-4 hartree",
        "[output]",
        "trajectory_interval = 2",
        "[dynamics]",
        f'kind = "{kind}"',
        'timestep = "0.2 fs"',
        f"steps = {steps}",
        'velocities = "zero"',
        *more,
    )


def test_tables_reach_further_for_a_cell_that_may_shrink(tmp_path: Path) -> None:
    lengths = []
    for name, more in (("fixed", ()), ("moving", ('cell = "lengths"',))):
        write_job(write_input(tmp_path, *more), tmp_path / f"{name}.h5")
        with h5py.File(tmp_path / f"{name}.h5") as file:
            lengths.append(len(file["species/0/local"]))
    assert lengths[1] == pytest.approx(1.3 * lengths[0], rel=0.02)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> fg.DynamicsRun:
    folder = tmp_path_factory.mktemp("cell")
    found = fg.run(
        write_input(folder, 'cell = "full"', 'pressure = "1 GPa"'), folder / "run", pes=1
    )
    assert isinstance(found, fg.DynamicsRun)
    return found


def test_rows_and_frames_have_the_cell(run: fg.DynamicsRun) -> None:
    table = run.energies()
    conserved = table["conserved energy (hartree)"]
    parts = (
        "potential energy",
        "ion kinetic energy",
        "fictitious kinetic energy",
        "cell kinetic energy",
        "work of outer pressure",
    )
    assert conserved == pytest.approx(sum(table[f"{name} (hartree)"] for name in parts), abs=1e-12)
    kinetic = table["cell kinetic energy (hartree)"]
    assert kinetic[0] == 0
    assert kinetic[-1] > 20 * np.abs(conserved - conserved[0]).max()
    volume = table["volume (nm3)"]
    work = table["work of outer pressure (hartree)"]
    in_bohr = volume / units.bohr_in_nm**3
    assert work == pytest.approx(1e4 / units.pressure_in_bar * in_bohr, rel=1e-8)
    assert volume[-1] != volume[0]
    assert table["cell alpha (degrees)"][0] == pytest.approx(90)
    edges = [table[f"cell {name} (nm)"] for name in "abc"]
    # Angles change little: the volume is nearly the product of the edges.
    assert volume == pytest.approx(np.prod(edges, axis=0), rel=1e-3)
    with h5py.File(run.path / "trajectory.h5") as file:
        box = file["particles/all/box/edges/value"][...]
    assert box.shape == (5, 3, 3)
    found = np.abs(np.linalg.det(box.astype(float)))
    assert found == pytest.approx(volume[::2], rel=1e-5)


def test_the_log_and_the_summary_tell_of_the_cell(run: fg.DynamicsRun) -> None:
    log = run.log()
    for words in ("full, outer pressure 10000 bar", "period of the cell", "pressure ", "volume "):
        assert words in log, words
    rows = dict(run.summary())
    assert "bar, mean of the later half" in rows["pressure"]
    assert "nm3" in rows["volume"]
    assert run.result["volume"] == pytest.approx(run.energies()["volume (nm3)"][-1])
    assert "parrinello1981" in {one.key for one in references(run.job)}


def test_frames_are_converted_with_their_own_cells(run: fg.DynamicsRun, tmp_path: Path) -> None:
    frames = read(fg.convert(run, "xyz", tmp_path / "frames.xyz"), index=":")
    volumes = np.array([one.get_volume() for one in frames]) / 1000  # of cubic angstrom
    assert volumes == pytest.approx(run.energies()["volume (nm3)"][::2], rel=1e-5)


def test_a_stopped_run_goes_on_to_the_same_bits(run: fg.DynamicsRun, tmp_path: Path) -> None:
    source = write_input(tmp_path, 'cell = "full"', 'pressure = "1 GPa"')
    fg.run(source, tmp_path / "run", pes=2, stop_after=3)
    resumed = fg.resume(tmp_path / "run", pes=1)
    assert resumed.result["state_digest"] == run.result["state_digest"]
    here, there = (one.path / "energies.csv" for one in (resumed, run))
    assert here.read_text() == there.read_text()


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (('pressure = "500 GPa"',), "has become too small for the tables"),
        (('pressure = "900 GPa"', 'cell_mass = "2 Da"'), "is too small for the tables"),  # at once
    ],
)
def test_a_collapse_ends_a_run_in_words(tmp_path: Path, lines: tuple[str, ...], what: str) -> None:
    source = write_input(tmp_path, 'cell = "isotropic"', *lines, steps=300)
    with pytest.raises(NumericsError, match=what) as error:
        fg.run(source, tmp_path / "run", pes=1)
    text = str(error.value)
    assert "of the dynamics" in text
    assert "times as long as at the start" in text
    # After the last step that could be made, its state is kept.
    assert (tmp_path / "run" / "checkpoint.h5").exists() == ("has become" in what)
