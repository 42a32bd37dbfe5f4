# SPDX-License-Identifier: BSD-3-Clause
"""A membrane in water, made from the patch of POPC that comes with OpenMM.

The patch has 128 lipids and 5,120 waters in a cell of 64 x 67 x 73 Å. More water makes the cell
90 Å high. The force field is CHARMM36.
"""

from __future__ import annotations

from pathlib import Path

from openmm import app, unit

FORCE_FIELD = ("charmm36.xml", "charmm36/water.xml")
_HEIGHT = 9.0  # nm


def write_membrane(path: Path) -> int:
    """Write a PDB file of some 40,000 atoms, and return their number."""
    patch = app.PDBFile(str(Path(app.__file__).parent / "data" / "POPC.pdb"))
    model = app.Modeller(patch.topology, patch.positions)
    cell = patch.topology.getUnitCellDimensions()
    first = model.topology.getNumResidues()
    size = unit.Quantity((*cell.value_in_unit(unit.nanometer)[:2], _HEIGHT), unit.nanometer)
    model.addSolvent(app.ForceField(*FORCE_FIELD), boxSize=size)
    height = cell[2].value_in_unit(unit.nanometer)
    places = model.positions.value_in_unit(unit.nanometer)
    # Water that found room in the patch itself, also between the lipids, is taken out again.
    model.delete(
        [
            residue
            for residue in list(model.topology.residues())[first:]
            if any(0 <= places[atom.index][2] < height for atom in residue.atoms())
        ]
    )
    with path.open("w") as file:
        app.PDBFile.writeFile(model.topology, model.positions, file)
    return int(model.topology.getNumAtoms())
