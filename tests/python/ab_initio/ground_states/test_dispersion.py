# SPDX-License-Identifier: BSD-3-Clause
"""DFT-D3 in the input, the job and the results.

The library against Grimme's own program, which pw.x 6.7 contains; dispersion_figures.json is made
by tests/python/electrons/measure_dispersion.py. pw.x prints 8 digits after the point, in Ry.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from engine_runs import engine_input
from reference_systems import formic_acid, hydrogen_revpbe, methane

import finegrain as fg
from finegrain.ab_initio.dispersion.of_input import find_dispersion
from finegrain.ab_initio.input.load import load_input
from finegrain.ab_initio.ions.read_structure import read_structure
from finegrain.ab_initio.ions.structure import Structure
from finegrain.ab_initio.preparation.prepare import prepare
from finegrain.errors import InputError

figures = Path(__file__).parents[2] / "electrons" / "dispersion_figures.json"
SYSTEMS = {"CH4": methane, "HCOOH crystal": formic_acid}


def written(folder: Path, name: str, functional: str, *lines: str) -> Path:
    """Write an input with lines for its section of the electrons."""
    return engine_input(replace(SYSTEMS[name](), functional=functional), folder, *lines)


@pytest.mark.nightly
def test_the_library_finds_what_the_program_of_its_authors_finds(tmp_path: Path) -> None:
    for number, one in enumerate(json.loads(figures.read_text())):
        folder = tmp_path / str(number)
        folder.mkdir()
        lines = (
            f'dispersion = "{one["dispersion"]}"',
            f"three_body = {str(one['three_body']).lower()}",
        )
        given = load_input(written(folder, one["system"], one["functional"], *lines))
        structure = read_structure(given)
        assert structure is not None
        found = find_dispersion(given, structure)
        assert not given.problems
        assert found is not None
        assert found.energy == pytest.approx(one["energy"], abs=6e-9), one  # found are 3.4e-9
        assert ("ATM" in found.model) == one["three_body"]


@pytest.fixture
def of_crystal(tmp_path: Path) -> Callable[[np.ndarray, np.ndarray], float]:
    """Return the dispersion of the crystal when its atoms are moved and it is strained."""
    given = load_input(written(tmp_path, "HCOOH crystal", "BLYP", 'dispersion = "d3bj"'))
    structure = read_structure(given)
    assert structure is not None

    def found(strain: np.ndarray, move: np.ndarray) -> Structure:
        matrix = np.eye(3) + strain
        return replace(
            structure,
            vectors=structure.vectors @ matrix,
            position=structure.position @ matrix + move,
        )

    return lambda strain, move: find_dispersion(given, found(strain, move))


def slope(energy_at: Callable[[float], float], step: float) -> float:
    """Return a derivative from four points; its error is of fourth order in the step."""
    near, far = (energy_at(k * step) - energy_at(-k * step) for k in (1, 2))
    return (8 * near - far) / (12 * step)


def test_forces_and_stress_are_derivatives_of_the_energy(of_crystal: Callable) -> None:
    # The sums end at a distance, where the energy jumps by about 1e-10; so steps are large.
    unstrained, still = np.zeros((3, 3)), np.zeros((10, 3))
    here = of_crystal(unstrained, still)
    for atom, axis in ((0, 0), (3, 1), (7, 2)):
        move = np.zeros_like(still)
        move[atom, axis] = 1.0
        found = slope(lambda by, move=move: of_crystal(unstrained, by * move).energy, 0.02)
        assert here.forces[atom, axis] == pytest.approx(-found, abs=3e-8)
    for row, column in ((0, 0), (1, 2), (2, 2)):
        strain = np.zeros((3, 3))
        strain[row, column] += 0.5
        strain[column, row] += 0.5
        found = slope(lambda by, strain=strain: of_crystal(by * strain, still).energy, 0.005)
        assert here.strain[row, column] == pytest.approx(found, abs=1e-6)


def test_results_have_it_as_a_term_of_the_energy(tmp_path: Path) -> None:
    results = {}
    for name in ("none", "d3bj"):
        folder = tmp_path / name
        folder.mkdir()
        source = engine_input(hydrogen_revpbe(), folder, f'dispersion = "{name}"')
        report = fg.check(source)
        assert ("D3(BJ), s-dftd3 " in report.text()) == (name == "d3bj")
        results[name] = fg.energy(source)
        asked = prepare(source).dispersion
    assert asked is not None
    without, with_it = results["none"], results["d3bj"]
    assert "dispersion" not in without.energies
    assert with_it.energies["dispersion"] == pytest.approx(asked.energy, rel=1e-12)
    assert asked.energy < -1e-5
    assert with_it.total - without.total == pytest.approx(asked.energy, abs=1e-10)
    np.testing.assert_allclose(with_it.forces - without.forces, asked.forces, atol=1e-9)
    volume = 7.0**3
    np.testing.assert_allclose(with_it.stress - without.stress, asked.strain / volume, atol=1e-10)


@pytest.mark.parametrize(
    ("lines", "message", "hint"),
    [
        (('dispersion = "d4"',), "not a known value", ""),
        (("three_body = true",), "belongs to a dispersion", "d3bj"),
    ],
)
def test_what_does_not_fit_is_refused(
    tmp_path: Path, lines: tuple[str, ...], message: str, hint: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        prepare(written(tmp_path, "CH4", "PBE", *lines))
    assert hint in str(caught.value)


def test_a_functional_without_parameters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no parameters for the functional PW92") as caught:
        prepare(written(tmp_path, "CH4", "PW92", 'dispersion = "d3bj"'))
    assert "revPBE" in str(caught.value)


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dftd3", None)
    with pytest.raises(InputError, match="dftd3, which is not installed") as caught:
        prepare(written(tmp_path, "CH4", "PBE", 'dispersion = "d3zero"'))
    assert "pip install dftd3" in str(caught.value)
