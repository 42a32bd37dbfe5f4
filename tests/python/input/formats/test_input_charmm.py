# SPDX-License-Identifier: BSD-3-Clause
"""CHARMM files: what OpenMM's reader would ignore is refused with file and line."""

from pathlib import Path

import pytest
from input_systems import problems_of, replace_in
from water_files import check_water, write_charmm_water

from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import Problem


def problem_of(folder: Path) -> Problem:
    problem = problems_of(folder / "in.toml")[0]
    assert problem.hint or problem.limit
    return problem


def change(folder: Path, name: str, old: str, new: str) -> int:
    """Replace the last `old` in a file; return its line."""
    write_charmm_water(folder)
    path = folder / name
    head, found, tail = path.read_text().rpartition(old)
    assert found
    path.write_text(head + new + tail)
    return head.count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("cdiel", "rdiel", "is not supported"),
        ("eps 1.0", "eps 4.0", "is not supported"),
        ("nbxmod 5", "nbxmod 0", "is not supported"),
        ("nbxmod 5", "nbxmod 5.5", "is not a whole number"),
        ("e14fac 1.0", "e14fac 1_0", "is not a plain number"),
        ("e14fac 1.0", "e14fac=0.5", "is not a known option of NONBONDED"),
        ("vswitch", "vzwitch", "is not a known option of NONBONDED"),
    ],
)
def test_a_doubtful_option_is_told(tmp_path: Path, old: str, new: str, said: str) -> None:
    line = change(tmp_path, "w.prm", old, new)
    found = problem_of(tmp_path)
    assert found.what == said
    assert found.where in (f"w.prm:{line}", f"w.prm:{line - 1}")  # where its first line is


def test_options_of_nonbonded_are_known_by_their_first_four_letters(tmp_path: Path) -> None:
    change(tmp_path, "w.prm", "nbxmod 5", "nbxm 5")
    prepare(tmp_path / "in.toml")


def test_parameters_of_two_mixing_rules_are_told(tmp_path: Path) -> None:
    write_charmm_water(tmp_path)
    other = (tmp_path / "w.prm").read_text().replace("wmin 1.5", "wmin 1.5 geom")
    (tmp_path / "opls.prm").write_text(other)
    line = other[: other.index("NONBONDED")].count("\n") + 1
    replace_in(tmp_path / "in.toml", '["w.prm"]', '["opls.prm", "w.prm"]')
    (found,) = problems_of(tmp_path / "in.toml")
    assert found.what == "is another mixing rule"
    assert found.where == f"w.prm:{line}"
    assert found.limit == f"GEOM at opls.prm:{line}"


def test_options_on_a_line_that_is_not_joined_are_told(tmp_path: Path) -> None:
    line = change(tmp_path, "w.prm", "vswitch -\n", "vswitch\n")
    found = problem_of(tmp_path)
    assert found.what == "is an option on a line of its own"
    assert found.where == f"w.prm:{line + 1}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("BONDS\n", "* ------\nBONDS\n"),
        ("BONDS\n", "* ------\n\nBONDS\n"),
        ("BONDS\n", "BONDS\n* bonds -\n"),
        ("BONDS\n", "  *** -\nBONDS !---\n! -\n"),
        ("BONDS\n", "\ufeffBONDS\n"),
        ("BONDS\n", "BONDS\r\r\n\t\n"),
    ],
)
def test_titles_and_marks_between_lines_lose_nothing(tmp_path: Path, old: str, new: str) -> None:
    change(tmp_path, "w.prm", old, new)
    check_water(prepare(tmp_path / "in.toml"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("HT  450.0  0.9572", "HT  450.0", "holds 1 numbers"),
        ("HT  450.0  0.9572", "HT  450.0  0_9", "is not a plain number"),
        ("HT  450.0  0.9572", "HT  \u2212450.0  0.9572", "is not a plain number"),
        ("BONDS\n", "BONDZ\n", "would be taken for the head of a section"),
        ("BONDS\n", "ENDO  OT 1.0 1.0\n", "would be taken for the head of a section"),
        ("BONDS\n", "HBOND CUTHB 0.5\nHT OT 1 2\nBONDS\n", "is not supported"),
        ("BONDS\n", "END\nHT OT 1 2\nBONDS\n", "stands in no section"),
        ("BONDS\n", "DIHEDRALS\nX OT HT X 1.0 0 180\nBONDS\n", "is not supported"),
        ("BONDS\n", "DIHEDRALS\nX OT HT X 1.0 2.5 180\nBONDS\n", "is not supported"),
        ("BONDS\n", "ANGLES\nHT OT HT 55.0 104.52 10\nBONDS\n", "holds 3 numbers"),
        ("MASS  -1  OT 15.99940", "MASS  -1  OT 1_5.9", "is not a plain number"),
        ("MASS  -1  OT 15.99940", "MASS  -1  OT", "holds 3 of 4 columns"),
        ("MASS  -1  OT 15.99940", "MAS  -1  OT 15.99940", "stands in ATOMS and is no MASS"),
        ("-0.1521", "0.1521", "is not supported"),
        ("-0.1521", "nan", "is not a plain number"),
        ("1.7682", "1.7682 0.0 -0.1", "holds 5 numbers"),
        ("NONBONDED nb", "NBFIX\nHT OT -0.1\nNONBONDED nb", "holds 1 numbers"),
    ],
)
def test_doubtful_parameters_are_told(tmp_path: Path, old: str, new: str, said: str) -> None:
    line = change(tmp_path, "w.prm", old, new)
    found = problem_of(tmp_path)
    assert found.what == said
    assert found.where in (f"w.prm:{line}", f"w.prm:{line + 1}")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("PSF EXT", "PSF EXT DRUDE", "is not supported"),
        ("PSF EXT", "PSX EXT", "is not a PSF file"),
        ("6 WAT", "9 WAT", "is out of order"),
        ("6 WAT", "# WAT", "is out of order"),
        ("6 !NATOM", "7 !NATOM", "holds 6 of 7 atoms"),
        ("6 !NBOND", "7 !NBOND", "holds 12 of 14 atoms"),
        ("!NBOND: bonds", "!NBONDS: bonds", "is not a known section"),
        ("!NPHI: dihedrals", "NPHI: dihedrals", "stands in no section"),
        ("2         1         3", "0         1         3", "names no atom"),
        ("2         1         3", "2         1         7", "names no atom"),
        ("2         1         3", "2         1         x", "is not a whole number"),
        ("0.417000", "0.41_000", "is not a plain number"),
        ("0.417000", "\u22120.41700", "is not a plain number"),
        ("1.0080           0", "1.0080           1", "is not supported"),
        ("1.0080           0", "1.0080          -1", "is not supported"),
        ("0 !NNB", "1 !NNB", "is not supported"),
        ("0 !NACC: acceptors", "0 !NBOND: bonds", "is given twice"),
    ],
)
def test_a_doubtful_line_of_a_psf_is_told(tmp_path: Path, old: str, new: str, said: str) -> None:
    line = change(tmp_path, "w.psf", old, new)
    found = problem_of(tmp_path)
    assert found.what == said
    assert found.where == f"w.psf:{line}"


