# SPDX-License-Identifier: BSD-3-Clause
"""A prepared job of an ab initio run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from finegrain import units
from finegrain.ab_initio.division.checkpoint_sizes import bytes_of_checkpoints
from finegrain.ab_initio.division.fineness import note_of_pes
from finegrain.ab_initio.input.ion_method import method_of
from finegrain.base.arguments import checked_steps
from finegrain.errors import InputError
from finegrain.files.whole import changed_sealed_hdf5
from finegrain.runs.job import Array, JobFile, text_of, value_of


class AbInitioJob(JobFile):
    """Everything that the engine needs for one ab initio calculation, in one HDF5 file.

    Parameters
    ----------
    path : path
        The job, as written by `load` or ``finegrain run``, or the folder of a run.

    Attributes
    ----------
    boundary : str
        "periodic", or "isolated" for a molecule without images.
    electrons, ground_state, division : dict
        The settings, in Hartree atomic units.
    dynamics : dict
        The settings of a dynamics, in the same units; empty for a ground state.
    nonlocal_part, local_part : IonMethod
    species : list of dict
        For each element ``symbol, charge, file, sha256, width``.

    Raises
    ------
    InputError
        If the file is missing, cut short, damaged, or not a job of an ab initio run.

    Notes
    -----
    The file and the properties here are in Hartree atomic units, except `timestep_fs`.
    """

    kind = "ab-initio"

    def _read(self, file: h5py.File) -> None:
        self.boundary = text_of(file["cell"].attrs["boundary"])
        self.electrons = _values(file["electrons"])
        self.nonlocal_part = method_of(_values(file["nonlocal"]))
        self.local_part = method_of(_values(file["local"]))
        self.ground_state = _values(file["ground_state"])
        self.dynamics = _values(file["dynamics"]) if "dynamics" in file else {}
        self.division = _values(file["division"])
        self.outputs = _values(file["outputs"])
        numbers = ("bands", "bands_up", "spins", "cutoff")
        self._require_numbers("electrons", self.electrons, *numbers)
        self._require_numbers("ground_state", self.ground_state, "iterations")
        if self.dynamics:
            self._require_numbers("dynamics", self.dynamics, "steps", "timestep")
        self.checkpoints = bool(self.outputs["orbitals"])
        count = int(file["species"].attrs["count"])
        self.species = [_values(file[f"species/{number}"]) for number in range(count)]
        of = np.asarray(file["ions/species"][...])
        if of.dtype.kind not in "iu" or ((of < 0) | (of >= count)).any():
            raise self._damaged("ions/species", f"numbers of {count:,} species are expected")
        self.symbols = tuple(text_of(self.species[number]["symbol"]) for number in of)
        self.atoms = len(self.symbols)

    @property
    def removes_net_force(self) -> bool:
        """Whether the sum of the forces is taken out of them."""
        return bool(self.electrons.get("removes_net_force", 0))

    @property
    def steps(self) -> int:
        """The steps of a dynamics, or the largest number of iterations of a ground state."""
        return int(self.dynamics.get("steps", self.ground_state["iterations"]))

    @property
    def timestep_fs(self) -> float:
        """The time step of a dynamics, femtoseconds; 0 for a ground state."""
        return float(self.dynamics.get("timestep", 0.0)) * units.time_in_fs

    @property
    def cell(self) -> Array:
        """The vectors of the cell in rows: float64, shape (3, 3), bohr."""
        return self._array("cell/vectors")

    @property
    def positions(self) -> Array:
        """Positions: float64, shape (atoms, 3), bohr, in the input's order."""
        return self._array("ions/position")

    @property
    def masses(self) -> Array:
        """Masses: float64, shape (atoms,), electron masses."""
        return self._array("ions/mass")

    @property
    def velocities(self) -> Array:
        """Velocities of ions at the start of a dynamics: float64, (atoms, 3), bohr per au time.

        Raises
        ------
        InputError
            If it is the job of a ground state.
        """
        if not self.dynamics:
            what = "is the job of a ground state, which has no velocities"
            raise InputError(what, where=str(self.path))
        return self._array("ions/velocity")

    def memory_of_checkpoints(self, ranks: int) -> float:
        """Return the bytes of checkpoints of a dynamics in the memory of so many processes."""
        if not self.dynamics:
            return 0.0
        bands = int(self.electrons["bands"])
        return bytes_of_checkpoints(self.dynamics, self._half_sphere(), bands, ranks)

    def _half_sphere(self) -> float:
        """Return about how many waves an orbital has."""
        longest = float(np.sqrt(2 * self.electrons["cutoff"]))
        return abs(float(np.linalg.det(self.cell))) * longest**3 / (12 * np.pi**2)

    def note_of_pes(self, pes: int) -> str:
        """Return what to change in the input so that so many PEs have work."""
        try:
            up, all_bands = int(self.electrons["bands_up"]), int(self.electrons["bands"])
            block, parts = int(self.division["state_grain"]), int(self.division["wave_parts"])
            most = int(self.electrons["grid"][2])
            half = self._half_sphere()
            bands = [up, all_bands - up]
            return note_of_pes(pes, bands, half, most, block, parts, self._keys_of("objects"))
        except (ArithmeticError, KeyError, TypeError, ValueError):
            numbers = "numbers are expected of division, bands and grid"
            raise self._damaged("electrons", numbers) from None

    def set_steps(self, steps: int) -> None:
        """Change the number of steps of a dynamics, or the largest number of iterations."""
        checked_steps(steps)
        group, name = ("dynamics", "steps") if self.dynamics else ("ground_state", "iterations")
        with changed_sealed_hdf5(self.path) as file:
            file[group].attrs[name] = np.int64(steps)
        (self.dynamics or self.ground_state)[name] = steps

    def refuse_steps(self, steps: int, source: str) -> None:
        """Complain about a number of iterations beyond the engine's limit."""
        if not self.dynamics and steps > _most_iterations:
            limit = f"at most {_most_iterations:,} iterations"
            raise InputError("too many iterations", where=source, value=f"{steps:,}", limit=limit)

    @property
    def makes_steps(self) -> bool:
        """Whether it is a dynamics; the search for a ground state has an end of its own."""
        return bool(self.dynamics)

    def is_done(self, result: Mapping[str, Any]) -> bool:
        """Return whether all steps were done, or the ground state was found."""
        if self.dynamics and int(result.get("steps", 0)) < self.steps:
            return False
        return bool(result.get("finished", False))

    def goes_on_with(self, folder: Path) -> str:
        """Return what to do for more steps, or for a better ground state."""
        if self.dynamics:
            return f"continue it with: finegrain resume {folder} --steps {2 * self.steps or 1000}"
        return (
            "for a smaller residual run it again in another folder, with [ground_state] tolerance "
            f'and start = "{folder}"\n'
            'for steps in time run an input with [dynamics] kind = "car-parrinello" or '
            f'"born-oppenheimer", and [ground_state] start = "{folder}"'
        )


_most_iterations = 1_000_000


def _values(group: h5py.Group) -> dict[str, Any]:
    return {name: value_of(item) for name, item in group.attrs.items()}
