# SPDX-License-Identifier: BSD-3-Clause
"""Relax a molecule, then the cell of a crystal, with the optimisers of ASE.

Usage: relax.py [--cutoff-molecule "60 Ry"] [--cutoff-crystal "30 Ry"]
"""

from __future__ import annotations

import argparse

from ase import Atoms
from ase.build import bulk
from ase.filters import FrechetCellFilter
from ase.optimize import BFGS

from finegrain.ase import Finegrain


def hydrogen(cutoff: str) -> Atoms:
    """Return H2 with the bond length of PBE."""
    molecule = Atoms("H2", [[0, 0, 0], [0.1, 0.2, 0.7]], cell=[6, 6, 6], pbc=True)
    molecule.calc = Finegrain(cutoff=cutoff, functional="PBE")
    BFGS(molecule, logfile=None).run(fmax=0.01, steps=40)
    return molecule


def silicon(cutoff: str) -> Atoms:
    """Return eight atoms of silicon in the cell in which they have no stress."""
    crystal = bulk("Si", cubic=True, a=5.30)
    crystal.calc = Finegrain(cutoff=cutoff, functional="LDA")
    # The mask leaves the angles alone; the atoms are where symmetry wants them.
    cell = FrechetCellFilter(crystal, mask=[1, 1, 1, 0, 0, 0], hydrostatic_strain=True)
    BFGS(cell, logfile=None).run(fmax=0.02, steps=25)
    return crystal


def main() -> None:
    """Print bond length and edge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cutoff-molecule", default="60 Ry")
    parser.add_argument("--cutoff-crystal", default="30 Ry")
    given = parser.parse_args()
    molecule = hydrogen(given.cutoff_molecule)
    print(
        f"H2: bond {molecule.get_distance(0, 1):.4f} Å, "
        f"energy {molecule.get_potential_energy():.5f} eV"
    )
    crystal = silicon(given.cutoff_crystal)
    print(
        f"Si: edge {crystal.cell.lengths()[0]:.4f} Å, "
        f"energy {crystal.get_potential_energy():.5f} eV"
    )


if __name__ == "__main__":
    main()
