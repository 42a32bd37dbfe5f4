# SPDX-License-Identifier: BSD-3-Clause
"""Inputs of callers in Python: a file, a job, a run, or a dict."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from finegrain.base.arguments import PathOrObject, input_path
from finegrain.errors import InputError
from finegrain.kinds.registry import kind_of_tables
from finegrain.toml_input.from_python import source_from
from finegrain.toml_input.source import InputFile, TomlSource

AnyInput: TypeAlias = PathOrObject | Mapping[str, Any] | TomlSource


@contextlib.contextmanager
def opened_input(given: AnyInput, name: str = "input") -> Iterator[InputFile]:
    """Yield an input as it is read: a path, or a dict as if it had been read from a file.

    Parameters
    ----------
    given : path, Job, Run, dict or TomlSource
    name : str
        The name of a dict, from which its title is taken if it has none.

    Raises
    ------
    InputError
        If a dict holds what is no value of an input.
    """
    if isinstance(given, TomlSource):
        yield given
    elif isinstance(given, Mapping):
        with tempfile.TemporaryDirectory(prefix="finegrain-input-") as folder:
            yield source_from(given, name, Path(folder), kind_of_tables(given).take_objects)
    else:
        yield input_path(given)


def needs_a_name(given: object, what: str, hint: str) -> None:
    """Refuse an input from Python for which the caller names no place for `what`."""
    python = given.python if isinstance(given, TomlSource) else None
    if isinstance(given, Mapping) or python is not None:
        text = f"has no name from which that of {what} follows"
        raise InputError(text, where="the input", hint=hint)
