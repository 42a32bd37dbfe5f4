# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories, and the last state of a run, in the formats of other programs."""

from __future__ import annotations

import contextlib
import operator
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from finegrain.base import cells
from finegrain.base.arguments import PathOrObject, as_path, one_of, run_folder
from finegrain.checkpoints import read_checkpoint
from finegrain.errors import InputError, ResourceError
from finegrain.files.whole import disk_hint
from finegrain.formats.amber_restart import write_rst7
from finegrain.formats.dcd import write_dcd
from finegrain.formats.extended_xyz import write_frame
from finegrain.formats.gro import write_gro
from finegrain.formats.mdtraj_writers import mdtraj_topology, write_pdb, write_xtc
from finegrain.formats.structure import Structure
from finegrain.job_file import JobFile
from finegrain.jobs import Job
from finegrain.kinds import KINDS, kind_named, kind_of_job
from finegrain.new_file import refuse_to_replace
from finegrain.run_directory import FORMATS, ONE_STRUCTURE, RunDirectory
from finegrain.trajectory import Frame, Trajectory
from finegrain.whole_molecules import Array, WholeMolecules


def convert(
    run: PathOrObject,
    to: str,
    out: PathOrObject | None = None,
    *,
    frame: int | None = None,
    unwrap: bool = False,
    wrap: bool = False,
    orbital: str | int | None = None,
    overwrite: bool = False,
) -> Path:
    """Write the trajectory of a run, or one structure of it, in another format.

    Parameters
    ----------
    run : path or Run
        The folder of the run.
    to : str
        "xtc", "dcd", "pdb" or "xyz" (extended XYZ, Å) for all frames; "gro" (GROMACS) or "rst7"
        (AMBER) for one structure with its velocities and box, the last state of the run.
    out : path, optional
        The new file; by default ``trajectory.FORMAT`` in the folder of the run, which replaces an
        earlier conversion.
    frame : int, optional
        Only this frame of the trajectory, from 0; negative numbers count from the end.
    unwrap : bool
        Undo the jumps at the box faces: molecules go where they went, and are whole.
    wrap : bool
        Put each atom into the box, which cuts molecules at its faces. Without it molecules are
        whole, with their middles in the box.
    orbital : int or str, optional
        With "cube" of an ab initio run: this orbital instead of the density; its number from 1, in
        the order of the energies, or "homo"; with spin such as "3-up" or "homo-down".
    overwrite : bool
        Replace the file `out` if it exists; otherwise that is an error. The run's own files are
        never replaced.

    Returns
    -------
    Path
        The new file.

    Raises
    ------
    InputError
        If the format is unknown or is not that of `out`'s suffix, if `out` cannot be written there,
        or if the trajectory is missing, damaged or from another program.
    ResourceError
        If mdtraj is not installed, or the file cannot be written.
    """
    folder = RunDirectory(run_folder(run)).held_inside()
    kind = kind_of_job(folder.job) if folder.job.exists() else kind_named(next(iter(KINDS)))
    what = "is not a format to convert to"
    one_of(to, kind.formats, "--to", what, "choose one of these")
    options = {"frame": frame, "unwrap": unwrap, "wrap": wrap, "overwrite": overwrite}
    if wrap and unwrap:
        raise InputError(
            "is the opposite of --unwrap", where="--wrap", hint="leave one of them out"
        )
    return kind.convert(folder, to, out, orbital=orbital, **options)


def convert_trajectory(
    folder: RunDirectory,
    to: str,
    out: PathOrObject | None,
    *,
    frame: int | None,
    unwrap: bool,
    wrap: bool = False,
    orbital: str | int | None = None,
    overwrite: bool,
) -> Path:
    """Write the trajectory of a classical run, as `convert` does."""
    if orbital is not None:
        hint = "leave it out"
        raise InputError("a classical run has no orbitals", where="--orbital", hint=hint)
    target = as_path(out) if out is not None else folder.path / f"trajectory.{to}"
    refuse_suffix(target, to)
    sources = (folder.trajectory, folder.job, folder.checkpoint)
    images = Images(folder.job, unwrap=unwrap, wrap=wrap)
    replace = overwrite or out is None
    if to in ONE_STRUCTURE and frame is None:
        refuse_to_replace(target, overwrite=replace, inputs=sources)
        _write_whole(_Conversion(folder, to, None, slice(0), images), target, to)
        return target
    with Trajectory(folder.trajectory) as trajectory:
        frames = frames_of(trajectory, frame)
        refuse_to_replace(target, overwrite=replace, inputs=sources)
        _write_whole(_Conversion(folder, to, trajectory, frames, images), target, to)
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
    """Which images of the atoms are written.

    Parameters
    ----------
    job : path
        Has the bonds; not read if `wrap` is set, or if it is of an ab initio run, which has none.
    unwrap, wrap : bool
        As in `convert`.
    """

    def __init__(self, job: Path, *, unwrap: bool, wrap: bool) -> None:
        self.unwrap = unwrap
        self._molecules: WholeMolecules | None = None
        if not wrap and JobFile(job).of_kind == Job.kind:
            found = Job(job)
            self._molecules = WholeMolecules(found.atoms, found.bonds())

    def of(self, positions: Array, box: Array | None) -> Array:
        """Return positions, those of whole molecules unless each atom is to be in the box."""
        if self._molecules is None:
            return positions
        return self._molecules.whole(positions, box, inside=not self.unwrap)


class _Conversion:
    """The structures to write: frames of a trajectory, or the last state of the run."""

    def __init__(
        self,
        folder: RunDirectory,
        to: str,
        trajectory: Trajectory | None,
        frames: slice,
        images: Images,
    ) -> None:
        self.folder = folder
        self.to = to
        self.trajectory = trajectory
        self.frames = frames
        self.images = images
        self.topology = mdtraj_topology(Job(folder.job)) if to == "pdb" else None
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
        job, state = Job(self.folder.job), read_checkpoint(path)
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
            job = Job(self.folder.job)
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
            timestep = Job(self.folder.job).timestep_fs / 1000
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
