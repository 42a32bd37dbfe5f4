# SPDX-License-Identifier: BSD-3-Clause
"""The division into objects, the job file and the report of `check`."""

import errno
import json
import os
from pathlib import Path

import h5py
import numpy as np
import pytest
from input_systems import Waters, water_input, write_waters

from finegrain.classical.job import Job
from finegrain.classical.preparation.check import check
from finegrain.classical.preparation.job import make_job
from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.errors import InputError, ResourceError
from finegrain.units import bohr_in_angstrom, bohr_in_nm, hartree_in_kelvin, time_in_fs, time_in_ps


@pytest.fixture
def water_toml(tmp_path: Path, waters: Waters) -> Path:
    return write_waters(tmp_path, waters=waters)


def changed(path: Path, *changes: tuple[str, str]) -> Prepared:
    text = water_input
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return prepare(path)


def test_the_thinnest_patches_hold_a_fragment_and_reach_as_far_as_lists(water_toml: Path) -> None:
    many = ("[dynamics]", "[patches]\npes = 100000\n[dynamics]")
    for cutoff in ("4 Å", "5 Å", "6 Å", "8 Å"):
        prepared = changed(water_toml, ("8 Å", cutoff), ('"pme"', '"reaction-field"'), many)
        division, radius = prepared.division, prepared.fragments.radius
        least = division.list_cutoff + 2 * radius
        reach = max(division.reach)
        for edge, count in zip(prepared.frame, division.patch_grid, strict=True):
            assert reach * edge / count >= least
            assert reach * edge / (count + 1) < least + 0.01
            assert edge / count >= 2 * radius
        assert reach == 4 or least / (reach + 1) < 2 * radius + 0.01
        assert prepared.settings.cutoff < division.inner_list_cutoff <= division.list_cutoff
        assert division.rebuild_interval % division.prune_interval == 0


def test_expert_keys_are_obeyed(water_toml: Path) -> None:
    expert = 'cutoff = "5 Å"\nrebuild_interval = 12\nprune_interval = 3'
    expert += '\npair_list_tolerance = "1e-3 kJ/mol/ps"'
    grids = "[patches]\ngrid = [1, 2, 1]\npair_computes = 3\n[mesh]\npencils = [3, 5]\n[dynamics]"
    prepared = changed(water_toml, ('cutoff = "8 Å"', expert), ("[dynamics]", grids))
    division = prepared.division
    assert (division.rebuild_interval, division.prune_interval) == (12, 3)
    assert division.patch_grid == (1, 2, 1)
    assert division.pair_computes == 3
    few = changed(water_toml, ("[dynamics]", "[patches]\npes = 1\n[dynamics]")).division
    assert (few.patch_grid, few.pair_computes) == ((1, 1, 1), 4)
    assert division.pencil_grid == (3, 5)
    careful = changed(water_toml, ('cutoff = "8 Å"', expert.replace("1e-3", "1e-6")))
    assert careful.division.list_cutoff > division.list_cutoff


def test_pairs_by_midpoints_have_one_object_a_patch(water_toml: Path, tmp_path: Path) -> None:
    keys = '[patches]\ngrid = [2, 2, 2]\npairs = "midpoint"\n[dynamics]'
    prepared = changed(water_toml, ("[dynamics]", keys))
    assert prepared.division.pair_computes == 1
    assert "pairs by their midpoints" in check(water_toml).words()["patches"]
    make_job(water_toml, tmp_path / "water.job.h5")
    with h5py.File(tmp_path / "water.job.h5") as file:
        assert file["settings"].attrs["pairs"] == "midpoint"
    usual, half_shell = changed(water_toml).division, '[patches]\npairs = "half-shell"\n[dynamics]'
    assert changed(water_toml, ("[dynamics]", half_shell)).division == usual
    several = keys.replace("[dynamics]", "pair_computes = 4\n[dynamics]")
    with pytest.raises(InputError, match="have one object for each patch"):
        changed(water_toml, ("[dynamics]", several))
    with pytest.raises(InputError, match="half-shell"):
        changed(water_toml, ("[dynamics]", keys.replace("midpoint", "middle")))


def test_the_division_is_the_same_whatever_the_temperature_of_the_atoms(water_toml: Path) -> None:
    one = changed(water_toml, ("steps = 100", "steps = 100\nseed = 1")).division
    other = changed(water_toml, ("steps = 100", "steps = 900\nseed = 9")).division
    assert one == other


