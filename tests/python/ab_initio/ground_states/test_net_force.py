# SPDX-License-Identifier: BSD-3-Clause
"""The sum of the forces, which the grid leaves: it is said, and removed on request."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ase import Atoms
from ase.calculators.singlepoint import SinglePointCalculator
from ase.constraints import FixAtoms
from ase.io import read, write
from typer.testing import Result

import finegrain as fg
from finegrain.ab_initio.input.functional import engine_name, has_gradients
from finegrain.ase import Finegrain

TEXT = """\
[system]
kind = "ab-initio"
structure = "water.xyz"
cell = ["5 Å", "5 Å", "5 Å"]
[electrons]
cutoff = "30 Ry"
allow_low_cutoff = true
functional = "BLYP"
pseudopotentials = {{ O = "O.blyp-mt.UPF", H = "H.blyp-vbc.UPF" }}
{electrons}
[ground_state]
tolerance = "1e-5 hartree"
"""
XYZ = """\
3
one water, not at a symmetric place of the grid
O 2.13 2.27 2.41
H 2.88695 2.27 1.82403
H 1.37305 2.27 1.82403
"""


def write_input(folder: Path, electrons: str = "", more: str = "") -> Path:
    folder.mkdir()
    (folder / "water.xyz").write_text(XYZ)
    (folder / "in.toml").write_text(TEXT.format(electrons=electrons) + more)
    return folder / "in.toml"


def test_the_sum_is_said_and_removed_in_equal_parts(tmp_path: Path) -> None:
    kept = fg.energy(write_input(tmp_path / "kept"))
    removed = fg.energy(write_input(tmp_path / "removed", 'net_force = "remove"'))
    assert kept.net_force is not None
    assert removed.net_force is not None
    net = kept.forces.sum(axis=0)
    assert np.abs(net).max() > 1e-4
    # The engine's forces go through kJ/mol/nm.
    assert kept.net_force == pytest.approx(net, rel=1e-12, abs=1e-15)
    assert removed.net_force == pytest.approx(kept.net_force, rel=1e-15)
    assert removed.forces == pytest.approx(kept.forces - net / 3, abs=1e-14)
    assert removed.total == kept.total


def calculated(how: str) -> Atoms:
    """Return the same water with a calculator, and a tight ground state."""
    places = [line.split()[1:] for line in XYZ.splitlines()[2:]]
    atoms = Atoms("OH2", np.array(places, float), cell=[5, 5, 5], pbc=True)
    atoms.calc = Finegrain(
        cutoff="30 Ry",
        functional="BLYP",
        pseudopotentials={"O": "O.blyp-mt.UPF", "H": "H.blyp-vbc.UPF"},
        electrons={"allow_low_cutoff": True, "net_force": how},
        ground_state={"tolerance": "1e-8 hartree", "energy_tolerance": "1e-13 hartree"},
        pes=1,
    )
    return atoms


def slope(atoms: Atoms, move: np.ndarray) -> float:
    """Return minus the derivative of the energy along a move of some atoms, eV/Å."""
    step, places = 0.002, atoms.positions.copy()
    energies = []
    for sign in (1, -1):
        atoms.positions = places + sign * step * move
        energies.append(atoms.get_potential_energy())
    atoms.positions = places
    return (energies[1] - energies[0]) / (2 * step)


def test_only_kept_forces_are_derivatives_of_the_energy() -> None:
    atoms, removed = calculated("keep"), calculated("remove")
    kept, net = atoms.get_forces(), atoms.calc.net_force
    assert np.abs(net).max() > 0.01
    oxygen, all_atoms = np.zeros((3, 3)), np.zeros((3, 3))
    oxygen[0, 2], all_atoms[:, 2] = 1, 1
    # Central differences have an error of second order in the step, which is a fiftieth of the
    # distance of two points of the grid. Points that come below the density from which the
    # gradient counts change it a little more.
    of_oxygen, of_all = slope(atoms, oxygen), slope(atoms, all_atoms)
    assert of_oxygen == pytest.approx(kept[0, 2], abs=5e-4)
    assert of_all == pytest.approx(net[2], abs=5e-4)
    forces = removed.get_forces()
    assert forces.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    assert removed.calc.net_force == pytest.approx(net, abs=1e-5)
    assert forces == pytest.approx(kept - net / 3, abs=1e-5)
    assert abs(of_oxygen - forces[0, 2]) == pytest.approx(abs(net[2]) / 3, abs=5e-4)


def test_the_calculator_says_it_also_with_fixed_atoms(tmp_path: Path) -> None:
    kept, removed = calculated("keep"), calculated("remove")
    net = kept.get_forces().sum(axis=0)
    removed.set_constraint(FixAtoms([0]))
    # As in pw.x all atoms have lost their share, and then the fixed one has no force.
    forces = removed.get_forces()
    assert (forces[0] == 0).all()
    assert forces[1:] == pytest.approx(kept.get_forces()[1:] - net / 3, abs=1e-5)
    assert removed.calc.net_force == pytest.approx(net, abs=1e-5)
    for name in ("water.traj", "water.db", "water.xyz"):
        write(tmp_path / name, kept)
        assert read(tmp_path / name).get_forces() == pytest.approx(kept.get_forces(), abs=1e-7)


def test_results_have_names_of_ase_only() -> None:
    atoms = calculated("keep")
    assert atoms.calc.net_force is None
    forces = atoms.get_forces()
    assert atoms.calc.net_force == pytest.approx(forces.sum(axis=0), rel=1e-9)
    stored = SinglePointCalculator(atoms, **atoms.calc.results)
    assert np.array_equal(stored.get_forces(), forces)
    assert np.array_equal(atoms.calc.export_properties()["forces"], forces)
    before = atoms.calc.net_force
    before[:] = 0  # a caller's own
    assert atoms.calc.net_force.any()
    atoms.positions += 0.05
    assert atoms.calc.get_property("energy", atoms, allow_calculation=False) is None
    assert atoms.calc.net_force is None
    again = atoms.get_forces()
    assert atoms.calc.net_force == pytest.approx(again.sum(axis=0), rel=1e-9)
    atoms.calc.set(functional="PBE")
    assert atoms.calc.net_force is None


def test_energy_says_if_it_was_removed(tmp_path: Path, accepted: Callable[..., Result]) -> None:
    for how in ("keep", "remove"):
        source = write_input(tmp_path / how, f'net_force = "{how}"')
        words = ["energy", source, "--forces", tmp_path / f"{how}.npz"]
        given = accepted(*words)
        (line,) = (one for one in given.output.splitlines() if one.startswith("net force"))
        assert line.endswith("left in the forces" if how == "keep" else "removed from the forces")
        given = accepted(*words, "--json", "--overwrite")
        found = json.loads(given.stdout)
        assert found["removes_net_force"] == (how == "remove")
        assert np.linalg.norm(found["net_force"]) > 1e-4


def test_only_some_functionals_have_gradients() -> None:
    for written in ("LDA", "PZ81", "PW92", "LDA_X+LDA_C_VWN"):
        assert not has_gradients(engine_name(written))
    for written in ("PBE", "BLYP", "revPBE", "GGA_X_PBE+LDA_C_PW", "LDA_C_PW+GGA_X_PBE"):
        assert has_gradients(engine_name(written))


def test_check_says_it(tmp_path: Path) -> None:
    for how in ("keep", "remove"):
        source = write_input(tmp_path / how, f'net_force = "{how}"')
        fg.load(source, tmp_path / f"{how}.h5")
        for checked in (source, tmp_path / f"{how}.h5"):
            report = fg.check(checked)
            assert report.as_dict()["removes_net_force"] == (how == "remove")
            (line,) = (one for one in report.text().splitlines() if "net force  " in one)
            assert ("1e-03 hartree/bohr (0.051 eV/Å) instead of zero" in line) == (how == "keep")
            assert ("removed" in line) == (how == "remove")


def test_a_run_says_it_everywhere(tmp_path: Path) -> None:
    for how in ("keep", "remove"):
        source = write_input(tmp_path / how, f'net_force = "{how}"')
        run = fg.run(source, out=tmp_path / how / "out")
        found = run.ground_state()
        size = float(np.linalg.norm(found.net_force))
        assert size > 1e-4
        rest = found.forces.sum(axis=0)
        assert rest == pytest.approx(found.net_force if how == "keep" else np.zeros(3), abs=1e-14)
        shown = dict(run.summary())
        assert f"{size:.3e} hartree/bohr" in shown["net force"]
        assert ("removed" in shown["net force"]) == (how == "remove")
        log = (run.path / "run.log").read_text()
        assert "net force: " in log
        assert log.count("removed, in equal parts") == (how == "remove")


def test_a_dynamics_keeps_it(tmp_path: Path) -> None:
    moves = '[dynamics]\nkind = "born-oppenheimer"\ntimestep = "0.5 fs"\nsteps = 2\n'
    source = write_input(tmp_path / "a", 'net_force = "remove"', moves)
    with pytest.raises(fg.InputError) as caught:
        fg.load(source, tmp_path / "job.h5")
    problems = [one for one in caught.value.problems if "net_force" in one.value]
    assert [("conserve" in one.what, one.where) for one in problems] == [(True, "in.toml:10")]
