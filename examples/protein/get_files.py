# SPDX-License-Identifier: BSD-3-Clause
"""Write villin.pdb next to this script: a headpiece of villin (N68H), without hydrogens.

The file is made from one that comes with OpenMM, in which the protein is in water.
"""

from pathlib import Path

import openmm.app
from openmm.app import Modeller, PDBFile, element

shipped = PDBFile(str(Path(openmm.app.__file__).parent / "data/test.pdb"))
protein = Modeller(shipped.topology, shipped.positions)
protein.delete(
    [residue for residue in protein.topology.residues() if residue.name in ("HOH", "Cl")]
)
protein.delete([atom for atom in protein.topology.atoms() if atom.element is element.hydrogen])
with (Path(__file__).resolve().parent / "villin.pdb").open("w") as file:
    PDBFile.writeFile(protein.topology, protein.positions, file)