def test_a_job_holds_what_the_engine_needs(water_toml: Path, tmp_path: Path) -> None:
    text = water_input + 'ensemble = "nvt"\nfriction = "2 1/ps"\n[minimise]\nmethod = "l-bfgs"\n'
    water_toml.write_text(text)
    path = tmp_path / "deep" / "job.h5"
    make_job(water_toml, path)
    info = Job(path)
    assert (info.atoms, info.steps, info.settings["periodic"]) == (648, 100, True)
    with h5py.File(path) as job:
        assert dict(job.attrs)["format"] == "finegrain-job"
        assert job.attrs["version"] == 1
        assert job.attrs["kind"] == "classical"
        assert job.attrs["title"] == "water"
        assert job.attrs["input_text"] == text
        assert job["box"][:] == pytest.approx([1.864 / bohr_in_nm] * 3)
        for name in ("position", "velocity"):
            assert job["atoms"][name].shape == (648, 3)
            assert job["atoms"][name].dtype == np.float64
        for name in ("mass", "charge", "sigma", "epsilon"):
            assert job["atoms"][name].shape == (648,)
        assert job["atoms/fragment"].dtype == job["atoms/residue"].dtype == np.int32
        assert job["atoms/name"].asstr()[:3].tolist() == ["O", "H1", "H2"]
        assert job["atoms/element"].asstr()[:3].tolist() == ["O", "H", "H"]
        assert job["residues/name"].asstr()[0] == "HOH"
        shapes = {"bonds": 2, "angles": 3, "torsions": 4, "exceptions": 2, "constraints": 2}
        for name, width in shapes.items():
            assert job[name]["atoms"].dtype == np.int32
            assert job[name]["atoms"].shape[1] == width
        assert job["waters/atoms"].shape == (216, 3)
        dynamics, settings = dict(job["dynamics"].attrs), dict(job["settings"].attrs)
    assert dynamics["integrator"] == "langevin"
    assert dynamics["minimise"] == "l-bfgs"
    assert dynamics["timestep"] * time_in_fs == pytest.approx(2)
    assert dynamics["friction"] / time_in_ps == pytest.approx(2)
    assert dynamics["temperature"] * hartree_in_kelvin == pytest.approx(300)
    assert dynamics["checkpoint_seconds"] == 900
    assert settings["cutoff"] * bohr_in_angstrom == pytest.approx(8)
    assert settings["mesh"].dtype == settings["patch_grid"].dtype == np.int64


def test_the_same_input_makes_the_same_job(water_toml: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one.h5", tmp_path / "other.h5"
    make_job(water_toml, one)
    make_job(water_toml, other)
    assert one.read_bytes() == other.read_bytes()


def test_a_bad_input_leaves_an_older_job_alone(water_toml: Path, tmp_path: Path) -> None:
    job = tmp_path / "job.h5"
    make_job(water_toml, job)
    before = job.read_bytes()
    water_toml.write_text(water_input.replace("8 Å", "80 Å"))
    with pytest.raises(InputError):
        make_job(water_toml, job)
    assert job.read_bytes() == before
    assert not [entry for entry in tmp_path.iterdir() if entry.name.startswith(".job")]


def test_a_full_disk_is_reported_and_leaves_the_older_job(
    water_toml: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = tmp_path / "job.h5"
    make_job(water_toml, job)
    before = job.read_bytes()

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ResourceError) as caught:
        make_job(water_toml, job)
    assert caught.value.exit_status == 2
    assert "no space left" in caught.value.what
    assert caught.value.hint
    assert job.read_bytes() == before
    assert not [entry for entry in tmp_path.iterdir() if entry.name.startswith(".job")]


def test_a_broken_job_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "job.h5"
    path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    with pytest.raises(InputError, match="cannot be read as HDF5"):
        Job(path)


def test_check_reports_for_people_and_programs(water_toml: Path) -> None:
    report = check(water_toml)
    values = json.loads(json.dumps(report.as_dict()))
    assert values["atoms"] == 648
    assert values["waters"] == 216
    assert values["degrees_of_freedom"] == 6 * 216 - 3
    assert values["problems"] == []
    assert 1e6 < values["memory"] < 1e9
    assert 0 < values["seconds_per_step"] < 1
    text = report.text()
    assert "648, of which 648 in rigid waters" in text
    assert "8 Å  [input]" in text
    assert "[the System]" in text
