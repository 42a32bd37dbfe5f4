# SPDX-License-Identifier: BSD-3-Clause
"""``init``, ``check`` and ``job``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from finegrain import api
from finegrain.base.arguments import as_path
from finegrain.errors import InputError, Problem
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
        str,
        typer.Argument(
            metavar="KIND",
            help=f"What the input is for: {KINDS_OF_INPUTS}.",
            autocompletion=common.one_of_words(KINDS_OF_INPUTS.replace(";", ",").split(", ")),
        ),
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
        typer.Option(
            "--out",
            parser=as_path,
            metavar="FILE",
            help="Its name; else NAME.job.h5 or NAME.sbatch.",
        ),
    ] = None,
    slurm: Annotated[
        bool,
        typer.Option("--slurm", help="Write a batch script instead; it submits itself again."),
    ] = False,
    pes: Annotated[
        int | None,
        typer.Option("--pes", metavar="N", help="With --slurm: worker threads of each process."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", metavar="N", help="With --slurm: nodes; 1 by default.")
    ] = None,
    ranks_per_node: Annotated[
        int | None,
        typer.Option("--ranks-per-node", metavar="N", help="With --slurm: processes of each; 1."),
    ] = None,
    hours: Annotated[
        float | None,
        typer.Option("--hours", metavar="H", help="With --slurm: time limit of one job; 24."),
    ] = None,
    mpi: Annotated[
        str | None,
        typer.Option("--mpi", metavar="NAME", help="With --slurm: openmpi, mpich or auto."),
    ] = None,
    overwrite: common.OverwriteFile = False,
    allow_scripts: common.AllowScripts = False,
    json: common.Json = False,
) -> None:
    """Write the job of an input, the one file that the engine reads, or a script for Slurm."""
    asked: tuple[tuple[str, Any], ...] = (
        ("pes", pes),
        ("nodes", nodes),
        ("ranks_per_node", ranks_per_node),
    )
    asked += (("hours", hours), ("mpi", mpi))
    given: dict[str, Any] = {name: value for name, value in asked if value is not None}
    how: dict[str, Any] = {"overwrite": overwrite, "allow_scripts": allow_scripts}
    with common.nothing_was_run():
        if slurm:
            script = api.slurm_script(input, out, **given, **how)
        else:
            _refuse_for_a_job(input, given)
            made = api.load(input, out, **how)
    if slurm:
        if json:
            common.print_json({"file": str(script)})
        else:
            common.say(f"wrote {script}\nlook at it, then: sbatch {script}")
    elif json:
        common.print_json({"file": str(made.path), "kind": made.of_kind, "atoms": made.atoms})
    else:
        common.say(f"wrote {made.path}, {made.atoms:,} atoms")


def _refuse_for_a_job(source: Path, given: Iterable[str]) -> None:
    """Complain about what has no meaning without --slurm."""
    what, hint = "has a meaning only with --slurm", "add --slurm, or leave it out"
    problems = [Problem(what, f"--{name.replace('_', '-')}", hint=hint) for name in given]
    if source.suffix == ".h5":
        hint = "give the input; to have a job elsewhere, copy it"
        problems.append(Problem("is a job already", str(source), hint=hint))
    if problems:
        raise InputError(problems)
