# SPDX-License-Identifier: BSD-3-Clause
"""The engine's answer to one evaluation, in Hartree atomic units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from finegrain import units
from finegrain.base.cells import Floats
from finegrain.runs.evaluation import Energies, terms_of

# Components of a symmetric matrix in the order xx, yy, zz, xy, xz, yz.
_rows, _columns = [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]


class _Cell(Protocol):
    @property
    def boundary(self) -> str: ...
    @property
    def cell(self) -> Floats: ...
    @property
    def removes_net_force(self) -> bool: ...


def energies(answer: Mapping[str, Any], job: _Cell) -> Energies:
    """Return energies by term, forces and stress from the engine's kJ/mol and kJ/mol/nm.

    A molecule without images has neither virial nor stress; only one with vacuum round its ions has
    a dipole moment.
    """
    terms = {name: value / units.hartree_in_kj_per_mol for name, value in terms_of(answer).items()}
    forces = np.asarray(answer["forces"], np.float64).reshape(-1, 3)
    virial = stress = None
    if job.boundary == "periodic":
        virial = np.asarray(answer["virial"], np.float64) / units.hartree_in_kj_per_mol
        stress = np.zeros((3, 3))
        stress[_rows, _columns] = stress[_columns, _rows] = -virial / _volume(job.cell)
    return Energies(
        energies=terms,
        forces=forces / units.force_in_kj_per_mol_nm,
        virial=virial,
        unit="hartree",
        forces_unit="hartree/bohr",
        stress=stress,
        dipole=_vector(answer, "dipole"),
        net_force=_vector(answer, "net_force"),
        removes_net_force=job.removes_net_force,
    )


def _vector(answer: Mapping[str, Any], name: str) -> Floats | None:
    """Return a vector; None if the engine has none, as a dipole moment without vacuum."""
    found = np.asarray(answer.get(name, [None] * 3), np.float64)
    return found if np.isfinite(found).all() else None


def _volume(cell: Floats) -> float:
    return float(abs(np.linalg.det(cell)))
