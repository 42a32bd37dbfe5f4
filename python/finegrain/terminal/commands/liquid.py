# SPDX-License-Identifier: BSD-3-Clause
"""``prepare --liquid``: copies of a molecule in a cell, and the input of an ab initio run."""

from __future__ import annotations

from typing import Any

import typer

from finegrain import api
from finegrain.errors import InputError, Problem
from finegrain.terminal.commands import common

OPTIONS = ("liquid", "density", "cell")
_shared = ("structure", "out", "temperature", "seed", "overwrite", "json")


def is_wanted(context: typer.Context) -> bool:
    """Return whether one of the options of liquids is given."""
    return any(_is_given(context, name) for name in OPTIONS)


def prepare(context: typer.Context) -> None:
    """Make the liquid that the options of `prepare` ask for; refuse those of other systems."""
    given: dict[str, Any] = dict(context.params)
    problems = []
    for parameter in context.command.params:
        name = parameter.name or ""
        if name not in (*OPTIONS, *_shared) and _is_given(context, name):
            words = parameter.opts[0]
            what, hint = "has no use with a liquid for ab initio runs", "leave it out"
            problems.append(Problem(what, words, hint=hint))
    if given["liquid"] is None:
        hint = "such as --liquid 64"
        problems.append(Problem("a liquid needs a number of copies", "--liquid", hint=hint))
    if problems:
        raise InputError(problems)
    made = api.prepare_liquid(
        given["structure"],
        given["liquid"],
        given["out"],
        overwrite=given["overwrite"],
        density=given["density"],
        cell=given["cell"],
        temperature=given["temperature"],
        seed=given["seed"],
    )
    if given["json"]:
        common.print_json(made.as_dict())
    else:
        common.say(made.text(), end="")


def _is_given(context: typer.Context, name: str) -> bool:
    return getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"
