# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of runs: the only place that chooses between them.

An input names its kind in ``[system]``, a job in its attribute ``kind``. A kind is a module with
``KIND``, which is imported when it is needed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from finegrain.errors import InputError, nearest


class InputReport(Protocol):
    """The description of a checked input."""

    def text(self) -> str:
        """Return it for reading."""

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json``."""


@dataclass(frozen=True)
class Kind:
    """What a kind of run brings.

    Attributes
    ----------
    model : type
        The model of its input; its ``output.directory`` is the folder of results.
    load : callable
        (path, strict) to an object with that ``model``; raises InputError.
    check : callable
        (path, allow_scripts) to the description of the run; raises InputError.
    make_job : callable
        (path, out, allow_scripts): writes the job; raises InputError.
    templates : sequence of str
        Names of inputs that `template` returns as text.
    """

    model: type
    load: Callable[..., Any]
    check: Callable[..., InputReport]
    make_job: Callable[..., Any]
    templates: Sequence[str]
    template: Callable[[str], str]


KINDS = {"classical": "finegrain.input.classical", "ab-initio": "finegrain.ab_initio.kind"}


def kind_named(name: str) -> Kind:
    """Return one of `KINDS`."""
    kind: Kind = importlib.import_module(KINDS[name]).KIND
    return kind


def kind_of_input(path: str | Path) -> Kind:
    """Return the kind of an input.

    A word that is no kind is taken for the nearest one, whose model refuses it together with all
    other problems of the input.
    """
    from finegrain.toml_input.source import read_toml

    system = read_toml(Path(path)).data.get("system")
    word = str(system.get("kind")) if isinstance(system, dict) else ""
    return kind_named(word if word in KINDS else nearest(word, KINDS) or next(iter(KINDS)))


def require_kind(name: str, where: str) -> None:
    """Refuse a job of a kind that is none of `KINDS`."""
    if name not in KINDS:
        raise InputError(
            "is a job of a kind that this version does not run",
            where=where,
            value=name,
            limit=", ".join(KINDS),
            hint="make the job again with this version of finegrain",
        )


def template(name: str) -> str:
    """Return a commented input: for files of your own, or of a system to try.

    Raises
    ------
    InputError
        If no kind of run has a template of this name.
    """
    kinds = [kind_named(kind) for kind in KINDS]
    for kind in kinds:
        if name in kind.templates:
            return kind.template(name)
    names = [one for kind in kinds for one in kind.templates]
    close = nearest(name, names)
    hint = f"did you mean {close}? (" if close else "("
    hint += f"one of {', '.join(names)})"
    raise InputError("there is no such kind of input", value=name, hint=hint)
