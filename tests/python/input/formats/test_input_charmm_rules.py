# SPDX-License-Identifier: BSD-3-Clause
"""CHARMM's rules for parameters, bytes around the text, and PSFs as programs write them.

The rules are those of CHARMM's documentation: "io.doc" has the order of wildcards of impropers and
of NBFIX, "parmfile.doc" that of the terms of dihedrals.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from input_systems import replace_in, write_input
from test_input_charmm import problem_of
from water_files import write_charmm_water

from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.units import hartree_in_kj_per_mol

kcal = 4.184 / hartree_in_kj_per_mol

# Four atoms in a row, each of its own type; the numbers of a topology are filled in.
psf = """\
PSF EXT

1 !NTITLE
 REMARKS four atoms

4 !NATOM
1 M 1 MOL C1 A 0.0 12.011 0
2 M 1 MOL C2 B 0.0 12.011 0
3 M 1 MOL C3 C 0.0 12.011 0
4 M 1 MOL C4 D 0.0 12.011 0

3 !NBOND: bonds
1 2 2 3 3 4

2 !NTHETA: angles
1 2 3 2 3 4

1 !NPHI: dihedrals
1 2 3 4

1 !NIMPHI: impropers
1 2 3 4

0 !NDON: donors

0 !NACC: acceptors

0 !NNB

1 0 !NGRP NST2
0 0 0

"""
prm = """\
* four atoms
*

BONDS
A B 300 1.5
B C 300 1.5
C D 300 1.5

ANGLES
A B C 50 110
B C D 50 110

DIHEDRALS
{dihedrals}

IMPROPERS
{impropers}

NONBONDED nbxmod 5 atom cdiel vatom vfswitch -
cutnb 14.0 ctofnb 12.0 ctonnb 10.0
{radii}

