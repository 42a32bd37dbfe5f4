# SPDX-License-Identifier: BSD-3-Clause
"""The key `repeat`: what it refuses, and what of a job follows from all copies."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from input_systems import Waters, problems_of, replace_in, water_input, write_waters

from finegrain.base import cells
from finegrain.classical.preparation.check import check
from finegrain.classical.preparation.job import make_job
from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import ResourceError


def _repeated(folder: Path, value: str, text: str = water_input) -> Path:
    return write_waters(folder, text.replace("[forces]", f"repeat = {value}\n\n[forces]", 1))


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("[0, 1, 1]", "at least 1"),
        ("[1, 1, -2]", "at least 1"),
        ("[1.5, 1, 1]", "whole number"),
        ("[2, 2]", "3"),
        ("2", "list"),
        ("[1, 1, 9999999]", "at most 1,048,576"),
    ],
)
def test_three_numbers_are_expected(tmp_path: Path, value: str, what: str) -> None:
    (problem, *_) = problems_of(_repeated(tmp_path, value))
    assert problem.where == "water.toml:6"
    assert problem.value.startswith("system.repeat")
    assert what in f"{problem.what} {problem.limit} {problem.hint}"


def test_more_atoms_than_numbers_are_refused(tmp_path: Path) -> None:
    (problem,) = problems_of(_repeated(tmp_path, "[1000, 1000, 1000]"))
    assert problem.what == "makes 648,000,000,000 atoms"
    assert "268,435,455" in problem.limit
    assert problem.value == "system.repeat = [1000, 1000, 1000]"
    assert problem.hint


def test_without_a_box_there_is_nothing_to_repeat(tmp_path: Path) -> None:
    waters = Waters()
    waters.topology.setPeriodicBoxVectors(None)
    waters.nonbonded.setNonbondedMethod(0)
    source = write_waters(tmp_path, waters=waters)
    replace_in(source, 'electrostatics = "pme"\ncutoff = "8 Å"', "")
    replace_in(source, "[forces]", "repeat = [2, 1, 1]\n[forces]")
    problems = problems_of(source)
    assert any("periodic box" in one.what and one.hint for one in problems)


def test_a_run_that_does_not_fit_is_refused_before_it_is_made(tmp_path: Path) -> None:
    source = _repeated(tmp_path, "[70, 70, 70]")
    with pytest.raises(ResourceError) as caught:
        make_job(source, tmp_path / "job.h5")
    assert "system.repeat" in str(caught.value)
    assert not (tmp_path / "job.h5").exists()


def test_coordinates_of_all_copies_are_refused_with_a_way_on(tmp_path: Path) -> None:
    source = _repeated(tmp_path, "[2, 1, 1]")
    lines = (tmp_path / "water.pdb").read_text().splitlines(keepends=True)
    atoms = [line for line in lines if line.startswith(("ATOM", "HETATM"))]
    box = [line for line in lines if line.startswith("CRYST1")]
    (tmp_path / "water.pdb").write_text("".join(box + atoms + atoms) + "END\n")
    (problem, *_) = problems_of(source)
    assert "one copy" in problem.hint


def test_mesh_and_patches_are_those_of_the_whole_box(tmp_path: Path) -> None:
    one = prepare(write_waters(tmp_path))
    all_ = prepare(_repeated(tmp_path, "[3, 1, 2]"))
    assert all_.system.atoms == one.system.atoms
    assert all_.frame == pytest.approx(one.frame * [3, 1, 2])
    assert np.prod(all_.settings.mesh) > 5 * np.prod(one.settings.mesh)
    assert np.prod(all_.division.patch_grid) > np.prod(one.division.patch_grid)
    # The list buffer depends on the density, not on the size.
    assert all_.division.inner_list_cutoff == pytest.approx(one.division.inner_list_cutoff)
    report = check(tmp_path / "water.toml")
    assert report.atoms == 6 * one.system.atoms
    assert report.waters == 6 * 216
    assert report.settings["copies"] == "3 x 1 x 2 of 648 atoms"


def test_a_job_holds_one_copy(tmp_path: Path) -> None:
    make_job(_repeated(tmp_path, "[2, 3, 1]"), tmp_path / "job.h5")
    with h5py.File(tmp_path / "job.h5") as file:
        assert file.attrs["repeat"].tolist() == [2, 3, 1]
        assert file["atoms/position"].shape == (648, 3)
        assert file["waters/atoms"].shape == (216, 3)


def test_a_cell_too_small_for_the_cutoff_is_large_enough_repeated(tmp_path: Path) -> None:
    text = water_input.replace('cutoff = "8 Å"', 'cutoff = "12 Å"')
    assert any("too long" in one.what for one in problems_of(write_waters(tmp_path, text)))
    assert prepare(_repeated(tmp_path, "[2, 2, 2]", text)).settings.cutoff > 0


def test_a_tilted_box_is_reduced() -> None:
    box = np.array([[10.0, 0, 0], [4.0, 9, 0], [-3.0, 4, 8]])
    whole = cells.repeated(box, (1, 2, 3))
    assert np.abs(whole[1, 0]) <= 5
    assert np.abs(whole[2, 0]) <= 5
    assert np.abs(whole[2, 1]) <= 9
    expected = box * np.array([1, 2, 3])[:, None]
    assert cells.same_lattice(whole, expected, 1e-9)
