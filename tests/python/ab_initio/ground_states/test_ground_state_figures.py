# SPDX-License-Identifier: BSD-3-Clause
"""The engine's ground states beside pw.x, ABINIT and the plain program, from input to results.

The systems and the figures of the other programs are those of tests/python/electrons, where scripts
make the figures again. The aims are 1e-6 hartree per atom, 1e-5 hartree/bohr and 0.1 kbar; found is
what the comments say. The reasons for what remains are at the head of test_other_programs.py.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from engine_runs import engine_ground_state, engine_input, input_text, structure_text
from plain_kohn_sham import ground_state
from reference_systems import FOR_ABINIT, FOR_ENGINE, FOR_PW, ice

import finegrain as fg
from finegrain.ab_initio.states.ground_state import GroundState
from finegrain.units import pressure_in_bar

figures = Path(__file__).parents[2] / "electrons"
PW = json.loads((figures / "pw_figures.json").read_text())
ABINIT = json.loads((figures / "abinit_figures.json").read_text())
SYSTEMS = FOR_PW | FOR_ABINIT | FOR_ENGINE
KILOBAR = pressure_in_bar / 1000

SETTINGS = ("[ground_state]", 'tolerance = "1e-8 hartree"', 'energy_tolerance = "1e-13 hartree"')

# One constant of the correlation in pw.x 6.7 makes 1e-7 to 4.3e-7 hartree per atom.
PBE = [name for name in FOR_PW | FOR_ENGINE if "PBE" in name]
# Molecules without images have a test of their own, test_isolated_molecules.py.
COMPARED = [name for name in FOR_PW | FOR_ENGINE if "isolated" not in name]
LARGEST = "Si54 GTH LDA"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], GroundState]:
    """Return the engine's ground state of a system, found once."""
    known: dict[str, GroundState] = {}

    def of(name: str) -> GroundState:
        if name not in known:
            folder = tmp_path_factory.mktemp("run")
            known[name] = engine_ground_state(SYSTEMS[name](), folder, *SETTINGS)
        return known[name]

    return of


def compare(found: GroundState, other: dict, energy: float) -> None:
    """Compare energy (to `energy` hartree per atom), forces and stress."""
    assert found.converged
    atoms = len(other["forces"])
    assert found.energy / atoms == pytest.approx(other["total"] / atoms, abs=energy)
    forces = found.forces - found.forces.mean(axis=0)  # the other programs take the mean out
    # Found are up to 3e-7 (ABINIT) and 2e-7 (pw.x).
    np.testing.assert_allclose(forces, other["forces"], rtol=0, atol=1e-6)
    if other["stress"] is None:  # a molecule without images
        return
    # Found is 0.0019 kbar.
    assert np.abs((found.stress - other["stress"]) * KILOBAR).max() < 0.01


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.nightly] if name == LARGEST else [])
        for name in COMPARED
        if name not in PBE
    ],
)
def test_pw_x_finds_what_the_engine_finds(engine: Callable[[str], GroundState], name: str) -> None:
    # Found are 1e-11 to 4.3e-8 hartree per atom, without images 6.4e-8; the largest of the others
    # are its Ewald sum.
    isolated = "isolated" in name
    compare(engine(name), PW[name], 1e-7 if isolated else 6e-8)
    # Found are up to 5e-8, without images 1e-6.
    atol = 2e-6 if isolated else 1e-7
    np.testing.assert_allclose(engine(name).eigenvalues, PW[name]["eigenvalues"], atol=atol)


@pytest.mark.parametrize("name", PBE)
def test_pw_x_and_pbe_differ_by_a_constant(engine: Callable[[str], GroundState], name: str) -> None:
    compare(engine(name), PW[name], 6e-7)
    np.testing.assert_allclose(engine(name).eigenvalues, PW[name]["eigenvalues"], atol=3e-7)


@pytest.mark.parametrize("name", FOR_ABINIT)
def test_abinit_finds_the_same(engine: Callable[[str], GroundState], name: str) -> None:
    # Found are 6e-9 and 4.3e-8 hartree per atom.
    compare(engine(name), ABINIT[name], 6e-8)


