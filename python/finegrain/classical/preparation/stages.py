# SPDX-License-Identifier: BSD-3-Clause
"""An input with [[stages]]: one input for each of them.

A stage has the keys of the base input, and replaces some of them. Its lines point into the same
file, so its problems are reported like those of any input.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from finegrain.classical.input.load import Input, load_source
from finegrain.classical.input.sections.output import OutputSection
from finegrain.classical.preparation.prepare import Prepared, prepare_input
from finegrain.errors import InputError, Problem, nearest
from finegrain.toml_input.problems import in_order
from finegrain.toml_input.source import InputFile, TomlSource, read_toml
from finegrain.units import Ramp

_tables = ("forces", "dynamics", "minimise", "output", "restraints", "patches", "mesh")
_name = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,49}", re.ASCII)
_most = 99


@dataclass
class Stage:
    """A part of a staged run.

    Attributes
    ----------
    folder : str
        The folder of its results, inside that of the whole run, such as "2-heat".
    carries_velocities : bool
        Whether it continues with the velocities of the stage before.
    """

    name: str
    folder: str
    carries_velocities: bool
    prepared: Prepared


def prepare_stages(
    path: str | InputFile,
    look: Callable[[Prepared], object] | None = None,
    *,
    allow_scripts: bool = False,
    scale: float = 1.0,
) -> list[Stage]:
    """Read, check and complete every stage of an input.

    Parameters
    ----------
    path : path
        A TOML file with [[stages]].
    look : function, optional
        Looks at each prepared stage; its `InputError`s are reported with the others.
    allow_scripts : bool
        Whether a force field of the user's may execute Python.
    scale : float
        The share of the steps that every stage makes, and of the steps between its rows and frames.

    Raises
    ------
    InputError
        With the problems of all stages.
    """
    source = read_toml(path)
    tables = source.data["stages"]
    problems = _structure(source, tables)
    if problems:
        raise InputError(problems, source=source.name)
    stages: list[Stage] = []
    carries, before = False, 0.0
    for number, table in enumerate(tables):
        try:
            if carries and _table(table, "dynamics").get("velocities") == "from-file":
                hint = "leave it out to continue with those of the stage before"
                key = f"stages.{number}.dynamics.velocities"
                problems.append(source.problem(key, "are those of the start", hint=hint))
            merged = _merged(source, number, carries=carries)
            if scale != 1:  # what the whole run would refuse is refused here, too
                whole = load_source(copy.deepcopy(merged), strict=False)
                problems += whole.problems
                _shorten(merged.data, scale)
            given = load_source(merged, strict=False)
            given.allow_scripts = allow_scripts
            given.follows, given.temperature_before = number > 0, before
            given.carries_velocities = carries and "velocities" not in table.get("dynamics", {})
            prepared = prepare_input(given)
            if look is not None:
                look(prepared)
            folder = f"{number + 1}-{table['name']}"
            stages.append(Stage(table["name"], folder, given.carries_velocities, prepared))
        except InputError as error:
            problems += error.problems
            continue
        carries = carries or _moves(given)
        before = max(before, _warmest(prepared))
    if problems:
        raise InputError(in_order(problems), source=source.name)
    return stages


def _moves(given: Input) -> bool:
    return given.model.dynamics is not None and given.model.dynamics.steps > 0


def _warmest(prepared: Prepared) -> float:
    dynamics = prepared.given.model.dynamics
    ramp = dynamics.temperature if dynamics is not None else None
    return max(prepared.temperature, ramp.end.value if isinstance(ramp, Ramp) else 0.0)


def _structure(source: TomlSource, tables: Any) -> list[Problem]:
    """Find what is wrong with the stages themselves."""
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        hint = 'start each stage with a line [[stages]], and name = "heat" below it'
        return [source.problem("stages", "is no list of tables", hint=hint)]
    found: list[Problem] = []
    if len(tables) > _most:
        found.append(source.problem("stages", f"holds {len(tables)} stages", limit=f"{_most}"))
    if "minimise" in source.data:
        hint = "each stage would minimise; move it to the stage that is to: [stages.minimise]"
        found.append(source.problem("minimise", "stands outside the stages", hint=hint))
    names: dict[str, int] = {}
    for number, table in enumerate(tables):
        found += _strange_keys(source, number, table)
        key, name = f"stages.{number}.name", table.get("name")
        if name is None:
            hint = 'such as name = "heat"'
            found.append(Problem("missing key", source.place(key), "stages.name", hint=hint))
        elif not isinstance(name, str) or not _name.fullmatch(name):
            limit = "letters, digits, - and _, at most 50: it is part of the name of a folder"
            found.append(source.problem(key, "is no name of a stage", limit=limit))
        elif name.lower() in names:
            hint = "give each stage a name of its own"
            found.append(source.problem(key, "is the name of two stages", hint=hint))
        names[str(name).lower()] = number
    return found


def _strange_keys(source: TomlSource, number: int, table: dict[str, Any]) -> list[Problem]:
    found = []
    for word, value in table.items():
        key = f"stages.{number}.{word}"
        if word == "system":
            hint = "all stages have the atoms of the base input; take it out"
            found.append(source.problem(key, "cannot change in a stage", hint=hint))
        elif word not in ("name", *_tables):
            close = nearest(word, ("name", *_tables))
            hint = f"did you mean {close}? " if close else ""
            what, hint = "unknown key of a stage", f"{hint}it takes name, {', '.join(_tables)}"
            found.append(source.problem(key, what, hint=hint))
        elif word not in ("name", "restraints") and not isinstance(value, dict):
            hint = f"start it with a line [stages.{word}]"
            found.append(source.problem(key, "not a section", hint=hint))
    if "directory" in _table(table, "output"):
        hint = "its folder is in that of the whole run; set [output] directory of the base input"
        key = f"stages.{number}.output.directory"
        found.append(source.problem(key, "cannot change in a stage", hint=hint))
    return found


def _table(table: dict[str, Any], word: str) -> dict[str, Any]:
    value = table.get(word)
    return value if isinstance(value, dict) else {}


def _merged(source: TomlSource, number: int, *, carries: bool) -> TomlSource:
    """Return the base input with the keys of a stage in place of its own."""
    stage = source.data["stages"][number]
    data = copy.deepcopy({name: table for name, table in source.data.items() if name != "stages"})
    lines = {key: line for key, line in source.lines.items() if not _within(key, "stages")}
    for word in ("forces", "dynamics", "minimise", "output", "patches", "mesh"):
        if word in stage:
            base = data.get(word)
            data[word] = {**(base if isinstance(base, dict) else {}), **stage[word]}
    if carries and "velocities" not in _table(stage, "dynamics"):
        _table(data, "dynamics").pop("velocities", None)  # those that the first steps began with
        lines.pop("dynamics.velocities", None)
    if "restraints" in stage:
        data["restraints"] = stage["restraints"]
        lines = {key: line for key, line in lines.items() if not _within(key, "restraints")}
    prefix = f"stages.{number}."
    own_lines = {
        key.removeprefix(prefix): line
        for key, line in source.lines.items()
        if key.startswith(prefix)
    }
    return replace(source, data=data, lines=lines | own_lines)


def _shorten(data: dict[str, Any], scale: float) -> None:
    """Multiply the steps of a stage, and those between rows and frames; none becomes zero."""
    dynamics, output = _table(data, "dynamics"), data.setdefault("output", {})
    together = max(_whole(dynamics.get(f"{name}_interval")) for name in ("pair", "long_range"))
    for table, key, usual in (
        (dynamics, "steps", None),
        (output, "trajectory_interval", OutputSection.model_fields["trajectory_interval"].default),
        (output, "energy_interval", OutputSection.model_fields["energy_interval"].default),
    ):
        if isinstance(table, dict) and (steps := _whole(table.get(key, usual), 0)) > 0:
            table[key] = together * math.ceil(steps * scale / together - 1e-9)


def _whole(value: Any, otherwise: int = 1) -> int:
    """Return a number of steps; what is none is told when the stage is read."""
    return value if type(value) is int and value > 0 else otherwise


def _within(key: str, table: str) -> bool:
    return key == table or key.startswith(f"{table}.")
