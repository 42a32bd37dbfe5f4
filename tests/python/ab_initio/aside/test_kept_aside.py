# SPDX-License-Identifier: BSD-3-Clause
"""What files say beyond elements and places is taken, named, or refused."""

import io
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from ab_initio_systems import INPUT, WATER, with_lines
from ase import Atoms
from ase.build import bulk
from ase.constraints import FixAtoms
from ase.io import read, write

from finegrain.ab_initio.preparation.job import job_image
from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.errors import Problem
from finegrain.units import electron_mass_in_dalton

Problems = Callable[..., list[Problem]]
Prepares = Callable[..., Prepared]

CIF = """\
data_made
_cell_length_a 5.5
_cell_length_b 5.5
_cell_length_c 5.5
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'P 1'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_occupancy
H1 H 0.1 0.1 0.1 1.0
"""


def named(name: str) -> str:
    return INPUT.replace('"water.xyz"', f'"{name}"')


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("Si1 Si 0.5 0.5 0.5 0.6\nO1 O 0.5 0.5 0.5 0.4\n", "atom 2, Si 0.6, O 0.4 (site 2"),
        ("Si1 Si 0.5 0.5 0.5 0.4\nO1 O 0.5 0.5 0.5 0.6\n", "atom 2, Si 0.4, O 0.6 (site 2"),
        ("O1 O 0.5 0.5 0.5 0.75\n", "atom 2, O 0.75"),
        ("O1 O 0.5 0.5 0.5 0.5(2)\n", "atom 2, O 0.5"),
    ],
)
def test_partial_sites_are_refused(folder: Path, problems: Problems, rows: str, words: str) -> None:
    (folder / "made.cif").write_text(CIF + rows)
    (problem,) = problems(named("made.cif"))
    assert "occupied in part" in problem.what
    assert words in problem.what
    assert problem.where == "water.toml:3"
    assert "choose one element for each site" in problem.hint


@pytest.mark.parametrize("written", ["1", "1.000", "1.00(1)", "?", "."])
def test_whole_and_unknown_shares_are_atoms(folder: Path, prepared: Prepares, written: str) -> None:
    (folder / "made.cif").write_text(f"{CIF}O1 O 0.5 0.5 0.5 {written}\nH2 H 0.9 0.9 0.1 1\n")
    assert sorted(prepared(named("made.cif")).structure.symbols) == ["H", "H", "O"]


def test_partial_atoms_are_refused(folder: Path, problems: Problems, prepared: Prepares) -> None:
    water = read(folder / "water.xyz")
    for share, refused in ((0.5, True), (1.0, False), (0.0, False)):  # 0: not known
        water.set_array("occupancy", np.array([1.0, share, 1.0]))
        write(folder / "water.pdb", water)
        if refused:
            (problem,) = problems(named("water.pdb"))
            assert "atom 2, H 0.5" in problem.what
        else:
            assert prepared(named("water.pdb")).bands == 4


def extended(column: str, values: str, comment: str = "") -> str:
    lines = WATER.replace("pos:R:3", f"pos:R:3:{column}").splitlines()
    lines[1] += f" {comment}"
    return "\n".join(lines[:2] + [f"{line} {values}" for line in lines[2:]]) + "\n"


@pytest.mark.parametrize("column", ["masses:R:1", "mass:R:1"])
def test_masses_of_extended_xyz_are_taken(folder: Path, prepared: Prepares, column: str) -> None:
    (folder / "water.xyz").write_text(extended(column, "2.5"))
    mass = prepared().structure.mass * electron_mass_in_dalton
    assert mass == pytest.approx([2.5] * 3)
    dynamics = ['kind = "born-oppenheimer"', 'temperature = "300 K"', "steps = 1"]
    text = with_lines(INPUT, "system", 'masses = { O = "16 Da" }')
    text = with_lines(text, "dynamics", *dynamics, 'timestep = "0.5 fs"')
    assert prepared(text).structure.mass[0] * electron_mass_in_dalton == pytest.approx(16)


def test_deuterium_of_a_cif_file_has_its_mass(folder: Path, prepared: Prepares) -> None:
    (folder / "made.cif").write_text(f"{CIF}O1 O 0.5 0.5 0.5 1\nD1 D 0.9 0.9 0.1 1\n")
    mass = prepared(named("made.cif")).structure.mass * electron_mass_in_dalton
    assert mass[2] == pytest.approx(2.0136, abs=1e-3)  # ASE has the mass of its nucleus