def test_pw_x_prints_the_same_parts_of_the_energy(engine: Callable[[str], GroundState]) -> None:
    # With 8 digits after the point, in Ry; parts have errors of the first order.
    for name in ("MgO ONCV LDA", "HCOOH GTH BLYP triclinic", "8 H2O MT BLYP 70 Ry"):
        parts, terms = PW[name]["parts"], engine(name).energies
        one = terms["kinetic"] + terms["local"] + terms["alpha"] + terms["nonlocal"]
        assert one == pytest.approx(parts["one-electron"], abs=1e-6)
        assert terms["hartree"] == pytest.approx(parts["hartree"], abs=1e-6)
        assert terms["exchange_correlation"] == pytest.approx(parts["xc"], abs=1e-6)
        assert terms["ewald"] == pytest.approx(parts["ewald"], abs=1e-6)


# These are the cases that the plain program does in seconds.
@pytest.mark.parametrize(
    "name",
    [
        "H2 GTH LDA",
        "H2O MT BLYP",
        "H2O GTH LDA isolated",
        "Si2 VBC LDA",
        "H2O GTH PBE triclinic",
        "H2 GTH revPBE",
        "Ge2 GTH BLYP",
        "Si2 NLCC LDA",
        "Si2 ONCV NLCC LDA",
        "H2 ONCV LDA",
    ],
)
def test_the_plain_program_has_equal_terms(engine: Callable[[str], GroundState], name: str) -> None:
    system, found = SYSTEMS[name](), engine(name)
    plain = ground_state(system, 1e-8, settled=1e-11 if system.pw_rules else 0.0)
    assert set(found.energies) == {*plain.terms, "total"}
    # Errors of the first order in the residuals; found is 1.6e-7.
    for term, value in plain.terms.items():
        assert found.energies[term] == pytest.approx(value, abs=1e-6), term
    # No errors of the first order: 1e-13 to 5e-13, but where the rules of pw.x make the energy jump
    # around a molecule (H2O MT BLYP), 6e-9.
    jumps = name == "H2O MT BLYP"
    assert found.energy == pytest.approx(plain.total, abs=2e-8 if jumps else 1e-11)
    # The same formulas in both, so that only residuals differ; found are 6e-8, 1e-8 and 1e-4 kbar.
    np.testing.assert_allclose(found.forces, plain.forces, rtol=0, atol=3e-7)
    np.testing.assert_allclose(found.eigenvalues, plain.eigenvalues, rtol=0, atol=1e-7)
    if not system.isolated:
        assert np.abs((found.stress - plain.stress) * KILOBAR).max() < 1e-3


def test_one_evaluation_equals_a_run(engine: Callable[[str], GroundState], tmp_path: Path) -> None:
    name = "H2O GTH PBE triclinic"
    found = fg.energy(engine_input(SYSTEMS[name](), tmp_path, *SETTINGS), pes=2)
    # Equal bits but for the way through kJ/mol.
    assert found.total == pytest.approx(engine(name).energy, rel=1e-14)
    assert found.energies == pytest.approx(engine(name).energies, rel=1e-13)
    np.testing.assert_allclose(found.forces, engine(name).forces, rtol=0, atol=1e-14)
    np.testing.assert_allclose(found.stress, engine(name).stress, rtol=0, atol=1e-14)


def test_a_symmetric_start_does_not_end_in_a_saddle(tmp_path: Path) -> None:
    # Eight waters of ice at a cutoff far too low for them: orbitals of symmetric atoms lead to a
    # state of the same symmetry, 0.16 hartree above what random ones, and pw.x, find.
    system = ice()
    found = []
    for start in ("atomic", "random"):
        (tmp_path / start).mkdir()
        text = input_text(
            replace(system, cutoff=6.0), tmp_path / start, "[ground_state]", f'start = "{start}"'
        )
        lines = [line for line in text.splitlines() if not line.startswith("grid")]
        (tmp_path / start / "input.toml").write_text("\n".join(lines) + "\n")
        (tmp_path / start / "system.xyz").write_text(structure_text(system))
        found.append(fg.energy(tmp_path / start / "input.toml").total)
    assert found[0] == pytest.approx(found[1], abs=1e-8)
    assert found[0] == pytest.approx(-123.14437, abs=1e-4)
