# SPDX-License-Identifier: BSD-3-Clause
"""Four-point water in GROMACS and AMBER topologies and in a force field of one's own."""

from pathlib import Path

import numpy as np
import pytest
from input_systems import (
    tip4p_ew_hh,
    tip4p_ew_molecule,
    tip4p_ew_oh,
    tip4p_ew_om,
    tip4p_ew_shape,
    tip4p_ew_weight,
    write_input,
)
from water_files import amber_topology, no_angles_or_dihedrals

from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.classical.system.sites import average, local_frame, out_of_plane
from finegrain.errors import InputError, Problem
from finegrain.units import bohr_in_nm

oh, hh, om, weight = tip4p_ew_oh, tip4p_ew_hh, tip4p_ew_om, tip4p_ew_weight
shape = tip4p_ew_shape
waters = np.concatenate([shape + 1, shape + np.array([1.3, 1, 1])])

gromacs = f"""\
[ defaults ]
1 2 yes 0.5 0.8333
[ atomtypes ]
OW 8 15.9994 0.0 A 0.316435 0.680946
HW 1  1.008  0.0 A 0.0 0.0
MW 0  0.0    0.0 D 0.0 0.0
{tip4p_ew_molecule()}[ system ]
water
[ molecules ]
SOL 2
"""


def input_of(folder: Path, topology: str, coordinates: str, more: str = "") -> Path:
    more += 'box = ["30 Å", "30 Å", "30 Å"]\n[forces]\nelectrostatics = "pme"\n'
    return write_input(folder, topology, coordinates, more)


def read_gromacs(folder: Path, text: str = gromacs) -> Prepared:
    (folder / "w.top").write_text(text)
    lines = ["water", f"{len(waters):5d}"]
    lines += [
        f"{i // 4 + 1:5d}SOL  {('OW', 'HW1', 'HW2', 'MW')[i % 4]:>5s}{i + 1:5d}"
        f"{x:8.3f}{y:8.3f}{z:8.3f}"
        for i, (x, y, z) in enumerate(waters)
    ]
    (folder / "w.gro").write_text("\n".join([*lines, "   3.0 3.0 3.0"]) + "\n")
    return prepare(input_of(folder, "w.top", "w.gro"))


def check_tip4p_ew(found: Prepared) -> None:
    sites = found.system.sites
    assert sites.site.tolist() == [3, 7]
    assert sites.parents[1].tolist() == [4, 5, 6, -1]
    assert sites.weights[1, 1:3] == pytest.approx([weight, weight], rel=1e-4)
    assert len(found.fragments.water_atoms) == found.fragments.count == 2
    at = found.system.position * bohr_in_nm
    assert np.linalg.norm(at[3] - at[0]) == pytest.approx(om, abs=1e-4)
    pairs = np.sort(found.system.terms["exceptions"].atoms % 4, axis=1)
    assert len(np.unique(pairs, axis=0)) == 6
    assert len(found.far) == 0


def test_gromacs(tmp_path: Path) -> None:
    check_tip4p_ew(read_gromacs(tmp_path))


out_of_the_plane = 0.2 * shape[1] + 0.1 * shape[2] + 5.0 * np.cross(shape[1], shape[2])


@pytest.mark.parametrize(
    ("section", "row", "kind", "place"),
    [
        ("virtual_sites2", "4 1 2 1 0.3", average, 0.3 * shape[1]),
        ("dummies2", "4 1 2 1 0.3", average, 0.3 * shape[1]),
        ("virtual_sites3", "4 1 2 3 1 0.2 0.1", average, 0.2 * shape[1] + 0.1 * shape[2]),
        ("virtual_sites3", "4 1 2 3 3 0 0.05", local_frame, 0.05 * shape[1] / tip4p_ew_oh),
        ("virtual_sites3", "4 1 2 3 4 0.2 0.1 5.0", out_of_plane, out_of_the_plane),
    ],
)
def test_the_kinds_of_gromacs(
    tmp_path: Path, section: str, row: str, kind: int, place: np.ndarray
) -> None:
    """The formulas are those of the GROMACS reference manual, "Virtual interaction sites"."""
    text = gromacs.replace("virtual_sites3", section).replace(
        "4 1 2 3 1 0.106676721 0.106676721", row
    )
    found = read_gromacs(tmp_path, text).system
    assert found.sites.kind.tolist() == [kind, kind]
    at = found.position * bohr_in_nm
    # Coordinates of a GRO file have three decimals.
    assert at[3] - at[0] == pytest.approx(place, abs=2e-3)


