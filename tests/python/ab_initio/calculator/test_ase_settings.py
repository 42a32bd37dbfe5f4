# SPDX-License-Identifier: BSD-3-Clause
"""Settings of the calculator for ASE: changed, copied, stored and read back."""

import copy
import json
import multiprocessing
import os
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ase import Atoms
from ase.calculators.calculator import get_calculator_class
from ase.calculators.lj import LennardJones
from ase.db import connect
from ase.io import read, write
from ase_springs import Springs

import finegrain as fg
from finegrain.ase import Finegrain

COPIES = [copy.copy, copy.deepcopy, lambda calc: pickle.loads(pickle.dumps(calc))]


def test_parameters_are_all_settings(water: Atoms, folder: Path) -> None:
    files = dict.fromkeys("OH", str(folder / "GTH_POTENTIALS"))
    expected = {
        "cutoff": "20 Ry",
        "functional": "PBE",
        "pseudopotentials": files,
        "pseudopotential_folders": [],
        "electrons": {"allow_low_cutoff": True},
        "ground_state": {"seed": 3},
        "objects": {},
        "boundary": "periodic",
        "least_distance": None,
        "pes": 1,
        "companion_seconds": 600.0,
    }
    assert water.calc.parameters == expected
    assert water.calc.todict() == expected
    assert Finegrain(**water.calc.todict()).todict() == expected
    without = water.calc.todict(skip_default=True)
    assert "boundary" not in without
    assert Finegrain(**without).todict() == expected


def test_settings_are_plain_and_the_callers_own_stay_as_they_are(folder: Path) -> None:
    electrons = {"starting_moments": np.array([1.0, 1.0]), "spin": "collinear"}
    calc = Finegrain(
        cutoff="20 Ry",
        pseudopotentials={"O": folder / "O.UPF"},  # type: ignore[dict-item]
        pseudopotential_folders=(folder,),
        electrons=electrons,
    )
    stored = json.loads(json.dumps(calc.todict()))
    assert stored["pseudopotentials"] == {"O": str(folder / "O.UPF")}
    assert stored["pseudopotential_folders"] == [str(folder)]
    assert stored["electrons"]["starting_moments"] == [1.0, 1.0]
    assert calc.get_spin_polarized()
    electrons["spin"] = "none"
    calc.todict()["electrons"]["spin"] = "none"
    assert calc.get_spin_polarized()


@pytest.mark.parametrize(
    ("settings", "changed"),
    [
        ({"cutoff": "30 Ry"}, ["cutoff"]),
        ({"cutoff": "20 Ry", "functional": "BLYP"}, ["functional"]),
        ({"ground_state": {"seed": 4}}, ["ground_state"]),
        ({"boundary": "isolated", "electrons": {}}, ["boundary", "electrons"]),
    ],
)
def test_a_setting_that_changes_is_returned_and_results_are_forgotten(
    springs: Springs, water: Atoms, settings: dict[str, Any], changed: list[str]
) -> None:
    water.get_forces()
    found = water.calc.set(**settings)
    assert sorted(found) == changed
    assert water.calc.results == {}
    assert water.calc.evaluation is None
    assert all(water.calc.parameters[name] == settings[name] for name in changed)


def test_a_changed_setting_reaches_the_next_job(
    springs: Springs, water: Atoms, monkeypatch: pytest.MonkeyPatch
) -> None:
    cutoffs = []

    def look(job: str) -> None:
        read_back = fg.open_job(job)
        assert isinstance(read_back, fg.AbInitioJob)
        cutoffs.append(read_back.electrons["cutoff"])

    monkeypatch.setattr(springs, "job_is_there", look)
    water.get_forces()
    water.calc.set(cutoff="30 Ry")
    water.get_forces()
    water.calc.parameters["cutoff"] = "40 Ry"  # not by `set`
    water.get_forces()
    water.calc.parameters["electrons"]["bands"] = 5
    water.get_forces()
    assert cutoffs == pytest.approx([10, 15, 20, 20], rel=1e-12)
    assert springs.evaluations == 4
    assert springs.saved == []  # each begins again, as a calculator made with these settings does


def test_equal_settings_leave_results_and_objects(springs: Springs, water: Atoms) -> None:
    water.get_forces()
    assert water.calc.set(**water.calc.todict()) == {}
    assert water.calc.set(cutoff="20 Ry", pseudopotential_folders=()) == {}
    assert water.calc.set() == {}
    water.get_forces()
    water.rattle(0.01, seed=1)
    water.get_forces()
    assert (springs.evaluations, len(springs.jobs)) == (2, 1)


