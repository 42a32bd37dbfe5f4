# SPDX-License-Identifier: BSD-3-Clause
"""A parsed input of any kind, with the problems found so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from finegrain.base.arguments import as_path
from finegrain.errors import InputError, Problem
from finegrain.toml_input.fields import Section
from finegrain.toml_input.problems import in_order
from finegrain.toml_input.source import TomlSource, read_toml

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


def directory_of(path: Path) -> str:
    """Return the folder that an input names for its results; empty if it names none."""
    output = read_toml(path).data.get("output")
    wanted = output.get("directory") if isinstance(output, dict) else None
    return wanted if isinstance(wanted, str) else ""
