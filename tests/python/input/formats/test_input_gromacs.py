# SPDX-License-Identifier: BSD-3-Clause
"""GROMACS topologies: energies agree with GROMACS, and nothing is ignored silently."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
from input_systems import problems_of, replace_in, write_gromacs_input, write_input
from measure_gromacs_pairs import cases, stored, topology, write

import finegrain as fg
from finegrain.classical.preparation.prepare import Prepared, prepare

truth = json.loads(stored.read_text())
wanted = truth["potential"]
not_excluded = {"nrexcl 1, pairs", "nrexcl 2, pairs"}


def test_the_stored_energies_are_of_all_cases_and_of_gromacs() -> None:
    assert set(wanted) == set(cases())
    assert truth["program"].startswith("GROMACS version")
    assert len(set(wanted.values())) > 15


@pytest.mark.parametrize("name", sorted(set(cases()) - not_excluded))
def test_energies_are_those_of_gromacs(tmp_path: Path, name: str) -> None:
    found = fg.energy(write_gromacs_input(tmp_path, cases()[name])).energies["total"]
    # GROMACS's constant of Coulomb's law differs from CODATA's in its eighth digit.
    assert found == pytest.approx(wanted[name], rel=1e-7, abs=1e-4)


@pytest.mark.parametrize("name", sorted(not_excluded))
def test_pairs_that_also_interact_in_full_are_refused(tmp_path: Path, name: str) -> None:
    text = cases()[name]
    found = problems_of(write_gromacs_input(tmp_path, text))
    lines = text.splitlines()
    assert len(found) == 5
    assert found[0].where == f"x.top:{lines.index('[ pairs ]') + 2}"
    assert "nrexcl" in found[0].limit


plain = topology()
in_molecule = "[ bonds ]"


def line_of(text: str, what: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), start=1) if line.startswith(what))


@pytest.mark.parametrize(
    ("section", "said", "hint"),
    [
        ("angels", "is not a section of GROMACS", "did you mean angles?"),
        ("dihedral_restraints", "is not supported", "restraint"),
        ("pairs_nb", "is not supported", "free-energy"),
        ("intermolecular_interactions", "is not supported", "join"),
        ("atomtypes", "is misplaced", "before the first [ moleculetype ]"),
        ("defaults", "is misplaced", "before the first [ moleculetype ]"),
    ],
)
def test_an_unsupported_section_is_told(tmp_path: Path, section: str, said: str, hint: str) -> None:
    text = plain.replace(in_molecule, f"[ {section} ]\n1 2 3 1 100 500\n{in_molecule}")
    found = problems_of(write_gromacs_input(tmp_path, text))[0]
    assert found.where == f"x.top:{line_of(plain, in_molecule)}"
    assert found.what == said
    assert hint in found.hint


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1 2 1\n", "1 2 6 0.1 100\n", "is not supported"),
        ("1 2 1\n", "1 2 1 0.2\n", "holds 1 parameters"),
        ("1 2 1\n", "1 2 1 0.2 1_0\n", "is not a plain number"),
        ("1 2 1\n", "1 2 1 0.2 \u2212100\n", "is not a plain number"),
        ("1 2 1\n", "1 2 1 0.2 1e999\n", "is not a plain number"),
        ("1 2 1\n", "0 2 1\n", "names no atom"),
        ("1 2 1\n", "1 8 1\n", "names no atom"),
        ("1 2 1\n", "2 2 1\n", "names an atom twice"),
        ("1 2 1\n", "1\n", "holds 1 of 3 columns"),
        ("1 4 1\n", "1 4 2\n", "is not supported"),
        ("1 4 1\n", "1 4 1\n4 1 1\n", "is given twice"),
        ("2 B 1 MOL", "9 B 1 MOL", "is out of order"),
        ("2 B 1 MOL", "2 C 1 MOL", "is no atom type"),
        ("2 B 1 MOL", "2 B MOL", "is not a whole number"),
        ("-0.4", "nan", "is not a plain number"),
        ("MOL 3", "MOL 3.5", "is no molecule type: a name, and nrexcl"),
        ("MOL 3\n", "MOL 3 4\n", "is no molecule type: a name, and nrexcl"),
        ("[ bonds ]", "[ bonds", "is not a section of GROMACS"),
        ("1 2 yes", "1 4 yes", "is no rule"),
        ("1 2 yes", "2 2 yes", "is not supported: Buckingham"),
        ("1 2 yes", "1 2 maybe", "is neither yes nor no"),
        ("1 2 yes", "1 2 no", "has no parameters, in [ pairtypes ] or here"),
        ("0.8333", "0.8333 10", "is not supported"),
        ("0.8333\n", "0.8333\n1 2 yes 0.5 0.8333\n", "is given twice"),
        ("[ bonds ]", "#end\n[ bonds ]", "is not a directive of GROMACS"),
        ("[ bonds ]", "#if X\n[ bonds ]", "is not a directive of GROMACS"),
        ("[ bonds ]", "#ifdef X\n[ bonds ]", "is never closed"),
        ("[ bonds ]", "#endif\n[ bonds ]", "has no #ifdef"),
        ("[ bonds ]", '#include "x.top"\n[ bonds ]', "includes too many files"),
        ("MOL 1\n", "MIL 1\n", "is no molecule type"),
        ("MOL 1\n", "MOL -1\n", "is out of range"),
        ("MOL 1\n", "MOL 99999999999\n", "is out of range"),
        ("MOL 1\n", "MOL 1 2\n", "is no count: the name of a molecule, and how many"),
        ("[ system ]", "[ moleculetype ]\nMOL 3\n[ system ]", "is given twice"),
        ("A A 6 12.0 0.0 A 0.33 0.4", "A A 6 12.0 0.0 A 0.33", "is no atom type: name"),
        ("0.33 0.4", "-0.33 0.4", "must not be negative"),
        ("A A 6 12.0 0.0 A", "A A 6 12.0 0.0 S", "is not supported"),
        ("[ bonds ]", "[ dihedrals ]\n1 2 3 4 9 0 1 2.5\n[ bonds ]", "is not a whole number"),
        ("[ bonds ]", "[ settles ]\n6 1 0.1 0.1\n[ bonds ]", "names no atom"),
        ("[ bonds ]", "[ exclusions ]\n1 99\n[ bonds ]", "names no atom"),
    ],
)
def test_an_unsupported_line_is_reported(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in plain
    found = problems_of(write_gromacs_input(tmp_path, plain.replace(old, new, 1)))[0]
    assert found.what.startswith(said)
    assert found.where.startswith("x.top:")
    assert found.hint or found.limit


def test_a_topology_without_defaults_is_reported(tmp_path: Path) -> None:
    found = problems_of(write_gromacs_input(tmp_path, plain[plain.index("[ moleculetype ]") :]))[0]
    assert found.what in ("has no [ defaults ]", "is no atom type")
    (found,) = problems_of(write_gromacs_input(tmp_path, "[ system ]\nnothing\n"))
    assert found.what == "has no [ defaults ]"


def test_a_bond_without_parameters_is_reported_with_its_line(tmp_path: Path) -> None:
    text = plain.replace("A B 1 0.15 200000\n", "")
    (found,) = problems_of(write_gromacs_input(tmp_path, text))
    assert found.where == f"x.top:{line_of(text, '1 2 1')}"
    assert found.what == "has no parameters, here or in the force field"


def test_restraints_that_are_not_switched_on_are_fine(tmp_path: Path) -> None:
    restraints = "#ifdef POSRES\n[ position_restraints ]\n1 1 1000 1000 1000\n#endif\n"
    text = plain.replace("[ system ]", restraints + "[ system ]")
    toml = write_gromacs_input(tmp_path, text)
    assert fg.energy(toml).energies["total"] == pytest.approx(wanted["nrexcl 3, pairs"])
    assert not len(prepare(toml).system.restraints)
    switched_on = write_gromacs_input(tmp_path, "#define POSRES\n" + text)
    assert len(prepare(switched_on).system.restraints) == 1


def test_what_is_wrong_with_a_molecule_that_is_not_used_has_no_weight(tmp_path: Path) -> None:
    idle = "[ moleculetype ]\nOTHER 3\n[ atoms ]\n1 A 1 OTH C 1 0 12\n[ angels ]\n1 2 3\n"
    text = plain.replace("[ system ]", idle + "[ system ]")
    prepare(write_gromacs_input(tmp_path, text))
    (found,) = problems_of(write_gromacs_input(tmp_path, text + "OTHER 1\n"))
    assert found.what == "is not a section of GROMACS"


def test_comments_continued_lines_and_macros_are_as_in_gromacs(tmp_path: Path) -> None:
    text = (
        "* a comment\n; another \\\n with its end\n#define FUDGE 0.5 0.8333 ; a comment\n"
        "#define HALF 0.15\n#define STIFF 200000\n# ifdef NOWHERE\n[ nothing ]\n# else\n"
        + plain.replace("0.5 0.8333", "FUDGE").replace("A B 1 0.15 200000", "A B \\\n1 HALF STIFF")
        + "#endif\n"
    )
    text = text.replace("[ bonds ]", "[ Bonds ]").replace("[ atomtypes ]", "[ atom_types ]")
    found = fg.energy(write_gromacs_input(tmp_path, text)).energies["total"]
    assert found == pytest.approx(wanted["nrexcl 3, pairs"], rel=1e-7)


def test_a_file_is_looked_for_beside_the_one_that_includes_it_first(tmp_path: Path) -> None:
    head, rest = plain.split("[ atomtypes ]")
    kinds, rest = rest.split("[ bondtypes ]")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.itp").write_text('#include "types.itp"\n')
    (tmp_path / "sub" / "types.itp").write_text("[ atomtypes ]" + kinds)
    (tmp_path / "types.itp").write_text("[ atomtypes ]" + kinds.replace("0.7", "0.1"))
    text = head + '#include "sub/a.itp"\n[ bondtypes ]' + rest
    found = fg.energy(write_gromacs_input(tmp_path, text)).energies["total"]
    assert found == pytest.approx(wanted["nrexcl 3, pairs"], rel=1e-7)
    (tmp_path / "sub" / "types.itp").write_text("\n[ atomtype ]" + kinds)
    found_problem = problems_of(tmp_path / "in.toml")[0]
    assert found_problem.where == "types.itp:2"


def test_a_mass_or_charge_of_one_digit_does_not_shift_the_columns(tmp_path: Path) -> None:
    text = plain.replace("A A 6 12.0 0.0 A", "A A 6 1 0 A").replace("B B 6 12.0 0.0 A", "B 6 1 0 A")
    prepared = prepare(write_gromacs_input(tmp_path, text))
    assert prepared.system.names.element == ["C"] * 7
    found = fg.energy(tmp_path / "in.toml").energies["total"]
    assert found == pytest.approx(wanted["nrexcl 3, pairs"], rel=1e-7)


def waters(folder: Path, more: str = "") -> Prepared:
    text = (
        "[ defaults ]\n1 2 yes 0.5 0.8333\n"
        "[ atomtypes ]\nOW 8 15.9994 -0.834 A 0.3150752 0.635968\nHW 1 1.008 0.417 A 0 0\n"
        "[ moleculetype ]\nWAT 2\n[ atoms ]\n"
        "1 OW 1 H2O OW 1 -0.834\n2 HW 1 H2O HW1 1 0.417\n3 HW 1 H2O HW2 1 0.417\n"
        "#ifndef FLEXIBLE\n[ settles ]\n1 1 0.09572 0.15139\n[ exclusions ]\n1 2 3\n2 1 3\n3 1 2\n"
        "#else\n[ bonds ]\n1 2 1 0.09572 502416\n1 3 1 0.09572 502416\n"
        "[ angles ]\n2 1 3 1 104.52 628.02\n#endif\n[ system ]\nx\n[ molecules ]\nWAT 1\n"
    )
    write(folder, text)
    (folder / "x.gro").write_text(
        "one\n    3\n    1H2O     OW    1   1.000   1.000   1.000\n"
        "    1H2O    HW1    2   1.076   1.059   1.000\n"
        "    1H2O    HW2    3   0.924   1.059   1.000\n   3 3 3\n"
    )
    return prepare(write_input(folder, "x.top", "x.gro", more))


def test_waters_of_any_name_are_rigid_as_in_gromacs_and_flexible_if_asked(tmp_path: Path) -> None:
    rigid = waters(tmp_path).system
    assert len(rigid.constraint_atoms) == 3
    assert len(rigid.terms["bonds"].atoms) == 0
    free = waters(tmp_path, '[forces]\nrigid_water = false\nconstraints = "none"\n').system
    assert len(free.constraint_atoms) == 0
    assert len(free.terms["bonds"].atoms) == 2
    assert len(free.terms["angles"].atoms) == 1
    assert len(free.terms["exceptions"].atoms) == len(rigid.terms["exceptions"].atoms) == 3


def test_a_rigid_water_without_exclusions_has_pairs_as_in_gromacs(tmp_path: Path) -> None:
    assert waters(tmp_path).given.notes == []
    replace_in(tmp_path / "x.top", "[ exclusions ]\n1 2 3\n2 1 3\n3 1 2\n", "")
    prepared = prepare(tmp_path / "in.toml")
    # grompp and gmx_d 2022.5 count all three pairs.
    assert len(prepared.system.terms["exceptions"].atoms) == 0
    (note,) = prepared.given.notes
    assert "the atoms of a rigid water in WAT interact with each other" in note


def test_an_absurd_number_of_molecules_is_reported_at_once(tmp_path: Path) -> None:
    start = time.monotonic()
    text = plain.replace("MOL 1\n", "MOL 100000000\n")
    (found,) = problems_of(write_gromacs_input(tmp_path, text))
    assert found.what == "7 atoms, but the topology has 700,000,000"
    assert time.monotonic() - start < 30


def test_an_amber_topology_called_top_is_recognised(tmp_path: Path) -> None:
    text = "%VERSION  VERSION_STAMP = V0001.000\n%FLAG TITLE\n%FORMAT(20a4)\nx\n"
    (found,) = problems_of(write_gromacs_input(tmp_path, text))
    assert found.what == "is not what its name says"
    assert found.limit == "x.top holds an AMBER topology"
    assert "x.prmtop" in found.hint


def test_the_order_of_exceptions_does_not_depend_on_the_order_of_pairs(tmp_path: Path) -> None:
    rows = [line for line in plain.splitlines() if line in ("1 4 1", "1 7 1")]
    swapped = plain.replace(rows[0], "X").replace(rows[1], rows[0]).replace("X", rows[1])
    one = prepare(write_gromacs_input(tmp_path, plain)).system.terms["exceptions"]
    other = prepare(write_gromacs_input(tmp_path, swapped)).system.terms["exceptions"]
    assert np.array_equal(one.atoms, other.atoms)
    for name in one.columns:
        assert np.array_equal(one[name], other[name])


def test_atoms_in_another_order_than_the_topology_has_are_noted(tmp_path: Path) -> None:
    toml = write_gromacs_input(tmp_path, plain)
    assert not prepare(toml).given.notes
    lines = (tmp_path / "x.gro").read_text().splitlines()
    lines[3], lines[4] = lines[4], lines[3]
    (tmp_path / "x.gro").write_text("\n".join(lines) + "\n")
    # The exchanged atoms are far from where their bonds want them, which is another note.
    note = next(n for n in prepare(toml).given.notes if "another name" in n)
    assert note.startswith("2 of 7 atoms have another name in the coordinates")
    assert "first atom 2, C3 and C2" in note
