# SPDX-License-Identifier: BSD-3-Clause
"""Complexes with a ligand whose topology is stored: files, energies by OpenMM, what is refused."""

import sys
from pathlib import Path

import pytest
from ligand_files import (
    BENZAMIDINE,
    complex_lines,
    complex_with,
    residue,
    sdf,
    shaped,
    without_ambertools,
)
from openmm_reference import assert_agreement
from prepared_energies import energies_beside_openmm
from raw_structures import dipeptide, read_back, write

import finegrain as fg
from finegrain.classical.building.ligands import ambertools
from finegrain.classical.building.ligands.chemistry import graph_of


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch):
    return without_ambertools(monkeypatch)


@pytest.fixture
def problems(here, stored):
    """Return the problems of a preparation; each has a remedy, and no file is written."""

    def of(source, **wishes):
        before = sorted(path.name for path in here.iterdir())
        with pytest.raises(fg.InputError) as caught:
            fg.prepare(source, **wishes)
        assert sorted(path.name for path in here.iterdir()) == before
        assert all(one.hint for one in caught.value.problems)
        assert stored.ligands == []  # what is slow comes last
        return caught.value.problems

    return of


def test_a_complex_has_the_energy_of_openmm(here, stored):
    source = complex_with(here / "both.pdb", shaped(BENZAMIDINE), copies=2)
    told: list[str] = []
    made = fg.prepare(
        source, ligand=f"LIG=smiles:{BENZAMIDINE}", padding="9 Å", on_progress=told.append
    )
    assert made.ligands == [Path("both-LIG.xml")]
    assert made.text().startswith("wrote both.toml, both-system.pdb and both-LIG.xml\n")
    assert told[0].startswith("LIG: AM1-BCC charges of 18 atoms")
    assert len(stored.ligands) == 1  # two residues of one ligand
    done = dict(made.done)
    assert done["ligand"].startswith("2 LIG: C7H9N2+ of SMILES")
    assert done["ligand"].endswith("with its 9 hydrogens, charge +1 e")
    assert done["ligand parameters"].startswith("LIG: GAFF2 with AM1-BCC charges")
    assert any("protonation of LIG is that of" in note for note in made.notes)
    # The piece of villin has a charge of +1 e (LYS, LYS, GLU and ends), each ligand +1 e.
    alone = [line for line in source.read_text().splitlines() if "LIG" not in line]
    plain = fg.prepare(write(here / "alone.pdb", alone), padding="10 Å")
    assert made.charge == plain.charge + 2

    topology = read_back(made.system).topology
    ligands = [residue for residue in topology.residues() if residue.name == "LIG"]
    assert [(one.id, len(one)) for one in ligands] == [("401", 18), ("402", 18)]
    assert [atom.element.symbol for atom in ligands[0].atoms()][:9] == list("NCNCCCCCC")
    # "release" holds the atoms of ligands that are no hydrogens, by number.
    first = next(ligands[0].atoms()).index + 1
    second = next(ligands[1].atoms()).index + 1
    text = made.input.read_text()
    assert f'atoms = ["CA", "{first}-{first + 8}", "{second}-{second + 8}"]' in text

    report = fg.check(made.input).text()
    assert "note:" not in report

    assert_agreement(*energies_beside_openmm(made.input))


def test_a_ligand_alone_gets_a_box_that_is_large_enough(here, stored):
    source = sdf(here / "ben.sdf", shaped(BENZAMIDINE))
    made = fg.prepare(source)
    assert (made.input, made.system) == (Path("ben.toml"), Path("ben-system.pdb"))
    assert made.ligands == [Path("ben-LIG.xml")]
    assert made.charge == 1
    assert made.ions["Cl"] == made.ions.get("Na", 0) + 1
    # Faces of a dodecahedron are 0.707 of its width apart; pair lists reach 10 Å.
    assert made.width_nm * 0.5**0.5 * 0.97 >= 2.0
    assert 'atoms = "solute heavy atoms"' in made.input.read_text().partition("release")[2]
    assert "note:" not in fg.check(made.input).text()


def test_a_file_that_is_there_is_refused_before_anything_slow(here, problems):
    source = complex_with(here / "both.pdb", shaped(BENZAMIDINE))
    (here / "both-LIG.xml").write_text("mine")
    (found,) = problems(source, ligand=f"LIG=smiles:{BENZAMIDINE}")
    assert found.what.endswith("is there already") or "already" in found.what


