# SPDX-License-Identifier: BSD-3-Clause
"""The same molecules from files of each kind."""

from pathlib import Path

import numpy as np
import pytest
from input_systems import Waters, replace_in, water_input, write_alanine, write_input, write_waters
from water_files import check_water, gro_input, gromacs_top, write_charmm_water, write_gro

from finegrain.classical.input.load import load_input
from finegrain.classical.input.readers.coordinates import read_coordinates
from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import InputError
from finegrain.units import bohr_in_nm, speed_in_nm_per_ps


def test_a_psf_with_parameters_is_read(tmp_path: Path) -> None:
    write_charmm_water(tmp_path)
    prepared = prepare(tmp_path / "in.toml")
    check_water(prepared)
    # CHARMM's usual settings: switching, and no dispersion correction.
    assert prepared.settings.dispersion_coefficient == 0
    assert prepared.settings.cutoff * bohr_in_nm == pytest.approx(1.2)
    assert prepared.settings.switch_distance * bohr_in_nm == pytest.approx(1.0)
    assert not any("VFSWITCH" in note for note in prepared.given.notes)


def test_a_force_field_for_a_switched_force_says_so(tmp_path: Path) -> None:
    write_charmm_water(tmp_path)
    replace_in(tmp_path / "w.prm", "vswitch", "vfswitch")
    assert any("VFSWITCH" in note for note in prepare(tmp_path / "in.toml").given.notes)
    with (tmp_path / "in.toml").open("a") as file:
        file.write('[forces]\nswitching = "force"\n')
    prepared = prepare(tmp_path / "in.toml")
    assert prepared.given.model.forces.switching == "force"
    assert not any("VFSWITCH" in note for note in prepared.given.notes)


def test_a_gromacs_topology_is_read(tmp_path: Path) -> None:
    write_gro(tmp_path, 3)
    prepared = prepare(write_input(tmp_path, "w.top", "w.gro"))
    check_water(prepared)
    assert prepared.frame * bohr_in_nm == pytest.approx([1.864] * 3)


@pytest.mark.parametrize("digits", [2, 3, 4, 6, 9])
def test_velocities_of_a_gro_are_read_whatever_its_digits(tmp_path: Path, digits: int) -> None:
    velocity = np.random.default_rng(3).normal(0, 0.6, (648, 3))
    position = write_gro(tmp_path, digits, velocity)
    (tmp_path / "in.toml").write_text(gro_input + 'velocities = "from-file"\n')
    prepared = prepare(tmp_path / "in.toml")
    assert prepared.velocity is not None
    found = prepared.velocity * speed_in_nm_per_ps
    # Half of the last digit.
    assert found == pytest.approx(velocity, abs=0.501 * 10.0 ** -(digits + 1))
    assert prepared.source.position == pytest.approx(position, abs=0.501 * 10.0**-digits)


def test_a_gro_without_velocities_has_none(tmp_path: Path) -> None:
    write_gro(tmp_path, 3)
    (tmp_path / "in.toml").write_text(gro_input + 'velocities = "from-file"\n')
    with pytest.raises(InputError, match="the files hold no velocities"):
        prepare(tmp_path / "in.toml")


def test_velocities_that_are_no_numbers_are_reported(tmp_path: Path) -> None:
    velocity = np.zeros((648, 3))
    velocity[5, 1] = np.nan
    write_gro(tmp_path, 3, velocity)
    (tmp_path / "in.toml").write_text(gro_input + 'velocities = "from-file"\n')
    with pytest.raises(InputError, match=r"w\.gro:8: nan: is not a plain number"):
        prepare(tmp_path / "in.toml")


def test_box_vectors_of_a_gro_are_in_gromacs_order(tmp_path: Path) -> None:
    # v1x v2y v3z v1y v1z v2x v2z v3x v3y: GROMACS reference manual, "gro file format".
    (tmp_path / "x.gro").write_text(
        "one\n    1\n    1ARG    AR    1   0.100   0.200   0.300\n 3 4 5 0 0 1 0 1.5 2\n"
    )
    (tmp_path / "in.toml").write_text(gro_input)
    found = read_coordinates(load_input(tmp_path / "in.toml"), tmp_path / "x.gro")
    assert found.box is not None
    assert found.box.tolist() == [[3, 0, 0], [1, 4, 0], [1.5, 2, 5]]


def parts_of_topology() -> tuple[str, str, str]:
    """Return the defaults and atom types, the molecule, and the system of a topology."""
    molecule, system = gromacs_top.index("[ moleculetype ]"), gromacs_top.index("[ system ]")
    return gromacs_top[:molecule], gromacs_top[molecule:system], gromacs_top[system:]


