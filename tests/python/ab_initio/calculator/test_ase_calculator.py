# SPDX-License-Identifier: BSD-3-Clause
"""The calculator for ASE, with a stand-in for the engine."""

import os
import socket
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ase import Atoms
from ase.calculators.calculator import PropertyNotImplementedError
from ase.calculators.socketio import SocketClient, SocketIOCalculator
from ase_springs import Springs

import finegrain as fg
from finegrain import units
from finegrain.ase import Finegrain
from finegrain.errors import InputNote


def test_results_have_the_units_of_ase(springs: Springs, water: Atoms) -> None:
    hartree, bohr = 27.211386245988, 0.529177210903  # CODATA 2018
    place = water.get_positions() / bohr
    expected = 0.5 * (place**2).sum() * hartree
    assert water.get_potential_energy() == pytest.approx(expected, rel=1e-12)
    assert water.get_potential_energy(force_consistent=True) == pytest.approx(expected, rel=1e-12)
    assert water.get_forces() == pytest.approx(-place * hartree / bohr, rel=1e-12)
    # The virial is minus the derivative by strain: xx, yy, zz, xy, xz, yz; ASE has yz, xz, xy last.
    stress = -np.array([1, 2, 3, 0.3, 0.2, 0.1]) * hartree / water.get_volume()
    assert water.get_stress() == pytest.approx(stress, rel=1e-9)
    assert water.calc.evaluation.energies["kinetic"] == pytest.approx(expected / hartree)
    assert water.calc.evaluation.unit == "hartree"


def test_a_dipole_moment_of_the_engine_has_the_units_of_ase(springs: Springs, water: Atoms) -> None:
    springs.dipole = np.array([0.1, -0.2, 0.7])
    assert water.get_dipole_moment() == pytest.approx(springs.dipole * 0.529177210903, rel=1e-12)
    assert water.calc.evaluation.dipole == pytest.approx(springs.dipole, rel=1e-15)


def test_a_cell_without_vacuum_has_no_dipole_and_says_why(springs: Springs, water: Atoms) -> None:
    for _ in range(2):
        with pytest.raises(PropertyNotImplementedError, match=r"8 bohr .* without ions along each"):
            water.get_dipole_moment()
    water.get_forces()
    assert springs.evaluations == 1
    water.rattle(0.01, seed=1)
    with pytest.raises(PropertyNotImplementedError):
        water.get_dipole_moment()
    assert springs.evaluations == 2


def test_only_changed_atoms_are_computed_again(springs: Springs, water: Atoms) -> None:
    water.get_potential_energy()
    water.get_forces()
    assert springs.evaluations == 1
    water.rattle(0.01, seed=1)
    water.get_forces()
    assert springs.evaluations == 2
    assert water.calc.iterations == 12
    moved = water.get_positions() / units.bohr_in_angstrom
    assert springs.positions == pytest.approx(moved, rel=1e-12)
    assert springs.threads == [1]


def test_ions_that_move_keep_the_job(springs: Springs, water: Atoms) -> None:
    for step in range(5):
        water.positions[step % 3] += 0.01
        water.get_forces()
    assert len(springs.jobs) == 1
    assert springs.saved == []


def another_cell(atoms: Atoms) -> None:
    atoms.set_cell(atoms.cell * 1.01)


def other_moments(atoms: Atoms) -> None:
    atoms.set_initial_magnetic_moments([0, 0, 0.5])


def other_elements(atoms: Atoms) -> None:
    atoms.symbols[1] = "O"
    atoms.symbols[0] = "H"


@pytest.mark.parametrize("change", [another_cell, other_moments, other_elements])
def test_all_else_makes_new_jobs(springs: Springs, water: Atoms, folder: Path, change: Any) -> None:
    water.calc = Finegrain(
        cutoff="20 Ry",
        pseudopotentials=dict.fromkeys("OH", str(folder / "GTH_POTENTIALS")),
        electrons={"spin": "collinear", "multiplicity": 1},
        pes=1,
    )
    water.get_forces()
    change(water)
    water.get_forces()
    assert len(springs.jobs) == 2
    assert springs.saved == []  # with spin the moments are the start


def test_an_error_at_one_geometry_leaves_it_usable(springs: Springs, water: Atoms) -> None:
    water.get_forces()
    springs.fails = True
    water.rattle(0.01, seed=1)
    with pytest.raises(fg.FinegrainError, match="springs break"):
        water.get_forces()
    springs.fails = False
    water.get_forces()
    assert len(springs.jobs) == 2  # the objects of the first one are not trusted any more
    too_close = water.copy()
    too_close.calc = water.calc
    too_close.positions[1] = too_close.positions[0] + 0.01
    with pytest.raises(fg.InputError):
        too_close.get_forces()
    water.get_forces()
    assert springs.positions == pytest.approx(water.positions / units.bohr_in_angstrom, rel=1e-12)


