# SPDX-License-Identifier: BSD-3-Clause
"""Ligands by themselves: what files say, matches with residues, energies of their parameters."""

from itertools import pairwise

import numpy as np
import openmm
import pytest
from ligand_files import BENZAMIDINE, PRMTOP, ligand, residue, sdf, shaped
from openmm import app
from rdkit import Chem

from finegrain.classical.building.ligands.parameters import force_field_xml
from finegrain.classical.building.ligands.placing import own_places, placed_ligand

ACID = "CC(C)[C@H](N)C(=O)Nc1ccc(C(=O)O)cc1"


def placed(one, found):
    problems = []
    made = placed_ligand(one, found, problems)
    assert made is not None, problems
    return made


def test_charges_are_those_of_the_source(tmp_path):
    """Formal charges of amidinium, nitro, phosphate and acetate: +1, 0, -2 and -1 e."""
    for smiles, charge in (
        (BENZAMIDINE, 1),
        ("c1ccccc1[N+](=O)[O-]", 0),
        ("COP(=O)([O-])[O-]", -2),
        ("CC(=O)[O-]", -1),
    ):
        assert ligand(f"LIG=smiles:{smiles}").charge == charge
        path = sdf(tmp_path / "x.sdf", shaped(smiles))
        assert ligand(f"LIG={path}").charge == charge


MOL2 = """\
@<TRIPOS>MOLECULE
acetate
7 6 1
SMALL
{kind}
@<TRIPOS>ATOM
1 CT 0.000 0.000 0.000 C.3 1 LIG {charge}
2 CC 1.520 0.000 0.000 C.2 1 LIG {charge}
3 OA 2.150 1.090 0.000 O.co2 1 LIG {charge}
4 OB 2.150 -1.090 0.000 O.co2 1 LIG {charge}
5 HA -0.360 1.020 0.000 H 1 LIG {charge}
6 HB -0.360 -0.510 0.890 H 1 LIG {charge}
7 HC -0.360 -0.510 -0.890 H 1 LIG {charge}
@<TRIPOS>BOND
1 1 2 1
2 2 3 ar
3 2 4 ar
4 1 5 1
5 1 6 1
6 1 7 1
"""


def test_a_mol2_says_its_charge_by_types_and_by_partial_charges(tmp_path):
    path = tmp_path / "acetate.mol2"
    path.write_text(MOL2.format(kind="NO_CHARGES", charge="0.0"))
    assert ligand(f"LIG={path}").charge == -1
    path.write_text(MOL2.format(kind="USER_CHARGES", charge=f"{-1 / 7:.5f}"))
    assert ligand(f"LIG={path}").charge == -1
    assert own_places(ligand(f"LIG={path}")).names == ["CT", "CC", "OA", "OB", "H1", "H2", "H3"]


def test_a_carboxylate_without_formal_charge_takes_the_charge_that_is_given(tmp_path):
    molecule = Chem.RWMol(shaped("CC(=O)[O-]"))
    for one in molecule.GetAtoms():
        one.SetFormalCharge(0)
        one.SetNoImplicit(False)
    path = sdf(tmp_path / "x.sdf", molecule)
    made = ligand(f"LIG={path}", "LIG=-1")
    assert made.charge == -1
    assert made.formula == "C2H3O2-"


def test_hydrogens_are_added_to_a_file_without_them(tmp_path):
    path = sdf(tmp_path / "x.sdf", shaped("CC(=O)NC", hydrogens=False))
    made = ligand(f"LIG={path}")
    assert made.formula == "C3H7NO"
    assert "7 are added to LIG by valence" in made.notes[0]


@pytest.mark.parametrize("seed", range(3))
def test_atoms_of_a_residue_are_matched_in_any_order(tmp_path, seed):
    """The acid's C=O is its short bond; hydrogens are 0.9 to 1.15 Å from the atoms they are at."""
    molecule = shaped(ACID)
    made = ligand(f"LIG={sdf(tmp_path / 'x.sdf', molecule)}")
    heavy = Chem.RemoveHs(molecule)
    order = np.random.default_rng(seed).permutation(heavy.GetNumAtoms())
    found = residue(molecule, order)
    result = placed(made, found)
    assert result.notes == ()
    # RemoveHs keeps the order of the file; equivalent atoms, such as two methyls, may be exchanged.
    ranks = np.array(Chem.CanonicalRankAtoms(heavy, breakTies=False))
    wanted = heavy.GetConformer().GetPositions()
    for rank in set(ranks.tolist()):
        same = ranks == rank
        ours, theirs = result.places[: made.heavy][same], wanted[same]
        assert np.allclose(np.sort(ours, axis=0), np.sort(theirs, axis=0), atol=1e-6)
    names = [found.names[list(order).index(at)] for at in range(len(order))]
    assert sorted(result.names[: made.heavy]) == sorted(names)
    for bond in made.molecule.GetBonds():
        ends = [bond.GetBeginAtom(), bond.GetEndAtom()]
        gap = np.linalg.norm(np.subtract(*result.places[[end.GetIdx() for end in ends]]))
        if any(end.GetSymbol() == "H" for end in ends):
            assert 0.9 < gap < 1.15
    hydrogens = result.names[made.heavy :]
    assert len(set(hydrogens)) == len(hydrogens) == 16


