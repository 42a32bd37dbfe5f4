# SPDX-License-Identifier: BSD-3-Clause
"""``init`` and ``check``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from finegrain import api
from finegrain.commands import common
from finegrain.errors import InputError
from finegrain.whole_file import replace_file


def init(
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="Which input to write.")] = "amber",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="The file to write.")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a file that is there.")
    ] = False,
    json: common.Json = False,
) -> None:
    """Write a commented input for a kind of run."""
    from finegrain.input import template

    text = template(kind)
    target = out if out is not None else Path(f"{kind}.toml")
    if target.exists() and not overwrite:
        raise InputError(
            "is there already",
            where=str(target),
            hint="choose another name with --out, or replace it with --overwrite",
        )
    replace_file(target, text.encode())
    if json:
        common.print_json({"file": str(target), "kind": kind})
    else:
        print(f"wrote {target}\nlook at it, then: finegrain check {target}")


def check(
    input: common.InputFile,  # noqa: A002 - the user's word
    json: common.Json = False,
) -> None:
    """Report every problem of an input, or what a run of it would be."""
    with common.nothing_was_run():
        report = api.check(input)
    if json:
        common.print_json(report.as_dict())
    else:
        print(report.text(), end="")
