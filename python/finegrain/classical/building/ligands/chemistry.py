# SPDX-License-Identifier: BSD-3-Clause
"""RDKit, if it is installed, and the few things that we ask of it."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

from finegrain.errors import ResourceError

HYDROGEN = 1


def rdkit(part: str = "Chem") -> Any:
    """Return a module of RDKit; without it, say what it is for."""
    try:
        return importlib.import_module(f"rdkit.{part}")
    except ImportError as error:
        raise ResourceError(
            "rdkit is not installed; it reads ligands and places their hydrogens",
            value="prepare --ligand",
            hint="pip install 'finegrain[ligands]'",
        ) from error


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Keep RDKit from writing to the terminal; its complaints come as our problems."""
    block = rdkit("rdBase").BlockLogs()
    try:
        yield
    finally:
        del block


def formula(molecule: Any) -> str:
    """Return the sum formula of a molecule, with its charge."""
    return str(rdkit("Chem.rdMolDescriptors").CalcMolFormula(molecule))


def graph_of(molecule: Any) -> str:
    """Return a text that is the same for all molecules with the same elements and bonds.

    Orders of bonds, charges and stereo centres do not count.
    """
    chem = rdkit()
    graph = chem.RWMol()
    for atom in molecule.GetAtoms():
        bare = chem.Atom(atom.GetAtomicNum())
        bare.SetNoImplicit(True)
        graph.AddAtom(bare)
    for bond in molecule.GetBonds():
        graph.AddBond(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), chem.BondType.SINGLE)
    graph.UpdatePropertyCache(strict=False)
    return str(chem.MolToSmiles(graph))


def shown_atom(atom: Any) -> str:
    """Return symbol and number of an atom, as in its file."""
    return f"{atom.GetSymbol()}{atom.GetIdx() + 1}"
