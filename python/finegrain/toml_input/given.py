# SPDX-License-Identifier: BSD-3-Clause
"""A parsed input of any kind, with the problems found so far."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from finegrain.base.arguments import as_path
from finegrain.errors import InputError, Problem
from finegrain.toml_input.fields import Section
from finegrain.toml_input.problems import InputKeys, in_order
from finegrain.toml_input.source import InputFile, TomlSource, read_toml

Model = TypeVar("Model", bound=Section)


@dataclass
class GivenInput(Generic[Model]):
    """A parsed input.

    `problems` holds problems of keys that are not needed to continue. The model then has their
    defaults, so that further problems may be found when the system is read. Nothing may be run
    while it is not empty.
    """

    source: TomlSource
    model: Model
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # notes of the readers

    def __post_init__(self) -> None:
        if self.source.python is not None:
            self.notes += [one for one in self.source.python.notes if one not in self.notes]

    def path_of(self, name: str) -> Path:
        """Return the path of a file in the input; relative names start at the input's folder."""
        return self.source.path.parent / as_path(name)

    def given(self, key: str) -> bool:
        """Return whether the user wrote `key`."""
        return key in self.source.lines

    def raise_problems(self) -> None:
        """Raise all problems found so far, in the order of their lines, if there are any."""
        if self.problems:
            raise InputError(in_order(self.problems), source=self.source.name)


Given = TypeVar("Given", bound=GivenInput[Any])


def checked_source(
    source: TomlSource,
    keys: InputKeys[Model],
    contradictions: Callable[[TomlSource, Model], list[Problem]],
    made: Callable[[TomlSource, Model, list[Problem]], Given],
    *,
    strict: bool,
    left_out: Collection[tuple[str, Any]] = (),
) -> Given:
    """Check a parsed input.

    Parameters
    ----------
    contradictions : callable
        Finds keys that exclude or need each other.
    made : callable
        The class of the input.
    strict : bool
        Raise if anything is wrong. Otherwise raise only if no further problems can be found before
        these are corrected, and return the problems in the result.
    left_out : collection of (str, object)
        Names with a value that are no section.
    """
    data: dict[str, Any] = {
        section: dict(table) if isinstance(table, dict) else table
        for section, table in source.data.items()
        if (section, table) not in left_out
    }
    model, problems = keys.read(source, data)
    problems += contradictions(source, model)
    result = made(source, model, problems)
    if strict:
        result.raise_problems()
    return result


def directory_of(path: InputFile) -> str:
    """Return the folder that an input names for its results; empty if it names none."""
    output = read_toml(path).data.get("output")
    wanted = output.get("directory") if isinstance(output, dict) else None
    return wanted if isinstance(wanted, str) else ""