@pytest.mark.parametrize("order", [["a", "b"], ["b", "a"]])
def test_all_include_folders_are_searched_in_their_order(tmp_path: Path, order: list[str]) -> None:
    write_gro(tmp_path, 3)
    head, molecule, end = parts_of_topology()
    for name, sigma in (("a", "0.3150752"), ("b", "0.4")):
        (tmp_path / name / "mine.ff").mkdir(parents=True)
        changed = head.replace("0.3150752", sigma)
        (tmp_path / name / "mine.ff" / "types.itp").write_text(changed)
    (tmp_path / "b" / "mine.ff" / "water.itp").write_text(molecule)
    includes = '#include "mine.ff/types.itp"\n#include "mine.ff/water.itp"\n'
    (tmp_path / "w.top").write_text(includes + end)
    folders = ", ".join(f'"{name}"' for name in order)
    text = gro_input.replace("[forces]", f"include = [{folders}]\n[forces]")
    (tmp_path / "in.toml").write_text(text + 'velocities = "zero"\n')
    prepared = prepare(tmp_path / "in.toml")
    wanted = 0.3150752 if order[0] == "a" else 0.4
    assert prepared.system.sigma[0] * bohr_in_nm == pytest.approx(wanted)


def test_gromacs_own_folder_stays_in_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_gro(tmp_path, 3)
    head, molecule, end = parts_of_topology()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "types.itp").write_text(head)
    (tmp_path / "data" / "top").mkdir(parents=True)
    (tmp_path / "data" / "top" / "built-in.itp").write_text(molecule)
    monkeypatch.setenv("GMXDATA", str(tmp_path / "data"))
    (tmp_path / "w.top").write_text('#include "types.itp"\n#include "built-in.itp"\n' + end)
    text = gro_input.replace("[forces]", 'include = ["mine"]\n[forces]')
    (tmp_path / "in.toml").write_text(text + 'velocities = "zero"\n')
    assert prepare(tmp_path / "in.toml").system.atoms == 648


def test_a_pdb_with_a_force_field_is_read(tmp_path: Path) -> None:
    Waters().write(tmp_path)
    toml = write_input(tmp_path, "water.pdb", more='forcefield = ["tip3p.xml"]\n')
    check_water(prepare(toml))


def test_a_system_and_its_own_settings_are_read(tmp_path: Path, waters: Waters) -> None:
    waters.nonbonded.setUseSwitchingFunction(True)
    waters.nonbonded.setSwitchingDistance(0.7)
    waters.nonbonded.setPMEParameters(3.1, 24, 24, 28)
    text = water_input.replace('electrostatics = "pme"\ncutoff = "8 Å"\n', "")
    prepared = prepare(write_waters(tmp_path, text, waters))
    check_water(prepared)
    settings = prepared.settings
    assert settings.electrostatics == "pme"
    assert settings.cutoff * bohr_in_nm == pytest.approx(0.8)
    assert settings.switch_distance * bohr_in_nm == pytest.approx(0.7)
    assert settings.ewald_coefficient / bohr_in_nm == pytest.approx(3.1)
    assert settings.mesh == (24, 24, 28)
    assert settings.spline_order == 5
    assert settings.origin["cutoff"] == settings.origin["mesh"] == "the System"


def test_a_systems_box_is_not_rounded_by_a_pdb(tmp_path: Path) -> None:
    prepared = prepare(write_waters(tmp_path, waters=Waters(edge=1.86404321)))
    assert prepared.frame * bohr_in_nm == pytest.approx([1.86404321] * 3, rel=1e-14)


def test_the_input_outranks_the_system(tmp_path: Path, waters: Waters) -> None:
    waters.nonbonded.setPMEParameters(3.1, 24, 24, 24)
    more = 'cutoff = "8 Å"\nmesh = [20, 20, 20]\nspline_order = 6\newald_coefficient = "0.4 1/Å"'
    text = water_input.replace('cutoff = "8 Å"', more)
    settings = prepare(write_waters(tmp_path, text, waters)).settings
    assert settings.mesh == (20, 20, 20)
    assert settings.spline_order == 6
    assert settings.ewald_coefficient / bohr_in_nm == pytest.approx(4.0)


@pytest.fixture
def alanine(tmp_path: Path, openmmtools_data: Path) -> Path:
    return write_alanine(tmp_path, openmmtools_data, "ala")


@pytest.mark.parametrize(
    ("constraints", "count"), [("none", 0), ("h-bonds", 12), ("all-bonds", 21)]
)
def test_amber_constraints_follow_the_input(alanine: Path, constraints: str, count: int) -> None:
    more = f'[forces]\nconstraints = "{constraints}"\n'
    prepared = prepare(write_input(alanine, "ala.prmtop", "ala.crd", more))
    assert len(prepared.system.constraint_atoms) == count
    assert prepared.system.atoms == 22
    assert prepared.system.names.describe(0).startswith("atom 1 (")


def test_in_vacuum_no_pair_is_beyond_the_cutoff_and_all_patches_touch(alanine: Path) -> None:
    prepared = prepare(alanine / "in.toml")
    position, cutoff = prepared.system.position, prepared.settings.cutoff
    apart = np.linalg.norm(position[:, None] - position[None, :], axis=2)
    assert not prepared.settings.periodic
    assert prepared.settings.electrostatics == "plain"
    assert cutoff > 1e4 * apart.max()
    assert max(prepared.division.patch_grid) <= 2
    assert (position > 0).all()
    assert (position < prepared.frame).all()
