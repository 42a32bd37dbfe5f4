# SPDX-License-Identifier: BSD-3-Clause
"""Molecules without periodic images and dipole moments, beside pw.x; refused inputs.

The systems and figures are those of tests/python/electrons; what differs between the programs is
listed in test_other_programs.py there.
"""

import json
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ab_initio_systems import INPUT
from ase.calculators.calculator import PropertyNotImplementedError
from ase.io import read
from engine_runs import engine_ground_state, engine_input, input_text, structure_text
from reference_systems import DIPOLES, FOR_PW

import finegrain as fg
from finegrain.ab_initio.states.ground_state import GroundState, ebohr_in_debye
from finegrain.ase import Finegrain
from finegrain.errors import Problem

PW = json.loads((Path(__file__).parents[2] / "electrons" / "pw_figures.json").read_text())
SETTINGS = ("[ground_state]", 'tolerance = "1e-8 hartree"', 'energy_tolerance = "1e-12 hartree"')
NAME = "H2O GTH LDA isolated"


@pytest.fixture(scope="module")
def water(tmp_path_factory: pytest.TempPathFactory) -> GroundState:
    """The ground state of water without images."""
    return engine_ground_state(FOR_PW[NAME](), tmp_path_factory.mktemp("water"), *SETTINGS)


def test_pw_x_finds_the_same_without_images(water: GroundState) -> None:
    # Found are 6.4e-8 hartree per atom.
    assert water.energy / 3 == pytest.approx(PW[NAME]["total"] / 3, abs=1e-7)
    forces = water.forces - water.forces.mean(axis=0)
    np.testing.assert_allclose(forces, PW[NAME]["forces"], rtol=0, atol=1e-6)
    np.testing.assert_allclose(water.eigenvalues, PW[NAME]["eigenvalues"], rtol=0, atol=2e-6)


def test_results_without_images_have_no_stress(water: GroundState) -> None:
    assert water.boundary == "isolated"
    assert water.stress is None
    assert 0 < water.electrons_outside < 0.02
    atoms = water.atoms()
    assert not atoms.pbc.any()
    with pytest.raises(PropertyNotImplementedError):
        atoms.get_stress()
    np.testing.assert_allclose(atoms.get_dipole_moment(), water.dipole * 0.529177210903)
    summary = str(fg.open_run(water.path.parent))
    assert "dipole" in summary
    assert "pressure" not in summary


def test_the_dipole_moment_is_that_of_pw_x(tmp_path: Path) -> None:
    name = "H2O GTH LDA cubic"
    found = engine_ground_state(DIPOLES[name](), tmp_path, *SETTINGS)
    # pw.x sums over points and the engine over waves. They differ by what is left where the cell is
    # cut, 7e-5 electrons on a plane of points at this low cutoff: found are 9e-4. The sum over the
    # points of the engine's density gives all four digits of pw.x.
    np.testing.assert_allclose(found.dipole, PW[name]["dipole"], rtol=0, atol=1.5e-3)
    assert found.stress is not None
    # 1 e bohr in debye, CODATA 2018: 8.4783536255e-30 C m over 3.33564095e-30 C m.
    assert ebohr_in_debye == pytest.approx(2.5417464, abs=1e-7)


def test_ases_calculator_gives_the_same_dipole_moment(water: GroundState, tmp_path: Path) -> None:
    electrons = tomllib.loads(engine_input(FOR_PW[NAME](), tmp_path).read_text())["electrons"]
    files = electrons.pop("pseudopotentials")
    atoms = read(tmp_path / "system.xyz")
    atoms.calc = Finegrain(
        cutoff=electrons.pop("cutoff"),
        functional=electrons.pop("functional"),
        pseudopotentials={element: str(tmp_path / name) for element, name in files.items()},
        electrons=electrons,
        ground_state={"tolerance": "1e-8 hartree", "energy_tolerance": "1e-12 hartree"},
        boundary="isolated",
        pes=1,
    )
    dipole = atoms.get_dipole_moment()
    np.testing.assert_allclose(dipole, water.dipole * 0.529177210903, rtol=0, atol=1e-7)
    # Hydrogen is positive, and the moment is along the axis of the molecule. At this low cutoff it
    # is half of the measured one, 0.39 e Å; its size is held to pw.x below.
    place = atoms.get_positions()
    bisector = place[1:].mean(axis=0) - place[0]
    assert dipole @ bisector / np.linalg.norm(bisector) > 0.1
    assert np.linalg.norm(np.cross(dipole, bisector)) < 1e-3
    with pytest.raises(PropertyNotImplementedError, match=r"without images .* has no stress"):
        atoms.get_stress()
    assert fg.GroundState(water.path).atoms().get_dipole_moment() == pytest.approx(dipole, abs=1e-7)


def test_an_energy_without_images_has_no_virial(tmp_path: Path) -> None:
    system = FOR_PW[NAME]()
    (tmp_path / "system.xyz").write_text(structure_text(system))
    source = tmp_path / "system.toml"
    source.write_text(input_text(system, tmp_path, "[ground_state]", 'tolerance = "1e-4 hartree"'))
    found = fg.energy(source, pes=1)
    assert found.virial is None
    assert found.stress is None
    assert found.dipole is not None


def test_a_cell_that_is_too_small_is_refused_with_the_size_that_is_needed(tmp_path: Path) -> None:
    system = replace(FOR_PW[NAME](), vectors=np.diag([26.0, 18.0, 22.0]), grid=(60, 42, 50))
    (tmp_path / "system.xyz").write_text(structure_text(system))
    source = tmp_path / "system.toml"
    source.write_text(input_text(system, tmp_path))
    with pytest.raises(fg.InputError) as caught:
        fg.check(source)
    # 2.8 x 1.2 x 0.3 bohr of ions with 4 bohr on each side, twice.
    assert "at least 21.6 x 18.4 x 16.6 bohr" in str(caught.value)


def test_other_boundaries_are_refused(problems: Callable[..., list[Problem]]) -> None:
    text = INPUT.replace("[electrons]", 'boundary = "open"\n[electrons]')
    (found,) = problems(text)
    assert "boundary" in found.value
