# SPDX-License-Identifier: BSD-3-Clause
"""The parts of a checkpoint that the package needs; the engine reads the rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.base import cells
from finegrain.errors import InputError
from finegrain.files.hdf5 import open_hdf5
from finegrain.files.readable import readable
from finegrain.files.seal import is_whole
from finegrain.units import bohr_in_nm, speed_in_nm_per_ps

Array = NDArray[Any]


@dataclass(frozen=True)
class CheckpointState:
    """All atoms at the time of a checkpoint, in the input's order.

    Attributes
    ----------
    step : int
    positions : ndarray, float64, shape (atoms, 3), nm; fragments are whole
    images : ndarray, int32, shape (atoms, 3)
        Boxes to add for the unwrapped position.
    velocities : ndarray, float64, shape (atoms, 3), nm/ps
    half : bool
        Whether velocities are of half a step before the positions.
    box : ndarray, float64, shape (3,) or (3, 3), nm
        Edges, or vectors in rows if the cell is tilted; in vacuum those of a frame which is not the
        user's.
    """

    step: int
    positions: Array
    images: Array
    velocities: Array
    half: bool
    box: Array

    def unwrapped(self) -> Array:
        """Return positions that do not jump at the box faces, nm."""
        return np.asarray(self.positions + cells.shifts(self.images, self.box))


def read_checkpoint(path: Path) -> CheckpointState:
    """Read a checkpoint.

    Raises
    ------
    InputError
        If there is none, or if it is damaged.
    """
    if not path.is_file():
        raise InputError("no such checkpoint", where=str(path))
    if not is_whole(path):
        previous = path.with_name("checkpoint_previous.h5")
        there = previous != path and previous.exists()
        hint = f"the one before it is {previous.name}" if there else "take a frame of trajectory.h5"
        raise InputError("is a damaged checkpoint", where=str(path), limit="its SHA-256", hint=hint)
    with readable(path, "take a frame of trajectory.h5"), open_hdf5(path) as file:
        shapes = {file[name].shape for name in ("position", "image", "velocity")}
        kinds = {file[name].dtype.kind for name in ("position", "image", "velocity", "box")}
        stage = file.attrs["velocity_stage"]
        sizes = len(shapes) == 1 and len(min(shapes)) == 2 and file["box"].shape in ((3,), (6,))
        if not sizes or not kinds <= set("iuf") or not isinstance(stage, str | bytes):
            what = "is damaged: its tables differ in their sizes or hold no numbers"
            raise InputError(what, where=str(path), hint="take a frame of trajectory.h5")
        return CheckpointState(
            step=int(file.attrs["step"]),
            positions=np.asarray(file["position"][...]) * bohr_in_nm,
            images=np.asarray(file["image"][...]),
            velocities=np.asarray(file["velocity"][...]) * speed_in_nm_per_ps,
            half=stage in ("half", b"half"),
            box=cells.box_of(file["box"][...]) * bohr_in_nm,
        )


def refuse_odd_checkpoints(folder: Path) -> None:
    """Complain about whole checkpoints that lead elsewhere, or claim more than a file can hold.

    Damaged ones are for the engine, which takes the one before.
    """
    for name in ("checkpoint.h5", "checkpoint_previous.h5"):
        if (folder / name).is_file() and is_whole(folder / name):
            with readable(folder / name, "take a frame of trajectory.h5"):
                open_hdf5(folder / name).close()


def step_of_checkpoint(path: Path) -> int:
    """Return the step of a checkpoint; 0 for a damaged one, which the engine refuses."""
    try:
        with open_hdf5(path) as file:
            return int(file.attrs["step"])
    except (InputError, OSError, RuntimeError, KeyError, ValueError, TypeError, OverflowError):
        return 0
