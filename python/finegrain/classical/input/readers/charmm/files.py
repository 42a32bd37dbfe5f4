# SPDX-License-Identifier: BSD-3-Clause
"""CHARMM parameter, topology and stream files, and the files that streams name.

A stream holds parts (``read rtf card``, ``read para card``), or names files to be read in their
place. It names them by ``stream NAME``, or by ``open read card unit 10 name NAME`` and ``read rtf
card unit 10``. The lists of CHARMM-GUI (toppar.str) do this. Names are relative to the folder of
the first file.

References
----------
CHARMM documentation, "io.doc" and "miscom.doc" (the commands OPEN, READ, STREAM and SET).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.charmm.commands import check_command
from finegrain.classical.input.readers.charmm.parameters import (
    Parameters,
    Read,
    comment_of,
    joined,
    read_masses,
)
from finegrain.classical.input.readers.findings import Findings, lines_of, text_of

# Heads of sections that may stand outside the parts of a stream, as NAMD reads them.
_bare = {"BOND", "BONDS", "ANGLE", "ANGLES", "THETA", "THETAS", "DIHEDRAL", "DIHEDRALS", "PHI"}
_bare |= {"IMPROPER", "IMPROPERS", "IMPHI", "CMAP", "NONBONDED", "NBONDED", "NBFIX", "ATOMS"}
_variable = re.compile(r"@(?:\{(\w+)\}|(\w+))")
_most_files = 500


def read_parameters(given: Input, key: str, path: Path, read: Read) -> None:
    """Read a file and those that it names.

    Damage in them is an error, and so is content that is not read.
    """
    reader = _Files(given, key, read, path.parent)
    reader.file(path, _kind_of(path))
    reader.found.raise_them(given)


def _kind_of(path: Path) -> str:
    suffix, name = path.suffix.lower(), path.name.lower()
    if suffix == ".str":
        return "stream"
    if suffix in (".rtf", ".top") or (suffix == ".inp" and "par" not in name):
        return "rtf"
    return "para" if suffix in (".prm", ".par", ".inp") else ""


class _Files:
    """Reads a file and those that it names, and knows what their commands have set."""

    def __init__(self, given: Input, key: str, read: Read, folder: Path) -> None:
        self.given, self.key, self.read, self.folder = given, key, read, folder
        self.found = Findings()
        self.units: dict[str, str] = {}  # the names of opened files
        self.words: dict[str, str] = {}  # of SET
        self.inside: list[Path] = []
        self.count = 0

    def file(self, path: Path, kind: str) -> None:
        """Read a file of a kind: "stream", "rtf" or "para"."""
        name, self.count = path.name, self.count + 1
        lines = lines_of(text_of(self.given, self.key, path, comment_of))
        self.inside.append(path.resolve())
        if kind == "stream":
            _Stream(self, path, lines).read()
        elif kind == "rtf":
            read_masses(self.found, name, joined(lines, 1), self.read)
        elif kind == "para":
            Parameters(self.found, name, self.read).read(joined(lines, 1))
        else:
            hint = "parameters end in .prm, .par or .inp, topologies in .rtf or .top, streams in "
            self.found.add(name, 0, "is an unknown kind of file", hint=f"{hint}.str")
        self.inside.pop()


class _Stream:
    """Reads a stream line by line."""

    def __init__(self, files: _Files, path: Path, lines: list[str]) -> None:
        self.files, self.found, self.path = files, files.found, path
        self.name, self.lines = path.name, lines
        self.missing: list[tuple[int, str]] = []  # line and name of files that are not there

    def read(self) -> None:
        """Read all lines.

        A part ends at END, at the next READ, at RETURN or with the file.
        """
        number, lost = 0, False
        while number < len(self.lines):
            words = self._words(number)
            number += 1
            if not words or words[0].startswith("*"):
                continue
            command = words[0].upper()
            if command in _bare or (command[:4] == "READ" and not self._names_a_file(words)):
                number, lost = self._part(number, words), False
            elif command[:4] in ("READ", "OPEN", "STRE"):
                self._command(number, command[:4], words)
            else:
                if command == "SET" and len(words) > 2:
                    value = words[3] if len(words) > 3 and words[2] == "=" else words[2]
                    self.files.words[words[1].lower()] = value.strip("\"'")
                if not lost:
                    lost = not check_command(self.found, self.name, number, words)
        self._tell_missing()

    def _words(self, number: int) -> list[str]:
        """Return the words of a line without its comment, with those of SET put in."""

        def value(match: re.Match[str]) -> str:
            return self.files.words.get((match[1] or match[2]).lower(), match[0])

        return _variable.sub(value, self.lines[number].partition("!")[0]).split()

    def _names_a_file(self, words: Sequence[str]) -> bool:
        """Return whether a READ is of another file; unit 5 is the stream itself."""
        unit = _after("UNIT", words)
        return bool(_after("NAME", words)) or (
            unit != "" and (unit != "5" or "5" in self.files.units)
        )

    def _command(self, number: int, command: str, words: Sequence[str]) -> None:
        if command == "STRE":
            self._read_file(number, "stream", words[1] if len(words) > 1 else "")
        elif command == "OPEN":
            if "READ" in (word.upper() for word in words):
                self.files.units[_after("UNIT", words)] = _after("NAME", words)
            else:
                hint = "files of parameters are only read"
                self.found.add(self.name, number, "is not supported", " ".join(words), hint=hint)
        else:
            kind, unit = _kind_of_part(words), _after("UNIT", words)
            name = _after("NAME", words) or self.files.units.get(unit, "")
            if not kind:
                self._not_read(number, words)
            elif not name:
                hint = f"a line such as open read card unit {unit} name FILE comes before it"
                what = "reads a unit that is not open"
                self.found.add(self.name, number, what, " ".join(words), hint=hint)
            else:
                self._read_file(number, kind, name)

    def _not_read(self, number: int, words: Sequence[str]) -> None:
        value = f"read {words[1].lower() if len(words) > 1 else ''}"
        valid = ["read rtf", "read para"]
        self.found.unknown(self.name, number, "is not read", value, valid)

    def _read_file(self, number: int, kind: str, name: str) -> None:
        name = name.strip("\"'")
        folders = dict.fromkeys((self.path.parent, self.files.folder))
        targets = [folder / one for folder in folders for one in (name, name.lower())]
        target = next((one for one in targets if one.is_file()), None)
        if not name or target is None:
            self.missing.append((number, name))
        elif target.resolve() in self.files.inside or self.files.count >= _most_files:
            hint = "does a file name itself?"
            self.found.add(self.name, number, "names too many files", name, hint=hint)
        else:
            self.files.file(target, kind)

    def _tell_missing(self) -> None:
        if not self.missing:
            return
        names = ", ".join(
            dict.fromkeys(name or "a file without a name" for _, name in self.missing)
        )
        are = "files that are" if len(self.missing) > 1 else "a file that is"
        hint = f"copy them too: names are relative to the folder of {self.name}"
        what = f"names {are} not there"
        self.found.add(self.name, self.missing[0][0], what, limit=names, hint=hint)

    def _part(self, number: int, words: Sequence[str]) -> int:
        """Read the part whose first line is `number`; return the line behind it."""
        lines, bare = self.lines, words[0].upper() in _bare
        end = number
        while end < len(lines) and _first_word(lines[end]) not in ("END", "RETURN", "READ"):
            end += 1
        if not bare and (end == len(lines) or _first_word(lines[end]) != "END"):
            last = f"line {end}" if end < len(lines) else "the end of the file"
            self.files.given.notes.append(
                f"{self.name}:{number}: {' '.join(words[:2])} has no END; it was read up to {last}:"
                " is the file whole?"
            )
        kind = "para" if bare else _kind_of_part(words)
        read = self.files.read
        if bare:
            Parameters(self.found, self.name, read).read(joined(lines[number - 1 : end], number))
        elif kind == "rtf":
            read_masses(self.found, self.name, joined(lines[number:end], number + 1), read)
        elif kind == "para":
            Parameters(self.found, self.name, read).read(joined(lines[number:end], number + 1))
        else:
            self._not_read(number, words)
        return end + (end < len(lines) and _first_word(lines[end]) == "END")


def _kind_of_part(words: Sequence[str]) -> str:
    kind = words[1].lower() if len(words) > 1 else ""
    return "para" if kind.startswith("para") else kind if kind == "rtf" else ""


def _after(key: str, words: Sequence[str]) -> str:
    """Return the word behind a keyword; empty if it is not there."""
    places = [place for place, word in enumerate(words[:-1]) if word[:4].upper() == key]
    return words[places[0] + 1] if places else ""


def _first_word(line: str) -> str:
    return next(iter(line.partition("!")[0].upper().split()), "")
