# SPDX-License-Identifier: BSD-3-Clause
"""Results of ab initio runs: reading, summary, plot, extended XYZ and cube files."""

import json
from collections.abc import Callable
from pathlib import Path

import h5py
import made_results as made
import numpy as np
import pytest
from ab_initio_systems import INPUT
from ase.io import read
from ase.io.cube import read_cube
from ase.units import Bohr, GPa, Hartree
from typer.testing import Result

import finegrain as fg
from finegrain.ab_initio.results.picture import convergence_chart, density_figure
from finegrain.ab_initio.states.ground_state import bohr_in_angstrom, hartree_in_ev

pytestmark = pytest.mark.pictures

Command = Callable[..., Result]


@pytest.fixture
def run(folder: Path) -> Path:
    """The folder of a run with a result."""
    (folder / "water.toml").write_text(INPUT)
    return made.write_run(folder / "run", folder / "water.toml")


def test_the_results_are_read_in_atomic_units(run: Path) -> None:
    found = fg.GroundState(run)
    assert (found.converged, found.iterations, found.residual) == (True, 3, 2e-7)
    assert found.energy == made.ENERGY
    assert found.energies == {**made.TERMS, "total": made.ENERGY}
    assert np.array_equal(found.forces, made.FORCES)
    assert np.array_equal(found.stress, made.STRESS)
    assert np.array_equal(found.eigenvalues, made.EIGENVALUES)
    assert found.symbols == ("O", "H", "H")
    assert found.history.shape == (4, 3)
    assert np.array_equal(found.density(), made.density())
    assert found.volume == pytest.approx((6 / bohr_in_angstrom) ** 3)


def test_constants_are_those_of_ase_to_its_older_codata() -> None:
    assert hartree_in_ev == pytest.approx(27.211386245988, rel=1e-12)  # CODATA 2018
    # ASE has those of 2014, which differ in the eighth digit.
    assert hartree_in_ev == pytest.approx(Hartree, rel=1e-7)
    assert bohr_in_angstrom == pytest.approx(Bohr, rel=1e-8)


def test_ase_gets_energy_forces_and_stress_in_its_units_and_order(run: Path) -> None:
    atoms = fg.GroundState(run).atoms()
    assert atoms.get_potential_energy() == pytest.approx(made.ENERGY * hartree_in_ev)
    assert atoms.get_forces() == pytest.approx(made.FORCES * hartree_in_ev / bohr_in_angstrom)
    full = atoms.get_stress(voigt=False)
    assert full == pytest.approx(made.STRESS * hartree_in_ev / bohr_in_angstrom**3)
    assert atoms.get_positions()[1] == pytest.approx([3.757, 3.0, 3.586])
    assert atoms.pbc.all()


def test_extended_xyz_brings_everything_back(run: Path) -> None:
    target = fg.convert(run, "xyz")
    assert target == run / "ground_state.xyz"
    atoms = read(target)
    assert atoms.get_potential_energy() == pytest.approx(made.ENERGY * hartree_in_ev, rel=1e-8)
    expected = made.FORCES * hartree_in_ev / bohr_in_angstrom
    assert atoms.get_forces() == pytest.approx(expected, abs=1e-7)
    assert atoms.get_stress(voigt=False) == pytest.approx(
        made.STRESS * hartree_in_ev / bohr_in_angstrom**3, abs=1e-9
    )


def test_cube_files_hold_the_density_at_its_points(run: Path) -> None:
    target = fg.convert(run, "cube")
    with target.open() as file:
        cube = read_cube(file)
    # The format has six digits.
    assert np.allclose(cube["data"], made.density(), rtol=1e-6, atol=1e-8)
    assert cube["data"].shape == made.GRID
    assert cube["atoms"].get_cell().lengths() == pytest.approx([6.0] * 3, rel=1e-6)
    assert cube["atoms"].get_positions()[1] == pytest.approx([3.757, 3.0, 3.586], abs=2e-6)


def test_a_molecule_without_images_has_a_dipole_and_no_stress(run: Path, command: Command) -> None:
    made.write_ground_state(run / "ground_state.h5", isolated=True)
    found = fg.GroundState(run)
    assert found.stress is None
    assert np.array_equal(found.dipole, made.DIPOLE)
    assert found.electrons_outside == 1e-4
    atoms = found.atoms()
    assert not atoms.pbc.any()
    assert atoms.get_dipole_moment() == pytest.approx(made.DIPOLE * bohr_in_angstrom)
    shown = command("show", run).stdout
    assert "pressure" not in shown
    # 2.541746 debye are one e bohr (CODATA 2018).
    assert f"{0.5**0.5 * 2.541746:.3f}" in shown


@pytest.mark.parametrize("words", [(), ("--steps", "500"), ("--steps", "1")])
def test_a_ground_state_that_was_found_has_no_more_steps(
    run: Path, refused: Callable[..., str], words: tuple[str, ...]
) -> None:
    said = refused("resume", run, *words)
    assert "the ground state was found" in said
    assert "ends there and has no further steps" in said
    assert "for a smaller residual run it again in another folder" in said
    assert "[ground_state] tolerance" in said
    assert '[dynamics] kind = "car-parrinello"' in said
    assert " ".join(words) in said


