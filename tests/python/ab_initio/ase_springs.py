# SPDX-License-Identifier: BSD-3-Clause
"""A stand-in for the engine in tests of the calculator for ASE."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np

from finegrain import units

FORCE = units.force_in_kj_per_mol_nm


class Springs:
    """Pretends to be the engine: E = |R|^2/2 in hartree and bohr, at the positions it is given."""

    def __init__(self) -> None:
        self.jobs: list[Path] = []
        self.threads: list[int] = []
        self.saved: list[Path] = []
        self.positions = np.zeros((0, 3))
        self.evaluations = 0
        self.fails = False
        self.dipole = np.full(3, np.nan)  # no vacuum

    def kinds(self) -> list[str]:
        return ["classical", "ab-initio"]

    def check_job(self, _name: str, _contents: bytes) -> None:
        pass

    def Evaluator(self, job: str, *, pes: int, **_: float) -> Springs:  # noqa: N802 - a class of the engine
        self.jobs.append(Path(job))
        self.threads.append(pes)
        self.job_is_there(job)
        return self

    def job_is_there(self, job: str) -> None:
        assert Path(job).exists()

    def save(self, path: str) -> None:
        self.saved.append(Path(path))
        with h5py.File(path, "w"):
            pass

    def energy(self, positions: np.ndarray) -> dict[str, Any]:
        if self.fails:
            raise RuntimeError("springs break")
        self.positions = positions.copy()
        self.evaluations += 1
        half = 0.5 * float((self.positions**2).sum()) * units.hartree_in_kj_per_mol
        virial = np.array([1.0, 2.0, 3.0, 0.1, 0.2, 0.3]) * units.hartree_in_kj_per_mol
        return {
            "energies": {"kinetic": half, "ewald": 0.0},
            "forces": -self.positions * FORCE,
            "virial": virial,
            "dipole": self.dipole,
            "iterations": 10 + self.evaluations,
        }