def test_the_number_of_threads_changes_no_result(springs: Springs, water: Atoms) -> None:
    water.get_forces()
    assert water.calc.set(pes=3) == {"pes": 3}
    water.get_forces()
    assert springs.evaluations == 1
    water.rattle(0.01, seed=1)
    water.get_forces()
    assert springs.threads == [1, 3]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"cutof": "30 Ry"}, "cutof: unknown setting; did you mean cutoff?"),
        ({"funktional": "PBE"}, "did you mean functional?"),
        ({"spin": "collinear"}, 'it is a key of electrons: electrons={"spin": ...}'),
        ({"tolerance": "1e-8 hartree"}, "it is a key of ground_state"),
        ({"charge": 1}, "a net charge is not supported"),
        ({"xc": "PBE"}, "did you mean functional?"),
        ({"ecut": 300}, "did you mean cutoff?"),
        ({"kpts": (2, 2, 2)}, "the Gamma point is the only one"),
        ({"zzz": 1}, "settings are cutoff, functional"),
        ({"objects": 3}, "is not a mapping"),
        ({"electrons": {"cutoff": "3 Ry"}}, "is a setting of its own"),
        ({"pes": -1}, "pes"),
        ({"companion_seconds": "soon"}, "companion"),
    ],
)
def test_a_setting_that_does_not_exist_is_refused_at_once(
    springs: Springs, water: Atoms, settings: dict[str, Any], words: str
) -> None:
    water.get_forces()
    before = water.calc.todict()
    with pytest.raises(fg.InputError, match=r"calculator|pes|companion") as caught:
        water.calc.set(functional="BLYP", **settings)
    assert words in str(caught.value)
    assert water.calc.todict() == before
    assert "energy" in water.calc.results
    with pytest.raises(fg.InputError):
        Finegrain(**{"cutoff": "20 Ry", **settings})


def test_a_calculator_without_a_cutoff_is_refused() -> None:
    with pytest.raises(fg.InputError, match='cutoff: missing setting; such as cutoff="70 Ry"'):
        Finegrain(functional="PBE")


@pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle"])
@pytest.mark.parametrize("calculated", [False, True])
def test_a_copy_has_settings_and_results_and_makes_its_own_objects(
    springs: Springs, water: Atoms, copied: Callable[[Any], Any], *, calculated: bool
) -> None:
    if calculated:
        water.get_forces()
    calc = copied(water.calc)
    assert calc.todict() == water.calc.todict()
    assert calc.results.keys() == water.calc.results.keys()
    assert calc.iterations == water.calc.iterations
    other = water.copy()
    other.calc = calc
    other.get_forces()
    assert springs.evaluations == 1
    other.rattle(0.01, seed=1)
    other.get_forces()
    assert springs.evaluations == 2
    assert len(springs.jobs) == 1 + calculated
    calc.set(cutoff="30 Ry")
    calc.parameters["electrons"]["bands"] = 5
    assert water.calc.parameters["cutoff"] == "20 Ry"
    assert "bands" not in water.calc.parameters["electrons"]
    if calculated:
        water.get_forces()
        water.rattle(0.01, seed=2)
        water.get_forces()  # its objects are still there
        assert len(springs.jobs) == 2


def test_results_of_a_copy_are_its_own(springs: Springs, water: Atoms) -> None:
    water.get_forces()
    calc = copy.copy(water.calc)
    calc.results["forces"][:] = 0
    assert water.get_forces().any()


def test_atoms_are_copied_with_their_calculator(springs: Springs, water: Atoms) -> None:
    water.get_forces()
    for other in (copy.deepcopy(water), pickle.loads(pickle.dumps(water))):
        assert other.calc is not water.calc
        assert other.get_potential_energy() == water.get_potential_energy()
    assert springs.evaluations == 1


def test_files_of_ase_keep_the_settings(springs: Springs, water: Atoms, tmp_path: Path) -> None:
    energy, forces = water.get_potential_energy(), water.get_forces()
    settings = water.calc.todict()
    write(tmp_path / "water.traj", water)
    stored = read(tmp_path / "water.traj")
    assert stored.calc.name == "finegrain"
    assert stored.get_potential_energy() == energy
    assert np.array_equal(stored.get_forces(), forces)
    assert Finegrain(**stored.calc.parameters).todict() == settings
    for name in ("water.db", "water.json"):
        with connect(tmp_path / name) as database:
            database.write(water)
            row = database.get(1)
        assert (row.calculator, row.energy) == ("finegrain", energy)
        assert (
            get_calculator_class(row.calculator)(**row.calculator_parameters).todict() == settings
        )
        assert np.array_equal(read(tmp_path / name).get_forces(), forces)


