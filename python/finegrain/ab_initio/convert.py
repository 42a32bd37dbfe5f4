# SPDX-License-Identifier: BSD-3-Clause
"""Results of an ab initio run for other programs: extended XYZ, and cube files of densities."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from finegrain.ab_initio.ground_state import GroundState
from finegrain.arguments import PathOrObject, as_path
from finegrain.errors import InputError
from finegrain.new_file import refuse_to_replace
from finegrain.run_directory import GROUND_STATE_FILES, RunDirectory
from finegrain.whole_file import replace_file


def convert_ground_state(
    folder: RunDirectory,
    to: str,
    out: PathOrObject | None,
    *,
    frame: int | None,
    unwrap: bool,
    overwrite: bool,
) -> Path:
    """Write the result of a run in another format, by ASE's writers.

    Parameters
    ----------
    to : str
        "xyz": extended XYZ with energy, forces and stress (Å, eV); "cube": the density of the
        valence electrons (bohr, electrons/bohr^3); "spin-cube": up less down.
    out : path or None
        The new file; None for ``ground_state.FORMAT`` in the folder of the run, with spin
        ``ground_state_spin.cube``.

    Raises
    ------
    InputError
        If there is no result or no density, or if the file cannot be written there.
    """
    if frame is not None:
        raise InputError("a ground state has no frames", where="--frame", value=str(frame))
    if unwrap:
        hint = "leave it out"
        raise InputError("a ground state has no jumps to undo", where="--unwrap", hint=hint)
    target = as_path(out) if out is not None else folder.path / GROUND_STATE_FILES[to]
    suffix = Path(GROUND_STATE_FILES[to]).suffix
    others = {Path(name).suffix for name in GROUND_STATE_FILES.values()} | {".h5", ".toml"}
    if target.suffix.lower() in others - {suffix}:
        hint = f"--out {target.with_suffix(suffix)}"
        what = "the name is of another format"
        raise InputError(what, where=str(target), value=f"--to {to}", hint=hint)
    refuse_to_replace(
        target, overwrite=overwrite or out is None, inputs=(folder.ground_state, folder.job)
    )
    found = GroundState(folder.ground_state)
    text = extended_xyz_text(found) if to == "xyz" else cube_text(found, spin=to == "spin-cube")
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
    from ase.io.cube import write_cube

    field = found.spin_density() if spin else found.density()
    what = "spin density, up less down" if spin else "density of the valence electrons"
    comment = f"finegrain: {what}, electrons/bohr^3"
    # ASE's writer converts Å to bohr; the numbers of the field it writes as they are.
    with tempfile.TemporaryFile("w+") as file:  # the writer needs one of the system
        write_cube(file, found.atoms(), data=field, comment=comment)
        file.seek(0)
        return file.read()
