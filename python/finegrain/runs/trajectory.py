# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories as H5MD files: frames and observables as NumPy arrays, read when needed.

H5MD: de Buyl, Colberg, Hoefling, Comput. Phys. Commun. 185, 1546 (2014), https://nongnu.org/h5md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.base.arguments import PathOrObject, run_folder
from finegrain.errors import InputError
from finegrain.files.hdf5 import open_hdf5
from finegrain.files.readable import readable

Array = NDArray[Any]

_NOT_H5MD = "give the trajectory.h5 of a run, or its folder"
_DAMAGED = "copy it again, or run the job again"
_CUT_SHORT = "the file was cut short: copy it again, or run the job again"
_BROKEN_OFF = "a run was broken off while it wrote this file: finegrain resume puts it right"


@dataclass(frozen=True)
class Observable:
    """A quantity over time.

    Attributes
    ----------
    value : ndarray, float64, shape (rows,) or (rows, ...)
        In `unit`.
    step : ndarray, int64, shape (rows,)
        Time step of each row.
    time : ndarray, float64, shape (rows,)
        Picoseconds.
    unit : str
        As in the file, such as "kJ mol-1".
    """

    value: Array
    step: Array
    time: Array
    unit: str


@dataclass(frozen=True)
class Frame:
    """All atoms at one time.

    Attributes
    ----------
    step : int
        Time step.
    time : float
        Picoseconds.
    positions : ndarray, float32, shape (atoms, 3)
        Nanometres, inside the box.
    images : ndarray, int32, shape (atoms, 3)
        Boxes to add per axis for the unwrapped position.
    box : ndarray, float64, shape (3,) or (3, 3)
        Edges in nanometres, or vectors in rows if the cell is tilted; zero where there is no
        periodic box.
    velocities : ndarray, float32, shape (atoms, 3), or None
        nm/ps; None where the run stored none.
    """

    step: int
    time: float
    positions: Array
    images: Array
    box: Array
    velocities: Array | None = None

    def unwrapped(self) -> Array:
        """Return positions without jumps at the box faces, float64, (atoms, 3), nm."""
        inside = np.asarray(self.positions, np.float64)
        return np.asarray(inside + cells.shifts(self.images, self.box))


