# SPDX-License-Identifier: BSD-3-Clause
"""Files that are missing, cut short, of another kind, or without parameters."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from input_systems import problems_of, water_input, write_alanine, write_input
from water_files import write_charmm_water

from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import InputError, Problem

amber_input = """\
[system]
kind = "classical"
topology = "ala.prmtop"
coordinates = "ala.crd"
[forces]
electrostatics = "plain"
[dynamics]
timestep = "1 fs"
steps = 10
temperature = "300 K"
"""


@pytest.fixture
def amber(tmp_path: Path, openmmtools_data: Path) -> Path:
    """A folder with alanine dipeptide's AMBER files and an input."""
    write_alanine(tmp_path, openmmtools_data, "ala")
    (tmp_path / "in.toml").write_text(amber_input)
    return tmp_path


def problem_of(folder: Path) -> Problem:
    with pytest.raises(InputError) as caught:
        prepare(folder / "in.toml")
    assert caught.value.exit_status == 1
    (problem,) = caught.value.problems
    assert problem.hint
    return problem


def test_files_that_are_not_there_are_all_named(tmp_path: Path) -> None:
    (tmp_path / "in.toml").write_text(amber_input)
    (tmp_path / "ala.prmtap").write_text("")
    first, second = problems_of(tmp_path / "in.toml")
    assert (first.where, first.value) == ("in.toml:3", "system.topology = ala.prmtop")
    assert first.what == "no such file"
    assert "ala.prmtap" in first.hint
    assert second.where == "in.toml:4"


@pytest.mark.parametrize("share", [0.02, 0.2, 0.5, 0.8, 0.97])
def test_a_topology_cut_short_is_reported_with_its_place(amber: Path, share: float) -> None:
    path = amber / "ala.prmtop"
    text = path.read_text()
    path.write_text(text[: int(share * len(text))])
    for found in problems_of(amber / "in.toml"):
        assert found.what == "is not a whole AMBER topology" or "more problems" in found.what
        assert found.where.startswith("ala.prmtop")


def test_coordinates_cut_short_are_reported(amber: Path) -> None:
    path = amber / "ala.crd"
    path.write_text("\n".join(path.read_text().splitlines()[:6]) + "\n")
    found = problem_of(amber)
    assert found.value == "system.coordinates = ala.crd"
    assert found.limit == "ala.crd: Badly formatted restart file. Has 6 lines for 22 atoms."


def test_another_molecules_coordinates_are_reported(amber: Path, openmmtools_data: Path) -> None:
    other = openmmtools_data / "cb7-b2" / "ligand.inpcrd"
    shutil.copy(other, amber / "ala.crd")
    assert "but the topology has 22" in problem_of(amber).what


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is not a whole AMBER topology"),
        (b"\x00\xff" * 500, "is not text (byte 0xff is not UTF-8)"),
        (b"%VERSION nothing\n", "is not a whole AMBER topology"),
        (b"ACE\n  20  3\n", "is not a whole AMBER topology"),
    ],
)
def test_a_topology_that_is_none_is_told(amber: Path, content: bytes, said: str) -> None:
    (amber / "ala.prmtop").write_bytes(content)
    assert problem_of(amber).what == said


def test_an_unknown_kind_of_file_is_reported_with_the_known(amber: Path) -> None:
    (amber / "in.toml").write_text(amber_input.replace("ala.crd", "ala.prmtop", 1))
    assert "unknown kind of file" in problem_of(amber).what
    (amber / "in.toml").write_text(amber_input.replace("ala.prmtop", "ala.crd"))
    found = problem_of(amber)
    assert "unknown kind of file" in found.what
    assert ".prmtop" in found.hint


def test_a_box_is_needed_for_pme(amber: Path) -> None:
    (amber / "in.toml").write_text(amber_input.replace("plain", "pme"))
    found = problem_of(amber)
    assert found.what == "pme needs a periodic box"
    assert "box" in found.hint


def test_a_residue_without_parameters_is_named(tmp_path: Path) -> None:
    lines = [
        "ATOM      1  N   ALA A  12       0.000   0.000   0.000  1.00  0.00           N",
        "ATOM      2  CA  ALA A  12       1.450   0.000   0.000  1.00  0.00           C",
        "ATOM      3  C   ALA A  12       2.000   1.420   0.000  1.00  0.00           C",
        "ATOM      4  O   ALA A  12       1.250   2.390   0.000  1.00  0.00           O",
        "ATOM      5  CB  ALA A  12       1.990  -0.770  -1.200  1.00  0.00           C",
        "END",
    ]
    (tmp_path / "ala.pdb").write_text("\n".join(lines) + "\n")
    write_input(tmp_path, "ala.pdb", more='forcefield = ["amber99sb.xml"]\n')
    found = problem_of(tmp_path)
    assert found.where == "in.toml:3"
    assert found.what == "has residues without parameters"
    assert "ALA 12" in found.limit
    assert "hydrogen" in found.limit + found.hint