def test_another_chirality_is_noted_and_that_of_the_structure_kept():
    made = ligand(f"LIG=smiles:{ACID}")
    mirror = residue(shaped(ACID.replace("@", "@@")))
    result = placed(made, mirror)
    assert "another chirality" in result.notes[0]
    assert np.allclose(sorted(result.places[: made.heavy, 0]), sorted(mirror.places[:, 0]))
    # Without a chirality in the SMILES there is nothing to differ from.
    assert placed(ligand(f"LIG=smiles:{ACID.replace('[C@H]', 'C')}"), mirror).notes == ()


def test_bonds_of_the_file_count_where_distances_do_not():
    """The bridgeheads of bicyclopentane are 1.87 Å apart (electron diffraction), not bonded."""
    molecule = shaped("C1C2CC1C2")
    found = residue(molecule)
    bonds = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in
             Chem.RemoveHs(molecule).GetBonds()]  # fmt: skip
    made = ligand("LIG=smiles:C1C2CC1C2")
    problems = []
    assert placed_ligand(made, found, problems) is None
    assert "bonds" in problems[0].limit
    of_file = type(found)(**{**vars(found), "bonds": bonds})
    assert placed(made, of_file).names[:5] == found.names


def energies(system: openmm.System, places: np.ndarray) -> dict[str, float]:
    for group, force in enumerate(system.getForces()):
        force.setForceGroup(group)
    platform = openmm.Platform.getPlatformByName("Reference")
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
    context.setPositions(places / 10)
    return {
        force.getName(): context.getState(getEnergy=True, groups={group})
        .getPotentialEnergy()
        .value_in_unit(openmm.unit.kilojoule_per_mole)
        for group, force in enumerate(system.getForces())
    }


def test_parameters_have_the_energies_of_the_topology_term_by_term(tmp_path):
    """OpenMM reads the topology of tleap and our file; one of its impropers is in reverse order."""
    made = ligand(f"LIG=smiles:{BENZAMIDINE}")
    own = own_places(made)
    symbols = [one.GetSymbol() for one in made.molecule.GetAtoms()]
    text = PRMTOP.read_text()
    (tmp_path / "lig.xml").write_text(
        force_field_xml("a -- title --", "LIG", symbols, own.names, text)
    )
    topology = app.Topology()
    place = topology.addResidue("LIG", topology.addChain())
    atoms = [
        topology.addAtom(name, app.Element.getBySymbol(symbol), place)
        for name, symbol in zip(own.names, symbols, strict=True)
    ]
    for bond in made.molecule.GetBonds():
        topology.addBond(atoms[bond.GetBeginAtomIdx()], atoms[bond.GetEndAtomIdx()])
    files = ("amber14-all.xml", "amber14/tip3p.xml", str(tmp_path / "lig.xml"))
    ours = app.ForceField(*files).createSystem(topology, removeCMMotion=False)
    theirs = app.AmberPrmtopFile(str(PRMTOP)).createSystem(removeCMMotion=False)
    shaken = own.places + 0.1 * np.random.default_rng(1).standard_normal(own.places.shape)
    found, wanted = energies(ours, shaken), energies(theirs, shaken)
    assert set(found) == set(wanted)
    for name, energy in wanted.items():
        assert abs(energy) > 1
        # Lennard-Jones comes from A and B with nine digits; all else is the same arithmetic.
        assert found[name] == pytest.approx(energy, abs=1e-7), name
    charges = [float(line.split('charge="')[1].split('"')[0]) for line in
               (tmp_path / "lig.xml").read_text().splitlines() if 'charge="' in line]  # fmt: skip
    assert sum(charges) == pytest.approx(1, abs=1e-5)  # six digits of each


def test_the_same_source_makes_the_same_ligand():
    one, other = (ligand(f"LIG=smiles:{ACID}") for _ in range(2))
    first, second = (made.molecule.GetConformer().GetPositions() for made in (one, other))
    assert np.array_equal(first, second)
    numbers = [atom.GetAtomicNum() == 1 for atom in one.molecule.GetAtoms()]
    assert not any(before and not after for before, after in pairwise(numbers))  # hydrogens last