def test_a_closed_calculator_begins_again(springs: Springs, water: Atoms) -> None:
    water.get_forces()
    water.calc.close()
    water.rattle(0.01, seed=1)
    water.get_forces()
    assert len(springs.jobs) == 2


def test_nothing_is_left_on_the_disk(
    springs: Springs, water: Atoms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.chdir(tmp_path)
    water.get_forces()
    assert not springs.jobs[0].exists()
    assert not springs.jobs[0].parent.exists()
    assert sorted(tmp_path.rglob("*")) == before


def test_settings_reach_the_job(springs: Springs, water: Atoms, monkeypatch: Any) -> None:
    seen: dict[str, Any] = {}

    def look(job: str) -> None:
        read_back = fg.open_job(job)
        assert isinstance(read_back, fg.AbInitioJob)
        seen.update(read_back.ground_state, **read_back.electrons)

    monkeypatch.setattr(springs, "job_is_there", look)
    water.get_potential_energy()
    assert (seen["seed"], seen["functional"]) == (3, "PBE")
    assert seen["cutoff"] == pytest.approx(10.0, rel=1e-12)


def test_wrong_settings_are_told_all_at_once(springs: Springs, water: Atoms) -> None:
    water.calc = Finegrain(
        cutoff="20",
        functional="PBEE",
        pseudopotentials={"O": "nowhere.upf"},
        ground_state={"tolerances": "1e-6 hartree"},
    )
    with pytest.raises(fg.InputError) as caught:
        water.get_potential_energy()
    words = " ".join(f"{one.value}: {one.what}; {one.hint}" for one in caught.value.problems)
    assert "has no unit" in words
    assert "did you mean ground_state.tolerance?" in words


def test_atoms_without_a_cell_are_refused(springs: Springs, water: Atoms) -> None:
    free = Atoms("H2", [[0, 0, 0], [0, 0, 0.74]])
    free.calc = water.calc
    with pytest.raises(fg.InputError, match="has no cell"):
        free.get_potential_energy()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("kind", ["unix", "tcp"])
def test_another_program_moves_ions_by_socket(springs: Springs, water: Atoms, kind: str) -> None:
    where: dict[str, Any] = (
        {"unixsocket": f"finegrain-test-{os.getpid()}"} if kind == "unix" else {"port": free_port()}
    )
    mover = water.copy()
    hartree, bohr = 27.211386245988, 0.529177210903  # CODATA 2018
    stress = -np.array([1, 2, 3, 0.3, 0.2, 0.1]) * hartree / mover.get_volume()
    with SocketIOCalculator(**where, timeout=30) as mover.calc:
        client = threading.Thread(
            target=lambda: SocketClient(**where, timeout=30).run(water, use_stress=True),
            daemon=True,
        )
        client.start()
        for move in range(3):
            mover.positions += 0.03 * move * np.arange(9).reshape(3, 3)
            place = mover.get_positions() / bohr
            # ASE converts with constants of an older CODATA, which differ by 1e-8.
            expected = 0.5 * (place**2).sum() * hartree
            assert mover.get_potential_energy() == pytest.approx(expected, rel=1e-7)
            assert mover.get_forces() == pytest.approx(-place * hartree / bohr, rel=1e-7)
            assert mover.get_stress() == pytest.approx(stress, rel=1e-7)
    client.join(30)
    assert not client.is_alive()
    assert springs.evaluations == 3
    assert len(springs.jobs) == 1


def test_one_table_of_pseudopotentials_serves_all_molecules(springs: Springs, folder: Path) -> None:
    files = dict.fromkeys(("O", "H", "Si", "N"), str(folder / "GTH_POTENTIALS"))
    hydrogen = Atoms("H2", [[0, 0, 0], [0, 0, 0.75]], cell=[6] * 3, pbc=True)
    hydrogen.calc = Finegrain(cutoff="20 Ry", pseudopotentials=files, pes=1)
    hydrogen.get_forces()
    assert len(springs.jobs) == 1
    hydrogen.calc = Finegrain(cutoff="20 Ry", pseudopotentials={**files, "o": "x"}, pes=1)
    with pytest.raises(fg.InputError, match="is no element"):
        hydrogen.get_forces()


def test_hints_show_settings_as_the_calculator_takes_them(springs: Springs, folder: Path) -> None:
    hydrogen = Atoms("H2", [[0, 0, 0], [0, 0, 0.75]], cell=[6] * 3, pbc=True)
    files = {"H": str(folder / "GTH_POTENTIALS")}
    hydrogen.calc = Finegrain(cutoff="1 Ry", pseudopotentials=files, pes=1)
    rough = r"try cutoff='\d+ Ry'; for a rough test: electrons=\{\"allow_low_cutoff\": True\}"
    with pytest.warns(InputNote, match=rough):
        hydrogen.get_forces()