def test_it_answers_as_a_calculator_of_ase(springs: Springs, water: Atoms) -> None:
    other = water.copy()
    other.calc = LennardJones(sigma=1.0)
    for atoms in (water, other):
        calc = atoms.calc
        assert calc.get_property("forces", atoms, allow_calculation=False) is None
        assert calc.calculation_required(atoms, ["energy"])
        calc.calculate(atoms, properties=["energy", "forces", "stress"])
        assert not calc.calculation_required(atoms, ["energy", "stress"])
        assert calc.get_property("stress", atoms, allow_calculation=False).shape == (6,)
        assert calc.get_property("free_energy") == calc.get_property("energy")
        assert calc.export_properties()["forces"].shape == (3, 3)
        assert {"energy", "free_energy", "forces", "stress"} <= set(calc.implemented_properties)
        moved = atoms.copy()
        moved.rattle(0.01, seed=1)
        assert calc.get_property("forces", moved, allow_calculation=False) is None
        calc.calculate(moved)
        calc.reset()
        assert calc.results == {}
        assert calc.get_potential_energy(atoms) == atoms.get_potential_energy()


def test_an_error_leaves_no_results_of_other_atoms(springs: Springs, water: Atoms) -> None:
    water.get_forces()
    springs.fails = True
    moved = water.copy()
    moved.rattle(0.01, seed=1)
    with pytest.raises(fg.FinegrainError):
        water.calc.calculate(moved)
    assert water.calc.results == {}
    with pytest.raises(fg.InputError, match="there are no atoms"):
        Finegrain(cutoff="20 Ry").calculate()


def test_notes_are_warnings_where_objects_are_made(springs: Springs, water: Atoms) -> None:
    water.set_initial_charges([1.0, 0, 0])
    with pytest.warns(fg.InputNote, match="charge"):
        water.get_forces()
    water.rattle(0.01, seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        water.get_forces()


def hydrogen(folder: Path) -> Atoms:
    atoms = Atoms("H2", [[0, 0, 0], [0.1, 0.2, 0.85]], cell=[4, 4.1, 4.2], pbc=True)
    files = {"H": str(folder / "GTH_POTENTIALS")}
    atoms.calc = Finegrain(cutoff="12 Ry", pseudopotentials=files, pes=1)
    return atoms


def moved_energy(atoms: Atoms) -> tuple[int, float, float]:
    before = atoms.get_potential_energy()
    atoms.positions[1, 2] += 0.05
    return os.getpid(), before, atoms.get_potential_energy()


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_other_processes_go_on_with_copies(folder: Path, method: str) -> None:
    atoms = hydrogen(folder)
    first = atoms.get_potential_energy()
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map_async(moved_energy, [atoms] * 2).get(100)
    _, again, expected = moved_energy(atoms)
    assert again == first
    for process, before, after in found:
        assert process != os.getpid()
        assert before == first
        # Begun from other orbitals; the energy is of second order in the residual.
        assert after == pytest.approx(expected, abs=1e-5)


def test_a_forked_process_makes_objects_of_its_own(folder: Path) -> None:
    atoms = hydrogen(folder)
    atoms.get_forces()
    context = multiprocessing.get_context("fork")
    answers: Any = context.Queue()
    child = context.Process(target=lambda: answers.put(moved_energy(atoms)))
    child.start()
    process, before, after = answers.get(timeout=100)
    child.join(100)
    assert (process, child.exitcode) == (child.pid, 0)
    assert before == atoms.get_potential_energy()
    assert after == pytest.approx(moved_energy(atoms)[2], abs=1e-5)  # as above


def test_calculators_beside_each_other_keep_their_own_objects(folder: Path) -> None:
    first, second = hydrogen(folder), hydrogen(folder)
    second.calc.set(cutoff="14 Ry")
    alone = [first.get_potential_energy(), second.get_potential_energy()]
    for _ in range(2):
        for atoms in (first, second):
            atoms.positions[1, 2] += 0.02
            atoms.get_forces()
            assert atoms.calc.iterations < 20
    first.positions[1, 2] -= 0.04
    second.positions[1, 2] -= 0.04
    both = [first.get_potential_energy(), second.get_potential_energy()]
    assert both == pytest.approx(alone, abs=1e-5)
    assert abs(alone[0] - alone[1]) > 1e-2
