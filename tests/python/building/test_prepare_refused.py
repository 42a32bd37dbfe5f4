# SPDX-License-Identifier: BSD-3-Clause
"""Structures and choices that `prepare` refuses: all problems at once, and nothing is written."""

import sys

import pytest
from raw_structures import SHIPPED, atom, dipeptide, lines_of_villin, write

import finegrain as fg


@pytest.fixture
def problems(here):
    """Return the problems of a preparation; each has a remedy, and no file is written."""

    def of(source, out=None, **wishes):
        before = sorted(path.name for path in here.iterdir())
        with pytest.raises(fg.InputError) as caught:
            fg.prepare(source, out, **wishes)
        assert sorted(path.name for path in here.iterdir()) == before
        assert all(one.hint or one.where == "--state" for one in caught.value.problems)
        return caught.value.problems

    return of


@pytest.mark.parametrize(
    ("name", "contents", "what", "hint"),
    [
        ("villim.pdb", None, "no such file", "did you mean villin.pdb?"),
        ("empty.pdb", b" \n", "is empty", "again"),
        ("zipped.pdb", b"\x1f\x8b\x08\x00", "is compressed", "gunzip zipped.pdb"),
        ("page.pdb", b"<!DOCTYPE html>", "is a web page", "Protein Data Bank"),
        ("bits.pdb", b"ATOM\0\0", "is not a text file", "Protein Data Bank"),
        ("words.pdb", b"a letter\n", "holds no atoms", "Protein Data Bank"),
        ("words.cif", b"data_x\nloop_\n_atom_site.id\n", "holds no atoms", "Protein Data Bank"),
    ],
)
def test_a_file_that_is_no_structure(here, problems, name, contents, what, hint):
    write(here / "villin.pdb", lines_of_villin(1, 3))
    if contents is not None:
        (here / name).write_bytes(contents)
    (found,) = problems(here / name)
    assert what in found.what
    assert hint in found.hint
    assert found.where == str(here / name)


def test_lines_without_positions_are_named(here, problems):
    lines = lines_of_villin(1, 3)
    for at in range(7):
        lines[at] = lines[at][:30] + "   x.xxx" + lines[at][38:]
    found = problems(write(here / "bad.pdb", lines))
    assert [one.where.rpartition(":")[2] for one in found] == ["1", "2", "3", "4", "5"]
    assert "2 more lines" in found[-1].what


def test_alpha_carbons_alone(here, problems):
    lines = [line for line in lines_of_villin(1, 9) if line[12:16].strip() == "CA"]
    found = problems(write(here / "trace.pdb", lines))
    assert "one atom for a residue" in found[0].what
    assert found[0].limit == "9 of 9 residues"


def test_several_models(here, problems):
    piece = lines_of_villin(25, 27)
    lines = ["MODEL        1", *piece, "TER", "ENDMDL", "MODEL        2", *piece, "TER", "ENDMDL"]
    source = write(here / "two.pdb", lines)
    (found,) = problems(source, model=3)
    assert (found.where, found.limit) == ("--model", "1 to 2")
    made = fg.prepare(source, model=2, padding="10 Å")
    assert "2 models; model 2 is taken" in made.notes[0]


def test_all_problems_of_choices_come_at_once(here, problems):
    found = problems(
        dipeptide(here / "ala.pdb"),
        "ala.pdb",
        forcefield="amber13",
        water="tip3",
        box="cub",
        padding="0.3 nm",
        salt="0.1",
        ph="seven",
        temperature="300",
        gaps="bild",
        crystal_waters="kepe",
        seed=-1,
        state=["A:2=HIX", "what"],
        leave_out=["LIG"],
    )
    assert [one.where for one in found] == [
        "ala.pdb",
        "ala.pdb",
        "--forcefield",
        "--water",
        "--padding",
        "--crystal-waters",
        "--box",
        "--salt",
        "--ph",
        "--temperature",
        "--state",
        "--state",
        "--gaps",
        "--seed",
        "--leave-out",
    ]
    words = ("amber1", "tip3p", "cube", "keep", "build", "HI")
    for word in words:
        assert any(f"did you mean {word}" in one.hint for one in found), word


