# SPDX-License-Identifier: BSD-3-Clause
"""A TOML file that remembers on which line each key stands."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from finegrain.errors import InputError, Problem

_header = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_key = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*[A-Za-z0-9_-]+)*)\s*=""")
_where = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


@dataclass
class TomlSource:
    """A parsed input; `line_of` and `written` answer for dotted keys such as ``forces.cutoff``."""

    path: Path
    text: str
    data: dict[str, Any]
    lines: dict[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The file's name without its folders."""
        return self.path.name

    def place(self, key: str) -> str:
        """Return file and line of `key`, such as "water.toml:9"."""
        line = self.line_of(key)
        return self.name if line is None else f"{self.name}:{line}"

    def line_of(self, key: str) -> int | None:
        """Return the line of `key`, else of its table, counted from 1."""
        while key and key not in self.lines:
            key = key.rpartition(".")[0]
        return self.lines.get(key)

    def written(self, key: str) -> str:
        """Return the value of `key` as the user sees it; nothing where it is not given."""
        value: Any = self.data
        for part in key.split("."):
            if not isinstance(value, dict) or part not in value:
                return ""
            value = value[part]
        if isinstance(value, bool):
            return str(value).lower()
        return str(value) if not isinstance(value, dict) else ""

    def problem(self, key: str, what: str, *, limit: str = "", hint: str = "") -> Problem:
        """Return a problem with the value of `key`, with its place."""
        written = self.written(key)
        return Problem(what, self.place(key), f"{key} = {written}" if written else key, limit, hint)


def read_toml(path: Path) -> TomlSource:
    """Read and parse; a file that cannot be read or is not TOML is an `InputError`."""
    name = path.name
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        limit = f"byte {error.start} is not valid"
        raise InputError("is not UTF-8 text", where=name, limit=limit, source=name) from None
    except OSError as error:
        what = f"cannot be read: {(error.strerror or str(error)).lower()}"
        missing = isinstance(error, FileNotFoundError)
        hint = "check the path; `finegrain init` makes a new input" if missing else "check the path"
        raise InputError(what, where=str(path), hint=hint, source=name) from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _where.search(str(error))
        line = int(found.group(1)) if found and found.group(1) else text.count("\n") + 1
        what = _where.sub("", str(error))
        raise InputError(
            f"is not valid TOML: {what[:1].lower()}{what[1:]}",
            where=f"{name}:{line}",
            hint='text needs quotes, as in cutoff = "9 Å"',
            source=name,
        ) from None
    return TomlSource(path, text, data, _find_lines(text))


def _find_lines(text: str) -> dict[str, int]:
    lines: dict[str, int] = {}
    table, depth, quote = "", 0, ""
    for number, line in enumerate(text.splitlines(), start=1):
        if depth == 0 and not quote:
            if header := _header.match(line):
                table = _clean(header.group(1))
                lines.setdefault(table, number)
                continue
            if key := _key.match(line):
                name = _clean(key.group(1))
                lines.setdefault(f"{table}.{name}" if table else name, number)
        depth, quote = _open_after(line, depth, quote)
    return lines


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
