# SPDX-License-Identifier: BSD-3-Clause
"""Lists of CHARMM files, as CHARMM-GUI writes them, stand for the files that they name."""

from pathlib import Path

import pytest
from input_systems import problems_of, replace_in
from test_input_charmm import problem_of
from water_files import check_water, write_charmm_water

from finegrain.classical.preparation.prepare import prepare

toppar = """\
* a list of all files
*

bomlev -1
prnlev 0

! water topology and parameters
open read card unit 10 name toppar/top_water.rtf
read  rtf card unit 10
close unit 10

open read card unit 20 name toppar/par_water.prm
read para card unit 20 flex

stream toppar/lennard_jones.str  ! in a stream of its own
"""


def write_list(folder: Path, text: str = toppar) -> Path:
    """Write waters whose masses, bonds and radii stand in three files of a folder toppar."""
    write_charmm_water(folder)
    whole = (folder / "w.prm").read_text()
    masses = "".join(f"{line}\n" for line in whole.splitlines() if line.startswith("MASS"))
    bonded = whole[whole.index("BONDS") : whole.index("NONBONDED")]
    radii = whole[whole.index("NONBONDED") : whole.index("END")]
    (folder / "toppar").mkdir(exist_ok=True)
    (folder / "toppar" / "top_water.rtf").write_text(f"* masses\n*\n36 1\n\n{masses}\nEND\n")
    (folder / "toppar" / "par_water.prm").write_text(f"* bonds\n*\n\n{bonded}\nEND\n")
    (folder / "toppar" / "lennard_jones.str").write_text(
        f"* radii\n*\n\nread para card flex append\n* radii\n*\n\n{radii}\nEND\n\nRETURN\n"
    )
    (folder / "toppar.str").write_text(text)
    (folder / "w.prm").unlink()
    replace_in(folder / "in.toml", "w.prm", "toppar.str")
    return folder / "in.toml"


def test_all_files_of_a_list_are_read(tmp_path: Path) -> None:
    prepared = prepare(write_list(tmp_path))
    check_water(prepared)
    assert prepared.given.notes == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("read  rtf card unit 10\n", "READ RTF CARD UNIT 10 APPEND\n"),
        ("open read card unit 10 name", "open unit 10 read form name"),
        ("toppar/top_water.rtf", '"toppar/top_water.rtf"'),
        ("toppar/top_water.rtf", "TOPPAR/TOP_WATER.RTF"),
        ("read  rtf card unit 10", "read rtf card name toppar/top_water.rtf"),
        ("bomlev -1", "set where toppar\nset n = 10"),
        ("unit 20 name", "unit 5 name"),
    ],
)
def test_the_words_of_a_list_may_vary(tmp_path: Path, old: str, new: str) -> None:
    text = toppar.replace(old, new)
    if "set" in new:
        text = text.replace("name toppar/", "name @where/").replace("unit 10", "unit @{n}")
    if "unit 5" in new:
        text = text.replace("unit 20", "unit 5")
    check_water(prepare(write_list(tmp_path, text)))


def test_names_in_a_file_of_a_list_are_relative_to_either(tmp_path: Path) -> None:
    lines = "stream toppar/lennard_jones.str"
    for named in ("toppar/lennard_jones.str", "lennard_jones.str"):
        toml = write_list(tmp_path, toppar.replace(lines, "stream toppar/more.str"))
        (tmp_path / "toppar" / "more.str").write_text(f"* more\n*\nstream {named}\nreturn\n")
        check_water(prepare(toml))


def test_what_comes_later_in_a_list_replaces_what_came_before(tmp_path: Path) -> None:
    toml = write_list(tmp_path, toppar + "stream toppar/other.str\n")
    (tmp_path / "toppar" / "other.str").write_text(
        "read para card append\n* other\n*\n\nBONDS\nOT HT 450.0 0.9\n\nEND\n"
    )
    assert prepare(toml).fragments.water_oh[0] == pytest.approx(0.9 / 0.529177210903)


def test_all_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    toml = write_list(tmp_path)
    (tmp_path / "toppar" / "top_water.rtf").unlink()
    (tmp_path / "toppar" / "lennard_jones.str").unlink()
    (problem,) = problems_of(toml)
    assert problem.what == "names files that are not there"
    assert problem.where == "toppar.str:9"
    assert problem.limit == "toppar/top_water.rtf, toppar/lennard_jones.str"
    assert "relative to the folder of toppar.str" in problem.hint


@pytest.mark.parametrize(
    ("old", "new", "said", "line"),
    [
        ("unit 10 name", "unit 11 name", "reads a unit that is not open", 9),
        ("stream toppar", "if @x eq 1 stream toppar", "is not supported", 15),
        ("open read card unit 10", "open write card unit 10", "is not supported", 8),
        ("read para card unit 20", "read sequ card unit 20", "is not read", 13),
        ("stream toppar/lennard_jones.str", "stream toppar.str", "names too many files", 15),
    ],
)
def test_a_doubtful_line_is_told(tmp_path: Path, old: str, new: str, said: str, line: int) -> None:
    write_list(tmp_path, toppar.replace(old, new))
    found = problem_of(tmp_path)
    assert found.what == said
    assert found.where == f"toppar.str:{line}"


def test_damage_in_a_file_of_a_list_is_told_with_its_name(tmp_path: Path) -> None:
    write_list(tmp_path)
    replace_in(tmp_path / "toppar" / "par_water.prm", "0.9572", "0_9")
    found = problem_of(tmp_path)
    assert found.what == "is not a plain number"
    assert found.where.startswith("par_water.prm:")
