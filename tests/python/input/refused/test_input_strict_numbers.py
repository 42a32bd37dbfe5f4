# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that a parser would misread are refused with file, line and text."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import openmm
import pytest
from input_systems import (
    Waters,
    problem_of,
    replace_in,
    water_input,
    write_alanine,
    write_input,
    write_waters,
)
from openmm import app, unit

from finegrain.classical.input.load import load_input
from finegrain.classical.input.readers.coordinates import read_coordinates
from finegrain.classical.input.readers.plain_numbers import is_plain, is_whole
from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import Problem

Problems = Callable[..., list[Problem]]

odd = ["\u22120.8", "1_5.9", ".nan", "inf", "1,5", "1.5d0", "\u0661.5", "0x1p3", "1e999", "1.5x"]


@pytest.mark.parametrize("word", [*odd, ""])
def test_an_odd_number_is_none(word: str) -> None:
    assert not is_plain(word)
    assert not is_whole(word)


@pytest.mark.parametrize("word", ["0", "-1", "+1.5", ".5", "5.", "1e-8", "-1.5E+03", "0001.10"])
def test_a_plain_number_is_one(word: str) -> None:
    assert is_plain(word)


EXCEPTION = '<Exception eps="0"'


def damaged_system(folder: Path, old: str, new: str) -> Path:
    """Write waters with a change in their System, and an input; return the System's file."""
    write_waters(folder, name="in.toml")
    replace_in(folder / "water.xml", old, new, 1)
    return folder / "water.xml"


def line_with(path: Path, text: str) -> str:
    """Return "NAME:LINE" of the first line that holds `text`."""
    lines = path.read_text().splitlines()
    return f"{path.name}:{next(n for n, line in enumerate(lines, start=1) if text in line)}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('mass="15.99943"', 'mass="1_5.9"'),
        ('eps="', 'eps=".nan" was="'),
        ('q="-.834"', 'q="\u2212.834"'),
        ('d=".09572"', 'd="nan"'),
        ('x="1.864"', 'x="inf"'),
        ('cutoff=".8"', 'cutoff=".8nm"'),
        ('p1="0"', 'p1="0.0"'),
        ('p2="2"', 'p2="2x"'),
    ],
)
def test_an_odd_number_in_a_system_is_reported(tmp_path: Path, old: str, new: str) -> None:
    path = damaged_system(tmp_path, old, new)
    found = problem_of(tmp_path)
    assert found.where == line_with(path, new)
    assert found.what in ("is not a plain number", "is not a whole number")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("<Constraints>", "<Constrains>", "is no part of a System"),
        ("<Exceptions>", "<Extras>", "is no part of NonbondedForce"),
        ('mass="15.99943"', 'mas="15.99943"', "lacks an attribute"),
        ("<Forces>", "<Particles/><Forces>", "stands twice"),
        ("<Exceptions>", "<Exceptions/><Exceptions>", "stands twice"),
    ],
)
def test_what_openmm_passes_over_is_reported(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = damaged_system(tmp_path, old, new)
    text = path.read_text()
    path.write_text(text.replace(old.replace("<", "</"), new.replace("<", "</"), 1))
    found = problem_of(tmp_path)
    assert found.where == line_with(path, new)
    assert found.what == said


def test_a_nonbonded_force_with_a_particle_more_is_told(waters: Waters, problems: Problems) -> None:
    waters.nonbonded.addParticle(0, 1, 0)
    (found,) = problems(waters=waters)
    assert found.what == "the NonbondedForce has 649 particles, the System 648"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('p1="0"', 'p1="648"'),
        ('p1="0"', 'p1="-1"'),
        ('p1="0"', 'p1="4294967296"'),
        (f'{EXCEPTION} p1="0"', f'{EXCEPTION} p1="648"'),
    ],
)
def test_an_atom_that_there_is_not_is_refused(tmp_path: Path, old: str, new: str) -> None:
    damaged_system(tmp_path, old, new)
    found = problem_of(tmp_path)
    assert (found.what, found.limit) == ("names an atom that does not exist", "atoms 1 to 648")


def test_a_pair_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    damaged_system(tmp_path, EXCEPTION, f'{EXCEPTION} p1="0" p2="1" q="0" sig="1"/>{EXCEPTION}')
    found = problem_of(tmp_path)
    assert found.what == "is not a whole OpenMM System"
    said = "water.xml: NonbondedForce: There is already an exception for particles 0 and 1"
    assert found.limit == said


def test_a_system_of_any_version_of_the_forces_is_read(tmp_path: Path, waters: Waters) -> None:
    for force in (
        openmm.HarmonicBondForce(),
        openmm.HarmonicAngleForce(),
        openmm.PeriodicTorsionForce(),
        openmm.CMMotionRemover(),
    ):
        waters.system.addForce(force)
    assert prepare(write_waters(tmp_path, waters=waters)).system.removes_com_motion


