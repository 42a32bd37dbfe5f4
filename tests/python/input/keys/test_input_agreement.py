# SPDX-License-Identifier: BSD-3-Clause
"""What a run would refuse, `check` refuses, with the input's own file and line."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from input_systems import Waters, water_input, write_waters

from finegrain.classical.preparation.check import check
from finegrain.classical.preparation.job import job_image, make_job
from finegrain.classical.preparation.prepare import prepare
from finegrain.classical.system.limits import number_problems, table_problems
from finegrain.classical.system.overlaps import overlaps
from finegrain.engine.engine import check_job
from finegrain.errors import InputError, Problem
from finegrain.files.whole import changed_sealed_hdf5
from finegrain.runs.job import check_job_file

Problems = Callable[..., list[Problem]]
prepare_module = sys.modules["finegrain.classical.preparation.prepare"]


def test_a_cutoff_shorter_than_atoms_is_refused(problems: Problems) -> None:
    text = water_input.replace("8 Å", "0.1 Å").replace('"pme"', '"reaction-field"')
    (found,) = problems(text)
    assert (found.where, found.value) == ("water.toml:8", "forces.cutoff = 0.1 Å")
    assert found.what == "is shorter than atoms are wide"


@pytest.mark.parametrize("charge", [1e10, -101.0])
def test_too_large_a_charge_is_refused(problems: Problems, waters: Waters, charge: float) -> None:
    waters.nonbonded.setParticleParameters(3, charge, 0.3, 0.6)
    (found,) = problems(waters=waters)
    assert found.what == "has a charge out of range"
    assert found.value == f"atom 4 (O of HOH 2): charge {charge:g} e"
    assert found.limit == "-100 to 100 e"


def test_a_mass_without_bounds_is_refused(problems: Problems, waters: Waters) -> None:
    waters.system.setParticleMass(3, 1e30)
    (found,) = problems(waters=waters)
    assert found.what == "has too large a mass"
    assert "atom 4 (O of HOH 2)" in found.value


@pytest.mark.parametrize("field", ["charge", "sigma", "epsilon", "mass", "constraint_distance"])
@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_odd_numbers_are_refused_in_every_column(tmp_path: Path, field: str, number: float) -> None:
    system = prepare(write_waters(tmp_path)).system
    assert number_problems(system) == []
    getattr(system, field)[3] = number
    (found,) = number_problems(system)
    assert "HOH 2" in found.value


def test_tables_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    system = prepare(write_waters(tmp_path)).system
    system.constraint_atoms[5] = (3, 648)
    system.terms["exceptions"].atoms[1] = system.terms["exceptions"].atoms[0][::-1]
    system.charge = system.charge[:-1]
    found = [(problem.what, problem.value) for problem in table_problems(system)]
    assert found == [
        ("the NonbondedForce has 647 particles, the System 648", ""),
        ("have more than one exception", "atoms 1, 2"),
        ("names an atom that does not exist", "constraint 6, atoms 4, 649"),
    ]


def test_a_negative_length_is_refused_and_not_followed(problems: Problems, waters: Waters) -> None:
    waters.system.setConstraintParameters(3, 3, 4, -0.1)
    (found,) = problems(waters=waters)
    assert found.what == "has a length out of range"


def _two_near(waters: Waters, apart: float) -> None:
    waters.position[3:6] = waters.position[0:3] + np.array([apart, 0, 0])


def test_near_waters_are_refused_where_dynamics_starts(problems: Problems, waters: Waters) -> None:
    _two_near(waters, 0.04)
    (found,) = problems(waters=waters)
    assert found.what == "overlap, 0.4 Å apart"
    assert found.where == "water.toml:4"
    assert "[minimise]" in found.hint


def test_near_waters_are_noted_if_a_minimisation_parts_them(tmp_path: Path, waters: Waters) -> None:
    _two_near(waters, 0.04)
    text = water_input + '[minimise]\nmethod = "l-bfgs"\n'
    notes = check(write_waters(tmp_path, text, waters)).notes
    (note,) = (note for note in notes if "overlap" in note)
    assert note.startswith("atom 1 (O of HOH 1) and atom 4 (O of HOH 2) overlap, 0.4 Å apart")


def test_excepted_pairs_do_not_overlap(tmp_path: Path, waters: Waters) -> None:
    _two_near(waters, 0.1)
    waters.nonbonded.addException(0, 3, 0, 0.1, 0)
    notes = check(write_waters(tmp_path, waters=waters)).notes
    assert not any("overlap" in note for note in notes)


def test_atoms_in_a_heap_are_told_before_they_are_compared(tmp_path: Path) -> None:
    system = prepare(write_waters(tmp_path)).system
    system.position[:] = system.position[0]
    (found,), notes = overlaps(system, set_free=True)
    assert found.what.startswith("648 atoms are in a cell of")
    assert notes == []


def test_what_only_the_engine_knows_is_told_by_check_with_the_inputs_place(
    tmp_path: Path, waters: Waters, monkeypatch: pytest.MonkeyPatch
) -> None:
    waters.nonbonded.setParticleParameters(3, 500.0, 0.3, 0.6)
    toml = write_waters(tmp_path, waters=waters)
    monkeypatch.setattr(prepare_module, "number_problems", lambda system: [])
    for ask in (check, lambda path: make_job(path, tmp_path / "job.h5")):
        with pytest.raises(InputError) as caught:
            ask(toml)
        (found,) = caught.value.problems
        assert (found.where, found.value) == ("water.toml:3", "system.topology = water.xml")
        assert found.what == "atom 4 (O of HOH 2, chain A): unusable charge"
        assert found.limit == "500; at most 100 e"
    assert not (tmp_path / "job.h5").exists()


def test_a_job_is_checked_by_the_engine_too(tmp_path: Path) -> None:
    path = tmp_path / "job.h5"
    make_job(write_waters(tmp_path), path)
    check_job_file(path)
    with changed_sealed_hdf5(path) as file:
        assert isinstance(file, h5py.File)
        file["atoms/charge"][3] = 500.0
    with pytest.raises(InputError, match="unusable charge"):
        check_job_file(path)


def test_the_engine_takes_the_job_that_is_written(tmp_path: Path) -> None:
    toml = write_waters(tmp_path)
    image = job_image(prepare(toml))
    check_job("water.toml", image)
    with pytest.raises(InputError, match="the job is damaged"):
        check_job("water.toml", image[:-1] + b"x")
    with pytest.raises(InputError, match="not a readable HDF5 file"):
        check_job("water.toml", b"")
    assert json.dumps(check(toml).as_dict())