@pytest.mark.parametrize(
    ("new", "what", "value"),
    [
        ("4 1 2 3 5 0.1 0.1", "is not supported", "[ virtual_sites3 ] function 5"),
        ("4 1 2 3 1 0.1", "holds 1 parameters", "4 1 2 3 1 0.1"),
        ("4 1 2 3 1", "has no parameters, and the geometry does not give them", "4 1 2 3 1"),
        ("4 1 2 3 4 0.1 0.1", "holds 2 parameters", "4 1 2 3 4"),
        ("4 1 2 9 1 0.1 0.1", "names no atom", "4 1 2 9 1"),
        ("4 1 2 2 1 0.1 0.1", "names an atom twice", "4 1 2 2 1"),
        ("4 1 2 3 1 0.1 0_1", "is not a plain number", "0_1"),
    ],
)
def test_odd_sites_of_gromacs_are_refused(tmp_path: Path, new: str, what: str, value: str) -> None:
    old = "4 1 2 3 1 0.106676721 0.106676721"
    with pytest.raises(InputError) as caught:
        read_gromacs(tmp_path, gromacs.replace(old, new))
    found: Problem = caught.value.problems[0]
    assert found.what == what
    assert value in found.value
    assert found.where == f"w.top:{gromacs.splitlines().index(old) + 1}"


def prmtop() -> str:
    """Two waters of TIP4P-Ew, as tleap writes them: EPW is bound to the oxygen."""
    molecules = 2
    charges = np.array([0.0, 0.52422, 0.52422, -1.04844]) * 18.2223
    pointers = [8, 3, 4, 4, 0, 0, 0, 0, 0, 0, 8 + 6, 2, 4, 0, 0, 3, 0, 0, 3, 0]
    pointers += [0, 0, 0, 0, 0, 0, 0, 1, 4, 0, 2]
    with_hydrogen, without = [], []
    for first in (0, 12):
        with_hydrogen += [first, first + 3, 1, first, first + 6, 1, first + 3, first + 6, 2]
        without += [first, first + 9, 3]
    pointers[2], pointers[3], pointers[12] = 6, 2, 2
    depth, sigma = 0.680946, 0.316435
    a, b = (4 * depth / 4.184 * (10 * sigma) ** power for power in (12, 6))
    sections = [
        ("TITLE", "20a4", ["water"]),
        ("POINTERS", "10I8", pointers),
        ("ATOM_NAME", "20a4", ["O", "H1", "H2", "EPW"] * molecules),
        ("CHARGE", "5E16.8", [*charges] * molecules),
        ("ATOMIC_NUMBER", "10I8", [8, 1, 1, 0] * molecules),
        ("MASS", "5E16.8", [16.0, 1.008, 1.008, 0.0] * molecules),
        ("ATOM_TYPE_INDEX", "10I8", [1, 2, 2, 3] * molecules),
        ("NUMBER_EXCLUDED_ATOMS", "10I8", [3, 2, 1, 1] * molecules),
        ("NONBONDED_PARM_INDEX", "10I8", [1, 2, 4, 2, 3, 5, 4, 5, 6]),
        ("RESIDUE_LABEL", "20a4", ["WAT"] * molecules),
        ("RESIDUE_POINTER", "10I8", [1, 5]),
        ("BOND_FORCE_CONSTANT", "5E16.8", [553.0, 553.0, 553.0]),
        ("BOND_EQUIL_VALUE", "5E16.8", [10 * oh, 10 * hh, 10 * om]),
        ("SCEE_SCALE_FACTOR", "5E16.8", []),
        ("SCNB_SCALE_FACTOR", "5E16.8", []),
        ("SOLTY", "5E16.8", [0.0, 0.0, 0.0]),
        ("LENNARD_JONES_ACOEF", "5E16.8", [a, 0, 0, 0, 0, 0]),
        ("LENNARD_JONES_BCOEF", "5E16.8", [b, 0, 0, 0, 0, 0]),
        ("BONDS_INC_HYDROGEN", "10I8", with_hydrogen),
        ("BONDS_WITHOUT_HYDROGEN", "10I8", without),
        *no_angles_or_dihedrals,
        ("EXCLUDED_ATOMS_LIST", "10I8", [2, 3, 4, 3, 4, 4, 0, 6, 7, 8, 7, 8, 8, 0]),
        *((name, "5E16.8", []) for name in ("HBOND_ACOEF", "HBOND_BCOEF", "HBCUT")),
        ("AMBER_ATOM_TYPE", "20a4", ["OW", "HW", "HW", "EP"] * molecules),
        ("TREE_CHAIN_CLASSIFICATION", "20a4", ["BLA"] * 8),
        ("JOIN_ARRAY", "10I8", [0] * 8),
        ("IROTAT", "10I8", [0] * 8),
        ("SOLVENT_POINTERS", "3I8", [0, 2, 1]),
        ("ATOMS_PER_MOLECULE", "10I8", [4, 4]),
        ("BOX_DIMENSIONS", "5E16.8", [90.0, 30.0, 30.0, 30.0]),
        ("RADIUS_SET", "1a80", ["none"]),
        ("RADII", "5E16.8", [0.0] * 8),
        ("SCREEN", "5E16.8", [0.0] * 8),
    ]
    return amber_topology(sections)


