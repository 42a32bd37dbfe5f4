# SPDX-License-Identifier: BSD-3-Clause
"""Small systems to be written to disk, and inputs that name them."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import openmm
import pytest
from measure_gromacs_pairs import write as write_gromacs
from openmm import app, unit

from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.errors import InputError, Problem

nm = unit.nanometer

# TIP3P: Jorgensen et al., J. Chem. Phys. 79, 926 (1983), doi:10.1063/1.445869.
tip3p_oh, tip3p_hh = 0.09572, 0.15139006545247014
tip3p_charge, tip3p_sigma, tip3p_epsilon = 0.417, 0.3150752406575124, 0.635968

tip3p_force_field = """\
<ForceField>
 <AtomTypes>
  <Type name="O" class="OW" element="O" mass="15.99943"/>
  <Type name="H" class="HW" element="H" mass="1.007947"/>
 </AtomTypes>
 <Residues>
  <Residue name="HOH">
   <Atom name="O" type="O"/><Atom name="H1" type="H"/><Atom name="H2" type="H"/>
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
  <Atom type="O" charge="-0.834" sigma="0.31507524065751241" epsilon="0.635968"/>
  <Atom type="H" charge="0.417" sigma="1" epsilon="0"/>
 </NonbondedForce>
</ForceField>
"""


tip3p_molecule = """\
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW  1 -0.834 15.9994
2 HW 1 SOL HW1 1  0.417  1.008
3 HW 1 SOL HW2 1  0.417  1.008
[ settles ]
1 1 0.09572 0.15139
[ exclusions ]
1 2 3
2 1 3
3 1 2
"""  # of a GROMACS topology


# TIP4P-Ew: Horn et al., J. Chem. Phys. 120, 9665 (2004), doi:10.1063/1.1683075.
tip4p_ew_oh, tip4p_ew_hh, tip4p_ew_om = 0.09572, 0.15139, 0.0125
tip4p_ew_weight = 0.106676721  # of a hydrogen in the place of M
_half = np.arcsin(0.5 * tip4p_ew_hh / tip4p_ew_oh)
tip4p_ew_shape = np.array(  # nm: O, H1, H2, M
    [
        [0, 0, 0],
        [tip4p_ew_oh * np.sin(_half), tip4p_ew_oh * np.cos(_half), 0],
        [-tip4p_ew_oh * np.sin(_half), tip4p_ew_oh * np.cos(_half), 0],
        [0, tip4p_ew_om, 0],
    ]
)


def tip4p_ew_molecule(charge: float = 0.52422) -> str:
    """Return the molecule of a GROMACS topology, with the charge of a hydrogen."""
    return f"""\
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW  1  0.0      15.9994
2 HW 1 SOL HW1 1  {charge}  1.008
3 HW 1 SOL HW2 1  {charge}  1.008
4 MW 1 SOL MW  1 {-2 * charge}  0.0
[ settles ]
1 1 {tip4p_ew_oh} {tip4p_ew_hh}
[ virtual_sites3 ]
4 1 2 3 1 {tip4p_ew_weight} {tip4p_ew_weight}
[ exclusions ]
1 2 3 4
2 1 3 4
3 1 2 4
4 1 2 3
"""


def reference_platform() -> openmm.Platform:
    """Return OpenMM's platform of plain double precision."""
    return openmm.Platform.getPlatformByName("Reference")


def write_gromacs_input(folder: Path, text: str, more: str = "") -> Path:
    """Write a topology of the chain of measure_gromacs_pairs.py in vacuum; return the input."""
    write_gromacs(folder, text)
    lines = (folder / "x.gro").read_text().splitlines()
    (folder / "x.gro").write_text("\n".join([*lines[:-1], "0 0 0"]) + "\n")
    forces = '[forces]\nelectrostatics = "plain"\nconstraints = "none"\nprecision = "double"\n'
    return write_input(folder, "x.top", "x.gro", more + forces)


def write_input(folder: Path, topology: str, coordinates: str = "", more: str = "") -> Path:
    """Write in.toml with these files, and more text behind their names; return it."""
    places = f'coordinates = "{coordinates}"\n' if coordinates else ""
    path = folder / "in.toml"
    path.write_text(f'[system]\nkind = "classical"\ntopology = "{topology}"\n{places}{more}')
    return path


