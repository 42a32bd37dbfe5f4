# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories, and the last state of a run, in the formats of other programs."""

from __future__ import annotations

import contextlib
import operator
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from finegrain.formats.images import Images
from finegrain.formats.joined_trajectory import JoinedTrajectory, Part
from finegrain.formats.mdtraj_writers import mdtraj_topology, write_pdb, write_xtc
from finegrain.formats.selection import Chooser, ChosenAtoms
from finegrain.formats.structure import Structure
from finegrain.formats.whole_molecules import Array, WholeMolecules
from finegrain.runs.checkpoints import read_checkpoint
from finegrain.runs.conversion import ConversionOptions
from finegrain.runs.folder.directory import FORMATS, ONE_STRUCTURE, OpenJob, RunDirectory
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.runs.trajectory import Trajectory


@dataclass(frozen=True)
class RunFiles:
    """The files of a run, or of the stages of one.

    Attributes
    ----------
    home : Path
        Where a new file goes by default.
    folder : RunDirectory
        Has the job and the last state.
    parts : sequence of Part
        The trajectories of all stages that have begun; none for a run without stages.
    before : (int, float)
        Steps and picoseconds before the job of `folder`.
    """

    home: Path
    folder: RunDirectory
    parts: Sequence[Part] = ()
    before: tuple[int, float] = (0, 0.0)

    def trajectory(self) -> Trajectory | JoinedTrajectory:
        """Open the frames."""
        return JoinedTrajectory(self.parts) if self.parts else Trajectory(self.folder.trajectory)

    @property
    def all(self) -> tuple[Path, ...]:
        """All files that are read."""
        own = (self.folder.trajectory, self.folder.job, self.folder.checkpoint)
        return (*own, *(part.path for part in self.parts))