class Trajectory:
    """The frames and observables of a run.

    Parameters
    ----------
    path : path
        The folder of a run, a `Run`, or an H5MD file.

    Raises
    ------
    InputError
        If there is no such file, if it is not H5MD, or if it was cut short.

    Examples
    --------
    >>> with fg.Trajectory("runs/dhfr") as trajectory:  # doctest: +SKIP
    ...     trajectory.positions().shape
    (11, 23558, 3)
    """

    def __init__(self, path: PathOrObject) -> None:
        self.path = run_folder(path)
        if self.path.is_dir():
            self.path = self.path / "trajectory.h5"
        self._file = _open(self.path)
        try:
            with readable(self.path, _DAMAGED):
                self._atoms = self._particles()
                self._frames = self._whole_frames()
        except InputError:
            self._file.close()
            raise

    def __enter__(self) -> Trajectory:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; arrays that were read remain valid."""
        self._file.close()

    def __len__(self) -> int:
        """Return the number of frames."""
        return self._frames

    def __getitem__(self, index: int) -> Frame:
        """Return one frame; negative indices count from the end."""
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"frame {index} of {count}")
        at = index % count
        only = slice(at, at + 1)
        images = self._images(only)
        positions = self._read("position/value", only)[0]
        return Frame(
            step=int(self.steps[at]),
            time=float(self.times[at]),
            positions=positions,
            images=images[0] if images is not None else np.zeros_like(positions, np.int32),
            box=self._boxes(only)[0],
            velocities=self.velocities(only)[0] if self.has_velocities else None,
        )

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames one by one; only one is in memory at a time."""
        return (self[index] for index in range(len(self)))

    @property
    def atoms(self) -> int:
        """Number of atoms."""
        return int(self._atoms["position/value"].shape[1])

    @property
    def steps(self) -> Array:
        """Time step of each frame: int64, shape (frames,)."""
        return self._clock("step", np.int64)

    @property
    def times(self) -> Array:
        """Time of each frame: float64, shape (frames,), picoseconds."""
        return self._clock("time", np.float64)

    @property
    def boxes(self) -> Array:
        """Box of each frame: float64, nm; zero where not periodic.

        Shape (frames, 3), edges; or (frames, 3, 3), vectors in rows, if the cell is tilted.
        """
        return self._boxes(slice(None))

    @property
    def elements(self) -> list[str]:
        """Chemical symbol of each atom, in the input's order."""
        return self._strings("element")

    @property
    def names(self) -> list[str]:
        """Name of each atom, such as "CA"; the chemical symbol where the file has no names."""
        return self._strings("name") if "name" in self._atoms else self.elements

    def bonds(self) -> Array:
        """Return pairs of bonded atoms: int64, shape (pairs, 2); none in an ab initio run.

        H5MD has them by the identifiers of atoms; here they are numbers from 0, as in positions.
        """
        with readable(self.path, _DAMAGED):
            group = self._file.get("connectivity")
            if group is None or "bonds" not in group:
                return np.zeros((0, 2), np.int64)
            pairs = np.asarray(_numbers(group["bonds"][...]), np.int64)
            if pairs.ndim != 2 or pairs.shape[1] != 2:
                raise ValueError(pairs.shape)
            names = self._identifiers()
            order = np.argsort(names)
            at = np.minimum(np.searchsorted(names[order], pairs), len(names) - 1)
            found = order[at]
            if (names[found] != pairs).any():
                raise ValueError("a bond of an atom that is not there")
            return np.asarray(found, np.int64)

    def _identifiers(self) -> Array:
        """Return the identifier of each atom, by which H5MD has bonds."""
        if "id" not in self._atoms:
            return np.arange(self.atoms)
        item = self._atoms["id"]
        found = _numbers(item["value"][0] if isinstance(item, h5py.Group) else item[...])
        if found.shape != (self.atoms,):
            raise ValueError(found.shape)
        return found

    @property
    def masses(self) -> Array:
        """Mass of each atom: float64, shape (atoms,), dalton."""
        if "mass" not in self._atoms:
            raise InputError("holds no masses", where=str(self.path))
        with readable(self.path, _DAMAGED):
            mass = self._atoms["mass"]
            return _numbers(mass["value"][-1] if isinstance(mass, h5py.Group) else mass[...])

    def positions(self, frames: slice = slice(None), *, unwrap: bool = False) -> Array:
        """Return positions of many frames.

        Parameters
        ----------
        frames : slice
            Which frames; all by default.
        unwrap : bool
            Undo the jumps at the box faces (float64 then).

        Returns
        -------
        ndarray, shape (frames, atoms, 3)
            Nanometres, atoms in the input's order.
        """
        inside = self._read("position/value", frames)
        if not unwrap:
            return inside
        images = self._images(frames)
        whole = inside.astype(np.float64)
        if images is None:
            return whole
        boxes = self._boxes(frames)
        for position, shift, box in zip(whole, images, boxes, strict=True):
            position += cells.shifts(shift, box)
        return whole

    @property
    def has_velocities(self) -> bool:
        """Whether frames also hold velocities."""
        return "velocity" in self._atoms

    def velocities(self, frames: slice = slice(None)) -> Array:
        """Return velocities, float32, shape (frames, atoms, 3), nm/ps.

        Parameters
        ----------
        frames : slice
            Which frames; all by default.

        Raises
        ------
        InputError
            If the run stored none.
        """
        if not self.has_velocities:
            raise InputError(
                "holds no velocities",
                where=str(self.path),
                hint="run with [output] velocities = true; the last ones are in checkpoint.h5",
            )
        return self._read("velocity/value", frames)

    def forces(self, frames: slice = slice(None)) -> Array:
        """Return forces, float32, (frames, atoms, 3), kJ/mol/nm; only ab initio dynamics has them.

        Parameters
        ----------
        frames : slice
            Which frames; all by default.

        Raises
        ------
        InputError
            If the run stored none.
        """
        if "force" not in self._atoms:
            hint = "only ab initio dynamics stores them"
            raise InputError("holds no forces", where=str(self.path), hint=hint)
        return self._read("force/value", frames)

    @property
    def observables(self) -> dict[str, Observable]:
        """Every quantity over time, by name: energies by term, temperature and others."""
        with readable(self.path, _DAMAGED):
            return self._all_observables()

    def _all_observables(self) -> dict[str, Observable]:
        found: dict[str, Observable] = {}
        places = ("observables", "parameters/energies")  # H5MD's, and ours
        for name, group in chain(*(_groups(self._file.get(place)) for place in places)):
            if "value" not in group:
                continue
            found[name] = Observable(
                value=_numbers(group["value"][...]),
                step=_numbers(group["step"][...]) if "step" in group else np.empty(0, np.int64),
                time=_numbers(group["time"][...]) if "time" in group else np.empty(0),
                unit=_text(group["value"].attrs.get("unit", "")),
            )
        return found

    def _particles(self) -> h5py.Group:
        groups = list(_groups(self._file.get("particles")))
        for _name, group in groups:
            if "position/value" in group and group["position/value"].ndim == 3:
                return group
        raise InputError("holds no particles", where=str(self.path), hint=_NOT_H5MD)

    def _whole_frames(self) -> int:
        """Return the number of complete frames; a kill may leave part of one.

        Positions are written first and steps last.
        """
        rows = [self._atoms["position/value"].shape[0]]
        for name in ("position/step", "position/time", "image/value", "velocity/value"):
            if name in self._atoms and self._atoms[name].shape != ():
                rows.append(self._atoms[name].shape[0])
        return int(min(rows))

    def _read(self, name: str, frames: slice) -> Array:
        with readable(self.path, _DAMAGED):
            first, last, stride = frames.indices(self._frames)
            table = self._atoms[name]
            if table.shape[1:] != self._atoms["position/value"].shape[1:]:
                raise ValueError(table.shape)
            if stride < 0:
                return _numbers(table[: self._frames])[frames]
            return _numbers(table[first:last:stride])

    def _clock(self, name: str, kind: type) -> Array:
        with readable(self.path, _DAMAGED):
            group = self._atoms["position"]
            if name not in group:
                return np.arange(len(self)).astype(kind)
            data = group[name]
            if data.shape == ():  # H5MD's fixed interval
                offset = data.attrs.get("offset", 0)
                return np.asarray(offset + data[()] * np.arange(len(self)), kind)
            return np.asarray(data[: len(self)], kind)

    def _images(self, frames: slice) -> Array | None:
        if "image/value" not in self._atoms:
            return None
        return self._read("image/value", frames).astype(np.int32)  # two bytes in our files

    def _boxes(self, frames: slice) -> Array:
        count = len(range(*frames.indices(len(self))))
        with readable(self.path, _DAMAGED):
            edges = self._atoms.get("box/edges")
            if edges is None or not self._periodic():
                return np.zeros((count, 3))
            each = isinstance(edges, h5py.Group)
            values = edges["value"][: len(self)][frames] if each else edges[...]
            values = np.asarray(values, np.float64)
        tilted = values.ndim == (3 if each else 2)  # H5MD has edges, or vectors in rows
        if tilted and not values[..., ~np.eye(3, dtype=bool)].any():
            values, tilted = np.diagonal(values, axis1=-2, axis2=-1), False
        return np.array(np.broadcast_to(values, (count, 3, 3) if tilted else (count, 3)))

    def _periodic(self) -> bool:
        kinds = np.atleast_1d(self._atoms["box"].attrs.get("boundary", "periodic"))
        return all(_text(kind) == "periodic" for kind in kinds)

    def _strings(self, name: str) -> list[str]:
        with readable(self.path, _DAMAGED):
            for group in (self._atoms, self._file.get("parameters"), self._file.get("topology")):
                if group is not None and name in group:
                    return [_text(item) for item in group[name][...]]
        raise InputError(f"holds no {name} of the atoms", where=str(self.path))


