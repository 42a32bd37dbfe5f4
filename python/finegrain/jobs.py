# SPDX-License-Identifier: BSD-3-Clause
"""A prepared job, in nm, ps, dalton and kJ/mol."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from finegrain import cells, units
from finegrain.arguments import PathOrObject, checked_steps, input_path
from finegrain.engine import check_job
from finegrain.errors import InputError
from finegrain.kinds import require_kind
from finegrain.readable import readable
from finegrain.report import as_finegrain_error
from finegrain.seal import is_damaged
from finegrain.visible import visible
from finegrain.whole_file import changed_sealed_hdf5

Array = NDArray[Any]


class Job:
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

    def __init__(self, path: PathOrObject) -> None:
        self.path = input_path(path)
        self._check_seal()
        with self._opened() as file:
            self.title = visible(_text(file.attrs.get("title", "")), keep="")
            # the digest of the state that it has got from the stage before
            self.starts_from = _text(file.attrs.get("starts_from", ""))
            self.input_text = _text(file.attrs.get("input_text", ""))
            self.settings = {name: _value(item) for name, item in file["settings"].attrs.items()}
            self.dynamics = {name: _value(item) for name, item in file["dynamics"].attrs.items()}
            self.atoms = int(file["atoms/mass"].shape[0])
            self.waters, self.constraints, self.cmaps = (
                int(file[f"{table}/atoms"].shape[0]) if table in file else 0
                for table in ("waters", "constraints", "cmaps")
            )
            self.restraints = int(file["restraints/atoms"].shape[0]) if "restraints" in file else 0
            self.virtual_sites = (
                int(file["virtual_sites/site"].shape[0]) if "virtual_sites" in file else 0
            )

    def __repr__(self) -> str:
        return f"Job({str(self.path)!r}: {self.title}, {self.atoms:,} atoms)"

    def __fspath__(self) -> str:
        return str(self.path)

    @property
    def steps(self) -> int:
        """Number of time steps."""
        return int(self.dynamics["steps"])

    @property
    def timestep_fs(self) -> float:
        """Time step in femtoseconds."""
        return float(self.dynamics["timestep"]) * units.time_in_fs

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

        Constrained pairs are included, and virtual sites with the first of their parents.
        """
        pairs = []
        with self._opened() as file:
            for group in ("bonds", "gromos_bonds", "constraints"):
                if group in file and "atoms" in file[group]:
                    pairs.append(np.asarray(file[group]["atoms"][...]).reshape(-1, 2))
            if "virtual_sites" in file:
                table = file["virtual_sites"]
                pairs.append(np.column_stack([table["parents"][:, 0], table["site"][...]]))
        if not pairs:
            return np.zeros((0, 2), np.int32)
        return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)

    def set_steps(self, steps: int) -> None:
        """Change the number of steps of the job; the trajectory up to there stays the same."""
        checked_steps(steps)
        with changed_sealed_hdf5(self.path) as file:
            file["dynamics"].attrs["steps"] = np.int64(steps)
        self.dynamics["steps"] = steps

    def _check_seal(self) -> None:
        """Refuse a damaged file before HDF5 reads it: on some damage HDF5 loops without end."""
        try:
            damaged = self.path.exists() and is_damaged(self.path)
        except OSError:
            return  # _opened says what is wrong
        if damaged:
            raise InputError(
                "the job is damaged: its SHA-256 does not fit its contents",
                where=str(self.path),
                hint="copy the file again, or make the job again from its input",
            )

    @contextmanager
    def _opened(self) -> Iterator[h5py.File]:
        if not self.path.exists():
            raise InputError("no such file", where=str(self.path))
        try:
            file = h5py.File(self.path, "r")
        except OSError as error:
            raise InputError(
                "cannot be read as HDF5",
                where=str(self.path),
                value=str(error).strip(),
                hint="make the job again with finegrain run",
            ) from None
        with file, readable(self.path, "copy it again, or make the job again"):
            if _text(file.attrs.get("format", "")) != "finegrain-job":
                raise InputError("is not a job of finegrain", where=str(self.path))
            require_kind(_text(file.attrs.get("kind", "")), str(self.path))
            yield file

    def _array(self, name: str) -> Array:
        with self._opened() as file:
            values = np.asarray(file[name][...])
        if values.dtype.kind not in "iuf":
            raise self._damaged(name, "numbers are expected")
        return values

    def _names(self, table: str) -> list[str]:
        names = self._strings(table)
        self._check_rows(table, len(names))
        return names

    def _check_rows(self, table: str, rows: int) -> None:
        if rows != self.atoms:
            raise self._damaged(table, f"{self.atoms:,} rows are expected, not {rows:,}")

    def _damaged(self, name: str, limit: str) -> InputError:
        hint = "copy it again, or make the job again"
        return InputError(f"is damaged: {name}", where=str(self.path), limit=limit, hint=hint)

    def _strings(self, name: str) -> list[str]:
        with self._opened() as file:
            return [_text(item) for item in file[name][...]]


def check_job_file(path: Path) -> None:
    """Refuse a file that is not a job, or a job that the engine would not run."""
    if not path.exists():
        raise InputError("no such file", where=str(path))
    try:
        contents = path.read_bytes()
    except OSError as error:
        raise as_finegrain_error(error) from error
    check_job(str(path), contents)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _value(item: Any) -> Any:
    """Return an attribute as a plain Python value."""
    if isinstance(item, bytes):
        return item.decode()
    if isinstance(item, np.ndarray):
        return item.tolist()
    return item.item() if isinstance(item, np.generic) else item
