# SPDX-License-Identifier: BSD-3-Clause
"""An input that is given in Python: a dict with the keys of TOML, with objects among its values.

Objects that stand for files, such as a System of OpenMM, become files, so that there is one way to
read an input, and one that can be kept beside results.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from finegrain.base.arguments import as_path
from finegrain.errors import InputError, Problem
from finegrain.toml_input.python_values import plain_table
from finegrain.toml_input.source import FromPython, TomlSource, lines_of_keys
from finegrain.toml_input.toml_text import toml_text

# Keys of all kinds that name files or folders which are read.
FILES = frozenset(
    {
        *("topology", "coordinates", "parameters", "forcefield", "include", "reference"),
        *("structure", "pseudopotentials", "pseudopotential_folders", "start"),
    }
)

# The names of all files that hold objects. A file of another name is never taken for one.
HOLDERS = frozenset({"system.xml", "state.xml", "topology.prmtop", "structure.traj"})


@dataclass
class TakenObjects:
    """What a kind of run has taken out of [system].

    Attributes
    ----------
    files : dict of str to bytes
        Files that hold objects.
    names : dict of str to str
        Keys of [system], and the names of these files.
    words : dict of str to str
        Keys of [system], and what the objects are, in words.
    objects : dict of str to object
        Keys of [system], and what readers need beside the file.
    notes : list of str
    problems : list of Problem
    no_files : set of str
        Names that stand for other things than files of the current folder.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    objects: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    no_files: Collection[str] = ("auto", "atomic", "random")

    def hold(self, key: str, name: str, content: bytes, words: str) -> None:
        """Put an object of [system] into a file."""
        assert name in HOLDERS
        self.files[name], self.names[key], self.words[key] = content, name, words

    def refuse(self, key: str, what: str, value: str = "", limit: str = "", hint: str = "") -> None:
        """Add a problem of a key of [system]."""
        shown = f"system.{key} = {value}" if value else f"system.{key}"
        self.problems.append(Problem(what, "", shown, limit, hint))


Take = Callable[[Mapping[str, Any]], TakenObjects]


def source_from(given: Mapping[str, Any], name: str, folder: Path, take: Take) -> TomlSource:
    """Return a dict as if it had been read from a file in the current folder.

    Parameters
    ----------
    given : mapping
        Sections with their keys.
    name : str
        The name of the input without ending.
    folder : Path
        Gets the files that hold objects.
    take : function
        Takes the objects out of [system], as the kind of run reads them.

    Raises
    ------
    InputError
        With every value that is none of an input.
    """
    sections = dict(given)
    system = given.get("system")
    taken = take(system) if isinstance(system, Mapping) else TakenObjects()
    if isinstance(system, Mapping):
        refused = {problem.value.split()[0] for problem in taken.problems}
        left = {key: value for key, value in system.items() if f"system.{key}" not in refused}
        sections["system"] = {**left, **taken.names}
    problems = list(taken.problems)
    data = plain_table(sections, problems)
    if problems:
        raise InputError(problems, source="the input")
    words = {f"system.{key}": text for key, text in taken.words.items()}
    text = toml_text(_in_full(data, {*taken.no_files, *taken.names.values()}), words)
    for file, content in taken.files.items():
        (folder / file).write_bytes(content)
    for key, file in taken.names.items():
        data["system"][key] = str(folder / file)
    python = FromPython(
        {f"system.{key}": one for key, one in taken.objects.items()},
        words,
        taken.files,
        tuple(taken.notes),
    )
    return TomlSource(Path.cwd() / f"{name}.toml", text, data, lines_of_keys(text), python)


def _in_full(data: dict[str, Any], no_files: Collection[str]) -> dict[str, Any]:
    """Return tables in which names of files that exist are complete, for a text in any folder."""

    def full(name: str) -> str:
        return name if name in no_files else _absolute(name)

    return {name: _with_names(table, full) for name, table in data.items()}


def named_files(source: TomlSource) -> Iterator[Path]:
    """Yield what an input names to be read, whether it exists or not."""
    names: list[str] = []

    def note(name: str) -> str:
        names.append(name)
        return name

    _with_names(source.data, note)
    for name in names:
        with contextlib.suppress(InputError):  # what is wrong with it is told when it is read
            yield source.path.parent / as_path(name)


def _with_names(value: Any, change: Callable[[str], str], *, is_file: bool = False) -> Any:
    """Return a table, list or value of an input with each name of a file changed."""
    match value:
        case dict():
            return {
                name: _with_names(one, change, is_file=is_file or name in FILES)
                for name, one in value.items()
            }
        case list():
            return [_with_names(one, change, is_file=is_file) for one in value]
        case str() if is_file:
            return change(value)
    return value


def _absolute(name: str) -> str:
    try:
        path = as_path(name)
        return str(path.absolute()) if path.exists() else name
    except (InputError, OSError, ValueError):  # what is wrong with it is told when it is read
        return name
