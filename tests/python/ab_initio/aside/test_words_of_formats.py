# SPDX-License-Identifier: BSD-3-Clause
"""What ASE's readers drop of files of other programs is named: charge, spin, points, settings."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ab_initio_systems import INPUT, with_lines
from ase import Atoms
from ase.io import read, write
from ase.io.formats import filetype

from finegrain.ab_initio.input.aside.of_text import words_of
from finegrain.ab_initio.input.aside.words import FORMATS, REASONS
from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.errors import Problem

Problems = Callable[..., list[Problem]]
Prepares = Callable[..., Prepared]

# By format: a name that ASE knows the format by, and the file of the test as ASE writes it, if it
# does. A file of the format is then changed.
names = {
    "espresso-in": "w.pwi",
    "castep-cell": "w.cell",
    "cif": "w.cif",
    "vasp": "POSCAR",
    "aims": "geometry.in",
    "gaussian-in": "w.com",
    "nwchem-in": "w.nwi",
    "abinit-in": "w.abi",
    "proteindatabank": "w.pdb",
    "mol": "w.mol",
    "sdf": "w.sdf",
    "res": "w.shelx",
    "onetep-in": "w.dat",
    "xsd": "w.xsd",
}


@pytest.fixture
def water(folder: Path) -> Atoms:
    """A water in a cell."""
    atoms = Atoms(read(folder / "water.xyz"))
    atoms.set_cell([6.0, 6.0, 6.0])
    return atoms


def write_water(folder: Path, water: Atoms, form: str) -> Path:
    path = folder / names[form]
    more = {"pseudopotentials": {"O": "O.UPF", "H": "H.UPF"}} if form == "espresso-in" else {}
    write(path, water, format=form, **more)
    if form == "abinit-in":  # whose functional ASE gives
        path.write_text(path.read_text().replace("ixc 7\n", ""))
    if form == "onetep-in":
        text = path.read_text()
        path.write_text(text[: text.index("%BLOCK SPECIES_POT")])
    return path


def input_of(path: Path) -> str:
    text = INPUT.replace('"water.xyz"', f'"{path.name}"')
    return with_lines(text, "system", 'cell = ["6 Å", "6 Å", "6 Å"]')


def notes(prepared: Prepares, path: Path) -> list[str]:
    return [note for note in prepared(input_of(path)).given.notes if note.startswith(path.name)]


@pytest.mark.parametrize("form", sorted(names))
def test_no_words_make_no_note(folder: Path, water: Atoms, prepared: Prepares, form: str) -> None:
    path = write_water(folder, water, form)
    assert filetype(str(path)) == form
    assert notes(prepared, path) == []


pw_x = ("espresso-in", "   ibrav            = 0\n")
cell = ("castep-cell", "# written by ASE\n")
frame = ("espresso-in", "K_POINTS gamma\n")


@pytest.mark.parametrize(
    ("form", "old", "new", "words", "why"),
    [
        (*pw_x, "tot_charge = +1.0\n", "tot_charge = +1.0", "charge"),
        (*pw_x, "nspin=2, tot_magnetization = 2.0\n", "nspin=2, tot_magnetization = 2.0", "spin"),
        (*pw_x, "starting_magnetization(2) = 0.5d0\n", "starting_magnetization(2) = 0.5d0", "spin"),
        (*pw_x, "noncolin = .TRUE.\n", "noncolin = .TRUE.", "spin"),
        (*pw_x, "occupations = 'smearing'\n", "occupations = 'smearing'", "occupations"),
        (*pw_x, "input_dft = 'pbe0'\n", "input_dft = 'pbe0'", "functional"),
        (*pw_x, "vdw_corr = 'grimme-d3'\n", "vdw_corr = 'grimme-d3'", "dispersion"),
        (*pw_x, "assume_isolated = 'mt'\n", "assume_isolated = 'mt'", "boundary"),
        (*pw_x, "tefield = .true.\n", "tefield = .true.", ""),
        (*frame, "K_POINTS automatic\n4 4 2 0 0 0\n", "K_POINTS automatic 4 4 2 0 0 0", "points"),
        (*frame, "K_POINTS {crystal_b}\n1\n0 0 0 1\n", "K_POINTS {crystal_b", "points"),
        ("espresso-in", "H 1.008", "H 2.014", "a mass of 2.014 for H", "masses"),
        (*frame, "HUBBARD {atomic}\nU O-2p 4.0\n", "HUBBARD {atomic}", "hubbard"),
        (*frame, "ATOMIC_VELOCITIES {a.u}\n", "ATOMIC_VELOCITIES", "velocities"),
        ("castep-cell", "3.000000\nH", "3.000000 spin=2\nH", "spin=2", "spin"),
        (*cell, "kpoint_mp_grid 2 2 2\n", "kpoint_mp_grid 2 2 2", "points"),
        (*cell, "FIX_ALL_CELL : true\n", "FIX_ALL_CELL : true", ""),
        (
            "castep-cell",
            "# written by ASE\n",
            "%BLOCK EXTERNAL_PRESSURE\n1 0 0\n1 0\n1\n%ENDBLOCK EXTERNAL_PRESSURE\n",
            "%BLOCK EXTERNAL_PRESSURE",
            "pressure",
        ),
        (
            "cif",
            "loop_\n  _space_group",
            "loop_\n  _atom_site_moment.label\n  _atom_site_moment.crystalaxis_z\n  O1 2.0\n\n"
            "loop_\n  _space_group",
            "_atom_site_moment",
            "spin",
        ),
        ("aims", "\natom", "\nhomogeneous_field 0 0 0.1\natom", "homogeneous_field", ""),
        ("gaussian-in", "0 1\n", "1 1\n", "charge 1", "charge"),
        ("gaussian-in", "0 1\n", "0 3\n", "multiplicity 3", "spin"),
        ("nwchem-in", "basis noprint", "charge -1\nbasis noprint", "charge -1", "charge"),
        ("nwchem-in", "mult 1", "mult 3", "mult 3", "spin"),
        ("abinit-in", "natom 3\n", "natom 3\ncellcharge 1\n", "cellcharge 1", "charge"),
        ("abinit-in", "natom 3\n", "natom 3\nngkpt 2 2 2\n", "ngkpt 2 2 2", "points"),
        ("abinit-in", "natom 3\n", "natom 3\noccopt 7 ixc 11\n", "occopt 7", "occupations"),
        ("mol", "M  END", "M  CHG  1   1   1\nM  END", "M CHG 1 1 1", "charge"),
        ("sdf", "M  END", "M  RAD  1   1   3\nM  END", "M RAD 1 1 3", "spin"),
        ("onetep-in", "edft : F", "charge : 2\nspin_polarized : T", "charge : 2", "charge"),
        ("xsd", 'Components="O"', 'Components="O" FormalCharge="-2/1"', "FormalCharge=", "charge"),
    ],
)
def test_words_that_are_dropped_are_named_with_what_to_do(
    folder: Path,
    water: Atoms,
    prepared: Prepares,
    form: str,
    old: str,
    new: str,
    words: str,
    why: str,
) -> None:
    path = write_water(folder, water, form)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new + old if old == pw_x[1] else new, 1))
    found = [note for note in notes(prepared, path) if words in note]
    assert len(found) == 1
    assert "which is not used" in found[0]
    assert found[0].endswith(REASONS[why])


@pytest.mark.parametrize(
    ("form", "old", "new"),
    [
        (*pw_x, "tot_charge = 0.0 ! tot_charge = 1\n"),
        (*pw_x, "starting_magnetization(1) = 0.0\n"),
        (*pw_x, "nspin = 1\n"),
        (*frame, "K_POINTS automatic\n 1 1 1 0 0 0\n"),
        ("espresso-in", "H 1.008", "H 1.0"),
        (*cell, "kpoint_mp_grid 1 1 1\n"),
        (*cell, "# kpoint_mp_grid 4 4 4\n"),
        ("abinit-in", "natom 3\n", "natom 3\nngkpt 1 1 1\noccopt 1\n"),
    ],
)
def test_words_that_say_nothing_are_not_named(
    folder: Path, water: Atoms, prepared: Prepares, form: str, old: str, new: str
) -> None:
    path = write_water(folder, water, form)
    text = path.read_text()
    path.write_text(text.replace(old, new + old if old == pw_x[1] else new))
    assert notes(prepared, path) == []


def test_charges_of_a_pdb_file_are_named(folder: Path, water: Atoms, prepared: Prepares) -> None:
    path = write_water(folder, water, "proteindatabank")
    lines = path.read_text().splitlines()
    atom = next(n for n, line in enumerate(lines) if line.startswith("ATOM"))
    lines[atom] = f"{lines[atom][:78]:<78s}2-"
    path.write_text("\n".join(lines) + "\n")
    (note,) = notes(prepared, path)
    assert note.startswith("w.pdb has charges in columns 79 and 80 of its atoms, which is not used")


def test_fractions_of_pw_x_are_not_taken_for_moments(
    folder: Path, water: Atoms, prepared: Prepares, problems: Problems
) -> None:
    path = write_water(folder, water, "espresso-in")
    new = f"nspin = 2\n starting_magnetization(1) = 1.0\n{pw_x[1]}"
    path.write_text(path.read_text().replace(pw_x[1], new))
    assert not prepared(input_of(path)).structure.moments.any()
    (problem,) = problems(with_lines(input_of(path), "electrons", 'spin = "collinear"'))
    assert problem.what == "needs the number of unpaired electrons"


@pytest.mark.parametrize(
    ("form", "old", "new"),
    [
        ("castep-cell", "3.000000\nH", "3.000000 MIXTURE:( 1 0.75)\nH"),
        ("castep-cell", "3.000000\nH", "3.000000 Mixture= (1 0.75)\nH"),
        ("res", " 1.0\nH", " 0.75\nH"),
        ("res", " 1.0\nH", " 10.75000 0.05\nH"),
    ],
)
def test_a_site_that_is_there_in_part_is_refused(
    folder: Path, water: Atoms, problems: Problems, form: str, old: str, new: str
) -> None:
    path = write_water(folder, water, form)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    (problem,) = problems(input_of(path))
    assert "occupied in part" in problem.what
    assert "0.75" in problem.what


@pytest.mark.parametrize(
    ("form", "text", "found"),
    [
        ("gaussian-out", " Charge =  1 Multiplicity = 2\n", ["charge", "spin"]),
        ("gaussian-out", " Charge =  0 Multiplicity = 1\n", []),
        ("orca-output", " Total Charge           Charge          ....   -1\n", ["charge"]),
        ("orca-output", " Multiplicity           Mult            ....    3\n", ["spin"]),
        ("orca-output", " Multiplicity           Mult            ....    1\n", []),
        ("nwchem-out", "          Charge           :     1\n", ["charge"]),
        ("nwchem-out", "          Spin multiplicity:     2\n", ["spin"]),
        ("aims-output", "  spin collinear\n  charge 1.\n  k_grid 1 1 1\n", ["charge", "spin"]),
        ("castep-castep", " net charge of system      :  1.000\n", ["charge"]),
        ("castep-castep", " net charge of system      :  0.000\n", []),
        ("castep-castep", " treating system as non-spin-polarized\n", []),
        ("castep-castep", " treating system as spin-polarized\n", ["spin"]),
        ("espresso-out", "     number of k points=    10  gaussian smearing\n", ["points"]),
        ("espresso-out", "     number of k points=     1\n", []),
        ("vasp-out", "   k-points           NKPTS =      4   k-points in BZ\n", ["points"]),
        ("vasp-out", "   ISPIN  =      2    spin polarized calculation?\n", ["spin"]),
        ("vasp-out", "   ISPIN  =      1    spin polarized calculation?\n", []),
        ("vasp-xml", '<i type="int" name="ISPIN">     2</i>\n', ["spin"]),
        ("gamess-us-out", " CHARGE OF MOLECULE                   =    1\n", ["charge"]),
        ("cp2k-restart", "     CHARGE 1\n     MULTIPLICITY 2\n", ["charge", "spin"]),
        ("octopus-in", "ExcessCharge = -1\nSpinComponents = polarized\n", ["charge", "spin"]),
        ("elk-in", "spinpol\n .true.\n\nngridk\n 4 4 4\n", ["spin", "points"]),
        ("exciting", '<groundstate ngridk="2 2 2"><spin fixspin="none"/>', ["spin", "points"]),
        ("dftb", "  Charge = 1.0\n  SpinPolarisation = Colinear {\n", ["charge", "spin"]),
        ("cjson", '{"totalCharge": 1, "totalSpinMultiplicity": 1}', ["charge"]),
        ("gamess-us-in", "  SCFTYP=UHF ICHARG=1 MULT=2\n", ["charge", "spin"]),
    ],
)
def test_words_that_ase_does_not_write(form: str, text: str, found: list[str]) -> None:
    assert [why for why, _ in words_of(form, text)] == found


def test_every_format_is_one_of_ase(folder: Path) -> None:
    from ase.io.formats import ioformats

    assert set(FORMATS) <= set(ioformats)
    assert {why for rows in FORMATS.values() for why, _ in rows} <= set(REASONS)


def test_constraints_and_charges_of_aims_are_named(
    folder: Path, water: Atoms, prepared: Prepares
) -> None:
    path = write_water(folder, water, "aims")
    rows = path.read_text().rstrip().splitlines()
    rows += ["    constrain_relaxation .true.", "    initial_charge 0.5", "    initial_moment 1.0"]
    path.write_text("\n".join(rows) + "\n")
    told = " ".join(prepared(input_of(path)).given.notes)
    assert "constraint FixAtoms" in told
    assert "charges of the file are not used" in told
    assert 'to use them: spin = "collinear"' in told
