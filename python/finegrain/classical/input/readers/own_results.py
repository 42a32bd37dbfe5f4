# SPDX-License-Identifier: BSD-3-Clause
"""A second stage: coordinates, velocities and box from the results of an earlier run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from finegrain.base import cells
from finegrain.classical.input.load import Input
from finegrain.classical.input.source import Coordinates, fail
from finegrain.classical.job import Job
from finegrain.classical.system.system import Floats, Names
from finegrain.errors import InputError, Problem
from finegrain.files.hdf5 import open_hdf5
from finegrain.runs.checkpoints import read_checkpoint
from finegrain.runs.folder.directory import RunDirectory
from finegrain.runs.trajectory import Trajectory
from finegrain.units import electron_mass_in_dalton

_key = "system.coordinates"
_mass_rounding = 1e-3  # Da


@dataclass
class _Atoms:
    """The atoms of the earlier run; masses in dalton."""

    elements: list[str]
    masses: Floats


def read_own_result(given: Input, path: Path, key: str) -> Coordinates:
    """Read ``checkpoint.h5``, or one frame of ``trajectory.h5``.

    Molecules are whole: the boxes that atoms have left are added to their positions.

    Raises
    ------
    InputError
        If the file is neither, is damaged, or has no such frame.
    """
    checkpoint = _is_checkpoint(given, path, key)
    asked = given.model.system.frame if key == _key else None
    if checkpoint and asked is not None:
        hint = "take it out, or name a trajectory.h5 in coordinates"
        raise fail(given, "system.frame", "a checkpoint has no frames", hint=hint)
    try:
        if checkpoint:
            return _checkpoint(given, path, key)
        with Trajectory(path) as trajectory:
            return _frame(given, trajectory, key, asked)
    except InputError as error:
        if error.source:
            raise
        hint = error.hint or "give checkpoint.h5 or trajectory.h5 of a run"
        raise fail(given, key, error.what, limit=error.limit or error.value, hint=hint) from error


def other_atoms(given: Input, names: Names, mass: Floats) -> list[Problem]:
    """Compare the order of the atoms with that of the earlier run that the coordinates are from.

    Masses are compared, and elements if both sides have them. The same masses in another order are
    refused. Other masses may be intended (heavier hydrogens).

    Parameters
    ----------
    given : Input
    names : Names
    mass : float64, shape (atoms,), electron masses
    """
    name = given.model.system.coordinates
    if name is None or Path(name).suffix.lower() != ".h5":
        return []
    path = given.path_of(name)
    atoms = _atoms_of(path, checkpoint=_is_checkpoint(given, path, _key))
    if atoms is None or len(atoms.elements) != len(names.atom) or len(mass) != len(names.atom):
        return []  # another number of atoms has been reported already
    pairs = zip(atoms.elements, names.element, strict=True)
    wrong = [i for i, (one, other) in enumerate(pairs) if one and other and one != other]
    told = atoms.elements
    if not wrong:
        dalton = mass * electron_mass_in_dalton
        off = np.abs(dalton - atoms.masses) > _mass_rounding
        same = np.abs(np.sort(dalton) - np.sort(atoms.masses)).max() <= _mass_rounding
        wrong = np.flatnonzero(off).tolist() if same else []
        told = [f"{value:.3f} Da" for value in atoms.masses]
    if not wrong:
        return []
    first = int(wrong[0])
    return [
        Problem(
            "lists other atoms than the topology",
            value=f"{_key} = {name}",
            limit=f"{names.describe(first)} is {told[first]} there"
            + (f"; {len(wrong) - 1:,} more differ" if len(wrong) > 1 else ""),
            hint="use the topology of the earlier run, with the atoms in the same order",
        )
    ]


def _is_checkpoint(given: Input, path: Path, key: str) -> bool:
    try:
        with open_hdf5(path) as file:
            kind = file.attrs.get("format", "")
    except OSError as error:
        limit = f"{path.name}: {' '.join(str(error).split())}"
        hint = "is the file cut short? give checkpoint.h5 or trajectory.h5 of a run"
        raise fail(given, key, "cannot be read as HDF5", limit=limit, hint=hint) from None
    if kind == "finegrain-job":
        hint = "to run it again: finegrain run job.h5; to continue from its end name checkpoint.h5"
        raise fail(given, key, "is a job, not a result", hint=hint)
    return bool(kind == "finegrain-checkpoint")


def _checkpoint(given: Input, path: Path, key: str) -> Coordinates:
    state = read_checkpoint(path)
    job = _job_beside(path)
    if job is None:
        hint = f"keep {RunDirectory(path.parent).job.name} of the same run beside it"
        raise fail(given, key, "has no job beside it, which says what its atoms are", hint=hint)
    if state.half and key == _key and _wants_velocities(given):
        hint = f"finish that run, or stop it with Ctrl-C: finegrain resume {path.parent}\n"
        hint += 'or take new ones: temperature = "300 K" and velocities = "from-temperature"'
        what = "velocities half a step before the positions: that run was broken off"
        raise fail(given, key, what, hint=hint)
    velocity = None if state.half else state.velocities
    edges = cells.vectors_of(state.box) if job.settings["periodic"] else None
    return Coordinates(state.unwrapped(), velocity, edges, names=_names(job))


def _frame(given: Input, trajectory: Trajectory, key: str, asked: int | None) -> Coordinates:
    index, count = -1 if asked is None else asked, len(trajectory)
    if not -count <= index < count:
        if asked is None:
            hint = "let the run continue for longer, or take its checkpoint.h5"
            raise fail(given, key, "holds no frames yet", hint=hint)
        limit = f"0 to {count - 1:,}, or -1 for the last" if count else "it holds none"
        raise fail(given, "system.frame", "there is no such frame", limit=limit)
    frame = trajectory[index]
    velocity = None
    if trajectory.has_velocities:
        at = index % count
        velocity = np.asarray(trajectory.velocities(slice(at, at + 1))[0], np.float64)
    edges = cells.vectors_of(frame.box) if cells.is_periodic(frame.box) else None
    job = _job_beside(trajectory.path)
    names = _names(job) if job is not None else None
    return Coordinates(frame.unwrapped(), velocity, edges, names=names)


def _names(job: Job) -> Names:
    residue, name, number, chain = job.residues()
    return Names(job.names, job.elements, residue, name, chain, number)


def _wants_velocities(given: Input) -> bool:
    dynamics = given.model.dynamics
    if dynamics is None:
        return False
    if dynamics.velocities is None:
        return dynamics.temperature is None
    return dynamics.velocities == "from-file"


def _job_beside(path: Path) -> Job | None:
    job = RunDirectory(path.parent).job
    return Job(job) if job.is_file() else None


def _atoms_of(path: Path, *, checkpoint: bool) -> _Atoms | None:
    if checkpoint:
        job = _job_beside(path)
        return _Atoms(job.elements, job.masses) if job is not None else None
    with Trajectory(path) as trajectory:
        try:
            return _Atoms(trajectory.elements, trajectory.masses)
        except InputError:
            return None  # from another program, whose files may lack elements and masses
