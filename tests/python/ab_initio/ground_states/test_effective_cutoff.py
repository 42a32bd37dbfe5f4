# SPDX-License-Identifier: BSD-3-Clause
"""A constant effective cutoff: beside pw.x, stress and forces by differences, a cell that moves.

effective_cutoff_figures.json is made by tests/python/electrons/measure_effective_cutoff.py.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ab_initio_systems import INPUT, with_lines
from engine_runs import engine_ground_state, engine_input
from moving_silicon import silicon, write_silicon
from reference_systems import silicon_dojo

import finegrain as fg
from finegrain.ab_initio.preparation.report import check
from finegrain.ab_initio.report import describe_job
from finegrain.ab_initio.results.references import references
from finegrain.errors import Problem
from finegrain.units import pressure_in_bar

PW = json.loads(
    (Path(__file__).parents[2] / "electrons" / "effective_cutoff_figures.json").read_text()
)
STEP = (
    f'effective_cutoff = "{PW["Ry"]["ecfixed"]} Ry"',
    f'effective_cutoff_height = "{PW["Ry"]["qcutz"]} Ry"',
    f'effective_cutoff_width = "{PW["Ry"]["q2sigma"]} Ry"',
)
TIGHT = ("[ground_state]", 'tolerance = "1e-8 hartree"', 'energy_tolerance = "1e-13 hartree"')


def test_pw_x_finds_the_same(tmp_path: Path) -> None:
    found = engine_ground_state(silicon_dojo(), tmp_path, *STEP, *TIGHT)
    # Tolerances of test_ground_state_figures.py, where there is no step.
    assert found.energy / 2 == pytest.approx(PW["total"] / 2, abs=6e-8)
    forces = found.forces - found.forces.mean(axis=0)
    np.testing.assert_allclose(forces, PW["forces"], rtol=0, atol=1e-6)
    difference = np.abs(found.stress - PW["stress"]).max() * pressure_in_bar / 1000
    assert difference < 0.01  # kbar
    np.testing.assert_allclose(found.eigenvalues, PW["eigenvalues"], atol=1e-7)
    (tmp_path / "plain").mkdir()
    plain = engine_ground_state(silicon_dojo(), tmp_path / "plain", *TIGHT)
    # The step is felt.
    assert found.energy - plain.energy > 0.01


def test_the_stress_is_the_slope_of_the_energy_with_the_same_waves(tmp_path: Path) -> None:
    """By a cell that moves, whose conserved energy has the work of the stress in it."""
    source = write_silicon(
        tmp_path,
        silicon(0.96, 0.01),
        "1e-6 hartree",
        "[dynamics]",
        'kind = "born-oppenheimer"',
        'timestep = "0.5 fs"',
        "steps = 20",
        'velocities = "zero"',
        'cell = "full"',
        'cell_mass = "20 Da"',
    )
    lines = [
        'effective_cutoff = "4 Ry"',
        'effective_cutoff_height = "10 Ry"',
        'effective_cutoff_width = "2 Ry"',
    ]
    source.write_text(
        source.read_text().replace("[ground_state]", "\n".join([*lines, "[ground_state]"]))
    )
    run = fg.run(source, tmp_path / "run", pes=2)
    table = run.energies()
    potential = table["potential energy (hartree)"]
    conserved = table["conserved energy (hartree)"]
    assert np.ptp(conserved) < 0.01 * np.ptp(potential)
    assert np.ptp(table["volume (nm3)"]) > 1e-3
    assert "bernasconi1995" in {one.key for one in references(run.job)}
    # A check of the input, one of the job, and the log say that there is a step.
    words = "4 Ry, a step of 10 Ry over a width of 2 Ry"
    for report in (check(source), describe_job(run.path / "job.h5")):
        assert words in report.text()
        assert report.effective_cutoff["effective_cutoff"] == pytest.approx(2.0)
    assert words in (run.path / "run.log").read_text()


def test_energies_of_two_cells_differ_less_with_it(tmp_path: Path) -> None:
    """The energies of cells of other sizes, each with its own waves, lie on a smooth curve."""

    def energies(*lines: str) -> np.ndarray:
        found = []
        for scale in (0.98, 0.99, 1.0, 1.01, 1.02):
            system = silicon_dojo()
            system = replace(
                system, vectors=scale * system.vectors, positions=scale * system.positions
            )
            source = engine_input(system, tmp_path, *lines)
            found.append(fg.energy(source, pes=1).total)
        return np.array(found)

    def roughness(values: np.ndarray) -> float:
        """Return the fourth difference, which a parabola and a cubic do not have."""
        return float(abs(np.diff(values, 4)[0]))

    assert roughness(energies(*STEP)) < 0.5 * roughness(energies())


def test_car_parrinello_dynamics_with_it_conserve_the_energy(tmp_path: Path) -> None:
    source = write_silicon(
        tmp_path,
        silicon(),
        "1e-5 hartree",
        "[dynamics]",
        'kind = "car-parrinello"',
        'timestep = "0.1 fs"',
        "steps = 30",
        'velocities = "zero"',
    )
    lines = ['effective_cutoff = "4 Ry"', 'effective_cutoff_height = "10 Ry"']
    lines += ['effective_cutoff_width = "2 Ry"', "[ground_state]"]
    source.write_text(source.read_text().replace("[ground_state]", "\n".join(lines)))
    one = fg.run(source, tmp_path / "one", pes=1)
    table = one.energies()
    potential = table["potential energy (hartree)"]
    assert np.ptp(table["conserved energy (hartree)"]) < 0.02 * np.ptp(potential)
    two = fg.run(source, tmp_path / "two", pes=2, stop_after=4)
    assert fg.resume(two.path, pes=3).state_digest == one.state_digest


@pytest.mark.parametrize(
    ("lines", "what", "hint"),
    [
        (STEP[:1], "needs effective_cutoff_height", "effective_cutoff_width"),
        (STEP[1:], "needs effective_cutoff", "add effective_cutoff"),
        (('effective_cutoff = "20 Ry"', *STEP[1:]), "is not below the cutoff", "a fifth higher"),
        ((STEP[0], STEP[1], 'effective_cutoff_width = "2 Å"'), "is not the unit of", ""),
    ],
)
def test_a_step_that_lacks_a_part_is_refused(
    problems: Callable[..., list[Problem]], lines: tuple[str, ...], what: str, hint: str
) -> None:
    (problem,) = problems(with_lines(INPUT, "electrons", *lines))
    assert what in problem.what
    assert hint in problem.hint