def test_a_water_of_another_force_field(here, problems):
    (found,) = problems(dipeptide(here / "ala.pdb"), forcefield="charmm36", water="opc")
    assert found.what == "is not a water of charmm36"
    assert found.limit.startswith("tip3p, ")
    assert "--forcefield amber14" in found.hint


@pytest.mark.parametrize("shape", ["cube", "dodecahedron", "octahedron"])
def test_a_box_that_is_too_small_for_the_cutoff(here, problems, shape):
    source = dipeptide(here / "ala.pdb")
    (found,) = problems(source, box=shape, padding="4.5 Å")
    assert found.what == "makes a box that is too small for the cutoff"
    padding = float(found.hint.split('"')[1].split()[0])
    # Faces of a cube are the images' distance apart, of the others sqrt(1/2) and sqrt(2/3) of it.
    share = {"cube": 1, "dodecahedron": 0.5**0.5, "octahedron": (2 / 3) ** 0.5}[shape]
    assert share * (9.65 + 2 * padding) == pytest.approx(20 / 0.97, abs=0.3)
    problems(source, box=shape, padding=f"{padding - 0.2} Å")


def test_what_has_no_parameters_is_named_with_the_remedy(here, problems):
    lines = lines_of_villin(25, 29)
    x, y, z = (float(lines[0][at : at + 8]) for at in (30, 38, 46))
    ligand = [atom("HETATM", f"C{i}", "LIG", 401, (x + 9 + i, y, z)) for i in range(1, 4)]
    odd = [atom("HETATM", name, "XYZ", 402, (x - 9, y + 2 * i, z)) for i, name in
           enumerate(("N", "CA", "C", "O"))]  # fmt: skip
    source = write(here / "complex.pdb", [*lines, "TER", *ligand, "TER", *odd])
    found = problems(source)
    assert [one.value for one in found] == ["LIG A 401", "XYZ A 402"]
    assert "--leave-out LIG" in found[0].hint
    assert "is not known" in found[1].what
    (slip,) = problems(source, leave_out="LIGA,XYZ,LIG")
    assert slip.hint == "did you mean LIG?"
    made = fg.prepare(source, leave_out=["lig", "XYZ"], padding="9 Å")
    assert ("left out", "1 LIG, 1 XYZ") in made.done


def test_without_pdbfixer_the_extra_is_named(here, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "pdbfixer", None)
    source = write(here / "piece.pdb", lines_of_villin(25, 28))
    assert "pip install 'finegrain[prepare]'" in refused("prepare", source, status=2)


def test_no_polymer(here, problems):
    lines = [line for line in SHIPPED.read_text().splitlines() if "HOH" in line][:9]
    (found,) = problems(write(here / "water.pdb", lines))
    assert found.what == "holds no protein and no nucleic acid"


def test_a_state_of_another_residue(here, problems):
    source = write(here / "piece.pdb", lines_of_villin(25, 29))
    found = problems(source, state=["A:27=ASH", "B:1=HIE"])
    assert [one.value for one in found] == ["A:27=ASH", "B:1=HIE"]
    assert found[0].what == "is a state of ASP"


def test_the_command_prints_problems_and_json(here, refused, accepted):
    source = dipeptide(here / "ala.pdb")
    assert "did you mean amber14?" in refused("prepare", source, "--forcefield", "amber114")
    assert "did you mean --padding?" in refused("prepare", source, "--pading", "9 Å")
    refused("prepare", here / "none.pdb", "--json")
    made = accepted("prepare", source, "--padding", "10 Å", "--json", "--charged").stdout
    assert '"input": "ala.toml"' in made
    assert (here / "ala-system.pdb").is_file()
