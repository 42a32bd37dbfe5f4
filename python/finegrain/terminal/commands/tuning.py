# SPDX-License-Identifier: BSD-3-Clause
"""``tune``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from finegrain.base.arguments import as_path
from finegrain.base.visible import visible
from finegrain.errors import InputError
from finegrain.files.whole import replace_file
from finegrain.runs.folder.new_file import refuse_to_replace
from finegrain.runs.options import How
from finegrain.terminal.commands import common


def tune(
    input: common.InputFile,  # noqa: A002 - the user's word
    pes: common.Pes = None,
    ranks: common.Ranks = 1,
    mpi: common.Mpi = "auto",
    comm_threads: common.CommThreads = 0,
    map: common.Map = "cost",  # noqa: A002 - the user's word
    steps: Annotated[
        int | None,
        typer.Option(
            "--steps", metavar="N", help="Steps of each timed run; by default about 1.5 s."
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", help="How often each division is timed.")
    ] = 3,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            parser=as_path,
            metavar="FILE",
            help="Also write the input with the keys found, beside the input.",
        ),
    ] = None,
    overwrite: common.OverwriteFile = False,
    allow_scripts: common.AllowScripts = False,
    quiet: common.Quiet = False,
    json: common.Json = False,
) -> None:
    """Time divisions of an input's job here; print the keys of the fastest."""
    from finegrain.toml_input.more_keys import with_more_keys
    from finegrain.toml_input.source import read_toml
    from finegrain.tuning import tune as search

    if out is not None:
        _refuse_another_folder(input, out)
        refuse_to_replace(out, overwrite=overwrite, inputs=(input,))
    how: How = {
        "pes": pes,
        "ranks": ranks,
        "mpi": mpi,
        "comm_threads": comm_threads,
        "map": map,
    }
    found = search(
        input,
        steps=steps,
        rounds=rounds,
        allow_scripts=allow_scripts,
        on_line=None if quiet else _say,
        **how,
    )
    if out is not None and found.keys:
        replace_file(out, with_more_keys(read_toml(input), found.keys).encode())
    if json:
        common.print_json(found.as_dict())
        return
    common.say(found.text(), end="")
    if out is not None:
        common.say(f"wrote {out}" if found.keys else f"{out} was not written: nothing is faster")


def _say(line: str) -> None:
    print(visible(line), file=sys.stderr, flush=True)


def _refuse_another_folder(source: Path, out: Path) -> None:
    """Complain about a folder in which the paths of the input would be wrong."""
    if out.resolve().parent != source.resolve().parent:
        raise InputError(
            "is in another folder than the input, whose paths would be wrong there",
            where="--out",
            value=str(out),
            limit=str(source.resolve().parent),
            hint="name a file beside the input",
        )
