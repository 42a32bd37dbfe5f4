# SPDX-License-Identifier: BSD-3-Clause
"""``prepare``: from a raw structure to a system in water and its input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from finegrain import api
from finegrain.base.arguments import as_path
from finegrain.base.visible import visible
from finegrain.terminal.commands import common, liquid as for_liquids


def prepare(
    context: typer.Context,
    structure: Annotated[
        Path,
        typer.Argument(parser=as_path, metavar="FILE", help="A PDB, mmCIF, SDF or MOL2 file."),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="FILE", help="The input to write (.toml)."),
    ] = None,
    forcefield: Annotated[
        str,
        typer.Option("--forcefield", metavar="NAME", help="amber14, amber19 or charmm36."),
    ] = "amber14",
    water: Annotated[
        str | None,
        typer.Option("--water", metavar="NAME", help="Model of water; by default the usual one."),
    ] = None,
    box: Annotated[
        str | None,
        typer.Option("--box", metavar="SHAPE", help="dodecahedron (usual), cube, octahedron."),
    ] = None,
    membrane: Annotated[
        str | None,
        typer.Option("--membrane", metavar="LIPID", help="POPC, POPE, DLPC, DLPE, DMPC, ..."),
    ] = None,
    padding: Annotated[
        str | None,
        typer.Option("--padding", metavar="LENGTH", help="Water on each side; usual is 10 Å."),
    ] = None,
    salt: Annotated[
        str, typer.Option("--salt", metavar="AMOUNT", help="NaCl besides the neutralising ions.")
    ] = "0.15 mol/l",
    ph: Annotated[str, typer.Option("--ph", metavar="PH", help="Hydrogens for this pH.")] = "7",
    temperature: Annotated[
        str, typer.Option("--temperature", metavar="T", help="Temperature of the stages.")
    ] = "300 K",
    neutral: Annotated[
        bool, typer.Option("--neutral/--charged", help="Whether ions make the system neutral.")
    ] = True,
    crystal_waters: Annotated[
        str, typer.Option("--crystal-waters", metavar="WORD", help="keep or drop those of FILE.")
    ] = "keep",
    leave_out: Annotated[
        list[str] | None,
        typer.Option("--leave-out", metavar="NAMES", help="Residues to leave out, by name."),
    ] = None,
    ligand: Annotated[
        list[str] | None,
        typer.Option("--ligand", metavar="LIG=FILE", help="What a residue is: SDF, MOL2, smiles:."),
    ] = None,
    ligand_charge: Annotated[
        list[str] | None,
        typer.Option("--ligand-charge", metavar="LIG=Q", help="Its charge, if FILE lacks it."),
    ] = None,
    state: Annotated[
        list[str] | None,
        typer.Option("--state", metavar="A:57=HIE", help="Protonation of a residue."),
    ] = None,
    gaps: Annotated[
        str, typer.Option("--gaps", metavar="WORD", help="build or cut chains with gaps.")
    ] = "build",
    model: Annotated[
        int, typer.Option("--model", metavar="N", help="The model to take, from 1.")
    ] = 1,
    liquid: Annotated[  # noqa: ARG001 - read from the context, like the next two
        int | None,
        typer.Option("--liquid", metavar="N", help="Instead: N copies of a molecule, ab initio."),
    ] = None,
    density: Annotated[  # noqa: ARG001
        str | None, typer.Option("--density", metavar="RHO", help="With --liquid: 0.997 g/ml.")
    ] = None,
    cell: Annotated[  # noqa: ARG001
        str | None,
        typer.Option("--cell", metavar="EDGE", help="With --liquid, in place of --density."),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Seed; the same makes the same files.")
    ] = 1,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
    json: common.Json = False,
) -> None:
    """Make a system in water and its staged input from a raw PDB or mmCIF file."""
    if for_liquids.is_wanted(context):
        for_liquids.prepare(context)
        return
    made = api.prepare(
        structure,
        out,
        overwrite=overwrite,
        on_progress=_tell,
        forcefield=forcefield,
        water=water,
        box=box,
        membrane=membrane,
        padding=padding,
        salt=salt,
        ph=ph,
        temperature=temperature,
        neutral=neutral,
        crystal_waters=crystal_waters,
        leave_out=leave_out or (),
        ligand=ligand or (),
        ligand_charge=ligand_charge or (),
        state=state or (),
        gaps=gaps,
        model=model,
        seed=seed,
    )
    if json:
        common.print_json(made.as_dict())
    else:
        common.say(made.text(), end="")


def _tell(line: str) -> None:
    print(visible(line), file=sys.stderr, flush=True)
