# SPDX-License-Identifier: BSD-3-Clause
"""AMBER topologies: what is damaged or not supported is refused with file and line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from input_systems import problem_of, write_alanine

from finegrain.classical.preparation.prepare import prepare


@pytest.fixture
def folder(tmp_path: Path, openmmtools_data: Path) -> Path:
    return write_alanine(tmp_path, openmmtools_data)


def change(folder: Path, flag: str, of_row: Callable[[str], str]) -> int:
    """Change the first row of a section; return its line."""
    path = folder / "x.prmtop"
    lines = path.read_text().split("\n")
    at = next(i for i, line in enumerate(lines) if line.split() == ["%FLAG", flag]) + 2
    before = lines[at]
    lines[at] = of_row(before)
    assert lines[at] != before
    path.write_text("\n".join(lines))
    return at + 1


def first_value(width: int, new: str) -> Callable[[str], str]:
    return lambda row: f"{new:>{width}}" + row[width:]


@pytest.mark.parametrize("word", ["\u22121.5", "1_5.9", "nan", "inf", "1,5", "1.5D+00", "***", ""])
@pytest.mark.parametrize("flag", ["CHARGE", "MASS", "LENNARD_JONES_ACOEF", "DIHEDRAL_PHASE"])
def test_an_odd_number_in_a_topology_is_told(folder: Path, flag: str, word: str) -> None:
    line = change(folder, flag, first_value(16, word))
    found = problem_of(folder)
    assert found.what == "is not a plain number"
    assert found.where == f"x.prmtop:{line}"


def test_a_number_cut_at_the_end_of_its_row_is_told(folder: Path) -> None:
    line = change(folder, "MASS", lambda row: row[:-1])
    found = problem_of(folder)
    assert found.what == "is cut short"
    assert found.where == f"x.prmtop:{line}"


@pytest.mark.parametrize(
    ("flag", "value", "said"),
    [
        ("POINTERS", "2_2", "is not a whole number"),
        ("POINTERS", "-22", "is not a whole AMBER topology"),
        ("ATOM_TYPE_INDEX", "99", "is out of range"),
        ("ATOM_TYPE_INDEX", "0", "is out of range"),
        ("NONBONDED_PARM_INDEX", "999", "is out of range"),
        ("RESIDUE_POINTER", "2", "is out of order"),
        ("BONDS_INC_HYDROGEN", "66", "is out of range"),
        ("BONDS_INC_HYDROGEN", "4", "names no atom"),
        ("DIHEDRALS_WITHOUT_HYDROGEN", "999", "is out of range"),
        ("EXCLUDED_ATOMS_LIST", "23", "is out of range"),
        ("NUMBER_EXCLUDED_ATOMS", "1", "counts"),
    ],
)
def test_an_index_out_of_range_is_told(folder: Path, flag: str, value: str, said: str) -> None:
    change(folder, flag, first_value(8, value))
    found = problem_of(folder)
    assert found.what.startswith(said)
    assert found.where.startswith("x.prmtop:")


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ("%FLAG LES_NTYP\n%FORMAT(10I8)\n       1\n", "is not supported"),
        ("%FLAG AMOEBA_FORCEFIELD\n%FORMAT(10I8)\n       1\n", "is not supported"),
        ("%FLAG IPOL\n%FORMAT(1I8)\n       1\n", "is not supported"),
        ("%FLAG CHARGES\n%FORMAT(10I8)\n       1\n", "is not a known section"),
        ("%FLAG MASS\n%FORMAT(5E16.8)\n", "is given twice"),
    ],
)
def test_a_section_that_is_not_vouched_for_is_told(folder: Path, added: str, said: str) -> None:
    path = folder / "x.prmtop"
    text = path.read_text().rstrip("\n") + "\n"
    path.write_text(text + added)
    found = problem_of(folder)
    assert found.what == said
    assert found.where == f"x.prmtop:{text.count(chr(10)) + 1}"


def test_the_name_of_a_force_field_need_not_be_a_number(folder: Path) -> None:
    path = folder / "x.prmtop"
    text = path.read_text().rstrip("\n") + "\n"
    path.write_text(text + "%FLAG FORCE_FIELD_TYPE\n%FORMAT(i2,a78)\n 1 CHARMM 22 for proteins\n")
    assert prepare(folder / "in.toml").system.atoms == 22
