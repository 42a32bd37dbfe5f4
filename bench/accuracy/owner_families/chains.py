# SPDX-License-Identifier: BSD-3-Clause
"""Structures of short chains: a peptide of all residues, and a strand of DNA."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
# All twenty, three histidines, charges that add up to zero with the third one charged.
ALL = (
    "ALA ARG ASN ASP CYS GLN GLU GLY PRO HIS HIS HIS ILE LEU LYS MET PHE SER THR TRP TYR VAL "
    "ASP ALA"
)


def peptide(residues: str = ALL) -> Callable[[Path], None]:
    """Return what writes a chain as PDB: a strand, with the side chains of PDBFixer."""

    def write(path: Path) -> None:
        from openmm.app import PDBFile
        from pdbfixer import PDBFixer

        place = [np.zeros(3), np.array([1.458, 0, 0]), np.array([2.01, 1.42, 0])]
        rows: list[str] = []
        for number, name in enumerate(residues.split(), start=1):
            n, alpha, c = place
            oxygen = _next(*place, 1.231, 120.5, -40)
            for atom, at in (("N", n), ("CA", alpha), ("C", c), ("O", oxygen)):
                rows.append(_row(len(rows) + 1, atom, name, number, at))
            following = _next(*place, 1.329, 116.6, 140)
            next_alpha = _next(alpha, c, following, 1.458, 121.7, 180)
            place = [following, next_alpha, _next(c, following, next_alpha, 1.525, 111, -75)]
        path.write_text("\n".join([*rows, "TER", "END"]) + "\n")
        fixer = PDBFixer(str(path))
        fixer.missingResidues = {}
        fixer.findMissingAtoms()
        fixer.addMissingAtoms(seed=1)
        with path.open("w") as file:
            PDBFile.writeFile(fixer.topology, fixer.positions, file, keepIds=True)

    return write


def dna(path: Path) -> None:
    """Write DC DA DG DT as PDB: the nucleotides of PDBFixer's templates, 7 Å apart along x."""
    import pdbfixer
    from openmm import unit
    from openmm.app import PDBFile

    folder = Path(pdbfixer.__file__).parent / "templates"
    rows: list[str] = []
    for number, name in enumerate(("DC", "DA", "DG", "DT"), start=1):
        template = PDBFile(str(folder / f"{name}.pdb"))
        places = template.positions.value_in_unit(unit.angstrom)
        for atom, at in zip(template.topology.atoms(), places, strict=True):
            hydrogen = atom.element is not None and atom.element.symbol == "H"
            cap = number == 1 and atom.name in ("P", "OP1", "OP2")
            if hydrogen or cap or atom.name in ("OP3", "OXT"):
                continue
            shifted = np.array(at) + np.array([7.0 * number, 0, 0])
            rows.append(_row(len(rows) + 1, atom.name, name, number, shifted))
    path.write_text("\n".join([*rows, "TER", "END"]) + "\n")


def _next(a: Vector, b: Vector, c: Vector, length: float, angle: float, turn: float) -> Vector:
    """Return the place behind a chain of three; angles in degrees."""
    bend, twist = np.radians(angle), np.radians(turn)
    along = (c - b) / np.linalg.norm(c - b)
    normal = np.cross(b - a, along)
    normal /= np.linalg.norm(normal)
    side = np.cross(normal, along)
    ring = np.cos(twist) * side + np.sin(twist) * normal
    return np.asarray(c + length * (np.sin(bend) * ring - np.cos(bend) * along))


def _row(serial: int, atom: str, residue: str, number: int, at: Vector) -> str:
    name = f" {atom:<3s}" if len(atom) < 4 else atom
    place = "".join(f"{x:8.3f}" for x in at)
    return (
        f"ATOM  {serial:5d} {name} {residue:>3s} A{number:4d}    {place}  1.00  0.00{atom[0]:>12s}"
    )