{pairs}
END
"""
usual = {
    "dihedrals": "A B C D 0.2 3 0",
    "impropers": "A B C D 10 0 0",
    "radii": "A 0 -0.1 2\nB 0 -0.1 2\nC 0 -0.1 2\nD 0 -0.1 2",
    "pairs": "",
}
places = [(0.0, 0.0, 0.0), (1.5, 0.0, 0.0), (2.0, 1.4, 0.0), (3.5, 1.4, 0.3)]


def write(folder: Path, **rows: str) -> None:
    (folder / "m.psf").write_text(psf)
    (folder / "m.prm").write_text(prm.format(**{**usual, **rows}))
    lines = [
        f"ATOM  {i:5d}  C{i}  MOL M   1    {x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00           C"
        for i, (x, y, z) in enumerate(places, 1)
    ]
    (folder / "m.pdb").write_text("REMARK four\n" + "\n".join([*lines, "END", ""]))
    more = 'parameters = ["m.prm"]\n[forces]\nconstraints = "none"\n'
    write_input(folder, "m.psf", "m.pdb", more)


def read(folder: Path) -> Prepared:
    return prepare(folder / "in.toml")


def constants(prepared: Prepared, terms: str, name: str) -> list[float]:
    """The constants of terms in kcal/mol."""
    return sorted(np.round(prepared.system.terms[terms].columns[name] / kcal, 6).tolist())


orders = ["A B C D", "A X X D", "X B C D", "X B C X", "X X C D"]


@pytest.mark.parametrize("first", range(len(orders)))
@pytest.mark.parametrize("backwards", [False, True])
def test_an_impropers_first_wildcard_counts(tmp_path: Path, first: int, backwards: bool) -> None:
    rows = [f"{types} {10 + number} 0 0" for number, types in enumerate(orders)][first:]
    if backwards:
        turned = [row.split() for row in rows]
        rows = [" ".join([*words[3::-1], *words[4:]]) for words in turned][::-1]
    write(tmp_path, impropers="\n".join(rows))
    # The energy is K (psi - psi0)^2; the engine's constant is that of half of it, 2 K.
    assert constants(read(tmp_path), "harmonic_torsions", "stiffness") == [2 * (10 + first)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("A B C D 1 1 0\nA B C D 2 2 0", [1, 2]),
        ("X B C X 9 3 0\nD C B A 1 1 0", [1]),  # four types before wildcards, either way
        ("X B C X 1 1 0\nX B C X 2 2 0", [1, 2]),
        ("A B C D 1 1 0\nB B C D 5 2 0\nA B C D 1 1 0", [1]),  # the same once more
        ("A B C D 1 1 0\nA B C D 2 2 0\nDIHEDRALS\nA B C D 4 3 0", [4]),  # replaces both
        ("A B C D 1 1 0\nB B C D 5 2 0\nA B C D 2 2 0", None),  # not one after the other
        ("A B C D 1 1 0\nA B C D 2 1 180", None),  # which of the two?
    ],
)
def test_terms_of_a_dihedral_add_up_in_a_row_and_replace_all_before(
    tmp_path: Path, rows: str, expected: list[float] | None
) -> None:
    write(tmp_path, dihedrals=rows)
    if expected is None:
        assert "doubtful" in problem_of(tmp_path).what
        return
    assert constants(read(tmp_path), "torsions", "stiffness") == expected


@pytest.mark.parametrize(
    ("pairs", "depth"),
    [
        ("NBFIX\nA D -0.5 4.0", 0.5),
        ("NBFIX\nA D -0.5 4.0\nD A -0.7 4.0", 0.7),  # the last one counts
        ("NBFIX\nA X -0.5 4.0", 0.5),
        ("NBFIX\nA % -0.5 4.0\nA D -0.2 4.0", 0.2),
        ("NBFIX\nA Q -0.5 4.0", 0.1),  # a type that is not there
        ("NBFIX\nA D -0.5 4.0 -0.3 4.0", 0.3),  # of atoms three bonds apart
    ],
)
def test_the_last_nbfix_of_a_pair_counts(tmp_path: Path, pairs: str, depth: float) -> None:
    write(tmp_path, pairs=pairs)
    exceptions = read(tmp_path).system.terms["exceptions"]
    (last,) = np.flatnonzero((np.sort(exceptions.atoms, axis=1) == [0, 3]).all(axis=1))
    assert exceptions.columns["epsilon"][last] / kcal == pytest.approx(depth, rel=1e-9)


def test_radii_may_be_given_by_wildcards(tmp_path: Path) -> None:
    write(tmp_path, radii="% 0 -0.2 2\nB 0 -0.1 2")
    epsilon = read(tmp_path).system.epsilon / kcal
    assert epsilon == pytest.approx([0.2, 0.1, 0.2, 0.2], rel=1e-9)


def test_a_type_without_radius_is_told(tmp_path: Path) -> None:
    write(tmp_path, radii="A 0 -0.1 2\nB 0 -0.1 2\nC 0 -0.1 2")
    found = problem_of(tmp_path)
    assert found.value == "type D"
    assert "radius" in found.what


@pytest.mark.parametrize("name", ["OM", "LP1", "D1"])
def test_a_bond_counts_whatever_its_atoms_are_called(tmp_path: Path, name: str) -> None:
    write(tmp_path)
    replace_in(tmp_path / "m.psf", "MOL C2 ", f"MOL {name} ")
    prepared = read(tmp_path)
    assert len(prepared.system.terms["bonds"].atoms) == 3
    assert prepared.system.names.atom[1] == name


def test_masses_of_the_topology_serve_where_parameters_have_none(tmp_path: Path) -> None:
    write(tmp_path)
    assert "MASS" not in (tmp_path / "m.prm").read_text()
    assert read(tmp_path).system.names.element == ["C"] * 4


def test_types_by_number_take_their_names_from_a_topology_file(tmp_path: Path) -> None:
    write(tmp_path)
    replace_in(tmp_path / "m.psf", " C2 B ", " C2 7 ")
    found = problem_of(tmp_path)
    assert found.where == "m.psf:8"
    assert ".rtf" in found.hint
    (tmp_path / "m.rtf").write_text("* types\n*\n36 1\nMASS 7 B 12.011 C\nEND\n")
    replace_in(tmp_path / "in.toml", '"m.prm"', '"m.rtf", "m.prm"')
    assert len(read(tmp_path).system.terms["bonds"].atoms) == 3


def test_a_switched_force_is_not_mentioned_in_vacuum(tmp_path: Path) -> None:
    write(tmp_path)
    assert not any("VFSWITCH" in note for note in read(tmp_path).given.notes)
    box = 'box = ["40 Å", "40 Å", "40 Å"]\n[forces]'
    replace_in(tmp_path / "in.toml", "[forces]", box)
    assert any("VFSWITCH" in note for note in read(tmp_path).given.notes)


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("PSF EXT", "PSF EXT CMAP CHEQ XPLOR", ""),
        ("PSF EXT", "PSF EXT LPH", "a flag that is not known and has no effect: LPH"),
        ("1 !NPHI: dihedrals\n1 2 3 4", "2 !NPHI\n1 2 3 4 1 2 3 4", "1 dihedrals several times"),
        ("0 !NDON", "0 !NEXTRA\n\n0 !NDON", ""),  # an empty section
    ],
)
def test_unused_parts_of_a_psf_are_noted(tmp_path: Path, old: str, new: str, note: str) -> None:
    write(tmp_path)
    replace_in(tmp_path / "m.psf", old, new)
    prepared = read(tmp_path)
    assert constants(prepared, "torsions", "stiffness") == [0.2]
    assert any(note in one for one in prepared.given.notes) or not note


def test_electronegativities_are_named_where_they_are_not_zero(tmp_path: Path) -> None:
    write(tmp_path)
    path = tmp_path / "m.psf"
    text = path.read_text().replace("PSF EXT", "PSF EXT CHEQ")
    path.write_text(text.replace("12.011 0\n", "12.011 0 0.0 -0.301140E-02\n"))  # as CHARMM has it
    assert not any("CHEQ" in note for note in read(tmp_path).given.notes)
    path.write_text(text.replace("12.011 0\n", "12.011 0 4.1 -0.301140E-02\n"))
    assert any("electronegativities (CHEQ)" in note for note in read(tmp_path).given.notes)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0 !NDON", "1 !NEXTRA\n1 2\n\n0 !NDON", "is not a known section"),
        ("1 0 !NGRP NST2", "1 1 !NGRP NST2", "is not supported"),
        ("0 !NDON", "1 !NUMANISO\n1 2 3\n1 2 3 4\n\n0 !NDON", "is not supported"),
    ],
)
def test_a_section_with_energies_is_refused(tmp_path: Path, old: str, new: str, said: str) -> None:
    write(tmp_path)
    replace_in(tmp_path / "m.psf", old, new)
    assert problem_of(tmp_path).what == said


def test_hydrogen_bonds_without_depth_are_read(tmp_path: Path) -> None:
    write(tmp_path, pairs="HBONDS CUTHB 0.5\nA D -0.00 1.0")
    read(tmp_path)
    write(tmp_path, pairs="HBOND CUTHB 0.5\nA D -1.00 1.0")
    assert problem_of(tmp_path).what == "is not supported"


bytes_around: dict[str, Callable[[bytes], bytes]] = {
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "CR LF": lambda data: data.replace(b"\n", b"\r\n"),
    "CR": lambda data: data.replace(b"\n", b"\r"),
    "Latin-1 in a comment": lambda data: data.replace(b"four", b"four \xb0", 1),
}


@pytest.mark.parametrize("change", list(bytes_around))
@pytest.mark.parametrize("name", ["m.psf", "m.prm", "m.pdb", "m.str"])
def test_bytes_around_the_text_change_nothing(tmp_path: Path, name: str, change: str) -> None:
    write(tmp_path)
    if name == "m.str":
        body = (tmp_path / "m.prm").read_text()
        (tmp_path / name).write_text("read para card\n* four\n" + body.partition("\n")[2])
        replace_in(tmp_path / "in.toml", "m.prm", name)
    plain = read(tmp_path).system
    path = tmp_path / name
    path.write_bytes(bytes_around[change](path.read_bytes()))
    changed = read(tmp_path).system
    assert np.array_equal(changed.position, plain.position)
    for kind, terms in plain.terms.items():
        assert np.array_equal(changed.terms[kind].atoms, terms.atoms)
        for column, values in terms.columns.items():
            assert np.array_equal(changed.terms[kind].columns[column], values)


def test_a_file_that_begins_with_a_section_keeps_it_behind_a_mark(tmp_path: Path) -> None:
    write_charmm_water(tmp_path)
    second = b"BONDS\nOT HT 450.0 1.2\nEND\n"
    (tmp_path / "second.prm").write_bytes(b"\xef\xbb\xbf" + second)
    toml = tmp_path / "in.toml"
    replace_in(toml, '["w.prm"]', '["w.prm", "second.prm"]')
    assert prepare(toml).fragments.water_oh == pytest.approx(1.2 / 0.529177210903, rel=1e-9)


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
@pytest.mark.parametrize(
    ("name", "old", "line"),
    [("m.prm", b"A B 300", 5), ("m.psf", b"1 2 2 3", 13), ("m.pdb", b"ATOM      2", 3)],
)
def test_a_byte_in_data_that_is_no_text_is_told_with_its_line(
    tmp_path: Path, end: bytes, name: str, old: bytes, line: int
) -> None:
    write(tmp_path)
    path = tmp_path / name
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, old + b"\xb0").replace(b"\n", end))
    found = problem_of(tmp_path)
    assert found.where == f"{name}:{line}"
    assert "0xb0" in found.what
