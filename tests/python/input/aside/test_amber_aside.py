# SPDX-License-Identifier: BSD-3-Clause
"""What AMBER topologies hold and a run does not use is named; what a force needs is refused."""

from pathlib import Path

import pytest
from input_systems import write_alanine, write_input

from finegrain.classical.preparation.notes import notes_of
from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import InputError


@pytest.fixture
def molecule(tmp_path: Path, openmmtools_data: Path) -> Path:
    """A molecule without a box, with radii for an implicit solvent."""
    return write_alanine(tmp_path, openmmtools_data)


@pytest.fixture
def in_water(tmp_path: Path, openmmtools_data: Path) -> Path:
    """A molecule in a box of water."""
    return write_alanine(tmp_path, openmmtools_data, kind="explicit")


def set_pointer(folder: Path, place: int, value: int) -> int:
    """Set a number of POINTERS, which may be one more than there are; return its line."""
    path = folder / "x.prmtop"
    lines = path.read_text().splitlines()
    first = lines.index(next(line for line in lines if line.split() == ["%FLAG", "POINTERS"])) + 2
    row, column = first + place // 10, 8 * (place % 10)
    lines[row] = f"{lines[row][:column]:{column}s}{value:8d}{lines[row][column + 8 :]}"
    path.write_text("\n".join(lines) + "\n")
    return row + 1


def add_section(folder: Path, name: str, values: list[float]) -> None:
    rows = [values[at : at + 5] for at in range(0, len(values), 5)]
    text = "".join("".join(f"{value:16.8E}" for value in row) + "\n" for row in rows)
    with (folder / "x.prmtop").open("a") as file:
        file.write(f"%FLAG {name}\n%FORMAT(5E16.8)\n{text}")


def named(folder: Path, words: str) -> list[str]:
    return [note for note in notes_of(prepare(folder / "in.toml")) if words in note]


def test_radii_of_an_implicit_solvent_are_named_in_vacuum(molecule: Path, tmp_path: Path) -> None:
    (note,) = named(molecule, "implicit solvent")
    assert note.startswith("x.prmtop holds radii for an implicit solvent (RADII, SCREEN)")
    assert "the molecule is in vacuum" in note
    write_input(tmp_path, "x.prmtop", "x.crd", 'box = ["40 Å", "40 Å", "40 Å"]\n')
    assert named(molecule, "implicit solvent") == []


def test_radii_beside_explicit_water_are_not_named(in_water: Path) -> None:
    assert named(in_water, "x.prmtop") == []


def test_a_box_that_only_one_file_has_is_named(in_water: Path) -> None:
    whole = (in_water / "x.prmtop").read_text()
    set_pointer(in_water, 27, 0)
    (note,) = named(in_water, "IFBOX 0")
    assert "that of the coordinates is used" in note
    write_input(in_water, "x.prmtop", "x.crd", 'box = ["30 Å", "30 Å", "30 Å"]\n')
    assert named(in_water, "IFBOX") == []

    write_input(in_water, "x.prmtop", "x.crd")
    (in_water / "x.prmtop").write_text(whole)
    rows = (in_water / "x.crd").read_text().rstrip().splitlines()
    (in_water / "x.crd").write_text("\n".join(rows[:-1]) + "\n")
    (note,) = named(in_water, "the coordinates have no box")
    assert "that of x.prmtop (BOX_DIMENSIONS) is used" in note


@pytest.mark.parametrize("name", ["POLARIZABILITY", "DIPOLE_DAMP_FACTOR"])
def test_polarisabilities_are_named(molecule: Path, name: str) -> None:
    whole = (molecule / "x.prmtop").read_text()
    add_section(molecule, name, [0.0] * 22)
    assert named(molecule, name) == []
    (molecule / "x.prmtop").write_text(whole)
    add_section(molecule, name, [0.0] * 21 + [0.8])
    (note,) = named(molecule, name)
    assert "charges are fixed, without induced dipoles" in note


def test_copies_of_path_integrals_are_named(molecule: Path) -> None:
    set_pointer(molecule, 31, 4)
    (note,) = named(molecule, "NCOPY")
    assert "asks for 4 copies of the system" in note


def test_occupancies_of_a_topology_are_named(molecule: Path) -> None:
    add_section(molecule, "ATOM_OCCUPANCY", [1.0] * 21 + [0.5])
    (note,) = named(molecule, "occupancies below 1")
    assert note.endswith("every atom is there; one atom: atom 22, HH33, 0.5")


@pytest.mark.parametrize(("name", "place"), [("IFPERT", 20), ("IFCAP", 29)])
def test_forces_not_read_are_refused_with_a_line(molecule: Path, name: str, place: int) -> None:
    line = set_pointer(molecule, place, 1)
    with pytest.raises(InputError) as caught:
        prepare(molecule / "in.toml")
    (problem,) = caught.value.problems
    assert (problem.what, problem.value) == ("is not supported", f"{name} 1")
    assert problem.where == f"x.prmtop:{line}"
    assert problem.hint
