# SPDX-License-Identifier: BSD-3-Clause
"""The preprocessor of GROMACS: from a topology with its includes to lines with their places."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from finegrain.classical.input.readers.findings import Findings, lines_of
from finegrain.classical.input.readers.gromacs.macros import Macros, TooMuchError

_directives = ["include", "define", "undef", "ifdef", "ifndef", "else", "endif"]
_deepest = 40  # files that include each other
_most_files = 5000
_most_again = 5_000_000  # characters of files that were included before
_longest = 1_000_000  # characters of a line with all that continues it: a large CMAP table
_most_problems = 50  # after these the rest of a file is not read
_restraints = re.compile(r"(?m)^\s*\[\s*\w+_restraints\s*\]")


@dataclass(frozen=True)
class Line:
    """A line with content: without comments, continued lines joined, defined words replaced."""

    file: str
    number: int
    text: str


@dataclass(frozen=True)
class _Branch:
    """An #ifdef or #ifndef that is open: whether its lines count, and whether it is the #else."""

    active: bool
    is_else: bool
    directive: str
    number: int  # of its line
    word: str


@dataclass
class Preprocessor:
    """Reads a topology as `gmx grompp` does.

    Attributes
    ----------
    folders : sequence of Path
        Folders to search after that of the file with the include.
    macros : Macros
        The defined words; grows as lines are read.
    asked : set of str
        The words that a line has used, or asked for with #ifdef or #ifndef.
    restrains : dict of str to str
        Words that are not defined and would take restraints in, with the places of their #ifdef.
    """

    folders: Sequence[Path]
    found: Findings
    macros: Macros = field(default_factory=Macros)
    asked: set[str] = field(default_factory=set)
    lines: list[Line] = field(default_factory=list)
    restrains: dict[str, str] = field(default_factory=dict)
    _open: list[_Branch] = field(default_factory=list)
    _off: int = 0  # of those that are open, how many leave lines out
    _files: int = 0
    _seen: set[Path] = field(default_factory=set)
    _again: int = 0

    def read(self, path: Path, name: str = "", depth: int = 0) -> list[Line]:
        """Return the lines of a file and of all files that it includes."""
        name = name or path.name
        self._files += 1
        opened = len(self._open)
        start, parts, length = 0, list[str](), 0
        for number, raw in enumerate(lines_of(_text(path)), start=1):
            start = start or number
            goes_on = raw.rstrip().endswith("\\")
            parts.append(raw.rstrip()[:-1] + " " if goes_on else raw)
            length += len(parts[-1])
            if length > _longest:
                hint = "is it a topology? break the line, with \\ at the end of each part"
                limit = f"{_longest:,} characters"
                self.found.add(name, start, "is too long a line", parts[0], limit, hint)
                return self.lines
            if goes_on:
                continue
            text = "".join(parts).partition(";")[0].strip()
            self._line(path, Line(name, start, text), depth)
            start, parts, length = 0, [], 0
            if len(self.found.problems) > _most_problems:
                return self.lines
        joined = "".join(parts).strip()
        if joined:
            hint = "is the file cut short? if not, remove the \\ at its end"
            self.found.add(name, start, "is continued after the end of the file", joined, hint=hint)
        for branch in self._open[opened:]:
            what, hint = "is never closed", "add #endif"
            self.found.add(name, branch.number, what, branch.directive, hint=hint)
        while len(self._open) > opened:
            self._close()
        return self.lines

    def _line(self, path: Path, line: Line, depth: int) -> None:
        if not line.text or line.text.startswith("*"):
            return  # both are comments
        if line.text.startswith("#"):
            self._directive(path, line, depth)
        elif not self._off:
            self.lines.append(Line(line.file, line.number, self._replaced(line)))
        elif _restraints.match(line.text):
            self._leave_restraints_out(line)

    def _leave_restraints_out(self, line: Line) -> None:
        """Note which words would take the restraints of this line in."""
        for branch in self._open:
            if not branch.active and branch.word not in self.macros:
                self.restrains.setdefault(branch.word, f"{line.file}:{branch.number}")

    def _begin(self, branch: _Branch) -> None:
        self._open.append(branch)
        self._off += not branch.active

    def _close(self) -> _Branch:
        last = self._open.pop()
        self._off -= not last.active
        return last

    def _directive(self, path: Path, line: Line, depth: int) -> None:
        words = line.text[1:].split(None, 1)
        word, rest = [*words, "", ""][:2]
        place = (line.file, line.number)
        if word in ("ifdef", "ifndef"):
            self.asked.add(rest.strip())
            active = (rest.strip() in self.macros) == (word == "ifdef")
            self._begin(_Branch(active, False, f"#{word}", line.number, rest.strip()))
        elif word in ("else", "endif"):
            if not self._open or (word == "else" and self._open[-1].is_else):
                hint = "each #else and #endif needs its own #ifdef or #ifndef"
                self.found.add(*place, "has no #ifdef", f"#{word}", hint=hint)
            else:
                last = self._close()
                if word == "else":
                    self._begin(replace(last, active=not last.active, is_else=True))
        elif self._off:
            if word == "include" and _holds_restraints(self._file_of(path, _name_in(rest))):
                self._leave_restraints_out(line)
        elif word == "include":
            self._include(path, line, _name_in(rest), depth)
        elif word == "define" and rest.strip():
            name, value = [*rest.split(None, 1), ""][:2]
            self.macros.define(name, value.strip(), f"{line.file}:{line.number}")
        elif word == "undef" and rest.strip():
            self.macros.undefine(rest.split()[0])
        elif word in _directives:
            self.found.add(*place, "names nothing", f"#{word}", hint=f"such as #{word} POSRES")
        else:
            known = [f"#{name}" for name in _directives]
            self.found.unknown(*place, "is not a directive of GROMACS", f"#{word}", known)

    def _include(self, path: Path, line: Line, name: str, depth: int) -> None:
        if (target := self._file_of(path, name)) is None:
            what = "includes a file that is not there"
            hint = 'name the folder of the force fields: include = ["/usr/share/gromacs/top"]'
            self.found.add(line.file, line.number, what, name, hint=hint)
            return
        limit = ""
        if target in self._seen:
            self._again += target.stat().st_size
        self._seen.add(target)
        if depth >= _deepest:
            limit = f"{_deepest} files, each included by the one before"
        elif self._files >= _most_files:
            limit = f"{_most_files:,} files"
        elif self._again > _most_again:
            limit = f"{_most_again:,} characters of files that were included before"
        if limit:
            hint = "does a file include itself?"
            self.found.add(line.file, line.number, "includes too many files", name, limit, hint)
            return
        self.read(target, name, depth + 1)

    def _file_of(self, path: Path, name: str) -> Path | None:
        """Return the file that `path` includes by a name."""
        targets = (folder / name for folder in (path.parent, *self.folders))
        return next((target for target in targets if target.is_file()), None)

    def _replaced(self, line: Line) -> str:
        """Return the text with its defined words replaced, also inside quotes."""
        try:
            text, used = self.macros.replaced(line.text)
        except TooMuchError as much:
            place = self.macros.place_of(much.word)
            hint = f"see #define {much.word}" + (f" at {place}" if place else "")
            what = "becomes too long by the words that are defined"
            self.found.add(line.file, line.number, what, much.word, much.limit, hint)
            return ""
        self.asked.update(used)
        return text


def _name_in(rest: str) -> str:
    """Return the name of a file behind #include."""
    return rest.strip().strip('"<>').strip()


def _holds_restraints(path: Path | None) -> bool:
    with contextlib.suppress(OSError):  # its lines are left out, whatever they are
        return path is not None and bool(_restraints.search(_text(path)))
    return False


def _text(path: Path) -> str:
    """Return a file's text; bytes that are not UTF-8, as in old comments, become a mark."""
    return path.read_bytes().decode("utf-8-sig", "replace")
