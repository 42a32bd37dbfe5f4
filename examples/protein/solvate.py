# SPDX-License-Identifier: BSD-3-Clause
"""Add hydrogens, water and ions to a protein, with OpenMM.

Usage: solvate.py PROTEIN.pdb RESULT.pdb FORCEFIELD.xml WATER.xml
"""

import sys
from pathlib import Path

from openmm import Vec3, unit
from openmm.app import ForceField, Modeller, PDBFile

source, result, *force_fields = sys.argv[1:]
protein = PDBFile(source)
system = Modeller(protein.topology, protein.positions)
force_field = ForceField(*force_fields)
system.addHydrogens(force_field, pH=7.0)
system.addSolvent(
    force_field,
    model="tip3p",
    boxSize=Vec3(5, 5, 5) * unit.nanometer,  # or padding=1.2 * unit.nanometer
    ionicStrength=0.15 * unit.molar,  # besides the ions that make it neutral
)
with Path(result).open("w") as file:
    PDBFile.writeFile(system.topology, system.positions, file, keepIds=True)
print(f"{result}: {system.topology.getNumAtoms()} atoms")
