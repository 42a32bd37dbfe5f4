# SPDX-License-Identifier: BSD-3-Clause
"""Extra points of AMBER topologies stand where sander puts them; files of two atoms are read."""

from pathlib import Path

import numpy as np
import pytest
from input_systems import problems_of
from water_files import amber_topology, no_angles_or_dihedrals

from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.classical.system.sites import local_frame
from finegrain.errors import InputError
from finegrain.units import bohr_in_angstrom

# A TIP5P water of LEaP (unit TP5), and the places in which sander of AmberTools 26 puts its extra
# points: forcedump.dat of one evaluation (&debugf dumpfrc=1). `bench/accuracy/owners.py` compares
# whole boxes with sander.
OH, HH, OE = 0.9572, 1.5136, 0.7
ATOMS = ["0.0000000", "0.0000000", "0.0000000", "0.9572000", "0.0000000", "0.0000000"]
ATOMS += ["-0.2399880", "0.9266270", "0.0000000"]
BY_SANDER = np.array(
    [[-0.247372481, -0.319601486, -0.571543302], [-0.247372481, -0.319601486, 0.571543302]]
)

INPUT = '[system]\nkind = "classical"\ntopology = "w.parm7"\ncoordinates = "w.rst7"\n[forces]\n'


def write_water(folder: Path, points: int, residue: str = "WAT", light: str = "H") -> Path:
    """Write one water with extra points at wrong places; return the input."""
    atoms = 3 + points
    excluded = [other for one in range(atoms) for other in range(one + 2, atoms + 1)] + [0]
    with_hydrogen = [0, 3, 1, 0, 6, 1, 3, 6, 2]
    without = [value for point in range(3, atoms) for value in (0, 3 * point, 3)]
    pointers = [atoms, 3, 3, points, *[0] * 6, len(excluded), 1, points, 0, 0, 3, 0, 0, 3, 0]
    pointers += [0, 0, 0, 0, 0, 0, 0, 0, atoms, 0, points]
    light_mass = 1.008 if light == "H" else 12.01
    sections = [
        ("TITLE", "20a4", ["water"]),
        ("POINTERS", "10I8", pointers),
        ("ATOM_NAME", "20a4", ["O", f"{light}1", f"{light}2", "EP1", "EP2"][:atoms]),
        ("CHARGE", "5E16.8", [0.0, 4.0, 4.0, *[-8.0 / points] * points]),
        ("ATOMIC_NUMBER", "10I8", [8, *[1 if light == "H" else 6] * 2, *[0] * points]),
        ("MASS", "5E16.8", [16.0, light_mass, light_mass, *[0.0] * points]),
        ("ATOM_TYPE_INDEX", "10I8", [1, 2, 2, *[3] * points]),
        ("NUMBER_EXCLUDED_ATOMS", "10I8", [*range(atoms - 1, 0, -1), 1]),
        ("NONBONDED_PARM_INDEX", "10I8", [1, 2, 4, 2, 3, 5, 4, 5, 6]),
        ("RESIDUE_LABEL", "20a4", [residue]),
        ("RESIDUE_POINTER", "10I8", [1]),
        ("BOND_FORCE_CONSTANT", "5E16.8", [553.0, 553.0, 553.0]),
        ("BOND_EQUIL_VALUE", "5E16.8", [OH, HH, OE]),
        ("LENNARD_JONES_ACOEF", "5E16.8", [5.8e5, 0, 0, 0, 0, 0]),
        ("LENNARD_JONES_BCOEF", "5E16.8", [6.0e2, 0, 0, 0, 0, 0]),
        ("BONDS_INC_HYDROGEN", "10I8", with_hydrogen),
        ("BONDS_WITHOUT_HYDROGEN", "10I8", without),
        *no_angles_or_dihedrals,
        ("EXCLUDED_ATOMS_LIST", "10I8", excluded),
        ("HBOND_ACOEF", "5E16.8", [0.0]),
        ("HBOND_BCOEF", "5E16.8", [0.0]),
        ("AMBER_ATOM_TYPE", "20a4", ["OW", "HW", "HW", *["EP"] * points]),
    ]
    (folder / "w.parm7").write_text(amber_topology(sections))
    numbers = [f"{word:>12}" for word in ATOMS] + [f"{1.5:12.7f}"] * (3 * points)
    rows = ["".join(numbers[at : at + 6]) for at in range(0, len(numbers), 6)]
    (folder / "w.rst7").write_text("water\n" + f"{atoms:5d}\n" + "\n".join(rows) + "\n")
    (folder / "in.toml").write_text(INPUT)
    return folder / "in.toml"