def write_coordinates(folder: Path, suffix: str) -> Path:
    """Write the waters' positions in a format; return the file."""
    waters = Waters()
    waters.write(folder)
    path = folder / f"x{suffix}"
    angstrom = waters.position * 10
    if suffix == ".inpcrd":
        numbers = [f"{x:12.7f}" for x in angstrom.flat]
        rows = ["".join(numbers[i : i + 6]) for i in range(0, len(numbers), 6)]
        path.write_text("\n".join(["water", f"{len(angstrom):6d}", *rows]) + "\n")
    elif suffix == ".crd":
        rows = [
            f"{i + 1:5d}{i // 3 + 1:5d} HOH  H   {x:10.5f}{y:10.5f}{z:10.5f} W    1      0.00000"
            for i, (x, y, z) in enumerate(angstrom)
        ]
        path.write_text("\n".join(["* water", "*", f"{len(angstrom):5d}", *rows]) + "\n")
    else:
        kind = {".pdb": app.PDBFile, ".cif": app.PDBxFile}[suffix]
        with path.open("w") as file:
            kind.writeFile(waters.topology, waters.position * unit.nanometer, file)
    text = water_input.replace("water.pdb", path.name)
    (folder / "in.toml").write_text(text)
    return path


@pytest.mark.parametrize("suffix", [".inpcrd", ".crd", ".pdb", ".cif"])
def test_an_odd_number_in_coordinates_is_reported(tmp_path: Path, suffix: str) -> None:
    path = write_coordinates(tmp_path, suffix)
    whole = path.read_text()
    expected = Waters().position
    prepared = prepare(tmp_path / "in.toml")
    assert prepared.source.position == pytest.approx(expected, abs=1e-3)
    line = next(row for row in whole.splitlines() if "1.553" in row and row[:5] != "CRYST")
    for word in ("1_553", "\u22121.55", "  nan", "1,553", "1.5d0", "1.5\u0663\u0663"[:5]):
        path.write_text(whole.replace(line, line.replace("1.553", word, 1), 1))
        found = problem_of(tmp_path)
        assert found.where == line_with(path, line.replace("1.553", word, 1))
        assert found.what == "is not a plain number"


@pytest.mark.parametrize(
    ("suffix", "said"),
    [
        (".inpcrd", "x.inpcrd: Badly formatted restart file. Has 325 lines for 648 atoms."),
        (".crd", "holds 647 of 648 atoms"),
    ],
)
def test_coordinates_without_a_last_line_are_told(tmp_path: Path, suffix: str, said: str) -> None:
    path = write_coordinates(tmp_path, suffix)
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")
    found = problem_of(tmp_path)
    assert said in (found.what, found.limit)


def test_a_number_cut_at_the_end_of_its_row_is_told(tmp_path: Path) -> None:
    path = write_coordinates(tmp_path, ".inpcrd")
    path.write_text(path.read_text().rstrip()[:-2] + "\n")
    found = problem_of(tmp_path)
    assert found.where == "x.inpcrd:326"
    assert found.what == "is cut short"


def test_a_binary_file_is_reported_with_its_line(tmp_path: Path) -> None:
    path = write_coordinates(tmp_path, ".pdb")
    text = path.read_bytes()
    for byte, said in ((b"\x00", "zero byte"), (b"\xff", "0xff")):
        path.write_bytes(text.replace(b"HOH", b"HO" + byte, 1))
        found = problem_of(tmp_path)
        assert said in found.what
        assert found.where == "x.pdb:3"


def test_velocities_of_an_amber_restart_are_read(tmp_path: Path, openmmtools_data: Path) -> None:
    write_alanine(tmp_path, openmmtools_data)
    rng = np.random.default_rng(5)
    numbers = [f"{x:12.7f}" for x in rng.uniform(-5, 5, 132)]
    rows = ["".join(numbers[i : i + 6]) for i in range(0, len(numbers), 6)]
    box = "".join(f"{x:12.7f}" for x in (40, 40, 40, 90, 90, 90))
    (tmp_path / "x.rst7").write_text("\n".join(["ala", "   22  0.1E+02", *rows, box]) + "\n")
    toml = write_input(tmp_path, "x.prmtop", "x.rst7")
    found = read_coordinates(load_input(toml), tmp_path / "x.rst7")
    assert found.velocity is not None
    assert found.box is not None
    assert found.box.diagonal() == pytest.approx([4, 4, 4])
    (tmp_path / "x.rst7").write_text("\n".join(["ala", "   22", *rows, box[:-12]]) + "\n")
    problem = problem_of(tmp_path)
    assert problem.where == "x.rst7:25"
    assert problem.what == "holds 5 of 6 numbers"
