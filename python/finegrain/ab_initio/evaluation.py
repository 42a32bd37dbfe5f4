# SPDX-License-Identifier: BSD-3-Clause
"""The engine's answer to one evaluation, in Hartree atomic units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from finegrain import units
from finegrain.ab_initio.existing_job import AbInitioJob
from finegrain.evaluation import Energies, terms_of


def energies(answer: Mapping[str, Any], job: AbInitioJob) -> Energies:
    """Return energies by term, forces and stress from the engine's kJ/mol and kJ/mol/nm.

    A molecule without images has neither virial nor stress.
    """
    terms = {name: value / units.hartree_in_kj_per_mol for name, value in terms_of(answer).items()}
    forces = np.asarray(answer["forces"], np.float64).reshape(-1, 3)
    virial = stress = None
    if job.boundary == "periodic":
        virial = np.asarray(answer["virial"], np.float64) / units.hartree_in_kj_per_mol
        stress = np.zeros((3, 3))
        rows, columns = [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]
        stress[rows, columns] = stress[columns, rows] = -virial / abs(np.linalg.det(job.cell))
    return Energies(
        energies=terms,
        forces=forces / units.force_in_kj_per_mol_nm,
        virial=virial,
        unit="hartree",
        forces_unit="hartree/bohr",
        stress=stress,
    )