def convert_trajectory(
    run: RunFiles, asked: ConversionOptions, open_job: OpenJob, *, whole: bool
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
    target = asked.target(run.home / f"trajectory.{to}")
    refuse_suffix(target, to)
    job = open_job(run.folder.job)
    images = Images(WholeMolecules(job.atoms, job.bonds()) if whole else None, asked.unwrap)
    if to in ONE_STRUCTURE and asked.frame is None:
        asked.refuse(("first", "last", "stride"), f"{to} has only the last state, or one --frame")
        refuse_to_replace(target, overwrite=asked.replaces, inputs=run.all)
        _write_whole(_Conversion(run, asked, None, slice(0), images, job), target, to)
        return target
    with run.trajectory() as trajectory:
        frames = frames_of(trajectory, asked)
        refuse_to_replace(target, overwrite=asked.replaces, inputs=run.all)
        _write_whole(_Conversion(run, asked, trajectory, frames, images, job), target, to)
    return target


def frames_of(trajectory: Trajectory | JoinedTrajectory, asked: ConversionOptions) -> slice:
    """Return the numbers of the requested frames; all of them exist."""
    count = len(trajectory)
    if count == 0:
        raise InputError(
            "holds no frames yet",
            where=str(trajectory.path),
            hint="let the run continue for longer, or lower output.trajectory_interval",
        )
    if asked.frame is not None:
        asked.refuse(("first", "last", "stride"), "has no use beside --frame")
        only = _frame("frame", asked.frame, count)
        return slice(only, only + 1)
    first = _frame("first", 0 if asked.first is None else asked.first, count)
    last = _frame("last", -1 if asked.last is None else asked.last, count)
    stride = 1 if asked.stride is None else _whole("stride", asked.stride)
    if stride < 1:
        raise InputError("is too small", where="--stride", value=str(stride), limit="at least 1")
    if first > last:
        what, limit = "is behind the last frame", f"at most {last}, which is --last"
        raise InputError(what, where="--first", value=str(asked.first), limit=limit)
    return slice(first, last + 1, stride)


def _frame(option: str, frame: int, count: int) -> int:
    """Return the number of a frame that exists, from 0."""
    index = _whole(option, frame)
    if not -count <= index < count:
        limit = f"0 to {count - 1:,}, or -1 for the last"
        where = f"--{option}"
        raise InputError("there is no such frame", where=where, value=str(frame), limit=limit)
    return index % count


def _whole(option: str, number: int) -> int:
    try:
        return operator.index(number)
    except TypeError:
        where = f"--{option}"
        raise InputError("is not a whole number", where=where, value=repr(number)) from None


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


class _Conversion:
    """The structures to write: frames of a trajectory, or the last state of the run."""

    def __init__(
        self,
        run: RunFiles,
        asked: ConversionOptions,
        trajectory: Trajectory | JoinedTrajectory | None,
        frames: slice,
        images: Images,
        job: Any,
    ) -> None:
        self.run = run
        self.to = asked.to
        self.trajectory = trajectory
        self.frames = range(*frames.indices(len(trajectory))) if trajectory is not None else ()
        self.images = images
        self.job = job
        self.last = self._last_state() if trajectory is None else None
        self.named: Any = job
        self.chosen: Array | None = None
        self._choose(asked)
        self.topology = mdtraj_topology(self.named) if self.to == "pdb" else None

    def _choose(self, asked: ConversionOptions) -> None:
        """Find the atoms that are named by words of the user, in the first structure."""
        wanted = {name: getattr(asked, name) for name in ("select", "center", "fit")}
        if all(words is None for words in wanted.values()):
            return
        chooser = Chooser(self.job, next(self._every()))
        found = {
            name: None if words is None else chooser.choose(words, f"--{name}")
            for name, words in wanted.items()
        }
        self.images.centre, self.images.fit = found["center"], found["fit"]
        if (chosen := found["select"]) is not None:
            self.chosen, self.named = chosen, ChosenAtoms(self.job, chosen)

    def structures(self) -> Iterator[Structure]:
        """Yield one structure after the other; only one is in memory at a time."""
        for structure in self._every():
            yield structure if self.chosen is None else structure.of_atoms(self.chosen)

    def _every(self) -> Iterator[Structure]:
        if self.last is not None:
            yield self.images.of(self.last)
        elif self.trajectory is not None:
            for index in self.frames:
                yield self.images.of_frame(self.trajectory[index])

    def _last_state(self) -> Structure:
        path = self.run.folder.checkpoint
        if not path.is_file():
            raise InputError(
                "the run has saved no state yet",
                where=str(path),
                hint="take a frame of its trajectory: --frame -1",
            )
        job, state = self.job, read_checkpoint(path)
        if state.half:
            raise InputError(
                "holds velocities of half a step before the positions: the run was broken off",
                where=str(path),
                hint=f"finish it, or stop it with Ctrl-C: finegrain resume {self.run.home}\n"
                "or take a frame of its trajectory: --frame -1",
            )
        periodic = bool(job.settings["periodic"])
        unwrap = self.images.unwrap or not periodic
        positions = state.unwrapped() if unwrap else state.positions
        steps, before = self.run.before
        time = before + state.step * job.timestep_fs / 1000
        box = state.box if periodic else None
        return Structure(steps + state.step, time, positions, state.velocities, box)

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
            with beside.open("w", encoding="utf-8") as file:
                if self.to == "gro":
                    write_gro(file, structure, self.named)
                else:
                    write_rst7(file, structure, self.job.title or "finegrain")

    def _write_xyz(self, beside: Path, structures: Iterator[Structure]) -> None:
        elements = self.trajectory.elements if self.trajectory is not None else []
        if self.chosen is not None:
            elements = [elements[atom] for atom in self.chosen]
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
        frames = np.asarray(self.frames)
        steps, times = trajectory.steps[frames], trajectory.times[frames]
        between = np.diff(steps)
        apart_in_time = np.diff(times)
        even = len(between) == 0 or bool(
            (between == max(between[0], 1)).all()
            and np.allclose(apart_in_time, apart_in_time[0], rtol=1e-6)
        )
        if not even:
            raise InputError(
                "frames are not evenly spaced in time, and DCD can say nothing else",
                where=str(trajectory.path),
                hint="convert to xtc",
            )
        apart = int(between[0]) if len(between) else max(int(steps[0]), 1)
        timestep = (times[-1] - times[0]) / (steps[-1] - steps[0]) if len(between) else 0.0
        if timestep == 0:
            timestep = self.job.timestep_fs / 1000
        with beside.open("wb") as file:
            write_dcd(
                file,
                structures,
                frames=len(steps),
                atoms=trajectory.atoms if self.chosen is None else len(self.chosen),
                first_step=int(steps[0]),
                steps_between=apart,
                timestep=float(timestep),
                periodic=all(cells.is_periodic(box) for box in trajectory.boxes[frames]),
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
