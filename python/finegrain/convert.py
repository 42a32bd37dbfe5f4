# SPDX-License-Identifier: BSD-3-Clause
"""Trajectories in the formats of other programs."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.arguments import PathOrObject, as_path, run_folder
from finegrain.errors import InputError, ResourceError
from finegrain.extended_xyz import write_frame
from finegrain.jobs import Job
from finegrain.new_file import refuse_to_replace
from finegrain.run_directory import FORMATS, RunDirectory
from finegrain.trajectory import Trajectory
from finegrain.whole_file import disk_hint


def convert(
    run: PathOrObject,
    to: str,
    out: PathOrObject | None = None,
    *,
    unwrap: bool = False,
    overwrite: bool = False,
) -> Path:
    """Write the trajectory of a run in another format.

    Parameters
    ----------
    run : path or Run
        The folder of the run.
    to : str
        "xtc", "dcd", "pdb" (all three through mdtraj) or "xyz" (extended XYZ, Å).
    out : path, optional
        The new file; by default ``trajectory.FORMAT`` in the folder of the run, in place of what
        an earlier conversion left there.
    unwrap : bool
        Undo the jumps at the box faces.
    overwrite : bool
        Replace the file `out` if it is there; otherwise that is an error. The run's own files are
        never replaced.

    Returns
    -------
    Path
        The new file.

    Raises
    ------
    InputError
        If the format is unknown or is not what `out` ends in, if `out` cannot be put there, or
        if the trajectory is missing, foreign or cut short.
    ResourceError
        If mdtraj is not installed, or the file cannot be written.
    """
    if to not in FORMATS:
        raise InputError(
            "is not a format to convert to",
            where="--to",
            value=to,
            limit=", ".join(FORMATS),
            hint="choose one of these",
        )
    folder = RunDirectory(run_folder(run))
    target = as_path(out) if out is not None else folder.path / f"trajectory.{to}"
    _refuse_suffix(target, to)
    with Trajectory(folder.trajectory) as trajectory:
        if len(trajectory) == 0:
            raise InputError(
                "holds no frames yet",
                where=str(trajectory.path),
                hint="let the run go on for longer, or lower output.trajectory_interval",
            )
        sources = (folder.trajectory, folder.job)
        refuse_to_replace(target, overwrite=overwrite or out is None, inputs=sources)
        _write_whole(trajectory, folder, target, to, unwrap=unwrap)
    return target


def _refuse_suffix(target: Path, to: str) -> None:
    """Complain about a name that promises another format than what is written."""
    suffix = target.suffix.lower().removeprefix(".")
    if suffix != to and suffix in (*FORMATS, "h5", "toml", "csv", "json"):
        raise InputError(
            "the name is of another format",
            where=str(target),
            value=f"--to {to}",
            limit=f"a name that ends in .{to}",
            hint=f"--out {target.with_suffix(f'.{to}')}",
        )


def _write_whole(
    trajectory: Trajectory, folder: RunDirectory, target: Path, to: str, *, unwrap: bool
) -> None:
    """Write beside the target and put it in its place once it is whole."""
    topology = None if to == "xyz" else _mdtraj_topology(_mdtraj(), Job(folder.job))
    beside = target.with_name(f".{target.stem}.new.{to}")
    try:
        beside.touch()  # so that it is we who meet a folder that takes no files
        if topology is None:
            _write_xyz(trajectory, beside, unwrap=unwrap)
        else:
            _write_with_mdtraj(trajectory, topology, beside, to, unwrap=unwrap)
        beside.replace(target)
    except OSError as error:  # which knows only the file beside
        reason = (error.strerror or "the file could not be written").lower()
        what = f"cannot be written: {reason}"
        raise ResourceError(what, where=str(target), hint=disk_hint(error)) from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def _write_xyz(trajectory: Trajectory, target: Path, *, unwrap: bool) -> None:
    elements = trajectory.elements
    with target.open("w") as file:
        for frame in trajectory:
            positions = frame.unwrapped() if unwrap else frame.positions
            properties = (("step", frame.step), ("time_ps", frame.time))
            write_frame(file, elements, positions, box=frame.box, properties=properties)


def _write_with_mdtraj(
    trajectory: Trajectory, topology: Any, target: Path, to: str, *, unwrap: bool
) -> None:
    mdtraj = _mdtraj()
    openers = {
        "xtc": mdtraj.formats.XTCTrajectoryFile,
        "dcd": mdtraj.formats.DCDTrajectoryFile,
    }
    if to == "pdb":
        _pdb(mdtraj, trajectory, topology, target, unwrap=unwrap)
        return
    with openers[to](str(target), "w") as file:
        for frame in trajectory:
            positions = np.asarray(frame.unwrapped() if unwrap else frame.positions, np.float32)
            periodic = bool(np.all(frame.box > 0))
            if to == "xtc":
                file.write(
                    positions,
                    time=np.float32(frame.time),
                    step=np.int32(frame.step),
                    box=np.diag(frame.box).astype(np.float32),
                )
            else:
                edges = frame.box * 10 if periodic else None
                angles = np.full(3, 90.0) if periodic else None
                file.write(positions * 10, cell_lengths=edges, cell_angles=angles)


def _pdb(mdtraj: Any, trajectory: Trajectory, topology: Any, target: Path, *, unwrap: bool) -> None:
    with mdtraj.formats.PDBTrajectoryFile(str(target), "w") as file:
        for index, frame in enumerate(trajectory):
            positions = np.asarray(frame.unwrapped() if unwrap else frame.positions, np.float64)
            periodic = bool(np.all(frame.box > 0))
            file.write(
                positions * 10,
                topology,
                modelIndex=index,
                unitcell_lengths=tuple(frame.box * 10) if periodic else None,
                unitcell_angles=(90.0, 90.0, 90.0) if periodic else None,
            )


def _mdtraj() -> Any:
    try:
        import mdtraj
    except ImportError:
        raise ResourceError(
            "this format needs mdtraj, which is not installed",
            hint="pip install 'finegrain[convert]', or convert to xyz",
        ) from None
    return mdtraj


def _mdtraj_topology(mdtraj: Any, job: Job) -> Any:
    """Return the atoms of a job as mdtraj knows them, so that PDB files have names and residues."""
    residue_of, names, numbers, chains = job.residues()
    topology = mdtraj.Topology()
    made: dict[str, Any] = {}
    residues = []
    for name, number, chain in zip(names, numbers, chains, strict=True):
        if chain not in made:
            made[chain] = topology.add_chain(chain_id=chain[:1] or None)
        residues.append(topology.add_residue(name, made[chain], resSeq=int(number)))
    order = np.argsort(residue_of, kind="stable")
    if not np.array_equal(order, np.arange(len(order))):
        raise InputError(
            "atoms of a residue are not together, which this format cannot say",
            where=str(job.path),
            hint="convert to xyz",
        )
    elements = mdtraj.core.element
    for name, symbol, residue in zip(job.names, job.elements, residue_of, strict=True):
        try:
            element = elements.get_by_symbol(symbol)
        except KeyError:
            element = elements.virtual
        topology.add_atom(name, element, residues[int(residue)])
    atoms = list(topology.atoms)
    for first, second in job.bonds():
        topology.add_bond(atoms[int(first)], atoms[int(second)])
    return topology