def test_a_psf_without_impropers_section_is_told(tmp_path: Path) -> None:
    change(tmp_path, "w.psf", "         0 !NIMPHI: impropers\n\n", "")
    assert problem_of(tmp_path).what == "has no section NIMPHI"


def write_stream(folder: Path, before: str = "", after: str = "") -> None:
    write_charmm_water(folder)
    text = (folder / "w.prm").read_text()
    masses = "".join(f"{line}\n" for line in text.splitlines() if line.startswith("MASS"))
    body = text[text.index("BONDS") : text.index("END")]
    (folder / "w.str").write_text(
        f"* waters\n*\n\n! a comment\nset nat ?NATC\nset app\n{before}"
        'if "@NAT" ne "?NATC" if @nat ne 0 set app append\n'
        f"read rtf card @app\n* masses\n*\n31 1\n\n{masses}\nRESI TIP3 0.0\nATOM OH2 OT -0.834\n"
        f"END\n\nread para card flex @app\n* parameters\n*\n\n{body}\nEND\n{after}return\n"
    )
    replace_in(folder / "in.toml", "w.prm", "w.str")


def test_sections_of_a_stream_outside_any_read_are_read(tmp_path: Path) -> None:
    write_stream(tmp_path)
    replace_in(tmp_path / "w.str", "read para card flex @app\n* parameters\n*\n", "")
    replace_in(tmp_path / "w.str", "BONDS\n", "BOND\n")
    check_water(prepare(tmp_path / "in.toml"))


@pytest.mark.parametrize("end", ["", "return\n", "read rtf card\nEND\n"])
def test_a_part_of_a_stream_without_an_end_is_read_with_a_note(tmp_path: Path, end: str) -> None:
    write_stream(tmp_path)
    path = tmp_path / "w.str"
    text = path.read_text()
    path.write_text(text[: text.rindex("END")] + end)
    prepared = prepare(tmp_path / "in.toml")
    check_water(prepared)
    assert any("read para has no END" in note for note in prepared.given.notes)


def test_missing_parameters_are_named_by_atoms_and_types(tmp_path: Path) -> None:
    write_charmm_water(tmp_path, angle=False)
    found = problem_of(tmp_path)
    assert found.value == 'system.parameters = ["w.prm"]'
    assert found.limit == "w.psf: no parameters for the angle H1-O-H2, types HT-OT-HT"


def test_a_stream_is_read(tmp_path: Path) -> None:
    write_stream(tmp_path)
    check_water(prepare(tmp_path / "in.toml"))


@pytest.mark.parametrize(
    ("before", "after", "said", "line"),
    [
        ("scalar charge set 0.1 sele all end\n", "", "stands in no section", 7),
        ("if @x eq 1 then\n", "", "is not supported", 7),
        ("", "read psf card\nx\nend\n", "is not read", 0),
    ],
)
def test_a_doubtful_command_is_told(
    tmp_path: Path, before: str, after: str, said: str, line: int
) -> None:
    write_stream(tmp_path, before, after)
    found = problem_of(tmp_path)
    assert found.what == said
    assert found.where.startswith("w.str:")
    assert not line or found.where == f"w.str:{line}"
