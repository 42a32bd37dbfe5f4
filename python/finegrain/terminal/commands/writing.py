# SPDX-License-Identifier: BSD-3-Clause
"""``init``, ``check`` and ``job``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finegrain import api
from finegrain.base.arguments import as_path
from finegrain.errors import InputError
from finegrain.files.whole import replace_file
from finegrain.kinds.registry import template
from finegrain.machines.input.template import TEMPLATE as MACHINE
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.terminal.commands import common

# A test compares them with what there is; to ask all kinds of runs would take every start half a
# second.
KINDS_OF_INPUTS = (
    "amber, charmm, gromacs, pdb, openmm, water, dhfr, vacuum; ab-initio, ice, silicon, molecule, "
    "car-parrinello, born-oppenheimer; machine"
)


def init(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help=f"What the input is for: {KINDS_OF_INPUTS}.")
    ] = "amber",
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="FILE", help="The file to write."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an existing file.")
    ] = False,
    json: common.Json = False,
) -> None:
    """Write a commented input for a kind of run, or a machine file."""
    text = MACHINE if kind == "machine" else template(kind, others=("machine",))
    target = out if out is not None else Path(f"{kind}.toml")
    refuse_to_replace(target, overwrite=overwrite)
    replace_file(target, text.encode())
    if json:
        common.print_json({"file": str(target), "kind": kind})
    else:
        then = "map INPUT --machine" if kind == "machine" else "check"
        common.say(f"wrote {target}\nlook at it, then: finegrain {then} {target}")


def check(
    input: common.InputFile,  # noqa: A002 - the user's word
    ranks: Annotated[
        int | None,
        typer.Option("--ranks", metavar="N", help="Count what each of N processes would send."),
    ] = None,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", help="Also say why it is divided so, and what a step takes."),
    ] = False,
    allow_scripts: common.AllowScripts = False,
    json: common.Json = False,
) -> None:
    """Report every problem of an input, or describe the run."""
    with common.nothing_was_run():
        report = api.check(input, ranks=ranks, allow_scripts=allow_scripts)
    if json:
        common.print_json(report.as_dict())
    else:
        common.say(report.text(verbose=verbose), end="")


def job(
    input: common.InputFile,  # noqa: A002 - the user's word
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=as_path, metavar="FILE", help="The job; else NAME.job.h5."),
    ] = None,
    overwrite: common.OverwriteFile = False,
    allow_scripts: common.AllowScripts = False,
    json: common.Json = False,
) -> None:
    """Write the job of an input, the one file that the engine reads, for batch scripts."""
    if input.suffix == ".h5":
        hint = "give the input; to have a job elsewhere, copy it"
        raise InputError("is a job already", where=str(input), hint=hint)
    with common.nothing_was_run():
        made = api.load(input, out, overwrite=overwrite, allow_scripts=allow_scripts)
    if json:
        common.print_json({"file": str(made.path), "kind": made.of_kind, "atoms": made.atoms})
    else:
        common.say(f"wrote {made.path}, {made.atoms:,} atoms")
