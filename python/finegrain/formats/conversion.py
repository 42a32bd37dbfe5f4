# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories, and the last state of a run, in the formats of other programs."""

from __future__ import annotations

import contextlib
import operator
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.base import cells
from finegrain.errors import InputError, ResourceError
from finegrain.files.whole import disk_hint
from finegrain.formats.amber_restart import write_rst7
from finegrain.formats.dcd import write_dcd
from finegrain.formats.extended_xyz import write_frame
from finegrain.formats.gro import write_gro
from finegrain.formats.mdtraj_writers import mdtraj_topology, write_pdb, write_xtc
from finegrain.formats.structure import Structure
from finegrain.formats.whole_molecules import Array, WholeMolecules
from finegrain.runs.checkpoints import read_checkpoint
from finegrain.runs.conversion import ConversionOptions
from finegrain.runs.folder.directory import FORMATS, ONE_STRUCTURE, OpenJob, RunDirectory
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.runs.trajectory import Frame, Trajectory


def convert_trajectory(
    folder: RunDirectory, asked: ConversionOptions, open_job: OpenJob, *, whole: bool
) -> Path:
    """Write the frames of a run, or its last state.

    Parameters
    ----------
    open_job : callable
        (path) to the job, for names, residues and the time step where a format has them.
    whole : bool
        Whether molecules are made whole by the bonds of the job.
    """
    to = asked.to
    target = asked.target(folder.path / f"trajectory.{to}")
    refuse_suffix(target, to)
    sources = (folder.trajectory, folder.job, folder.checkpoint)
    job = _Job(folder.job, open_job)
    images = Images(
        WholeMolecules(job.opened.atoms, job.opened.bonds()) if whole else None, asked.unwrap
    )
    if to in ONE_STRUCTURE and asked.frame is None:
        refuse_to_replace(target, overwrite=asked.replaces, inputs=sources)
        _write_whole(_Conversion(folder, to, None, slice(0), images, job), target, to)
        return target
    with Trajectory(folder.trajectory) as trajectory:
        frames = frames_of(trajectory, asked.frame)
        refuse_to_replace(target, overwrite=asked.replaces, inputs=sources)
        _write_whole(_Conversion(folder, to, trajectory, frames, images, job), target, to)
    return target


def frames_of(trajectory: Trajectory, frame: int | None) -> slice:
    """Return the numbers of the requested frames; all of them exist."""
    count = len(trajectory)
    if count == 0:
        raise InputError(
            "holds no frames yet",
            where=str(trajectory.path),
            hint="let the run continue for longer, or lower output.trajectory_interval",
        )
    if frame is None:
        return slice(count)
    try:
        index = operator.index(frame)
    except TypeError:
        raise InputError("is not a whole number", where="--frame", value=repr(frame)) from None
    if not -count <= index < count:
        limit = f"0 to {count - 1:,}, or -1 for the last"
        raise InputError("there is no such frame", where="--frame", value=str(frame), limit=limit)
    return slice(index % count, index % count + 1)


def refuse_suffix(target: Path, to: str) -> None:
    """Complain about a file name with the suffix of another format."""
    suffix = target.suffix.lower().removeprefix(".")
    if suffix != to and suffix in (*FORMATS, "h5", "toml", "csv", "json"):
        raise InputError(
            "the name is of another format",
            where=str(target),
            value=f"--to {to}",
            limit=f"a name that ends in .{to}",
            hint=f"--out {target.with_suffix(f'.{to}')}",
        )


class Images:
    """Says which images of the atoms are written.

    Parameters
    ----------
    molecules : WholeMolecules or None
        What is kept together.
    unwrap : bool
        As in `convert`.
    """

    def __init__(self, molecules: WholeMolecules | None, unwrap: bool) -> None:
        self.unwrap = unwrap
        self._molecules = molecules

    def of(self, positions: Array, box: Array | None) -> Array:
        """Return positions, those of whole molecules unless each atom is to be in the box."""
        if self._molecules is None:
            return positions
        return self._molecules.whole(positions, box, inside=not self.unwrap)


class _Job:
    """A job that is opened once, if it is needed."""

    def __init__(self, path: Path, open_job: OpenJob) -> None:
        self._path, self._open = path, open_job

    @cached_property
    def opened(self) -> Any:
        return self._open(self._path)


