# SPDX-License-Identifier: BSD-3-Clause
"""A job whose objects stay in the engine while ions go from one geometry to the next.

Units: Hartree atomic units.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.ab_initio.input.load import AbInitioInput
from finegrain.ab_initio.ions.read_structure import read_structure
from finegrain.ab_initio.preparation.job import checked_image
from finegrain.ab_initio.preparation.prepare import prepare_input
from finegrain.ab_initio.states.evaluation import energies
from finegrain.engine.engine import load_engine
from finegrain.engine.ranks import usual_pes
from finegrain.files.whole import replace_file
from finegrain.runs.evaluation import Energies

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any


@dataclass(frozen=True)
class Framework:
    """What geometries of one job have in common.

    Attributes
    ----------
    symbols : tuple of str
    cell, moments : bytes
        The bytes of the vectors (Å) and of the initial magnetic moments: equal bits.
    """

    symbols: tuple[str, ...]
    cell: bytes
    moments: bytes

    @classmethod
    def of(cls, atoms: Atoms) -> Framework:
        """Return that of some atoms."""
        return cls(
            symbols_of(atoms),
            np.asarray(atoms.get_cell().array, np.float64).tobytes(),
            np.asarray(atoms.get_initial_magnetic_moments(), np.float64).tobytes(),
        )


def symbols_of(atoms: Atoms) -> tuple[str, ...]:
    """Return the element of each atom."""
    return tuple(atoms.get_chemical_symbols())


class KeptJob:
    """The engine's objects for all geometries of atoms with the same elements and cell.

    Parameters
    ----------
    given : AbInitioInput
        The settings, for these atoms.
    atoms : ase.Atoms
        The first geometry.
    pes : int or None
        Worker threads; None for all cores that this process may use.
    companion_seconds : float
        Longest wait for one answer of the program that finds the dispersion.

    Attributes
    ----------
    framework : Framework
    unpaired : int
        Electrons of spin up less those of spin down.
    iterations : int
        The iterations of the last evaluation.
    process : int
        The process that has the objects. They are of no use in one that is forked from it, which
        has none of their threads.

    Raises
    ------
    InputError
        If settings or atoms cannot be used, with all problems.

    Notes
    -----
    After an evaluation that has failed the objects are of no further use.
    """

    def __init__(
        self, given: AbInitioInput, atoms: Atoms, pes: int | None, companion_seconds: float
    ) -> None:
        prepared = prepare_input(given, atoms)
        self.framework = Framework.of(atoms)
        self.unpaired = prepared.spins.magnetization
        self.iterations = 0
        self.process = os.getpid()
        self.boundary = given.model.system.boundary
        self.removes_net_force = given.model.electrons.net_force == "remove"
        self.cell = prepared.structure.vectors
        image = checked_image(prepared, geometries="many")
        self._folder = tempfile.TemporaryDirectory(prefix="finegrain-")
        path = Path(self._folder.name) / "job.h5"
        try:
            replace_file(path, image)
            self._evaluator = load_engine().Evaluator(
                str(path), pes=pes or usual_pes(None), companion_seconds=companion_seconds
            )
        except BaseException:
            self._folder.cleanup()
            raise

    def evaluate(self, given: AbInitioInput, atoms: Atoms) -> Energies:
        """Find the ground state of atoms of the same framework.

        Raises
        ------
        InputError
            If the atoms cannot be where they are.
        NumericsError
            If the ground state was not found.
        ResourceError
            If the program that finds the dispersion fails.
        """
        structure = read_structure(given, atoms)
        given.raise_problems()
        assert structure is not None
        answer = self._evaluator.energy(np.ascontiguousarray(structure.position))
        self._folder.cleanup()  # the engine needs the file only for the first geometry
        self.iterations = int(answer["iterations"])
        return energies(answer, self)

    def save(self, path: Path) -> None:
        """Write the orbitals of the last evaluation, as a start of another job."""
        self._evaluator.save(str(path))
