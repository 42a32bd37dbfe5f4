# SPDX-License-Identifier: BSD-3-Clause
"""``relax`` and ``vibrations``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finegrain.base.arguments import as_path
from finegrain.terminal.commands import common

Out = Annotated[
    Path | None,
    typer.Option("--out", parser=as_path, metavar="DIR", help="Folder of the results."),
]
Structure = Annotated[
    Path | None,
    typer.Option(
        "--structure", parser=as_path, metavar="FILE", help="Atoms in place of the input's."
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace results of another input.")]


def relax(
    input: common.InputFile,  # noqa: A002 - the user's word
    out: Out = None,
    structure: Structure = None,
    force: Annotated[
        str, typer.Option("--force", metavar="F", help="Largest force that may be left.")
    ] = "0.02 eV/Å",
    cell: Annotated[bool, typer.Option("--cell", help="Move the cell, too.")] = False,
    steps: Annotated[
        int, typer.Option("--steps", metavar="N", help="Most steps of the atoms.")
    ] = 200,
    pes: common.Pes = None,
    overwrite: Overwrite = False,
    quiet: common.Quiet = False,
    json: common.Json = False,
) -> None:
    """Move the atoms of an ab initio input until no force is left."""
    from finegrain.geometry import relaxation  # ASE's optimisers take a while to import

    def tell(row: relaxation.Row) -> None:
        if row[0] == 0:
            common.say("geometry     energy / eV   largest force / eV/Å   iterations")
        common.say(f"{row[0]:8d} {row[1]:15.5f} {row[2]:22.5f} {row[4]:12d}")

    found = relaxation.relax(
        input,
        out,
        structure=structure,
        force=force,
        cell=cell,
        steps=steps,
        pes=pes,
        overwrite=overwrite,
        on_geometry=None if quiet or json else tell,
    )
    if json:
        common.print_json(found.as_dict())
    else:
        common.say(f"\n{found.text()}", end="")


def vibrations(
    input: common.InputFile,  # noqa: A002 - the user's word
    out: Out = None,
    structure: Structure = None,
    displacement: Annotated[
        str, typer.Option("--displacement", metavar="D", help="How far each atom is moved.")
    ] = "0.01 Å",
    pes: common.Pes = None,
    overwrite: Overwrite = False,
    quiet: common.Quiet = False,
    json: common.Json = False,
) -> None:
    """Find the normal modes of an ab initio input and their infrared lines."""
    from finegrain.geometry import vibrations as modes

    def tell(done: int, number: int) -> None:
        common.say(f"geometry {done} of {number}")

    found = modes.vibrations(
        input,
        out,
        structure=structure,
        displacement=displacement,
        pes=pes,
        overwrite=overwrite,
        on_geometry=None if quiet or json else tell,
    )
    if json:
        common.print_json(found.as_dict())
    else:
        common.say(f"\n{found.text()}\nresults in {found.path}")