class _Conversion:
    """The structures to write: frames of a trajectory, or the last state of the run."""

    def __init__(
        self,
        folder: RunDirectory,
        to: str,
        trajectory: Trajectory | None,
        frames: slice,
        images: Images,
        job: _Job,
    ) -> None:
        self.folder = folder
        self.to = to
        self.trajectory = trajectory
        self.frames = frames
        self.images = images
        self.job = job
        self.topology = mdtraj_topology(job.opened) if to == "pdb" else None
        self.last = self._last_state() if trajectory is None else None

    def structures(self) -> Iterator[Structure]:
        """Yield one structure after the other; only one is in memory at a time."""
        if self.last is not None:
            yield self.last
        elif self.trajectory is not None:
            for index in range(self.frames.start or 0, self.frames.stop):
                yield self._structure(self.trajectory[index])

    def _structure(self, frame: Frame) -> Structure:
        positions = frame.unwrapped() if self.images.unwrap else frame.positions
        positions = self.images.of(positions, frame.box)
        return Structure(frame.step, frame.time, positions, frame.velocities, frame.box)

    def _last_state(self) -> Structure:
        path = self.folder.checkpoint
        if not path.is_file():
            raise InputError(
                "the run has saved no state yet",
                where=str(path),
                hint="take a frame of its trajectory: --frame -1",
            )
        job, state = self.job.opened, read_checkpoint(path)
        if state.half:
            raise InputError(
                "holds velocities of half a step before the positions: the run was broken off",
                where=str(path),
                hint=f"finish it, or stop it with Ctrl-C: finegrain resume {self.folder.path}\n"
                "or take a frame of its trajectory: --frame -1",
            )
        periodic = bool(job.settings["periodic"])
        unwrap = self.images.unwrap or not periodic
        positions = state.unwrapped() if unwrap else state.positions
        time = state.step * job.timestep_fs / 1000
        box = state.box if periodic else None
        positions = self.images.of(positions, box)
        return Structure(state.step, time, positions, state.velocities, box)

    def write(self, beside: Path) -> None:
        """Write all structures into a file beside the target."""
        structures = self.structures()
        if self.to == "xtc":
            write_xtc(beside, structures)
        elif self.to == "pdb":
            write_pdb(beside, structures, self.topology)
        elif self.to == "dcd":
            self._write_dcd(beside, structures)
        elif self.to == "xyz":
            self._write_xyz(beside, structures)
        else:
            (structure,) = structures
            job = self.job.opened
            with beside.open("w", encoding="utf-8") as file:
                if self.to == "gro":
                    write_gro(file, structure, job)
                else:
                    write_rst7(file, structure, job.title or "finegrain")

    def _write_xyz(self, beside: Path, structures: Iterator[Structure]) -> None:
        elements = self.trajectory.elements if self.trajectory is not None else []
        with beside.open("w", encoding="utf-8") as file:
            for structure in structures:
                write_frame(
                    file,
                    elements,
                    structure.positions,
                    velocities=structure.velocities,
                    box=structure.box,
                    properties=(("step", structure.step), ("time_ps", structure.time)),
                )

    def _write_dcd(self, beside: Path, structures: Iterator[Structure]) -> None:
        trajectory = self.trajectory
        assert trajectory is not None
        steps, times = trajectory.steps[self.frames], trajectory.times[self.frames]
        between = np.diff(steps)
        if len(between) and not (between == max(between[0], 1)).all():
            raise InputError(
                "frames are not evenly spaced in time, and DCD can say nothing else",
                where=str(trajectory.path),
                hint="convert to xtc",
            )
        apart = int(between[0]) if len(between) else max(int(steps[0]), 1)
        timestep = (times[-1] - times[0]) / (steps[-1] - steps[0]) if len(between) else 0.0
        if timestep == 0:
            timestep = self.job.opened.timestep_fs / 1000
        with beside.open("wb") as file:
            write_dcd(
                file,
                structures,
                frames=len(steps),
                atoms=trajectory.atoms,
                first_step=int(steps[0]),
                steps_between=apart,
                timestep=float(timestep),
                periodic=all(cells.is_periodic(box) for box in trajectory.boxes),
            )


def _write_whole(conversion: _Conversion, target: Path, to: str) -> None:
    """Write beside the target and put it in its place once it is whole."""
    beside = target.with_name(f".convert-{os.getpid()}.new.{to}")
    try:
        beside.touch()  # so that an unwritable folder is noticed here
        with _ascii_name(beside) as same:
            conversion.write(same)
        beside.replace(target)
    except OSError as error:  # it names only the temporary file
        reason = (error.strerror or "the file could not be written").lower()
        what = f"cannot be written: {reason}"
        raise ResourceError(what, where=str(target), hint=disk_hint(error)) from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


@contextlib.contextmanager
def _ascii_name(file: Path) -> Iterator[Path]:
    """Yield an ASCII name of the same file, through its open folder: some writers need it."""
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield file if str(file).isascii() else Path(f"/proc/self/fd/{folder}/{file.name}")
    finally:
        os.close(folder)
