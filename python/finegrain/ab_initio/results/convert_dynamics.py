# SPDX-License-Identifier: BSD-3-Clause
"""The frames of an ab initio dynamics for other programs: extended XYZ, XTC, DCD."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.ab_initio.job import AbInitioJob
from finegrain.base import cells
from finegrain.errors import InputError
from finegrain.files.whole import replace_file
from finegrain.formats.conversion import (
    RunFiles,
    convert_trajectory,
    frames_of,
    refuse_suffix,
)
from finegrain.runs.conversion import ConversionOptions
from finegrain.runs.energies import read_energies
from finegrain.runs.folder.directory import RunDirectory
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.runs.trajectory import Frame, Trajectory
from finegrain.units import (
    angstrom_per_nm,
    bohr_in_angstrom,
    electron_mass_in_dalton,
    force_in_kj_per_mol_nm,
    hartree_in_ev,
    speed_in_nm_per_ps,
)

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

TRAJECTORY_FORMATS = ("xyz", "xtc", "dcd")


def convert_frames(folder: RunDirectory, asked: ConversionOptions) -> Path:
    """Write the frames of a dynamics.

    Extended XYZ has energies (eV), forces (eV/Å) and momenta as ASE reads them, in the full
    precision of the trajectory. XTC and DCD have positions.

    Raises
    ------
    InputError
        If there is no trajectory or no such frame, if the format cannot hold the cell, or if the
        file cannot be written there.
    """
    if asked.to != "xyz":
        with Trajectory(folder.trajectory) as trajectory:
            _require_upright(trajectory, asked.to)
        return convert_trajectory(RunFiles(folder.path, folder), asked, AbInitioJob, whole=False)
    target = asked.target(folder.path / "trajectory.xyz")
    refuse_suffix(target, asked.to)
    sources = (folder.trajectory, folder.job, folder.checkpoint, folder.ground_state)
    with Trajectory(folder.trajectory) as trajectory:
        chosen = frames_of(trajectory, asked)
        refuse_to_replace(target, overwrite=asked.replaces, inputs=sources)
        text = io.StringIO()
        for atoms in frames_as_atoms(
            trajectory, energies_by_step(folder), chosen, unwrap=asked.unwrap
        ):
            _append(text, atoms)
    replace_file(target, text.getvalue().encode())
    return target


def energies_by_step(folder: RunDirectory) -> dict[int, float]:
    """Return the energy of electrons and ions, hartree, of each step in the table."""
    if not folder.energies.exists():
        return {}
    table = read_energies(folder.energies)
    steps = table["step"].astype(np.int64)
    return dict(zip(steps.tolist(), table["potential energy (hartree)"].tolist(), strict=True))


def frames_as_atoms(
    trajectory: Trajectory, energies: Mapping[int, float], frames: slice, *, unwrap: bool
) -> Iterator[Atoms]:
    """Yield frames as atoms of ASE, one by one.

    Parameters
    ----------
    energies : mapping of int to float
        By step, hartree; a frame of another step has forces only.
    frames : slice
        The numbers of frames that exist.
    """
    elements, masses = trajectory.elements, trajectory.masses
    for number in range(*frames.indices(len(trajectory))):
        found = trajectory[number]
        forces = trajectory.forces(slice(number, number + 1))[0]
        yield _atoms(elements, masses, found, forces, energies.get(found.step), unwrap=unwrap)


def _atoms(
    elements: list[str],
    masses: np.ndarray,
    found: Frame,
    forces: np.ndarray,
    energy: float | None,
    *,
    unwrap: bool,
) -> Atoms:
    from ase import Atoms as AseAtoms
    from ase.calculators.singlepoint import SinglePointCalculator

    positions = found.unwrapped() if unwrap else np.asarray(found.positions, np.float64)
    periodic = bool(np.abs(found.box).max() > 0)
    atoms = AseAtoms(
        elements,
        positions * angstrom_per_nm,
        masses=masses,
        cell=cells.vectors_of(found.box) * angstrom_per_nm if periodic else None,
        pbc=periodic,
    )
    if found.velocities is not None:
        speeds = np.asarray(found.velocities, np.float64) / speed_in_nm_per_ps
        # ASE's momenta are in (Da eV)^(1/2).
        unit = np.sqrt(electron_mass_in_dalton * hartree_in_ev)
        atoms.set_momenta(speeds * (masses / electron_mass_in_dalton)[:, None] * unit)
    results: dict[str, Any] = {
        "forces": np.asarray(forces, np.float64)
        / force_in_kj_per_mol_nm
        * hartree_in_ev
        / bohr_in_angstrom
    }
    if energy is not None:
        results["energy"] = results["free_energy"] = energy * hartree_in_ev
    atoms.calc = SinglePointCalculator(atoms, **results)
    atoms.info.update(step=found.step, time_ps=found.time)
    return atoms


def _append(text: io.StringIO, atoms: Atoms) -> None:
    from ase.io import write

    one = io.StringIO()
    write(one, atoms, format="extxyz")
    text.write(one.getvalue())


def _require_upright(trajectory: Trajectory, to: str) -> None:
    """Refuse a cell that the formats of molecular dynamics cannot hold."""
    for box in trajectory.boxes:  # a moving cell may turn
        vectors = np.asarray(box)
        if vectors.ndim == 2 and (
            np.abs(np.triu(vectors, 1)).max() > 0 or (np.diag(vectors) <= 0).any()
        ):
            raise InputError(
                "the first vector of the cell is not along x, or the second not in the plane xy",
                where=str(trajectory.path),
                value=f"--to {to}",
                hint="convert to xyz, which holds any vectors",
            )