def places(found: Prepared) -> np.ndarray:
    """Return the places of the points from the oxygen, in Å, whatever the origin is."""
    at = found.system.position * bohr_in_angstrom
    return at[3:] - at[0]


@pytest.mark.parametrize("residue", ["WAT", "TP5", "SOL", "XYZ"])
def test_two_points_stand_behind_the_oxygen_as_in_sander(tmp_path: Path, residue: str) -> None:
    found = prepare(write_water(tmp_path, 2, residue))
    assert found.system.sites.site.tolist() == [3, 4]
    # The file's seven decimals leave O-H lengths that differ by 1e-7 Å.
    assert places(found) == pytest.approx(BY_SANDER, abs=3e-7)


@pytest.mark.parametrize("residue", ["WAT", "SOL"])
def test_one_point_stands_on_the_bisector_before_the_oxygen(tmp_path: Path, residue: str) -> None:
    found = prepare(write_water(tmp_path, 1, residue))
    atoms = np.array(ATOMS, float).reshape(3, 3)
    bisector = atoms[1] + atoms[2]
    wanted = OE * bisector / np.linalg.norm(bisector)
    assert found.system.sites.kind.tolist() == [local_frame]
    assert places(found)[0] == pytest.approx(wanted, abs=3e-7)


def test_bonds_of_extra_points_are_no_terms(tmp_path: Path) -> None:
    path = write_water(tmp_path, 2)
    path.write_text(INPUT + 'rigid_water = false\nconstraints = "none"\n')
    bonds = prepare(path).system.terms["bonds"].atoms
    assert sorted(bonds.tolist()) == [[0, 1], [0, 2], [1, 2]]


def test_an_extra_point_elsewhere_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        prepare(write_water(tmp_path, 2, "DME", light="C"))
    found = caught.value.problems[0]
    assert found.what == "an extra point that is not of a water is not supported"
    assert found.value == "atom 4 (EP1 of DME 1)"


def test_hydrogen_bonds_by_10_12_terms_are_refused_by_name(tmp_path: Path) -> None:
    path = write_water(tmp_path, 1)
    topology = tmp_path / "w.parm7"
    head, flag, rest = topology.read_text().partition("%FLAG HBOND_ACOEF")
    topology.write_text(head + flag + rest.replace("0.00000000E+00", "7.55700000E+03", 1))
    assert problems_of(path)[0].what == "10-12 terms of hydrogen bonds are not supported"


LAST_LINES = {
    "velocities": ([0.1, -0.2, 0.3, 40.0, -0.5, 0.6], False),
    "a box": ([20.0, 21.0, 22.0, 90.0, 90.0, 90.0], True),
    "a tilted box": ([20.0, 21.0, 22.0, 90.0, 59.9, 90.0], True),
}


@pytest.mark.parametrize("last", LAST_LINES)
def test_a_file_of_two_atoms_holds_velocities_or_a_box(tmp_path: Path, last: str) -> None:
    from finegrain.classical.input.readers.amber_few_atoms import read_few_atoms

    numbers, is_box = LAST_LINES[last]
    rows = ([0.0, 0.0, 0.0, 3.0, 0.5, 0.2], numbers)
    text = "".join("".join(f"{value:12.7f}" for value in row) + "\n" for row in rows)
    (tmp_path / "two.rst7").write_text(f"two\n    2\n{text}")
    found = read_few_atoms(tmp_path / "two.rst7")
    assert found is not None
    assert found.position[1] == pytest.approx([0.3, 0.05, 0.02])
    assert (found.box is not None) == is_box
    if is_box:
        volume = 2.0 * 2.1 * 2.2 * np.sin(np.radians(numbers[4]))
        assert np.linalg.det(found.box) == pytest.approx(volume)
        assert found.velocity is None
    else:
        # AMBER's unit of time is 1/20.455 ps.
        assert found.velocity[1, 0] == pytest.approx(4.0 * 20.455)
