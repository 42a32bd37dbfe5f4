# SPDX-License-Identifier: BSD-3-Clause
"""Results of an ab initio run for other programs: extended XYZ, cubes of densities and orbitals."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.results.convert_dynamics import TRAJECTORY_FORMATS, convert_frames
from finegrain.ab_initio.states.ground_state import GroundState
from finegrain.ab_initio.states.orbitals import Orbitals, orbital_name, orbital_number
from finegrain.errors import InputError
from finegrain.files.whole import replace_file
from finegrain.runs.conversion import ConversionOptions
from finegrain.runs.folder.directory import GROUND_STATE_FILES, RunDirectory
from finegrain.runs.folder.new_file import refuse_to_replace


def convert_run(folder: RunDirectory, asked: ConversionOptions) -> Path:
    """Write the frames of a dynamics, or the state of its last step, or a ground state.

    No bonds are known, so atoms are always in the cell. Wrapped or not is the same.

    Raises
    ------
    InputError
        If the run has nothing of this kind, or if the file cannot be written there.
    """
    asked.refuse(("select", "center", "fit"), "needs the residues and bonds of a classical run")
    moves = folder.job.exists() and bool(AbInitioJob(folder.job).dynamics)
    if moves and asked.to in TRAJECTORY_FORMATS and asked.orbital is None:
        return convert_frames(folder, asked)
    if asked.to not in GROUND_STATE_FILES:
        hint = "convert to xyz or cube"
        what = "a ground state has no trajectory"
        raise InputError(what, where=str(folder.path), value=f"--to {asked.to}", hint=hint)
    return convert_ground_state(folder, asked)


def convert_ground_state(folder: RunDirectory, asked: ConversionOptions) -> Path:
    """Write the result of a run in another format, by ASE's writers.

    Extended XYZ has energy, forces and stress (Å, eV). A cube has the density of the valence
    electrons (bohr, electrons/bohr^3), or an orbital (1/bohr^(3/2)), and "spin-cube" up less down.
    The usual file is ``ground_state.FORMAT``, with spin ``ground_state_spin.cube``, or
    ``orbital_N.cube``, in the folder of the run.

    Raises
    ------
    InputError
        If there is no result or no density, or if the file cannot be written there.
    """
    to = asked.to
    asked.refuse(("frame", "first", "last", "stride"), "a ground state has no frames")
    if asked.unwrap:
        hint = "leave it out"
        raise InputError("a ground state has no jumps to undo", where="--unwrap", hint=hint)
    field = None
    if asked.orbital is not None:
        if to != "cube":
            hint = "write --to cube"
            what = "an orbital can only be written as a cube file"
            raise InputError(what, where="--orbital", value=f"--to {to}", hint=hint)
        orbitals = Orbitals(folder.checkpoint)
        number = orbital_number(str(asked.orbital), orbitals)
        field = (orbitals, number)
    name = GROUND_STATE_FILES[to] if field is None else f"orbital_{orbital_name(*field)}.cube"
    target = asked.target(folder.path / name)
    suffix = Path(GROUND_STATE_FILES[to]).suffix
    others = {Path(name).suffix for name in GROUND_STATE_FILES.values()} | {".h5", ".toml"}
    if target.suffix.lower() in others - {suffix}:
        hint = f"--out {target.with_suffix(suffix)}"
        what = "the name is of another format"
        raise InputError(what, where=str(target), value=f"--to {to}", hint=hint)
    refuse_to_replace(
        target,
        overwrite=asked.replaces,
        inputs=(folder.ground_state, folder.job, folder.checkpoint),
    )
    found = GroundState(folder.ground_state)
    if field is not None:
        text = orbital_cube_text(found, *field)
    elif to == "xyz":
        text = extended_xyz_text(found)
    else:
        text = cube_text(found, spin=to == "spin-cube")
    replace_file(target, text.encode())
    return target


def extended_xyz_text(found: GroundState) -> str:
    """Return the structure with energy (eV), forces (eV/Å) and stress (eV/Å^3)."""
    from ase.io import write

    text = io.StringIO()
    write(text, found.atoms(), format="extxyz")
    return text.getvalue()


def cube_text(found: GroundState, *, spin: bool = False) -> str:
    """Return a density at the points of the grid, electrons/bohr^3, with the atoms."""
    field = found.spin_density() if spin else found.density()
    what = "spin density, up less down" if spin else "density of the valence electrons"
    return _cube(found, field, f"finegrain: {what}, electrons/bohr^3")


def orbital_cube_text(found: GroundState, orbitals: Orbitals, number: int) -> str:
    """Return an orbital, counted from 0, at the points of the grid, 1/bohr^(3/2), with atoms."""
    energy = f"{orbitals.energies[number]:.8f} hartree"
    state = "" if orbitals.converged else ", ground state not found"
    name = orbital_name(orbitals, number)
    comment = f"finegrain: orbital {name} of {len(orbitals)}, {energy}{state}, 1/bohr^(3/2)"
    return _cube(found, orbitals.on_grid(number), comment)


def _cube(found: GroundState, field: NDArray[np.float64], comment: str) -> str:
    from ase.io.cube import write_cube

    # ASE's writer converts Å to bohr; the numbers of the field it writes as they are.
    with tempfile.TemporaryFile("w+") as file:  # the writer needs one of the system
        write_cube(file, found.atoms(), data=field, comment=comment)
        file.seek(0)
        return file.read()
