# SPDX-License-Identifier: BSD-3-Clause
"""The engine through the package: against the plain program, from files, and through ASE."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ab_initio_systems import INPUT, with_lines
from ase import Atoms
from ase.build import bulk
from ase.filters import StrainFilter
from ase.io import read, write
from ase.io.cube import read_cube
from ase.optimize import BFGS
from plain_kohn_sham import System, ground_state
from typer.testing import Result

import finegrain as fg
from finegrain.ab_initio.preparation.prepare import prepare
from finegrain.ab_initio.states.ground_state import hartree_in_ev
from finegrain.ase import Finegrain

Command = Callable[..., Result]
SMALL = INPUT.replace("20 Ry", "12 Ry")
TIGHT = ('tolerance = "1e-8 hartree"', 'energy_tolerance = "1e-13 hartree"')


@pytest.fixture
def source(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A water in a tilted cell, converged as far as doubles allow."""
    monkeypatch.chdir(folder)
    cell = 'cell = ["4.2 Å", "4.0 Å", "4.4 Å", "85°", "95°", "80°"]'
    text = with_lines(with_lines(SMALL, "system", cell), "ground_state", *TIGHT)
    (folder / "water.toml").write_text(with_lines(text, "output", "density = true"))
    return folder / "water.toml"


def plain(source: Path) -> System:
    """The same for the plain program."""
    ready = prepare(source)
    structure = ready.structure
    return System(
        structure.vectors,
        structure.symbols,
        structure.position,
        ready.species,
        ready.functional,
        ready.given.model.electrons.cutoff.value,
        ready.waves.grid,
        pw_rules=True,
    )


def test_energies_forces_and_stress_are_those_of_the_plain_program(source: Path) -> None:
    expected = ground_state(plain(source), 1e-8)
    found = fg.energy(source, pes=1)
    # The energy is of second order in the residual, the rest of first order.
    assert found.total == pytest.approx(expected.total, abs=1e-9)
    for name, value in expected.terms.items():
        assert found.energies[name] == pytest.approx(value, abs=3e-7), name
    assert found.forces == pytest.approx(expected.forces, abs=3e-7)
    assert found.stress == pytest.approx(expected.stress, abs=1e-8)
    run = fg.run(source, pes=1)
    assert isinstance(run, fg.GroundStateRun)
    ground = run.ground_state()
    assert ground.energy == pytest.approx(found.total, rel=1e-13)
    assert ground.forces == pytest.approx(found.forces, abs=1e-12)
    assert ground.stress == pytest.approx(found.stress, abs=1e-14)
    assert ground.eigenvalues == pytest.approx(expected.eigenvalues, abs=1e-7)
    assert ground.density().sum() * ground.volume / ground.density().size == pytest.approx(8)


def test_the_bits_do_not_depend_on_threads(source: Path) -> None:
    one = fg.run(source, "one", pes=1)
    two = fg.run(source, "two", pes=2)
    assert one.state_digest == two.state_digest
    a, b = fg.GroundState("one"), fg.GroundState("two")
    assert a.energies == b.energies
    assert np.array_equal(a.forces, b.forces)
    assert np.array_equal(a.density(), b.density())


def test_atomic_orbitals_begin_nearer_to_the_same_ground_state(source: Path) -> None:
    found = {}
    for start in ("atomic", "random"):
        text = with_lines(source.read_text(), "ground_state", f'start = "{start}"')
        (source.parent / f"{start}.toml").write_text(text)
        found[start] = fg.run(source.parent / f"{start}.toml", pes=1).result
    assert found["atomic"]["total_energy"] == pytest.approx(
        found["random"]["total_energy"], abs=1e-9
    )
    assert found["atomic"]["iterations"] < found["random"]["iterations"]


def test_a_run_by_commands_from_check_to_cube(source: Path, accepted: Command) -> None:
    accepted("check", source)
    accepted("run", source, "--pes", 1, "--quiet")
    assert "ground state" in accepted("show", "runs/water").stdout
    accepted("convert", "runs/water", "--to", "xyz")
    accepted("convert", "runs/water", "--to", "cube")
    atoms = read("runs/water/ground_state.xyz")
    with Path("runs/water/ground_state.cube").open() as file:
        cube = read_cube(file)
    point = atoms.get_volume() / 0.529177210903**3 / cube["data"].size
    assert cube["data"].sum() * point == pytest.approx(8, rel=1e-4)  # six digits
    answer = json.loads(accepted("energy", source, "--pes", 1, "--json").stdout)
    assert atoms.get_potential_energy() == pytest.approx(answer["energy"]["total"] * hartree_in_ev)


