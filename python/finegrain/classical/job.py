# SPDX-License-Identifier: BSD-3-Clause
"""A prepared job of classical dynamics, in nm, ps, dalton and kJ/mol."""

from __future__ import annotations

import math
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
        optional = {"pair_interval", "long_range_interval"} & set(self.dynamics)
        self._require_numbers("dynamics", self.dynamics, "steps", "timestep", *optional)
        self.repeat = self._repeat_of(file)
        self.copies = math.prod(self.repeat)

        def rows(table: str) -> int:
            return self.copies * int(file[table].shape[0]) if table in file else 0

        self.atoms = rows("atoms/mass")
        self.waters, self.constraints = rows("waters/atoms"), rows("constraints/atoms")
        self.cmaps, self.restraints = rows("cmaps/atoms"), rows("restraints/atoms")
        self.far_exceptions, self.virtual_sites = rows("exceptions/far"), rows("virtual_sites/site")

    def _repeat_of(self, file: h5py.File) -> tuple[int, int, int]:
        """Return how often the cell is there along each of its vectors."""
        counts = np.asarray(file.attrs.get("repeat", (1, 1, 1)))
        if counts.shape != (3,) or counts.dtype.kind not in "iu" or (counts < 1).any():
            raise self._damaged("repeat", "three numbers of at least 1 are expected")
        x, y, z = (int(count) for count in counts)
        return x, y, z

    @property
    def steps(self) -> int:
        """Number of time steps."""
        return int(self.dynamics["steps"])

    @property
    def timestep_fs(self) -> float:
        """Time step in femtoseconds."""
        return float(self.dynamics["timestep"]) * units.time_in_fs

    @property
    def minimise_tolerance(self) -> float:
        """The largest force that a minimisation leaves, kJ/mol/nm; 0 without one."""
        if self.dynamics.get("minimise", "no") == "no":
            return 0.0
        given = self.dynamics.get("minimise_tolerance", 0.0)
        return float(given) * units.force_in_kj_per_mol_nm

    @property
    def pair_interval(self) -> int:
        """Steps between two evaluations of the pair forces."""
        return int(self.dynamics.get("pair_interval", 1))

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
        with self._opened() as file:
            started = self.copies > 1 and "start" in file
        if started:
            return cells.box_of(self._array("start/box")) * units.bohr_in_nm
        return cells.repeated(self._cell(), self.repeat) * units.bohr_in_nm

    def _cell(self) -> Array:
        """Return the box of one copy, bohr."""
        return cells.box_of(self._array("box"))

    def _all(self, of_one: Array) -> Array:
        """Return a table of one copy for all."""
        return np.concatenate([of_one] * self.copies) if self.copies > 1 else of_one

    @property
    def volume(self) -> float:
        """Volume of the box, nm³."""
        return cells.volume(self.box)

    @property
    def positions(self) -> Array:
        """Positions: float64, shape (atoms, 3), nm, in the input's order."""
        if (started := self._start("position")) is not None:
            return started * units.bohr_in_nm
        position = self._array("atoms/position")
        if self.copies > 1:
            places = np.indices(self.repeat, np.int32).reshape(3, -1).T
            offsets = cells.shifts(places, self._cell())
            position = (offsets[:, None, :] + position).reshape(-1, 3)
        return position * units.bohr_in_nm

    def _start(self, name: str) -> Array | None:
        """Return what a stage of several copies begins with, if it is not what the input gave."""
        with self._opened() as file:
            found = self.copies > 1 and f"start/{name}" in file
        return self._array(f"start/{name}") if found else None

    @property
    def velocities(self) -> Array:
        """Velocities: float64, shape (atoms, 3), nm/ps."""
        velocity = self._start("velocity")
        if velocity is None:
            velocity = self._all(self._array("atoms/velocity"))
        return velocity * units.speed_in_nm_per_ps

    @property
    def masses(self) -> Array:
        """Masses: float64, shape (atoms,), dalton."""
        return self._all(self._array("atoms/mass")) * units.electron_mass_in_dalton

    @property
    def charges(self) -> Array:
        """Charges: float64, shape (atoms,), elementary charges."""
        return self._all(self._array("atoms/charge"))

    @property
    def names(self) -> list[str]:
        """Name of each atom, such as "CA"."""
        return self._names_of_all("atoms/name")

    @property
    def elements(self) -> list[str]:
        """Chemical symbol of each atom."""
        return self._names_of_all("atoms/element")

    def _names_of_all(self, table: str) -> list[str]:
        names = self._strings(table) * self.copies
        self._check_rows(table, len(names))
        return names

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
        self._check_rows("atoms/residue", self.copies * len(residue))
        names, chains = self._strings("residues/name"), self._strings("residues/chain")
        numbers = self._array("residues/number")
        if not len(names) == len(chains) == len(numbers):
            raise self._damaged("residues", "its tables differ in their sizes")
        if residue.dtype.kind not in "iu" or ((residue < 0) | (residue >= len(names))).any():
            raise self._damaged("atoms/residue", f"numbers of {len(names):,} residues are expected")
        if self.copies == 1:
            return residue, names, numbers, chains
        copy = np.arange(self.copies, dtype=np.int32)[:, None]
        span = np.int32(int(numbers.max()) - int(numbers.min()) + 1)
        return (
            (residue + copy * np.int32(len(names))).ravel(),
            names * self.copies,
            (numbers + copy * span).ravel(),
            chains * self.copies,
        )

    def bonds(self) -> Array:
        """Return pairs of bonded atoms: int32, shape (pairs, 2).

        Constrained bonds are included, and virtual sites with the first of their parents. Terms
        between atoms that are bonded to a third one (Urey-Bradley) are not.
        """
        pairs, atoms = self._stored_bonds(), self.atoms // self.copies
        if ((pairs < 0) | (pairs >= atoms)).any():
            raise self._damaged("its bonds", f"numbers of {atoms:,} atoms are expected")
        return pairs if self.copies == 1 else self._repeated_bonds(pairs)

    def _repeated_bonds(self, pairs: Array) -> Array:
        """Return the bonds of all copies; one that leaves its cell goes to the nearest image."""
        cell, position = self._cell(), self._array("atoms/position")
        apart = position[pairs[:, 0]] - position[pairs[:, 1]]
        beyond = np.rint(cells.fractional(cells.nearest_shift(apart, cell), cell)).astype(np.int64)
        places = np.indices(self.repeat, np.int32).reshape(3, -1).T
        other = (places[:, None, :] + beyond) % self.repeat
        _, y, z = self.repeat
        copy = (other[..., 0] * y + other[..., 1]) * z + other[..., 2]
        atoms = self.atoms // self.copies
        first = np.arange(self.copies)[:, None] * atoms + pairs[:, 0]
        joined = np.stack([first, copy * atoms + pairs[:, 1]], axis=-1)
        return np.asarray(joined.reshape(-1, 2), np.int32)

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
        """Complain about steps of a job without a time step, or that end without some forces."""
        every, forces, key = self.long_range_interval, "the mesh", "long_range_interval"
        if every < self.pair_interval:
            every, forces, key = self.pair_interval, "pair forces", "pair_interval"
        if steps % every:
            raise InputError(
                f"the run would end between two evaluations of {forces}",
                where=source,
                value=f"{steps:,} steps",
                limit=f"a multiple of {key} = {every}",
                hint=f"take {steps // every * every} or {(steps // every + 1) * every} steps",
            )
        if steps > 0 and self.timestep_fs == 0:
            hint = 'add a [dynamics] section with timestep = "2 fs"; `finegrain init` shows one'
            raise InputError("a run needs a time step", where=source, hint=hint)

    def note_of_pes(self, pes: int) -> str:
        """Return what to change in the input so that so many PEs have work."""
        from finegrain.classical.division.fineness import (
            most_by_reach,
            note_of_pes,
            reach_for,
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
            far = self.far_exceptions > 0
            mosts = most_by_reach(widths, least, every_pair=every_pair, far=far)
            most = mosts[reach_for(mosts, pes) - 1]
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
