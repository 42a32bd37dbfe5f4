# SPDX-License-Identifier: BSD-3-Clause
"""A TOML file with the line number of each key."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

from finegrain.errors import InputError, Problem
from finegrain.files.plain import plain_bytes

_header = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_key = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*[A-Za-z0-9_-]+)*)\s*=""")
_where = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


@dataclass(frozen=True)
class FromPython:
    """What an input has that was given in Python, beside its text.

    Attributes
    ----------
    objects : mapping
        The objects that stood for files, by their keys, such as ``system.topology``.
    words : mapping
        What they are, in words, by the same keys.
    files : mapping
        The files that hold them now: their names, beside a file with the text, and contents.
    notes : tuple of str
        What a user should know of how they were read.
    """

    objects: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass
class TomlSource:
    """A parsed input; `line_of` and `written` take dotted keys such as ``forces.cutoff``.

    The first of the tables [[restraints]] is ``restraints.0``. An input that was given in Python
    has `python`, and no lines that a user knows.
    """

    path: Path
    text: str
    data: dict[str, Any]
    lines: dict[str, int] = field(default_factory=dict)
    python: FromPython | None = None

    @property
    def name(self) -> str:
        """The file's name without its folders."""
        return self.path.name if self.python is None else "the input"

    @property
    def stem(self) -> str:
        """The file's name without its ending, or the name of what was given in Python."""
        return self.path.stem

    def __str__(self) -> str:
        return self.name

    def place(self, key: str) -> str:
        """Return file and line of `key`, such as "water.toml:9"; nothing if there is no file."""
        if self.python is not None:
            return ""
        line = self.line_of(key)
        return self.name if line is None else f"{self.name}:{line}"

    def line_of(self, key: str) -> int | None:
        """Return the line of `key`, else of its table, counted from 1."""
        while key and key not in self.lines:
            key = key.rpartition(".")[0]
        return self.lines.get(key)

    def written(self, key: str) -> str:
        """Return the value of `key` as the user wrote it; empty if it is not given."""
        if self.python is not None and key in self.python.words:
            return self.python.words[key]
        value: Any = self.data
        for part in key.split("."):
            if isinstance(value, list) and part.isdigit() and int(part) < len(value):
                value = value[int(part)]
            elif isinstance(value, dict) and part in value:
                value = value[part]
            else:
                return ""
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, list) and not any(isinstance(item, dict) for item in value):
            return json.dumps(value, ensure_ascii=False, default=str)  # as in TOML
        return str(value) if not isinstance(value, dict | list) else ""

    def with_value(self, key: str, value: Any) -> str:
        """Return how `key` is given a value in this input, for a hint: ``name = true`` in TOML."""
        name = key.rpartition(".")[2]
        if self.python is not None:
            return f'"{name}": {value!r}'
        return f"{name} = {json.dumps(value, ensure_ascii=False)}"

    def has_wrong(self, key: str, used: str | None) -> bool:
        """Return whether `key` is given with a word that the model does not use.

        That word is wrong, which is reported, and the model continues with `used`, or without.
        """
        return self.written(key) not in ("", used)

    def problem(self, key: str, what: str, *, limit: str = "", hint: str = "") -> Problem:
        """Return a problem with the value of `key`, with its place."""
        written = self.written(key)
        return Problem(what, self.place(key), f"{key} = {written}" if written else key, limit, hint)


InputFile: TypeAlias = Path | TomlSource  # to read, or read already


def is_job(input_file: InputFile) -> TypeGuard[Path]:
    """Return whether an input is a job, which is not read again."""
    return isinstance(input_file, Path) and input_file.suffix == ".h5"