def test_words_that_name_no_ligand(here, problems):
    source = complex_with(here / "both.pdb", shaped(BENZAMIDINE))
    found = problems(
        source,
        ligand=[
            "LIG=ben.sdf",
            f"LIG=smiles:{BENZAMIDINE}",
            "nothing",
            "ALA=smiles:CCO",
            "LIX=smiles:CCN",
            "ADE=smiles:Nc1ncnc2[nH]cnc12",
            "X=smiles:",
        ],
        ligand_charge=["LIH=1", "LIG=much", "LIG=1", "LIG=2"],
        leave_out="LIG",
    )
    told = [(one.where, one.value or "", one.what) for one in found]
    wanted = [
        ("--ligand", f"LIG=smiles:{BENZAMIDINE}", "second molecule"),
        ("--ligand", "nothing", "names no residue"),
        ("--ligand", "X=smiles:", "names no molecule"),
        ("--ligand-charge", "LIH=1", "is no --ligand"),
        ("--ligand-charge", "LIG=much", "whole charge"),
        ("--ligand-charge", "LIG=2", "second charge of LIG"),
        ("ben.sdf", "", "no such file"),
        ("--ligand", "LIG", "is left out, too"),
        ("--ligand", "ALA", "has parameters in the force field"),
        ("--ligand", "LIX", "no residue has this name"),
        ("--ligand", "ADE", "is another name of A for OpenMM"),
    ]
    for where, value, what in wanted:
        assert any(
            one == where and other == value and what in words for one, other, words in told
        ), (where, value, what, told)
    assert len(told) == len(wanted)
    assert "did you mean LI" in found[3].hint


@pytest.mark.parametrize(
    ("word", "charges", "what", "hint"),
    [
        ("smiles:CC(", (), "is not a SMILES", "in quotes"),
        ("smiles:CN(C)(C)(C)C", (), "impossible bonds", "formal charge"),
        ("smiles:CC(=O)[O-].[Na+]", (), "is in 2 parts", "counter-ion"),
        ("smiles:CC[B](O)O", (), "elements that GAFF does not know", ".prmtop"),
        ("smiles:O=O", (), "holds no carbon", "give them no --ligand"),
        ("smiles:C[CH]C", (), "unpaired electrons", "hydrogens"),
        ("smiles:CCO", ("LIG=1",), "is not the charge", "formal charges"),
        ("smiles:CCO", ("LIG=2",), "is not the charge", "formal charges"),
        ("ligand.pdb", (), "is not a kind of file", "smiles:"),
        ("many.sdf", (), "holds 2 molecules", "of its own"),
        ("empty.sdf", (), "holds no molecule", "export it again"),
        ("broken.sdf", (), "is not a whole SDF", "export it again"),
        ("broken.mol2", (), "is not a whole MOL2", "export it again"),
        ("some.sdf", (), "has hydrogens, but not all", "--ligand-charge LIG=-1"),
        ("some.sdf", ("LIG=1",), "has hydrogens, but not all", "fit a charge of -1"),
        ("ligan.sdf", (), "no such file", "did you mean ligand.sdf?"),
    ],
)
def test_sources_of_ligands_that_are_refused(here, problems, word, charges, what, hint):
    good = sdf(here / "ligand.sdf", shaped(BENZAMIDINE)).read_text()
    (here / "ligand.pdb").write_text("ATOM\n")
    (here / "many.sdf").write_text(f"{good}$$$$\n{good}$$$$\n")
    (here / "empty.sdf").write_text("\n")
    (here / "broken.sdf").write_text("\n".join(good.splitlines()[:9]) + "\n")
    (here / "broken.mol2").write_text("@<TRIPOS>MOLECULE\nx\n 3 2\n")
    acid = shaped("CC(=O)O")
    from rdkit import Chem

    without = Chem.RWMol(acid)
    without.RemoveAtom(7)  # the acid's hydrogen, behind the oxygen in the file
    sdf(here / "some.sdf", without)
    source = complex_with(here / "both.pdb", shaped(BENZAMIDINE))
    found = problems(source, ligand=f"LIG={word}", ligand_charge=charges)
    assert what in found[0].what
    assert hint in found[0].hint


