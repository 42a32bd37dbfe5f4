# SPDX-License-Identifier: BSD-3-Clause
"""Parameters by types, macros and virtual sites of GROMACS topologies are those of grompp."""

import json
import shutil
import time
from itertools import pairwise
from pathlib import Path

import pytest
from input_systems import problems_of, write_gromacs_input
from measure_gromacs_pairs import potential, program, topology
from measure_gromacs_types import cases, stored

import finegrain as fg
from finegrain.classical.input.readers.gromacs.text import Line
from finegrain.classical.input.readers.gromacs.types import TypeTables
from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import InputError
from finegrain.units import bohr_in_nm

truth = json.loads(stored.read_text())
wanted = truth["potential"]
needs_gromacs = pytest.mark.skipif(
    shutil.which("gmx_d") is None, reason="needs GROMACS in double precision (gmx_d)"
)


def test_the_stored_energies_are_of_all_cases_and_of_gromacs() -> None:
    assert set(wanted) == set(cases())
    assert truth["program"].startswith("GROMACS version")


@pytest.mark.parametrize("name", sorted(cases()))
def test_energies_are_those_of_gromacs(tmp_path: Path, name: str) -> None:
    found = fg.energy(write_gromacs_input(tmp_path, cases()[name])).energies["total"]
    # GROMACS's constant of Coulomb's law differs from CODATA's in its eighth digit.
    assert found == pytest.approx(wanted[name], rel=1e-7, abs=1e-4)


@pytest.mark.nightly
@needs_gromacs
def test_the_stored_energies_are_those_of_the_gromacs_that_is_here() -> None:
    assert program().startswith("GROMACS version")
    for name, text in cases().items():
        # Sums in another order, on another machine.
        assert potential(text) == pytest.approx(wanted[name], rel=1e-9, abs=1e-6), name


@pytest.mark.parametrize(("function", "length"), [(1, 0.18), (2, 0.19)])
def test_a_constraint_has_its_types_length(tmp_path: Path, function: int, length: float) -> None:
    text = cases()[f"types of constraints, function {function}"]
    found = prepare(write_gromacs_input(tmp_path, text)).system.constraint_distance * bohr_in_nm
    assert found == pytest.approx([length])
    with pytest.raises(InputError, match="has no parameters, here or in the force field"):
        prepare(write_gromacs_input(tmp_path, text.replace(f"B A {function}", f"B B {function}")))


def tables(section: str, *rows: str) -> TypeTables:
    made = TypeTables()
    for place, row in enumerate(rows, start=1):
        heads = 4 if section == "dihedraltypes" else 2
        words = row.split()
        types, numbers = tuple(words[:heads]), tuple(words[heads + 1 :])
        made.add(section, words[heads], types, numbers, Line("x.top", place, row))
    return made


def test_of_types_that_fit_the_one_with_the_fewest_wildcards_is_taken_then_the_first() -> None:
    found = tables(
        "dihedraltypes", "X B A X 9 1", "X B A B 9 2", "A B A X 9 3", "A B A B 9 4", "A B A B 9 5"
    )
    assert found.find("dihedrals", "9", ("A", "B", "A", "B")) == [("4",), ("5",)]
    assert found.find("dihedrals", "1", ("B", "A", "B", "A")) == [("4",), ("5",)]
    assert found.find("dihedrals", "9", ("C", "B", "A", "B")) == [("2",)]
    assert found.find("dihedrals", "9", ("A", "B", "A", "C")) == [("3",)]
    assert found.find("dihedrals", "9", ("C", "B", "A", "C")) == [("1",)]
    assert found.find("dihedrals", "9", ("C", "A", "B", "C")) == [("1",)]
    assert found.find("dihedrals", "4", ("A", "B", "A", "B")) == []


def test_a_type_that_is_given_again_is_noted(tmp_path: Path) -> None:
    text = topology(types="[ bondtypes ]\nB A 1 0.16 150000\n")
    notes = prepare(write_gromacs_input(tmp_path, text)).given.notes
    line = text.splitlines().index("B A 1 0.16 150000") + 1
    assert any(f"x.top:{line} replaces x.top:" in note for note in notes)


two_blocks = "[ dihedraltypes ]\nA B A B 9 0 1 1\nA A A A 9 0 1 1\nA B A B 9 0 2 2\n"