@pytest.mark.parametrize("key", ["charge", "Charge", "total_charge", "tot_charge"])
def test_a_net_charge_of_a_file_is_named(folder: Path, prepared: Prepares, key: str) -> None:
    (folder / "water.xyz").write_text(extended("tags:I:1", "0", f"{key}=1"))
    notes = prepared().given.notes
    assert any(f"{key} = 1 of the structure is not used" in note for note in notes)
    (folder / "water.xyz").write_text(extended("tags:I:1", "0", f"{key}=0"))
    ready = prepared()
    assert not any("of the structure is not used" in note for note in ready.given.notes)
    assert aside(ready) == ""


def test_the_job_names_what_was_kept_aside(folder: Path, prepared: Prepares) -> None:
    (folder / "water.xyz").write_text(extended("tags:I:1", "2", "charge=1"))
    ready = prepared()
    with h5py.File(io.BytesIO(job_image(ready))) as file:
        assert [note.decode() for note in file["notes"]] == ready.notes
    assert any("charge = 1" in note for note in ready.notes)
    assert "tags" in aside(ready)


def aside(ready: Prepared) -> str:
    return "".join(note for note in ready.given.notes if note.startswith("what the structure"))


@pytest.mark.parametrize(
    ("column", "values", "comment", "words"),
    [
        ("charge:R:1", "0.1", "", "charges"),
        ("magmoms:R:1", "0.1", "", "magmoms"),
        ("velocities:R:3", "0 0 1", "", "velocities"),
        ("tags:I:1", "2", "", "tags"),
        ("move_mask:L:1", "F", "", "constraint FixAtoms"),
        ("forces:R:3", "0 0 0", "energy=-3.0", "energy, forces"),
        ("tags:I:1", "0", "pressure=3 multiplicity=3", "multiplicity, pressure"),
        ("tags:I:1", "0", "some words of mine", ""),
    ],
)
def test_what_a_file_has_too_is_named(
    folder: Path, prepared: Prepares, column: str, values: str, comment: str, words: str
) -> None:
    (folder / "water.xyz").write_text(extended(column, values, comment))
    assert aside(prepared()).endswith(words)
    assert bool(aside(prepared())) == bool(words)


@pytest.mark.parametrize("name", ["a.traj", "a.json", "POSCAR"])
def test_constraints_and_velocities_are_named(folder: Path, prepared: Prepares, name: str) -> None:
    atoms = Atoms(read(folder / "water.xyz"))
    atoms.set_constraint(FixAtoms([0]))
    if name != "POSCAR":
        atoms.set_momenta(np.full((3, 3), 0.1), apply_constraint=False)
    write(folder / name, atoms)
    assert "constraint FixAtoms" in aside(prepared(named(name)))
    assert ("velocities" in aside(prepared(named(name)))) == (name != "POSCAR")
    lines = ['kind = "born-oppenheimer"', 'timestep = "0.5 fs"', "steps = 1"]
    if name != "POSCAR":
        assert "velocities" not in aside(prepared(with_lines(named(name), "dynamics", *lines)))
    lines.append('temperature = "300 K"')
    told = aside(prepared(with_lines(named(name), "dynamics", *lines)))
    assert ("velocities" in told) == (name != "POSCAR")


def test_several_frames_are_told_with_the_one_taken(folder: Path, prepared: Prepares) -> None:
    (folder / "water.xyz").write_text(WATER + WATER)
    assert any("has 2 frames, and the last one is taken" in one for one in prepared().given.notes)
    chosen = prepared(with_lines(INPUT, "system", "frame = -1"))
    assert not any("frames" in note for note in chosen.given.notes)


def test_a_file_that_has_nothing_else_has_no_such_note(folder: Path, prepared: Prepares) -> None:
    assert aside(prepared()) == ""
    text = named("si.cif").replace('{ O = "GTH_POTENTIALS", H =', "{ Si =")
    write(folder / "si.cif", bulk("Si", cubic=True, a=5.5))
    assert aside(prepared(text)) == ""
