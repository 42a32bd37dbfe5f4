# SPDX-License-Identifier: BSD-3-Clause
"""Liquids for ab initio runs."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from finegrain.ab_initio.building.liquid import PreparedLiquid, liquid_files, structure_file
from finegrain.ab_initio.building.liquid_choices import LiquidWishes
from finegrain.ab_initio.ions.built_in import PREFIX
from finegrain.base.arguments import PathOrObject, as_path
from finegrain.errors import InputError, Problem
from finegrain.files.whole import replace_file
from finegrain.runs.folder.new_file import refuse_to_replace


def prepare_liquid(
    molecule: PathOrObject,
    liquid: int,
    out: PathOrObject | None = None,
    *,
    overwrite: bool = False,
    **wishes: Unpack[LiquidWishes],
) -> PreparedLiquid:
    """Pack copies of a molecule into a periodic cell and write the input of an ab initio run.

    Parameters
    ----------
    molecule : path
        A file that ASE reads, with one molecule, or a built-in one, such as "built-in:H2O".
    liquid : int
        The number of copies.
    out : path, optional
        The input to write, by default ``NAME.toml`` in the current folder. The structure is written
        beside it, as ``NAME-system.xyz``.
    overwrite : bool
        Replace these files if they exist; otherwise that is an error.
    density : str
        The density, such as "0.997 g/ml" or "997 kg/m^3"; the cell is a cube of this density.
    cell : str or sequence of str
        Instead of a density, the edge of the cell, or its three edges: "12.4 Å", or "12 Å, 12 Å,
        15 Å".
    temperature : str
        Temperature of the run, "300 K" by default.
    seed : int
        Seed for the places of the copies and for the run; the same seed makes the same files.

    Returns
    -------
    PreparedLiquid
        What was done. ``text()`` is for reading, ``as_dict()`` for programs.

    Raises
    ------
    InputError
        With every problem of the molecule and the arguments; nothing is written then.

    Examples
    --------
    >>> made = fg.prepare_liquid("water.xyz", 64, density="0.997 g/ml")  # doctest: +SKIP
    >>> run = fg.run(made.input)  # doctest: +SKIP
    """
    source = as_path(molecule)
    name = str(source).removeprefix(PREFIX) if str(source).startswith(PREFIX) else source.stem
    target = as_path(out) if out is not None else Path(f"{name}.toml")
    problems = _refused(source, target, overwrite=overwrite)
    files = liquid_files(source, target, liquid, wishes, problems)
    replace_file(files.report.system, files.system.encode())
    replace_file(target, files.input.encode())
    return files.report


def _refused(source: Path, target: Path, *, overwrite: bool) -> list[Problem]:
    """Return what is wrong with the names of the files that will be written."""
    problems = []
    if target.suffix != ".toml":
        hint = f"such as --out {target.with_suffix('.toml').name}"
        what = "is no name of an input, which ends with .toml"
        problems.append(Problem(what, str(target), hint=hint))
    for file in (target, structure_file(target)):
        try:
            refuse_to_replace(file, overwrite=overwrite, inputs=(source,))
        except InputError as error:
            problems += [one for one in error.problems if one not in problems]
    return problems
