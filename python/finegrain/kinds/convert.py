# SPDX-License-Identifier: BSD-3-Clause
"""Results of a run of any kind in the formats of other programs."""

from __future__ import annotations

from pathlib import Path

from finegrain.base.arguments import PathOrObject, one_of, run_folder
from finegrain.classical.convert import convert_stages
from finegrain.classical.staged_run import StagedRun, is_staged
from finegrain.errors import InputError
from finegrain.kinds.registry import kind_of_run
from finegrain.runs.conversion import ConversionOptions
from finegrain.runs.folder.directory import RunDirectory


def convert(
    run: PathOrObject,
    to: str,
    out: PathOrObject | None = None,
    *,
    frame: int | None = None,
    first: int | None = None,
    last: int | None = None,
    stride: int | None = None,
    select: str | None = None,
    center: str | None = None,
    fit: str | None = None,
    unwrap: bool = False,
    wrap: bool = False,
    orbital: str | int | None = None,
    overwrite: bool = False,
) -> Path:
    """Write the trajectory of a run, or one structure of it, in another format.

    Parameters
    ----------
    run : path, Run or StagedRun
        The folder of the run. The frames of a run in stages are written one stage after the other,
        with steps and times that count on.
    to : str
        "xtc", "dcd", "pdb" or "xyz" (extended XYZ, Å) for all frames. "gro" (GROMACS) or "rst7"
        (AMBER) for the last state of the run, with velocities and box. From an ab initio run "cube"
        for the density or an orbital, "spin-cube" for the spin density.
    out : path, optional
        The new file; by default ``trajectory.FORMAT`` in the folder of the run, which replaces an
        earlier conversion.
    frame : int, optional
        Only this frame of the trajectory, from 0; negative numbers count from the end.
    first, last : int, optional
        The first and the last frame to write, counted in the same way; by default all are written.
    stride : int, optional
        Write only every so many frames, from the first one on.
    select : str, optional
        Write only these atoms, in the words of MDAnalysis, such as "protein" or "name CA". What is
        near others is looked up in the first of the frames.
    center : str, optional
        Put the middle of these atoms into the middle of the box in each frame, and molecules around
        them; without a box, at the origin.
    fit : str, optional
        Turn and move each frame so that these atoms are as near as possible to where they are in
        the first one. The box stays as it is, and no longer has the directions of the atoms.
    unwrap : bool
        Undo the jumps at the box faces: molecules go where they went, and are whole.
    wrap : bool
        Put each atom into the box, which cuts molecules at its faces. Without it molecules are
        whole, with their middles in the box.
    orbital : int or str, optional
        With "cube" of an ab initio run: this orbital instead of the density. Its number from 1, in
        the order of the energies, or "homo". With spin such as "3-up" or "homo-down".
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
        If the format is unknown or is not that of `out`'s suffix, or if `out` cannot be written
        there. If the trajectory is missing, damaged or from another program.
    ResourceError
        If mdtraj or MDAnalysis is needed and not installed, or the file cannot be written.
    """
    staged = StagedRun(run) if is_staged(run) else None
    folder = RunDirectory(run_folder(run)).held_inside()
    kind = kind_of_run(folder)  # the usual one, which alone has stages, where there is no job
    what = "is not a format to convert to"
    one_of(to, kind.formats, "--to", what, "choose one of these")
    if wrap and unwrap:
        raise InputError(
            "is the opposite of --unwrap", where="--wrap", hint="leave one of them out"
        )
    asked = ConversionOptions(
        to, out, frame, unwrap, wrap, orbital, overwrite, first, last, stride, select, center, fit
    )
    return kind.convert(folder, asked) if staged is None else convert_stages(staged, asked)
