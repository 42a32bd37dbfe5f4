# SPDX-License-Identifier: BSD-3-Clause
"""The preprocessor of GROMACS: from a topology with its includes to lines with their places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from finegrain.input.readers.findings import Findings, lines_of

_directives = ["include", "define", "undef", "ifdef", "ifndef", "else", "endif"]
_deepest = 40  # files that include each other
_most_files = 5000
_word = re.compile(r"\w+")


@dataclass(frozen=True)
class Line:
    """A line with content: without comments, continued lines joined, defined words replaced."""

    file: str
    number: int
    text: str


@dataclass
class Preprocessor:
    """Reads a topology as `gmx grompp` does.

    Attributes
    ----------
    folders : sequence of Path
        Folders to search after that of the file with the include.
    defines : dict of str to str
        The defined words; grows as lines are read.
    asked : set of str
        The words that a line has used, or asked for with #ifdef or #ifndef.
    """

    folders: Sequence[Path]
    found: Findings
    defines: dict[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    lines: list[Line] = field(default_factory=list)
    _open: list[tuple[bool, bool, str, int]] = field(default_factory=list)
    _files: int = 0

    def read(self, path: Path, name: str = "", depth: int = 0) -> list[Line]:
        """Return the lines of a file and of all files that it includes."""
        name = name or path.name
        self._files += 1
        opened = len(self._open)
        start, joined = 0, ""
        for number, raw in enumerate(lines_of(_text(path)), start=1):
            start = start or number
            if raw.rstrip().endswith("\\"):
                joined += raw.rstrip()[:-1] + " "
                continue
            text = (joined + raw).partition(";")[0].strip()
            self._line(path, Line(name, start, text), depth)
            start, joined = 0, ""
        if joined.strip():
            hint = "is the file cut short? if not, remove the \\ at its end"
            self.found.add(name, start, "is continued after the end of the file", joined, hint=hint)
        for _active, _other, word, line in self._open[opened:]:
            self.found.add(name, line, "is never closed", word, hint="add #endif")
        del self._open[opened:]
        return self.lines

    def _line(self, path: Path, line: Line, depth: int) -> None:
        if not line.text or line.text.startswith("*"):
            return  # both are comments
        if line.text.startswith("#"):
            self._directive(path, line, depth)
        elif self._active():
            self.lines.append(Line(line.file, line.number, self._replaced(line)))

    def _active(self) -> bool:
        return all(active for active, *_ in self._open)

    def _directive(self, path: Path, line: Line, depth: int) -> None:
        words = line.text[1:].split(None, 1)
        word, rest = [*words, "", ""][:2]
        place = (line.file, line.number)
        if word in ("ifdef", "ifndef"):
            self.asked.add(rest.strip())
            self._open.append(
                (
                    (rest.strip() in self.defines) == (word == "ifdef"),
                    False,
                    f"#{word}",
                    line.number,
                )
            )
        elif word in ("else", "endif"):
            if not self._open or (word == "else" and self._open[-1][1]):
                hint = "each #else and #endif needs its own #ifdef or #ifndef"
                self.found.add(*place, "has no #ifdef", f"#{word}", hint=hint)
            elif word == "endif":
                self._open.pop()
            else:
                active, _, opened, number = self._open[-1]
                self._open[-1] = (not active, True, opened, number)
        elif not self._active():
            return
        elif word == "include":
            self._include(path, line, rest.strip().strip('"<>').strip(), depth)
        elif word == "define" and rest.strip():
            name, value = [*rest.split(None, 1), ""][:2]
            self.defines.pop(name, None)
            self.defines[name] = value.strip()
        elif word == "undef" and rest.strip():
            self.defines.pop(rest.split()[0], None)
        elif word in _directives:
            self.found.add(*place, "names nothing", f"#{word}", hint=f"such as #{word} POSRES")
        else:
            known = [f"#{name}" for name in _directives]
            self.found.unknown(*place, "is not a directive of GROMACS", f"#{word}", known)

    def _include(self, path: Path, line: Line, name: str, depth: int) -> None:
        for folder in (path.parent, *self.folders):
            target = folder / name
            if target.is_file():
                break
        else:
            what = "includes a file that is not there"
            hint = 'name the folder of the force fields: include = ["/usr/share/gromacs/top"]'
            self.found.add(line.file, line.number, what, name, hint=hint)
            return
        if depth >= _deepest or self._files >= _most_files:
            hint = "does a file include itself?"
            self.found.add(line.file, line.number, "includes too many files", name, hint=hint)
            return
        self.read(target, name, depth + 1)

    def _replaced(self, line: Line) -> str:
        """Return the text with its defined words replaced, also inside quotes."""
        text = line.text
        for _ in range(20):
            known = [word for word in _word.findall(text) if self.defines.get(word)]
            if not known:
                return text
            self.asked.update(known)
            text = _word.sub(lambda match: self.defines.get(match.group()) or match.group(), text)
        self.found.add(
            line.file, line.number, "is defined by itself", line.text, hint="see #define"
        )
        return ""


def _text(path: Path) -> str:
    """Return a file's text; bytes that are not UTF-8, as in old comments, become a mark."""
    return path.read_bytes().decode("utf-8-sig", "replace")
