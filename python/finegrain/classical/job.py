# SPDX-License-Identifier: BSD-3-Clause
"""A prepared job of classical dynamics, in nm, ps, dalton and kJ/mol."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from finegrain import units
from finegrain.base import cells
from finegrain.base.arguments import checked_steps
from finegrain.errors import InputError
from finegrain.files.whole import changed_sealed_hdf5
from finegrain.runs.job import Array, JobFile, value_of


class Job(JobFile):
    """Everything that the engine needs for one calculation, in one HDF5 file.

    Parameters
    ----------
    path : path
        The job, as written by `load` or ``finegrain run``, or the folder of a run.

    Raises
    ------
    InputError
        If the file is missing, cut short, damaged, or not a job of finegrain.

    Notes
    -----
    The file holds Hartree atomic units; the properties here are in nm, ps, dalton and kJ/mol.
    """

    kind = "classical"

    def _read(self, file: h5py.File) -> None:
        self.settings = {name: value_of(item) for name, item in file["settings"].attrs.items()}
        self.dynamics = {name: value_of(item) for name, item in file["dynamics"].attrs.items()}
        given = {"rebuild_interval", "periodic"} & set(self.settings)
        self._require_numbers("settings", self.settings, *given)
        optional = {"long_range_interval"} & set(self.dynamics)
        self._require_numbers("dynamics", self.dynamics, "steps", "timestep", *optional)
        self.atoms = int(file["atoms/mass"].shape[0])
        self.waters, self.constraints, self.cmaps = (
            int(file[f"{table}/atoms"].shape[0]) if table in file else 0
            for table in ("waters", "constraints", "cmaps")
        )
        self.restraints = int(file["restraints/atoms"].shape[0]) if "restraints" in file else 0
        far = "exceptions/far"
        self.far_exceptions = int(file[far].shape[0]) if far in file else 0
        self.virtual_sites = (
            int(file["virtual_sites/site"].shape[0]) if "virtual_sites" in file else 0
        )

    @property
    def steps(self) -> int:
        """Number of time steps."""
        return int(self.dynamics["steps"])

    @property
    def timestep_fs(self) -> float:
        """Time step in femtoseconds."""
        return float(self.dynamics["timestep"]) * units.time_in_fs

    @property
    def long_range_interval(self) -> int:
        """Steps between two evaluations of the mesh."""
        return int(self.dynamics.get("long_range_interval", 1))

    @property
    def barostat(self) -> str:
        """Name of the barostat; empty if the box is constant."""
        name = str(self.dynamics.get("barostat", "none"))
        return "" if name == "none" else name

    @property
    def box(self) -> Array:
        """Box in nm: float64, shape (3,), edges; or (3, 3), vectors in rows, if it is tilted."""
        return cells.box_of(self._array("box")) * units.bohr_in_nm

    @property
    def volume(self) -> float:
        """Volume of the box, nm³."""
        return cells.volume(self.box)

    @property
    def positions(self) -> Array:
        """Positions: float64, shape (atoms, 3), nm, in the input's order."""
        return self._array("atoms/position") * units.bohr_in_nm

    @property
    def velocities(self) -> Array:
        """Velocities: float64, shape (atoms, 3), nm/ps."""
        return self._array("atoms/velocity") * units.speed_in_nm_per_ps

    @property
    def masses(self) -> Array:
        """Masses: float64, shape (atoms,), dalton."""
        return self._array("atoms/mass") * units.electron_mass_in_dalton

    @property
    def charges(self) -> Array:
        """Charges: float64, shape (atoms,), elementary charges."""
        return self._array("atoms/charge")

    @property
    def names(self) -> list[str]:
        """Name of each atom, such as "CA"."""
        return self._names("atoms/name")

    @property
    def elements(self) -> list[str]:
        """Chemical symbol of each atom."""
        return self._names("atoms/element")

    def residues(self) -> tuple[Array, list[str], Array, list[str]]:
        """Return the residue of each atom, then name, number and chain of each residue.

        Returns
        -------
        residue : ndarray, int32, shape (atoms,)
            Index into the three others.
        name, number, chain : list of str, ndarray of int32, list of str
            One entry per residue.
        """
        residue = self._array("atoms/residue")
        self._check_rows("atoms/residue", len(residue))
        names, chains = self._strings("residues/name"), self._strings("residues/chain")
        numbers = self._array("residues/number")
        if not len(names) == len(chains) == len(numbers):
            raise self._damaged("residues", "its tables differ in their sizes")
        if residue.dtype.kind not in "iu" or ((residue < 0) | (residue >= len(names))).any():
            raise self._damaged("atoms/residue", f"numbers of {len(names):,} residues are expected")
        return residue, names, numbers, chains

    def bonds(self) -> Array:
        """Return pairs of bonded atoms: int32, shape (pairs, 2).

        Constrained bonds are included, and virtual sites with the first of their parents. Terms
        between atoms that are bonded to a third one (Urey-Bradley) are not.
        """
        pairs = self._stored_bonds()
        if ((pairs < 0) | (pairs >= self.atoms)).any():
            raise self._damaged("its bonds", f"numbers of {self.atoms:,} atoms are expected")
        return pairs

    def _stored_bonds(self) -> Array:
        with self._opened() as file:
            pairs = file["connectivity"][...] if "connectivity" in file else ()
            return np.asarray(pairs, np.int32).reshape(-1, 2)

    def set_steps(self, steps: int) -> None:
        """Change the number of steps of the job; the trajectory up to there stays the same."""
        checked_steps(steps)
        with changed_sealed_hdf5(self.path) as file:
            file["dynamics"].attrs["steps"] = np.int64(steps)
        self.dynamics["steps"] = steps

    def refuse_steps(self, steps: int, source: str) -> None:
        """Complain about steps of a job without a time step, or that end without the mesh."""
        every = self.long_range_interval
        if steps % every:
            raise InputError(
                "the run would end between two evaluations of the mesh",
                where=source,
                value=f"{steps:,} steps",
                limit=f"a multiple of long_range_interval = {every}",
                hint=f"take {steps // every * every} or {(steps // every + 1) * every} steps",
            )
        if steps > 0 and self.timestep_fs == 0:
            hint = 'add a [dynamics] section with timestep = "2 fs"; `finegrain init` shows one'
            raise InputError("a run needs a time step", where=source, hint=hint)

    def note_of_pes(self, pes: int) -> str:
        """Return what to change in the input so that so many PEs have work."""
        from finegrain.classical.division.fineness import (
            most_patches,
            note_of_pes,
            worth_a_division,
        )

        settings = self.settings
        if not {"patch_width", "pair_computes"} <= settings.keys():
            return ""  # a job of another program
        try:
            least = float(settings["patch_width"])
            every_pair = not settings["periodic"] and settings["electrostatics"] == "plain"
            if not least > 0 or (every_pair and self.atoms < worth_a_division):
                return ""
            widths = (cells.widths(self.box) / units.bohr_in_nm).tolist()
            most = most_patches(widths, least, every_pair=every_pair, far=self.far_exceptions > 0)
            x, y, z = (int(count) for count in settings["patch_grid"])
            computes = int(settings["pair_computes"])
        except (KeyError, OverflowError, TypeError, ValueError):
            numbers = "numbers are expected of patch_width, patch_grid and pair_computes"
            raise self._damaged("settings", numbers) from None
        return note_of_pes(pes, self.atoms, most, (x, y, z), computes, self._keys_of("patches"))

    def is_done(self, result: Mapping[str, Any]) -> bool:
        """Return whether a run got to the last step."""
        # A longer run that was then interrupted leaves the result of the shorter one.
        return int(result.get("steps", 0)) >= self.steps

    def goes_on_with(self, folder: Path) -> str:
        """Return the command for a longer run."""
        return f"continue it with: finegrain resume {folder} --steps {2 * self.steps or 1000}"