def test_too_few_iterations_are_status_3_and_leave_results(
    source: Path, accepted: Command, refused: Callable[..., str]
) -> None:
    assert "did not converge" in refused("run", source, "--pes", 1, "--steps", 2, status=3)
    assert not fg.GroundState("runs/water").converged
    assert "NOT converged" in accepted("show", "runs/water").stdout
    accepted("energy", source, "--pes", 1)
    accepted("run", source, "--pes", 1, "--overwrite")
    assert fg.GroundState("runs/water").converged


def calculator(folder: Path) -> Finegrain:
    """For the made-up hydrogen, converged as far as doubles allow."""
    return Finegrain(
        cutoff="12 Ry",
        functional="PBE",
        pseudopotentials={"H": str(folder / "GTH_POTENTIALS")},
        ground_state=dict(line.replace('"', "").split(" = ") for line in TIGHT),
        pes=1,
    )


def test_forces_of_the_calculator_are_slopes_of_its_energy(source: Path) -> None:
    atoms = Atoms("H2", [[0, 0, 0], [0.2, 0.3, 0.6]], cell=[3.5, 3.6, 3.7], pbc=True)
    atoms.calc = calculator(source.parent)
    force, step = atoms.get_forces()[1, 2], 1e-3
    energies = []
    for sign in (1, -1):
        moved = atoms.copy()
        moved.positions[1, 2] += sign * step
        moved.calc = atoms.calc
        energies.append(moved.get_potential_energy())
    # Central differences err by step^2 times a third derivative of about 100 eV/Å^3.
    assert force == pytest.approx((energies[1] - energies[0]) / (2 * step), abs=3e-4)
    assert atoms.calc.evaluation.total * hartree_in_ev == pytest.approx(energies[0], abs=0.1)


def test_a_molecule_relaxes_to_where_there_is_no_force(source: Path) -> None:
    atoms = Atoms("H2", [[0, 0, 0], [0.1, 0.2, 0.75]], cell=[4, 4, 4], pbc=True)
    atoms.calc = calculator(source.parent)
    before = atoms.get_potential_energy()
    # Below this the molecule slowly turns, because its images are near.
    assert BFGS(atoms, logfile=None).run(fmax=0.05, steps=30)
    assert np.abs(atoms.get_forces()).max() < 0.05
    assert atoms.get_potential_energy() < before


def test_a_cell_relaxes_to_where_there_is_no_stress(source: Path) -> None:
    crystal = bulk("Si", a=5.3, cubic=True)
    files = {"Si": str(source.parent / "gth-published.dat")}
    crystal.calc = Finegrain(cutoff="14 Ry", functional="LDA", pseudopotentials=files, pes=1)
    assert np.abs(crystal.get_stress()[:3]).max() > 0.01
    cell = StrainFilter(crystal, mask=[1, 1, 1, 0, 0, 0])
    assert BFGS(cell, logfile=None).run(fmax=0.02, steps=25)
    assert np.abs(crystal.get_stress()).max() < 0.02 / crystal.get_volume()
    lengths = crystal.cell.lengths()
    assert lengths == pytest.approx([lengths.mean()] * 3, rel=1e-5)
    # Measured: 5.43 Å. One point of the reciprocal space makes it longer, the low cutoff shorter.
    assert lengths.mean() == pytest.approx(5.43, rel=0.015)


def test_a_structure_of_another_program_gives_the_same_energy(source: Path) -> None:
    one = fg.energy(source, pes=1)
    ready = prepare(source)
    atoms = Atoms(
        ready.structure.symbols,
        ready.structure.position * 0.529177210903,
        cell=ready.structure.vectors * 0.529177210903,
        pbc=True,
    )
    write("water.cif", atoms)
    text = source.read_text().replace("water.xyz", "water.cif")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("cell"))
    (source.parent / "other.toml").write_text(text)
    # The file has rounded numbers, and its cell is turned.
    assert fg.energy("other.toml", pes=1).total == pytest.approx(one.total, abs=1e-4)
