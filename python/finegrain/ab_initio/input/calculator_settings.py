# SPDX-License-Identifier: BSD-3-Clause
"""The settings of the calculator for ASE: their names, plain copies, and the input that they make.

All are numbers, texts, lists and tables, as JSON has them, so that databases and trajectories of
ASE can store them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from finegrain.ab_initio.input.model import sections
from finegrain.ab_initio.input.unknown_keys import ABSENT
from finegrain.base.arguments import checked_companion_seconds, checked_pes
from finegrain.errors import InputError, Problem, nearest
from finegrain.pseudopotentials.elements import SYMBOLS
from finegrain.toml_input.source import TomlSource

DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "functional": "PBE",
        "pseudopotentials": "auto",
        "pseudopotential_folders": [],
        "electrons": {},
        "ground_state": {},
        "objects": {},
        "boundary": "periodic",
        "least_distance": None,
        "pes": None,
        "companion_seconds": 600.0,
    }
)
NAMES = ("cutoff", *DEFAULTS)
NO_BIT = frozenset({"pes", "companion_seconds"})  # a result is the same with any of them
_of_electrons = ("cutoff", "functional", "pseudopotentials", "pseudopotential_folders")
_tables = ("electrons", "ground_state", "objects")
_where = "the calculator"


def plain(value: Any) -> Any:
    """Return a copy of a value without paths, arrays and tuples."""
    match value:
        case Mapping():
            return {str(key): plain(one) for key, one in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(one) for one in value]
        case np.ndarray() | np.generic():
            return plain(value.tolist())
        case os.PathLike():
            return os.fspath(value)
    return value


def same(one: Any, two: Any) -> bool:
    """Return whether two settings are written in the same way."""
    return json.dumps(one, sort_keys=True, default=repr) == json.dumps(
        two, sort_keys=True, default=repr
    )


def checked_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain copies of settings.

    Raises
    ------
    InputError
        If a name is unknown, or a value is not of the kind that its name says. It has all of these.
    """
    settings = {name: plain(value) for name, value in given.items()}
    problems = [_unknown(name) for name in settings if name not in NAMES]
    for name in _tables:
        if name in settings:
            settings[name] = {} if settings[name] is None else settings[name]
            problems += _problems_of_table(name, settings[name])
    if problems:
        raise InputError(problems)
    if "pes" in settings:
        settings["pes"] = checked_pes(settings["pes"])
    if "companion_seconds" in settings:
        settings["companion_seconds"] = checked_companion_seconds(settings["companion_seconds"])
    return settings


def _unknown(name: str) -> Problem:
    if name.lower() in ABSENT:
        what, hint = ABSENT[name.lower()]
        return Problem(what, _where, name, hint=hint)
    for section, model in sections.items():
        if section in _tables and name in model.model_fields:
            hint = f"it is a key of {section}: {section}={{{json.dumps(name)}: ...}}"
            return Problem("unknown setting", _where, name, hint=hint)
    close = nearest(name, NAMES)
    hint = f"did you mean {close}?" if close else f"settings are {', '.join(NAMES)}"
    return Problem("unknown setting", _where, name, hint=hint)


def _problems_of_table(name: str, table: Any) -> list[Problem]:
    if not isinstance(table, dict):
        hint = f'such as {name}={{"seed": 2}}' if name == "ground_state" else "such as {}"
        return [
            Problem("is not a mapping of keys to values", _where, f"{name} = {table}", "", hint)
        ]
    twice = [key for key in _of_electrons if key in table] if name == "electrons" else []
    return [
        Problem("is a setting of its own", _where, f"electrons[{key!r}]", hint=f"give it as {key}=")
        for key in twice
    ]


class SettingsSource(TomlSource):
    """The settings of the calculator as if they had been read from a file."""

    def with_value(self, key: str, value: Any) -> str:
        """Return how the calculator is given a value, such as ``electrons={"charge": 1}``."""
        section, _, name = key.rpartition(".")
        if name in _of_electrons:
            return f"{name}={value!r}"
        return f"{section}={{{json.dumps(name)}: {value!r}}}"


def source_of(
    settings: Mapping[str, Any], symbols: tuple[str, ...], start: Mapping[str, str]
) -> TomlSource:
    """Return the settings as if they had been read from a file, for atoms of these elements.

    Parameters
    ----------
    start : mapping
        Keys of ``[ground_state]`` that say where the search begins, if not as the settings say.
    """
    own = {name: settings[name] for name in _of_electrons if settings.get(name) not in (None, [])}
    if isinstance(files := own["pseudopotentials"], dict):
        # One table may serve for several molecules.
        others = set(SYMBOLS) - set(symbols)
        own["pseudopotentials"] = {one: name for one, name in files.items() if one not in others}
    tables = {name: settings[name] for name in _tables}
    tables["electrons"] = {**own, **tables["electrons"]}
    tables["ground_state"] = {**tables["ground_state"], **start}
    data: dict[str, Any] = {
        "system": {
            "kind": "ab-initio",
            "title": "ASE",
            "structure": "atoms of ASE",
            "boundary": settings["boundary"],
            **({"least_distance": least} if (least := settings["least_distance"]) else {}),
        },
        **{name: table for name, table in tables.items() if table},
    }
    data = json.loads(json.dumps(data, default=str))  # the caller's tables stay as they are
    text = json.dumps(data, indent=2, ensure_ascii=False)
    return SettingsSource(Path(_where), text, data)
