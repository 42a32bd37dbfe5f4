# SPDX-License-Identifier: BSD-3-Clause
"""Collinear spin: the engine beside pw.x and the plain program; results, ASE, other formats.

The systems and the figures of pw.x are those of tests/python/electrons, where a script makes the
figures again. The aims are 1e-6 hartree per atom, 1e-5 hartree/bohr and 0.1 kbar; found is what the
comments say. What remains has the reasons that test_other_programs.py there gives.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ase import Atoms
from ase.io import read
from ase.io.cube import read_cube
from engine_runs import engine_ground_state, engine_input
from plain_kohn_sham import ground_state
from reference_systems import FOR_PW, SPINS

import finegrain as fg
from finegrain.ab_initio.states.ground_state import GroundState
from finegrain.ase import Finegrain
from finegrain.units import pressure_in_bar

figures = Path(__file__).parents[2] / "electrons"
PW = json.loads((figures / "pw_figures.json").read_text())
KILOBAR = pressure_in_bar / 1000
TIGHT = ("[ground_state]", 'tolerance = "1e-8 hartree"', 'energy_tolerance = "1e-13 hartree"')
OUTPUT = ("[output]", "density = true")

Engine = Callable[[str], GroundState]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """Return the engine's ground state of a system, found once."""
    known: dict[str, GroundState] = {}

    def of(name: str) -> GroundState:
        if name not in known:
            folder = tmp_path_factory.mktemp("run")
            # With the thresholds of pw.x the energy is not smooth.
            more = OUTPUT if SPINS[name]().pw_rules else (*TIGHT, *OUTPUT)
            # From atomic orbitals another, higher minimum is found.
            if "Si2" in name:
                more = (*TIGHT, 'start = "random"', *OUTPUT)
            known[name] = engine_ground_state(SPINS[name](), folder, *more)
        return known[name]

    return of


@pytest.mark.parametrize("name", SPINS)
def test_pw_x_finds_what_the_engine_finds(engine: Engine, name: str) -> None:
    found, other = engine(name), PW[name]
    assert found.converged
    assert found.spin == "collinear"
    atoms = len(found.symbols)
    # Found are 1e-8 (LDA), 1e-7 (without images), 7e-9 (BLYP), and 7e-8 to 8e-7 (PBE, in whose
    # correlation pw.x has a constant with fewer digits: 0.031091 for (1 - ln 2) / pi^2).
    gradient = "LDA" not in name
    most = 1e-6 if "PBE" in name else 5e-8 if "BLYP" in name else 2e-7
    # Where the density is negative, with spin, pw.x 6.7 has a potential that is not the derivative
    # of its energy: its energy changes to second order (3e-8), all else to first (forces by 5e-5).
    negative = 100 if name == "Si2 NLCC LDA spin" else 1
    assert found.energy / atoms == pytest.approx(other["total"] / atoms, abs=most)
    forces = found.forces - found.forces.mean(axis=0)  # pw.x takes the mean out
    np.testing.assert_allclose(
        forces, other["forces"], rtol=0, atol=(2e-6 if gradient else 6e-7) * negative
    )
    if found.stress is not None:
        # Found is up to 0.0016 kbar.
        assert np.abs((found.stress - np.array(other["stress"])) * KILOBAR).max() < 0.01 * negative
    up, down = len(found.eigenvalues_up), len(found.eigenvalues_down)
    assert up - down == SPINS[name]().magnetization
    bands = len(other["eigenvalues"]) // 2  # pw.x has as many of both spins
    for mine, theirs in (
        (found.eigenvalues_up, other["eigenvalues"][:up]),
        (found.eigenvalues_down, other["eigenvalues"][bands:][:down]),
    ):
        # Found are 2.6e-6, without images, and up to 3.1e-6 with gradients.
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=5e-6 * negative)
    assert found.magnetization == pytest.approx(other["magnetization"][0], abs=1e-9)
    assert found.absolute_magnetization == pytest.approx(other["magnetization"][1], abs=2e-5)


# These are the cases that the plain program does in seconds.
@pytest.mark.parametrize(
    "name",
    [
        "H GTH LDA isolated spin",
        "O2 GTH LDA spin",
        pytest.param("CH3 GTH BLYP spin", marks=pytest.mark.nightly),
    ],
)
def test_the_plain_program_has_equal_terms(engine: Engine, name: str) -> None:
    system, found = SPINS[name](), engine(name)
    plain = ground_state(system, 1e-8, settled=1e-11 if system.pw_rules else 0.0)
    assert found.energy == pytest.approx(plain.total, abs=2e-8 if system.pw_rules else 1e-10)
    for term, value in plain.terms.items():
        assert found.energies[term] == pytest.approx(value, abs=2e-6), term
    np.testing.assert_allclose(found.forces, plain.forces, rtol=0, atol=2e-6)
    np.testing.assert_allclose(found.eigenvalues, plain.eigenvalues, rtol=0, atol=1e-6)
    # An error of the first order in the residuals: 1.0e-6 where they stay at 1e-7.
    assert found.absolute_magnetization == pytest.approx(plain.magnetization[1], abs=5e-6)
    if not system.isolated:
        assert np.abs((found.stress - plain.stress) * KILOBAR).max() < 0.01