def test_residues_that_are_not_the_ligand(here, problems):
    whole = residue(shaped(BENZAMIDINE))
    lines = complex_lines(whole)
    torn = [line for line in lines if " C9 " not in line[:17]]
    (found,) = problems(write(here / "a.pdb", torn), ligand=f"LIG=smiles:{BENZAMIDINE}")
    assert found.value == "LIG A 401"
    assert found.limit.startswith("the residue has C6 N2, the ligand C7 N2")
    assert found.hint.startswith("complete the residue")
    (other,) = problems(write(here / "b.pdb", lines), ligand="LIG=smiles:c1ccccc1")
    assert other.hint.startswith("take the file of the whole ligand")
    (isomer,) = problems(write(here / "c.pdb", lines), ligand="LIG=smiles:NCc1cccc(N)c1")
    assert "both have C7 N2" in isomer.limit or "C7 N2" in isomer.limit
    (strange,) = problems(write(here / "d.pdb", lines))
    assert "--ligand LIG=FILE.sdf" in strange.hint


@pytest.mark.parametrize(
    "other",
    [
        "NC(=[NH2+])c1ccccc1",
        "[NH2+]=C(N)C1=CC=CC=C1",  # another resonance structure
    ],
)
def test_one_ligand_with_two_names(here, problems, other):
    lines = complex_lines(residue(shaped(BENZAMIDINE)), copies=2)
    lines = [line.replace("LIG A 402", "LIH A 402") for line in lines]
    assert any("LIH" in line for line in lines)
    source = write(here / "both.pdb", lines)
    (one,) = problems(source, ligand=[f"LIG=smiles:{BENZAMIDINE}", f"LIH=smiles:{other}"])
    assert (one.where, one.value) == ("--ligand", "LIH")
    assert one.what == "has the same atoms and bonds as LIG"
    assert one.hint.startswith("give them one name in the file")


def test_graphs_of_ligands():
    def graph(smiles):
        return graph_of(shaped(smiles))

    assert graph("C[C@H](F)Cl") == graph("Cl[C@H](F)C")  # mirror images
    assert graph("CC(=O)[O-]") != graph("CC(=O)O")  # another hydrogen
    assert graph("CCO") != graph("COC")
    assert graph("CCF") != graph("CCCl")


def test_a_ligand_in_a_bond_with_the_protein(here, problems):
    found = residue(shaped(BENZAMIDINE))
    lines = complex_lines(found)
    x, y, z = (float(lines[0][at : at + 8]) for at in (30, 38, 46))
    at = next(i for i, line in enumerate(lines) if "LIG" in line)
    lines[at] = f"{lines[at][:30]}{x:8.3f}{y:8.3f}{z + 1.6:8.3f}{lines[at][54:]}"
    got = problems(write(here / "both.pdb", lines), ligand=f"LIG=smiles:{BENZAMIDINE}")
    assert got[0].what == "is bound to another residue, or lies in it"
    assert got[0].limit == "1.60 Å apart"
    assert "covalent" in got[0].hint


def test_charmm_gets_no_gaff(here, problems):
    source = complex_with(here / "both.pdb", shaped(BENZAMIDINE))
    (found,) = problems(source, forcefield="charmm36", ligand=f"LIG=smiles:{BENZAMIDINE}")
    assert "--forcefield amber14" in found.hint
    (alone,) = problems(sdf(here / "b.sdf", shaped(BENZAMIDINE)), forcefield="charmm36")
    assert alone.what == found.what


def test_options_without_use_for_a_ligand_alone(here, problems):
    source = sdf(here / "b.sdf", shaped(BENZAMIDINE))
    found = problems(source, ligand=["LIG=b.sdf"], state=["A:1=HIE"], ligand_charge=["LIG=2"])
    assert [one.where for one in found] == ["--ligand", "--state", "--ligand-charge"]


def test_what_is_missing_is_named(here, refused, monkeypatch):
    source = complex_with(here / "both.pdb", shaped(BENZAMIDINE))
    words = ("prepare", source, "--ligand", f"LIG=smiles:{BENZAMIDINE}")
    monkeypatch.setattr(ambertools, "_program", lambda name: None)
    text = refused(*words, status=2)
    assert "antechamber, sqm, parmchk2, tleap of AmberTools not found" in text
    assert "pip install 'finegrain[ligands]'" in text
    monkeypatch.setattr(ambertools, "_program", lambda name: Path(name))
    monkeypatch.setitem(sys.modules, "rdkit.Chem", None)
    assert "rdkit is not installed" in refused(*words, status=2)


def test_structures_without_ligands_need_no_rdkit(here, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdkit", None)
    monkeypatch.setitem(sys.modules, "rdkit.Chem", None)
    assert fg.prepare(dipeptide(here / "ala.pdb"), padding="10 Å").ligands == []