@pytest.mark.parametrize(
    ("types", "said"),
    [
        (two_blocks, "is a second block of function 9 for the same types"),
        ("[ bondtypes ]\nA Q 1 0.1 100\n", "is no atom type"),
        ("[ nonbond_params ]\nA Q 1 0.1 0.2\n", "is no atom type"),
        ("[ pairtypes ]\nQ A 1 0.1 0.2\n", "is no atom type"),
        ("[ defaults ]\n1 2 yes 0.5 0.8\n", "is given twice"),
    ],
)
def test_what_grompp_refuses_of_types_is_refused(tmp_path: Path, types: str, said: str) -> None:
    assert problems_of(write_gromacs_input(tmp_path, topology(types=types)))[0].what == said


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("[ virtual_sitesn ]\n7 1 1 2 3 4 5", "is not supported: a virtual site of 5 atoms"),
        ("[ virtual_sitesn ]\n7 4 1 2", "is not supported"),
        ("[ virtual_sitesn ]\n7 3 1 0.5 2", "names an atom without a weight"),
        ("[ virtual_sitesn ]\n7 3 1 0.5 2 -0.7", "has weights that make no centre"),
        ("[ virtual_sites2 ]\n7 1 2 1 0.2\n7 1 2 1 0.3", "is given twice"),
        ("[ virtual_sites3 ]\n7 1 2 3 5 0.1 0.2", "is not supported"),
        ("[ virtual_sites3 ]\n7 1 2 3 2", "has no parameters, and the geometry does not give them"),
        ("[ virtual_sites4 ]\n7 1 2 3 4 3 1 1 1", "is not supported"),
    ],
)
def test_a_site_without_a_place_is_refused_by_name(tmp_path: Path, row: str, said: str) -> None:
    text = topology(pairs=(), more=row).replace(" 18\n", " 0\n")
    assert problems_of(write_gromacs_input(tmp_path, text))[0].what == said


def bombs() -> dict[str, tuple[str, str]]:
    """Return topologies that grow without end, and what is said of each."""
    body = topology()

    def doubling(row: str, count: int = 40, words: int = 8) -> str:
        names = [f"B{i}" for i in range(count)]
        pairs = pairwise(names)
        heads = [f"#define {one} {(other + ' ') * words}" for one, other in pairs]
        return "\n".join([*heads, f"#define {names[-1]} 1", row, body])

    def of(molecules: str) -> str:
        return body.replace("MOL 1\n", molecules)

    long = "becomes too long by the words that are defined"
    chain = "\n".join(f"#define C{i} C{i + 1}" for i in range(100_000))
    files = "includes too many files"
    count = "7 atoms, but the topology has"
    return {
        "doubling": (doubling("[ defaults ]\nB0"), long),
        "two words": (doubling("[ defaults ]\nB0", 60, 2), long),
        "in a section": (doubling("[ B0 ]"), long),
        "a long chain": (f"{chain}\nC0\n{body}", long),
        "many lines": (f"#define G {'1 ' * 2000}\n[ nothing ]\n" + "G\n" * 30_000, long),
        "itself": ('#include "x.top"\n' + body, files),
        "itself twice": ('#include "x.top"\n#include "x.top"\n' + body, files),
        "deep branches": ("#ifdef A\n" * 200_000 + "#endif\n" * 200_000 + body, ""),
        "a long line": ("1 " * 2_000_000 + "\n" + body, "is too long a line"),
        "a long continued line": ("1 \\\n" * 600_000 + "\n" + body, "is too long a line"),
        "molecules": (of("MOL 1000000000000\n"), "is out of range"),
        "molecules of many digits": (of(f"MOL {'9' * 5000}\n"), "is not a whole number"),
        "many molecules": (of("MOL 999999999\n" * 100), f"{count} 699,999,999,300"),
        "nrexcl": (topology(10**15), ""),
    }


@pytest.mark.parametrize("name", sorted(bombs()))
def test_a_topology_that_grows_for_ever_ends_soon_with_a_message(tmp_path: Path, name: str) -> None:
    text, said = bombs()[name]
    toml = write_gromacs_input(tmp_path, text)
    began = time.process_time()
    if said:
        found = problems_of(toml)
        assert found[0].what == said
        assert found[0].limit or said.endswith(("whole number", "300"))
    else:
        prepare(toml)
    # A second on a machine that is not loaded; without the limits these take minutes.
    assert time.process_time() - began < 5


def test_files_that_include_the_next_twice_end_soon(tmp_path: Path) -> None:
    for place in range(30):
        (tmp_path / f"f{place}.itp").write_text(f'#include "f{place + 1}.itp"\n' * 2)
    (tmp_path / "f30.itp").write_text("; nothing\n" * 100_000)
    began = time.process_time()
    found = problems_of(write_gromacs_input(tmp_path, '#include "f0.itp"\n' + topology()))
    assert found[0].what == "includes too many files"
    assert "characters of files that were included before" in found[0].limit
    assert time.process_time() - began < 5  # as above
