# SPDX-License-Identifier: BSD-3-Clause
"""Topologies and positions on their way, and what was done with them.

OpenMM's tools run on one thread and with seeds, so that the same file is made twice. Units: nm.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass
class Molecules:
    """The repaired solute with its hydrogens, and in words what was done.

    Attributes
    ----------
    found, done, notes : list of str
    """

    topology: Any
    positions: Any
    found: list[str] = field(default_factory=list)
    done: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    crystal_waters: int = 0


@contextlib.contextmanager
def single_thread(seed: int) -> Iterator[Any]:
    """Seed the numbers of Modeller and yield OpenMM's CPU platform on one thread; then restore."""
    import openmm

    platform = openmm.Platform.getPlatformByName("CPU")
    before = {name: platform.getPropertyDefaultValue(name) for name in platform.getPropertyNames()}
    state = random.getstate()
    random.seed(seed)
    platform.setPropertyDefaultValue("Threads", "1")
    try:
        yield platform
    finally:
        random.setstate(state)
        platform.setPropertyDefaultValue("Threads", before.get("Threads", ""))


def rebuilt(
    topology: Any, places: Any, groups: list[list[Any]], skipped: set[Any]
) -> tuple[Any, Any]:
    """Return a topology of these chains and its positions; bonds to ions and waters are dropped."""
    from openmm.app import Topology

    new = Topology()
    atoms = {}
    rows = []
    for group in groups:
        chain = new.addChain(group[0].chain.id)
        for residue in group:
            copy = new.addResidue(residue.name, chain, residue.id, residue.insertionCode)
            for atom in residue.atoms():
                if atom not in skipped:
                    atoms[atom] = new.addAtom(atom.name, atom.element, copy)
                    rows.append(places[atom.index])
    for one, other in topology.bonds():
        if one not in atoms or other not in atoms:
            continue
        a, b = atoms[one], atoms[other]
        alone = any(atom.residue.name == "HOH" or len(atom.residue) == 1 for atom in (a, b))
        if a.residue is b.residue or (not alone and not is_far_bond(a, b)):
            new.addBond(a, b)
    return new, np.array(rows) * length_unit()


def is_far_bond(a: Any, b: Any) -> bool:
    """Return whether a bond joins residues that are not neighbours, and is no disulphide."""
    if a.name == b.name == "SG":
        return False
    return a.residue.chain is not b.residue.chain or abs(a.residue.index - b.residue.index) != 1


def sort_bonds(topology: Any) -> None:
    """Put bonds in the order of their atoms; PDBFixer takes them out of a set."""
    topology._bonds.sort(key=lambda bond: sorted((bond[0].index, bond[1].index)))


def places_of(positions: Any) -> NDArray[np.float64]:
    """Return positions, shape (atoms, 3), nm."""
    return np.array(positions.value_in_unit(length_unit()), np.float64).reshape(-1, 3)


def length_unit() -> Any:
    """Return the nanometre."""
    from openmm import unit

    return unit.nanometer
