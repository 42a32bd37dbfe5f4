# SPDX-License-Identifier: BSD-3-Clause
"""XTC and PDB, written by mdtraj."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.base import cells
from finegrain.errors import InputError, ResourceError
from finegrain.formats.structure import NamedAtoms, Structure
from finegrain.units import angstrom_per_nm

_least, _most = -9_999_999.0, 99_999_999.0  # angstrom; a PDB file has eight columns


def write_xtc(path: Path, structures: Iterable[Structure]) -> None:
    """Write all frames.

    Raises
    ------
    OSError
        If the disk is full.
    """
    try:
        with _mdtraj().formats.XTCTrajectoryFile(str(path), "w") as file:
            for structure in structures:
                box = np.zeros(3) if structure.box is None else structure.box
                file.write(
                    np.asarray(structure.positions, np.float32),
                    time=np.float32(structure.time),
                    step=np.int32(structure.step % 2**31),  # all that the format has room for
                    box=cells.vectors_of(box).astype(np.float32),
                )
    except RuntimeError as error:  # this writer's only error
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error


def write_pdb(path: Path, structures: Iterable[Structure], topology: Any) -> None:
    """Write each frame as a model, with its box before it.

    mdtraj writes the box of the first model only, so it is told to write the others.
    """
    with _mdtraj().formats.PDBTrajectoryFile(str(path), "w") as file:
        for index, structure in enumerate(structures):
            edges = angles = None
            if structure.box is not None:
                edges = tuple(cells.lengths(structure.box) * angstrom_per_nm)
                angles = tuple(cells.angles(structure.box))
            if index > 0:
                file._write_header(edges, angles, write_metadata=False)
            position = np.asarray(structure.positions, np.float64) * angstrom_per_nm
            if not ((position > _least) & (position < _most)).all():
                raise InputError(
                    "has a position that does not fit into a PDB file",
                    where=f"step {structure.step}",
                    value=f"{np.abs(position).max():.6g} Å",
                    limit=f"{_least:,.0f} to {_most:,.0f} Å",
                    hint="convert to xyz or xtc; is the file damaged?",
                )
            file.write(
                position,
                topology,
                modelIndex=index,
                unitcell_lengths=edges,
                unitcell_angles=angles,
            )


def _mdtraj() -> Any:
    try:
        import mdtraj
    except ImportError:
        raise ResourceError(
            "this format needs mdtraj, which is not installed",
            hint="pip install 'finegrain[convert]', or convert to xyz",
        ) from None
    return mdtraj


def mdtraj_topology(job: NamedAtoms) -> Any:
    """Return the atoms of a job as an mdtraj topology, for names and residues in PDB files.

    Neighbours in a chain may have the same number, if only an insertion code tells them apart. A
    reader would take them for one residue. So the second one, and all after it, get a number higher
    by one. A chain that continues behind another one, as in copies of a cell, is begun again, so
    that atoms keep their order.
    """
    mdtraj = _mdtraj()
    residue_of, names, numbers, chains = job.residues()
    topology = mdtraj.Topology()
    here, last = None, None
    residues = []
    before: dict[str, int] = {}
    added: dict[str, int] = {}
    for name, number, chain in zip(names, numbers, chains, strict=True):
        if here is None or chain != last:
            here, last = topology.add_chain(chain_id=chain[:1] or None), chain
        added[chain] = added.get(chain, 0) + (before.get(chain) == int(number))
        before[chain] = int(number)
        counted = int(number) + added[chain]
        residues.append(topology.add_residue(name, here, resSeq=counted))
    order = np.argsort(residue_of, kind="stable")
    if not np.array_equal(order, np.arange(len(order))):
        raise InputError(
            "atoms of a residue are not consecutive, which this format cannot represent",
            where=str(job.path),
            hint="convert to xyz",
        )
    elements = mdtraj.core.element
    for name, symbol, residue in zip(job.names, job.elements, residue_of, strict=True):
        try:
            element = elements.get_by_symbol(symbol)
        except KeyError:
            element = elements.virtual
        topology.add_atom(name, element, residues[int(residue)])
    atoms = list(topology.atoms)
    for first, second in job.bonds():
        topology.add_bond(atoms[int(first)], atoms[int(second)])
    return topology