def _hint(path: Path, *, cut_short: bool) -> str:
    if path.with_name(f"{path.name}.journal").exists():
        return _BROKEN_OFF
    return _CUT_SHORT if cut_short else _NOT_H5MD


def _open(path: Path) -> h5py.File:
    if not path.exists():
        raise InputError("no such file", where=str(path), hint=_NOT_H5MD)
    try:
        file = _hdf5(path)
    except OSError as error:
        cut = "truncated" in str(error)
        raise InputError(
            "cut short" if cut else "cannot be read as HDF5",
            where=str(path),
            value=str(error).strip(),
            hint=_hint(path, cut_short=cut),
        ) from None
    try:
        with readable(path, _DAMAGED):
            ours = "h5md" in file
    except InputError:
        file.close()
        raise
    if not ours:
        file.close()
        raise InputError("is HDF5, but not an H5MD trajectory", where=str(path), hint=_NOT_H5MD)
    return file


def _hdf5(path: Path) -> h5py.File:
    """Open as other readers do: HDF5 opens a file in one way for all users in a process."""
    try:
        return open_hdf5(path)
    except OSError as error:
        if "lock" not in str(error):
            raise
        return open_hdf5(path, locking=False)


def _numbers(values: Any) -> Array:
    """Return a table of numbers, and raise for one of texts or compounds."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(array.dtype)
    return array


def _groups(parent: Any) -> Iterator[tuple[str, Any]]:
    if parent is None:
        return
    for name, item in parent.items():
        if isinstance(item, h5py.Group):
            yield name, item


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