def test_what_is_not_there_is_refused(folder: Path, run: Path) -> None:
    made.write_ground_state(run / "ground_state.h5", with_density=False)
    with pytest.raises(fg.InputError, match="holds no density"):
        fg.convert(run, "cube")
    with pytest.raises(fg.InputError, match="a ground state has no trajectory"):
        fg.convert(run, "xtc")
    with pytest.raises(fg.InputError, match="is not a format to convert to"):
        fg.convert(run, "pdb")
    with pytest.raises(fg.InputError, match="a ground state has no frames"):
        fg.convert(run, "xyz", frame=0)
    with pytest.raises(fg.InputError, match="the name is of another format"):
        fg.convert(run, "xyz", folder / "a.cube")
    (run / "ground_state.h5").unlink()
    with pytest.raises(fg.InputError, match="no such file"):
        fg.GroundState(run)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("forces", np.zeros((2, 3))),
        ("forces", np.zeros(9)),
        ("stress", np.zeros(6)),
        ("eigenvalues", np.array([b"a"])),
    ],
)
def test_damaged_results_are_refused(run: Path, name: str, value: np.ndarray) -> None:
    with h5py.File(run / "ground_state.h5", "r+") as file:
        del file[name]
        file[name] = value
    with pytest.raises(fg.InputError, match=f"is damaged: {name}"):
        fg.GroundState(run)


def test_other_files_are_no_ground_state(run: Path) -> None:
    with pytest.raises(fg.InputError, match="is not a ground state of finegrain"):
        fg.GroundState(run / "job.h5")
    with pytest.raises(fg.InputError, match="cannot be read as HDF5"):
        fg.GroundState(run / "run.log")


def test_the_convergence_has_its_tolerances_and_no_false_dip(run: Path) -> None:
    chart = convergence_chart(fg.GroundState(run), fg.AbInitioJob(run).ground_state)
    change = chart.curves[1]
    assert list(change.x) == [1, 2, 3]
    assert change.y == pytest.approx(np.abs(np.diff(fg.GroundState(run).history[:, 0])))
    assert [level.label for level in chart.levels] == [
        "residual wanted, 1e−07",
        "change wanted, 1e−11",
    ]


def test_a_molecule_in_the_corners_is_drawn_whole_and_from_its_broad_side(run: Path) -> None:
    with h5py.File(run / "ground_state.h5", "r+") as file:
        edge = file["cell/vectors"][0, 0]
        # In the plane of b and c, with its oxygen at the origin: that plane is seen along a.
        water = np.array([[0, 0, 0.05], [0, 0.13, -0.08], [0, 0.87, 0.92]])
        file["ions/position"][...] = edge * water
    axes = density_figure(fg.GroundState(run), "water").axes[0]
    assert "seen along a" in axes.get_title()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("along b / Å", "along c / Å")
    # The cell is 6 Å wide and begins halfway round from the molecule.
    at = {text.get_text(): text.get_position() for text in axes.texts}
    assert [text.get_text() for text in axes.texts] == ["O", "H", "H"]
    assert at["O"] == pytest.approx((0, 0.3), abs=1e-5)
    assert at["H"] == pytest.approx((6 * -0.13, 6 * -0.08), abs=1e-5)
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    assert (right - left, high - low) == (pytest.approx(6), pytest.approx(6))
    assert left < -2 < 2 < right
    assert low < -2 < 2 < high


def test_many_ions_are_dots_with_a_legend(run: Path) -> None:
    found = fg.GroundState(run)
    found.positions, found.symbols = np.tile(found.positions, (30, 1)), found.symbols * 30
    axes = density_figure(found).axes[0]
    assert not axes.texts
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["O", "H"]


def test_the_summary_has_energies_in_hartree_and_ev(run: Path, accepted: Command) -> None:
    result = accepted("show", run)
    assert "ground state" in result.stdout
    assert "found in 3 iterations, 2 s" in result.stdout
    assert f"-17.20000000 hartree, {-17.2 * 27.211386245988:.6f} eV" in result.stdout
    # Largest force 0.02002 hartree/bohr; pressure is minus a third of the trace of the stress.
    assert "2.002e-02 hartree/bohr" in result.stdout
    pressure = 2e-4 * hartree_in_ev / bohr_in_angstrom**3 / (GPa * 1e-4)
    assert f"{pressure:,.0f}"[:5] in result.stdout
    assert (run / "ground_state.png").read_bytes().startswith(b"\x89PNG")


def test_a_run_that_is_not_converged_says_so(folder: Path, command: Command) -> None:
    (folder / "water.toml").write_text(INPUT)
    run = made.write_run(folder / "run", folder / "water.toml", converged=False)
    assert "NOT converged in 3 iterations" in command("show", run).stdout
    assert not fg.open_run(run).finished


def test_show_gives_json(run: Path, command: Command) -> None:
    answer = json.loads(command("show", run, "--json").stdout)
    assert answer["finished"] is True
    assert answer["ground_state"]["energies"]["total"] == made.ENERGY
    assert answer["ground_state"]["unit"] == "hartree"
    assert answer["ground_state"]["converged"] is True


def test_results_are_not_replaced(folder: Path, run: Path, refused: Callable[..., str]) -> None:
    said = refused("run", folder / "water.toml", "--out", run)
    assert "holds the results of an earlier run" in said
    assert "ground_state.h5" in said


def test_cite_names_functional_and_pseudopotentials(run: Path, command: Command) -> None:
    bibtex = command("cite", run).stdout
    for key in (
        "perdew1996",
        "white1994",
        "goedecker1996",
        "vandevondele2003",
        "liu1989",
        "larsen2017",
    ):
        assert f"{{{key}," in bibtex
    assert "essmann1995" not in bibtex
    every = command("cite").stdout
    assert "{essmann1995," in every
    assert "{becke1988," in every
    assert every.count("{finegrain,") == 1