def replace_in(path: Path, old: str, new: str, count: int = -1) -> None:
    """Replace a text that the file holds, everywhere or in its first places."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


def problems_of(toml: Path) -> list[Problem]:
    """Return the problems of an input that is refused."""
    with pytest.raises(InputError) as caught:
        prepare(toml)
    return caught.value.problems


def problem_of(folder: Path) -> Problem:
    """Return the first problem of the input in a folder; it has a hint."""
    found = problems_of(folder / "in.toml")[0]
    assert found.hint
    return found


class Waters:
    """Rigid TIP3P waters on a cubic grid, to be changed before they are written.

    Attributes
    ----------
    position : float64, shape (3 * side**3, 3), nm
    """

    def __init__(self, side: int = 6, edge: float = 1.864) -> None:
        self.system = openmm.System()
        self.topology = app.Topology()
        self.nonbonded = openmm.NonbondedForce()
        self.nonbonded.setNonbondedMethod(openmm.NonbondedForce.PME)
        self.nonbonded.setCutoffDistance(0.8 * nm)
        chain = self.topology.addChain("A")
        half = np.arcsin(0.5 * tip3p_hh / tip3p_oh)
        shape = tip3p_oh * np.array(
            [[0, 0, 0], [np.sin(half), np.cos(half), 0], [-np.sin(half), np.cos(half), 0]]
        )
        oxygen, hydrogen = app.element.oxygen, app.element.hydrogen
        places = []
        for number in range(side**3):
            first = 3 * number
            residue = self.topology.addResidue("HOH", chain)
            for name, element, mass in (
                ("O", oxygen, 15.99943),
                ("H1", hydrogen, 1.007947),
                ("H2", hydrogen, 1.007947),
            ):
                self.topology.addAtom(name, element, residue)
                self.system.addParticle(mass)
            self.nonbonded.addParticle(-2 * tip3p_charge, tip3p_sigma, tip3p_epsilon)
            self.nonbonded.addParticle(tip3p_charge, 0.1, 0)
            self.nonbonded.addParticle(tip3p_charge, 0.1, 0)
            for i, j, distance in ((0, 1, tip3p_oh), (0, 2, tip3p_oh), (1, 2, tip3p_hh)):
                self.system.addConstraint(first + i, first + j, distance)
                self.nonbonded.addException(first + i, first + j, 0, 0.1, 0)
            cell = np.array([number // side**2, number // side % side, number % side])
            places.append((cell + 0.5) * edge / side + shape)
        self.system.addForce(self.nonbonded)
        self.position = np.concatenate(places)
        self.set_box(edge * np.eye(3))

    def set_box(self, vectors: np.ndarray) -> None:
        rows = [openmm.Vec3(*row) * nm for row in vectors]
        self.system.setDefaultPeriodicBoxVectors(*rows)
        self.topology.setPeriodicBoxVectors(unit.Quantity([openmm.Vec3(*r) for r in vectors], nm))

    def write(self, folder: Path) -> None:
        (folder / "water.xml").write_text(openmm.XmlSerializer.serialize(self.system))
        positions = unit.Quantity([openmm.Vec3(*row) for row in self.position], nm)
        with (folder / "water.pdb").open("w") as file:
            app.PDBFile.writeFile(self.topology, positions, file)


water_input = """\
[system]
kind = "classical"
topology = "water.xml"
coordinates = "water.pdb"

[forces]
electrostatics = "pme"
cutoff = "8 Å"

[dynamics]
timestep = "2 fs"
steps = 100
temperature = "300 K"
"""


def write_waters(
    folder: Path, text: str = water_input, waters: Waters | None = None, name: str = "water.toml"
) -> Path:
    """Write waters (216 if none are given) and their input; return it."""
    (waters or Waters()).write(folder)
    path = folder / name
    path.write_text(text)
    return path


def prepared_with(folder: Path, *forces: Any) -> Prepared:
    """Return the prepared input of waters whose System has these forces, too."""
    waters = Waters()
    for force in forces:
        waters.system.addForce(force)
    return prepare(write_waters(folder, waters=waters))


def write_alanine(folder: Path, data: Path, name: str = "x", kind: str = "gbsa") -> Path:
    """Copy alanine dipeptide's AMBER files from those of openmmtools, and write their input."""
    source = data / f"alanine-dipeptide-{kind}"
    shutil.copy(source / "alanine-dipeptide.prmtop", folder / f"{name}.prmtop")
    shutil.copy(source / "alanine-dipeptide.crd", folder / f"{name}.crd")
    write_input(folder, f"{name}.prmtop", f"{name}.crd")
    return folder