def test_amber(tmp_path: Path) -> None:
    (tmp_path / "w.prmtop").write_text(prmtop())
    numbers = [f"{value:12.7f}" for value in 10 * waters.ravel()]
    lines = ["".join(numbers[i : i + 6]) for i in range(0, 24, 6)]
    (tmp_path / "w.inpcrd").write_text("water\n    8\n" + "\n".join(lines) + "\n")
    found = prepare(input_of(tmp_path, "w.prmtop", "w.inpcrd"))
    sites = found.system.sites
    assert sites.site.tolist() == [3, 7]
    assert sites.kind.tolist() == [local_frame, local_frame]
    assert sites.parents[1].tolist() == [4, 5, 6, -1]
    at = 10 * bohr_in_nm * found.system.position
    # The file has seven decimals in Å; the two O-H may differ by that.
    assert at[3] - at[0] == pytest.approx(10 * (waters[3] - waters[0]), abs=3e-7)


def four_point_pdb(folder: Path) -> None:
    lines = []
    for i, (x, y, z) in enumerate(10 * waters):
        name = ("O", "H1", "H2", "M")[i % 4]
        element = name[0] if name != "M" else "EP"
        lines.append(
            f"HETATM{i + 1:5d}  {name:<3s} HOH A{i // 4 + 1:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
            f"  1.00  0.00          {element:>2s}"
        )
    (folder / "w.pdb").write_text("\n".join([*lines, "END"]) + "\n")


def read_pdb(folder: Path, forcefield: str) -> Prepared:
    four_point_pdb(folder)
    return prepare(input_of(folder, "w.pdb", "", f'forcefield = ["{forcefield}"]\n'))


def test_a_force_field_of_openmm(tmp_path: Path) -> None:
    check_tip4p_ew(read_pdb(tmp_path, "tip4pew.xml"))


own = """\
<ForceField>
 <AtomTypes>
  <Type name="O" class="OW" element="O" mass="15.99943"/>
  <Type name="H" class="HW" element="H" mass="1.007947"/>
  <Type name="M" class="MW" mass="0"/>
 </AtomTypes>
 <Residues>
  <Residue name="HOH">
   <Atom name="O" type="O"/><Atom name="H1" type="H"/><Atom name="H2" type="H"/>
   <Atom name="M" type="M"/>
   <VirtualSite type="average3" siteName="M" atomName1="O" atomName2="H1" atomName3="H2"
    weight1="0.786646558" weight2="0.106676721" weight3="0.106676721"/>
   <Bond from="0" to="1"/><Bond from="0" to="2"/>
  </Residue>
 </Residues>
 <HarmonicBondForce>
  <Bond class1="OW" class2="HW" length="0.09572" k="462750.4"/>
 </HarmonicBondForce>
 <HarmonicAngleForce>
  <Angle class1="HW" class2="OW" class3="HW" angle="1.82421813418" k="836.8"/>
 </HarmonicAngleForce>
 <NonbondedForce coulomb14scale="0.833333" lj14scale="0.5">
  <Atom type="O" charge="0" sigma="0.316435" epsilon="0.680946"/>
  <Atom type="H" charge="0.52422" sigma="1" epsilon="0"/>
  <Atom type="M" charge="-1.04844" sigma="1" epsilon="0"/>
 </NonbondedForce>
</ForceField>
"""


def test_a_force_field_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "own.xml").write_text(own)
    check_tip4p_ew(read_pdb(tmp_path, "own.xml"))


@pytest.mark.parametrize(
    ("old", "new", "what", "value"),
    [
        ("average3", "averge3", "is no type of virtual site", "averge3"),
        ("average3", "symmetry", "is no type of virtual site", "symmetry"),
        ('weight3="0.106676721"', "", "lacks an attribute", "VirtualSite weight3"),
        ('weight3="0.106676721"', 'weight3="0_1"', "is not a plain number", "0_1"),
        ("weight1=", "wieght1=", "is no attribute of VirtualSite", "wieght1"),
    ],
)
def test_odd_sites_are_refused(tmp_path: Path, old: str, new: str, what: str, value: str) -> None:
    (tmp_path / "own.xml").write_text(own.replace(old, new))
    with pytest.raises(InputError) as caught:
        read_pdb(tmp_path, "own.xml")
    found: Problem = caught.value.problems[0]
    assert found.what == what
    assert value in found.value
    assert found.where == "own.xml:11"
    assert found.hint