def test_as_many_up_as_down_have_the_energy_of_closed_shells(tmp_path: Path) -> None:
    closed = FOR_PW["H2 GTH LDA"]()
    found = []
    for system in (closed, replace(closed, magnetization=0)):
        folder = tmp_path / str(system.magnetization)
        folder.mkdir()
        found.append(engine_ground_state(system, folder, *TIGHT))
    without, with_spin = found
    assert with_spin.energy == pytest.approx(without.energy, abs=1e-10)
    assert with_spin.magnetization == pytest.approx(0, abs=1e-12)
    assert len(with_spin.eigenvalues_up) == len(with_spin.eigenvalues_down) == 1
    assert without.spin == "none"
    assert without.magnetization == without.absolute_magnetization == 0


def test_the_spin_density_adds_up_to_the_magnetization(engine: Engine) -> None:
    found = engine("O2 GTH LDA spin")
    spin, element = found.spin_density(), found.volume / found.spin_density().size
    assert spin.sum() * element == pytest.approx(found.magnetization, abs=1e-10)
    assert np.abs(spin).sum() * element == pytest.approx(found.absolute_magnetization, abs=1e-12)
    assert found.density().sum() * element == pytest.approx(12, abs=1e-10)
    assert (np.abs(spin) <= found.density() + 1e-12).all()


def test_results_are_shown_and_converted(engine: Engine, tmp_path: Path) -> None:
    found = engine("O2 GTH LDA spin")
    run = fg.open_run(found.path.parent)
    summary = str(run)
    assert "highest up" in summary
    assert "2.0000, absolute 2.0288 Bohr magnetons" in summary
    numbers = run.figures()["ground_state"]
    assert numbers["spin"] == "collinear"
    assert numbers["magnetization"] == found.magnetization
    assert len(numbers["eigenvalues_down"]) == 5
    fg.convert(found.path.parent, "xyz", tmp_path / "o2.xyz")
    assert read(tmp_path / "o2.xyz").get_magnetic_moment() == pytest.approx(2, abs=1e-6)
    fg.convert(found.path.parent, "spin-cube", tmp_path / "o2.cube")
    with (tmp_path / "o2.cube").open() as file:
        np.testing.assert_allclose(read_cube(file)["data"], found.spin_density(), atol=1e-5)


def test_a_run_without_spin_has_no_spin_density(tmp_path: Path) -> None:
    found = engine_ground_state(FOR_PW["H2 GTH LDA"](), tmp_path, *OUTPUT)
    with pytest.raises(fg.InputError, match="without spin"):
        found.spin_density()
    with pytest.raises(fg.InputError, match="without spin"):
        fg.convert(found.path.parent, "spin-cube")


def test_ase_gives_the_moments_at_the_start(engine: Engine, tmp_path: Path) -> None:
    system, expected = SPINS["O2 GTH LDA spin"](), engine("O2 GTH LDA spin")
    source = engine_input(system, tmp_path).read_text()
    line = next(line for line in source.splitlines() if line.startswith("pseudopotentials"))
    file = str(tmp_path / "O") if '"O"' in line else str(system.pseudopotentials["O"].path)
    bohr = 0.529177210903
    atoms = Atoms("O2", system.positions * bohr, cell=system.vectors * bohr, pbc=True)
    atoms.set_initial_magnetic_moments([1, 1])
    electrons = {
        "spin": "collinear",
        "grid": list(system.grid),
        "gradient_thresholds": "off",
        "allow_low_cutoff": True,
    }
    atoms.calc = Finegrain(
        cutoff="50 Ry",
        functional="PZ81",
        pseudopotentials={"O": file},
        electrons={**electrons, "allow_other_functional": True},
        pes=1,
    )
    assert atoms.get_potential_energy() == pytest.approx(
        expected.energy * 27.211386245988, abs=1e-7
    )
    assert atoms.get_magnetic_moment() == 2
    atoms.set_initial_magnetic_moments([0, 0])
    with pytest.raises(fg.InputError, match="number of unpaired electrons"):
        atoms.get_potential_energy()