def tables_of(data: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every table of a parsed input with its key, those in lists and in tables, too."""
    for name, value in data.items():
        members = value if isinstance(value, list) else [value]
        for place, table in enumerate(members):
            if isinstance(table, dict):
                key = f"{prefix}{name}.{place}" if isinstance(value, list) else f"{prefix}{name}"
                yield key, table
                yield from tables_of(table, f"{key}.")


def read_toml(
    path: str | InputFile, missing: str = "`finegrain init` makes a new input"
) -> TomlSource:
    """Read and parse; a file that cannot be read or is not TOML is an `InputError`.

    `missing` is added to the hint when there is no such file. Of what has been read already there
    is a copy.
    """
    if isinstance(path, TomlSource):
        return replace(path, data=deepcopy(path.data))
    path = Path(path)
    name = path.name
    try:
        # some editors begin files with a byte-order mark
        text = plain_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        limit = f"byte {error.start} is not valid"
        raise InputError("is not UTF-8 text", where=name, limit=limit, source=name) from None
    except OSError as error:
        what = f"cannot be read: {(error.strerror or str(error)).lower()}"
        gone = isinstance(error, FileNotFoundError)
        hint = f"check the path; {missing}" if gone else "check the path"
        raise InputError(what, where=str(path), hint=hint, source=name) from None
    try:
        data = tomllib.loads(text)
        repr(data)  # hexadecimal numbers have no limit until they are printed
    except tomllib.TOMLDecodeError as error:
        raise InputError([_broken(name, text, str(error))], source=name) from None
    except ValueError:
        raise InputError([_too_long(name, text)], source=name) from None
    except RecursionError:
        raise InputError([_too_deep(name, text)], source=name) from None
    return TomlSource(path, text, data, lines_of_keys(text))


def _broken(name: str, text: str, said: str) -> Problem:
    found = _where.search(said)
    last = max(len(text.splitlines()), 1)
    line = int(found.group(1)) if found and found.group(1) else last
    what = _where.sub("", said)
    if re.match(r"Cannot (overwrite|declare|mutate)|Duplicate", what):
        # The value may end on a line below that of its key.
        key, line = next((found for found in reversed([*_keys(text)]) if found[1] <= line), ("", 1))
        if inner := re.match(r"(?:Duplicate inline|Cannot mutate).* \(?'(.*)'", what):
            key = f"{key}.{inner.group(1)}"
        first = lines_of_keys(text).get(key, line)
        other = f"; the other is on line {first}" if first < line else ""
        return Problem("is given twice", f"{name}:{line}", key, hint=f"keep one of the two{other}")
    hint = "a line is key = value, or the [section] that the keys below it belong to"
    if what.startswith(("Invalid value", "Expected newline", "Unterminated", "Illegal character")):
        hint = 'text needs quotes, as in cutoff = "9 Å"'
    return Problem(f"is not valid TOML: {what[:1].lower()}{what[1:]}", f"{name}:{line}", hint=hint)


def _too_long(name: str, text: str) -> Problem:
    """Find the longest number; the parser gives no line for one that Python does not convert."""
    hint = "no key takes a whole number of more than 19 digits"
    return _most(name, text, "is a number that is too long", hint, _longest_number)


def _too_deep(name: str, text: str) -> Problem:
    """Find the value with the most brackets; the parser gives no line for this either."""
    hint = "no key takes a list of lists"
    return _most(name, text, "is a list that is too deep", hint, _brackets)


def _longest_number(line: str) -> int:
    return max(map(len, re.findall(r"[0-9][0-9a-zA-Z_]*", line)), default=0)


def _brackets(line: str) -> int:
    return line.count("[") + line.count("{")


def _most(name: str, text: str, what: str, hint: str, measure: Callable[[str], int]) -> Problem:
    """Return the problem of the key whose lines have the largest sum of `measure`."""
    heads = {number: key for key, number in _keys(text)}
    sums: Counter[int] = Counter()
    head = 1
    for number, line in enumerate(text.splitlines(), start=1):
        head = number if number in heads else head
        sums[head] += measure(line)
    found = max(sums, key=lambda number: sums[number], default=1)
    return Problem(what, f"{name}:{found}", heads.get(found, ""), hint=hint)


def lines_of_keys(text: str) -> dict[str, int]:
    """Return the line of each key and table."""
    lines: dict[str, int] = {}
    for key, number in _keys(text):
        lines.setdefault(key, number)
    return lines


def _keys(text: str) -> Iterator[tuple[str, int]]:
    """Yield each table and key, in full, with its line."""
    table, depth, quote = "", 0, ""
    counts: Counter[str] = Counter()  # of the tables in lists
    for number, line in enumerate(text.splitlines(), start=1):
        if depth == 0 and not quote:
            if header := _header.match(line):
                table = _in_lists(_clean(header.group(2)), counts, new=header.group(1) == "[[")
                yield table, number
                continue
            if key := _key.match(line):
                name = _clean(key.group(1))
                yield f"{table}.{name}" if table else name, number
        depth, quote = _open_after(line, depth, quote)


def _in_lists(table: str, counts: Counter[str], *, new: bool) -> str:
    """Return the key of a table, with the place of each list of tables that it is in."""
    key = ""
    parts = table.split(".")
    for depth, part in enumerate(parts):
        key = f"{key}.{part}" if key else part
        if new and depth == len(parts) - 1:
            counts[key] += 1
        if counts[key]:
            key = f"{key}.{counts[key] - 1}"
    return key


def _clean(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))


def _open_after(line: str, depth: int, quote: str) -> tuple[int, str]:
    """Return how many brackets, and which multi-line string, are still open when `line` ends."""
    i = 0
    while i < len(line):
        if quote:
            if line.startswith(quote, i):
                i += len(quote)
                quote = ""
                continue
            i += 2 if line[i] == "\\" and quote[0] == '"' else 1
            continue
        if line[i] == "#":
            break
        if line[i] in "\"'":
            quote = line[i] * 3 if line.startswith(line[i] * 3, i) else line[i]
            i += len(quote)
            continue
        depth += (line[i] in "[{") - (line[i] in "]}")
        i += 1
    return max(depth, 0), quote if len(quote) == 3 else ""
