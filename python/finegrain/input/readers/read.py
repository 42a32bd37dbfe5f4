# SPDX-License-Identifier: BSD-3-Clause
"""Which reader goes with which topology."""

from __future__ import annotations

from pathlib import Path

from finegrain.errors import InputError
from finegrain.input.load import Input
from finegrain.input.readers.amber import read_amber
from finegrain.input.readers.source import Reader, Source, fail, missing_files
from finegrain.input.readers.test_systems import read_test_system

_kinds: dict[str, Reader] = {
    ".prmtop": read_amber,
    ".parm7": read_amber,
    ".top7": read_amber,
}


def read_source(given: Input) -> Source:
    """Read the system that an input names.

    Raises
    ------
    InputError
        For files that are missing, cut short, or do not go together.
    """
    if problems := missing_files(given):
        raise InputError(problems, source=given.source.name)
    topology = given.model.system.topology
    if topology.startswith("openmmtools:"):
        return read_test_system(given)
    suffix = Path(topology).suffix.lower()
    if suffix not in _kinds:
        hint = f'{", ".join(_kinds)} or "openmmtools:NAME"'
        raise fail(given, "system.topology", "unknown kind of file", hint=hint)
    return _kinds[suffix](given)
