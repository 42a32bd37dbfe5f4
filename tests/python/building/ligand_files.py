# SPDX-License-Identifier: BSD-3-Clause
"""Ligands for tests: their files, and complexes of them with a piece of villin."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from raw_structures import atom, lines_of_villin, write
from rdkit import Chem
from rdkit.Chem import AllChem

from finegrain.classical.building.ligands import ambertools, force_field
from finegrain.classical.building.ligands.ambertools import Topology
from finegrain.classical.building.ligands.description import Ligand, described_ligand
from finegrain.classical.building.ligands.placing import Found
from finegrain.classical.building.ligands.wishes import LigandWish, ligand_wishes

BENZAMIDINE = "NC(=[NH2+])c1ccccc1"
# BENZAMIDINE through antechamber (GAFF2, AM1-BCC), parmchk2 and tleap of AmberTools 26.0.0.
PRMTOP = Path(__file__).with_name("benzamidine.prmtop")


def shaped(smiles: str, *, hydrogens: bool = True) -> Any:
    """Return a molecule of RDKit with positions."""
    molecule = Chem.AddHs(Chem.MolFromSmiles(smiles))
    assert AllChem.EmbedMolecule(molecule, randomSeed=3) == 0
    return molecule if hydrogens else Chem.RemoveHs(molecule)


def sdf(path: Path, molecule: Any) -> Path:
    Chem.MolToMolFile(molecule, str(path))
    return path


def wish(word: str, *charges: str) -> LigandWish:
    problems: list[Any] = []
    (found,) = ligand_wishes([word], charges, problems)
    assert problems == []
    return found


def ligand(word: str, *charges: str) -> Ligand:
    problems: list[Any] = []
    found = described_ligand(wish(word, *charges), 1, problems)
    assert found is not None, problems
    assert problems == []
    return found


def residue(molecule: Any, order: Any = None) -> Found:
    """Return the atoms of a molecule that are no hydrogens as a residue, in another order."""
    heavy = Chem.RemoveHs(molecule)
    order = list(range(heavy.GetNumAtoms())) if order is None else list(order)
    atoms = [heavy.GetAtomWithIdx(int(at)) for at in order]
    return Found(
        "complex.pdb",
        "LIG A 401",
        [f"{one.GetSymbol()}{at}" for at, one in enumerate(atoms, start=1)],
        [one.GetAtomicNum() for one in atoms],
        heavy.GetConformer().GetPositions()[order],
        (),
    )


def complex_lines(found: Found, *, copies: int = 1) -> list[str]:
    """Return a piece of villin with a ligand 8 Å above it, and copies each 9 Å higher."""
    lines = lines_of_villin(25, 29)
    places = np.array([[float(line[at : at + 8]) for at in (30, 38, 46)] for line in lines])
    start = places.mean(axis=0) - found.places.mean(axis=0)
    start[2] += places[:, 2].max() - places[:, 2].mean() + 8.0
    rows = []
    for copy in range(copies):
        for name, place in zip(found.names, found.places, strict=True):
            moved = place + start + [0.0, 0.0, 9.0 * copy]
            rows.append(atom("HETATM", name, "LIG", 401 + copy, tuple(moved)))
    return [*lines, "TER", *rows, "END"]


def complex_with(path: Path, molecule: Any, *, copies: int = 1) -> Path:
    return write(path, complex_lines(residue(molecule), copies=copies))


def without_ambertools(monkeypatch: Any) -> SimpleNamespace:
    """Have benzamidine's stored topology in place of what AmberTools would make."""
    asked = SimpleNamespace(ligands=[])

    def stored(one: Ligand, problems: list[Any]) -> Topology:
        asked.ligands.append(one)
        return Topology(PRMTOP.read_text(), "a stored topology", [])

    monkeypatch.setattr(force_field, "topology_of", stored)
    monkeypatch.setattr(ambertools, "_program", lambda name: Path(name))
    return asked