def test_a_force_field_that_is_not_there_is_reported(tmp_path: Path) -> None:
    (tmp_path / "x.pdb").write_text(
        "HETATM    1 NA   NA  A   1       0.000   0.000   0.000  1.00  0.00          NA\nEND\n"
    )
    write_input(tmp_path, "x.pdb", more='forcefield = ["amber99.xml.xml"]\n')
    found = problem_of(tmp_path)
    assert found.value.startswith("system.forcefield")
    assert "cannot be loaded" in found.what


def test_parameters_that_a_psf_lacks_are_reported(tmp_path: Path) -> None:
    write_charmm_water(tmp_path, angle=False)
    found = problem_of(tmp_path)
    assert found.value.startswith("system.parameters")
    assert found.what == "lack what the topology needs"
    assert "angle" in found.limit


def test_a_topology_with_a_missing_include_is_reported(tmp_path: Path) -> None:
    (tmp_path / "x.top").write_text('#include "nowhere.ff/forcefield.itp"\n')
    (tmp_path / "x.gro").write_text("x\n    0\n   1.0 1.0 1.0\n")
    write_input(tmp_path, "x.top", "x.gro")
    assert problem_of(tmp_path).hint


def test_a_folder_of_includes_that_is_not_there_is_reported(tmp_path: Path) -> None:
    (tmp_path / "x.top").write_text("")
    (tmp_path / "x.gro").write_text("x\n    0\n   1.0 1.0 1.0\n")
    more = 'include = [".", "nowhere", "x.gro"]\n'
    first, second = problems_of(write_input(tmp_path, "x.top", "x.gro", more))
    assert (first.where, first.value) == ("in.toml:5", "system.include = nowhere")
    assert first.what == "no such folder"
    assert (second.value, second.what) == ("system.include = x.gro", "is a file, not a folder")
    assert first.hint
    assert second.hint


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("   0.300", "   0.3o0", 4, "is not a plain number"),
        ("   0.300", "   1_0.3", 4, "is not a plain number"),
        ("   0.300", "  \u22120.30", 4, "is not a plain number"),
        ("   0.300", "        ", 4, "is not a plain number"),
        ("   0.300", "    0.30", 4, "is cut short"),
        ("   9.0   9.0   9.0", "   9.0   9.0", 5, "holds no box"),
        ("   9.0   9.0   9.0", "   9.0   9.0  inf", 5, "is not a plain number"),
        ("    2\n", "    3\n", 2, "holds 2 of 3 atoms, and a box"),
        ("    2\n", "   2 \u0663\n", 2, "is not a whole number"),
        ("   0.100   0.200   0.300", "", 3, "holds no position"),
    ],
)
def test_damage_to_a_gro_is_told(tmp_path: Path, old: str, new: str, line: int, said: str) -> None:
    text = (
        "two\n    2\n    1ARG    AR    1   0.100   0.200   0.300\n"
        "    2ARG    AR    2   1.100   1.200   0.300\n   9.0   9.0   9.0\n"
    )
    head, found, tail = text.rpartition(old) if line == 4 else text.partition(old)
    assert found
    (tmp_path / "x.gro").write_text(head + new + tail)
    (tmp_path / "x.top").write_text("")
    write_input(tmp_path, "x.top", "x.gro")
    problem = problem_of(tmp_path)
    assert problem.where == f"x.gro:{line}"
    assert problem.what == said


def test_an_unknown_test_system_is_reported_with_the_nearest(tmp_path: Path) -> None:
    pytest.importorskip("openmmtools")
    write_input(tmp_path, "openmmtools:DHFRExplict")
    found = problem_of(tmp_path)
    assert "did you mean openmmtools:DHFRExplicit?" in found.hint


def test_another_xml_is_reported(problems: Callable[..., list[Problem]], tmp_path: Path) -> None:
    for content in ("", "<System", "<Other/>"):
        (tmp_path / "bad.xml").write_text(content)
        (found,) = problems(water_input.replace("water.xml", "bad.xml"))
        assert found.what == "is not a whole OpenMM System"
