# SPDX-License-Identifier: BSD-3-Clause
"""A pseudopotential file as lines of text, and numbers as Fortran programs write them.

Line ends of any system, tabs and a byte order mark are accepted. The exponent of a number may have
a D. It may also have three digits and no letter (``1.5-101``), as Fortran writes it where the
letter does not fit.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import InputError

Floats = NDArray[np.float64]

_most_bytes = 100_000_000  # the largest known files have a few million
_signs = re.compile(r"[-+.0-9eEdD\s]*")
_number = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eEdD][+-]?[0-9]+|[+-][0-9]{3})?")
_whole = re.compile(r"[+-]?[0-9]{1,9}")
cut = "the file is cut short or damaged; copy it again"


class NotReadError(InputError):
    """A whole pseudopotential of a kind or format that finegrain does not read."""


@dataclass(frozen=True)
class Text:
    """The lines of one file.

    Attributes
    ----------
    path : Path
    lines : tuple of str
        Without line ends.
    sha256 : str
        The hash of the file's bytes.
    """

    path: Path
    lines: tuple[str, ...]
    sha256: str

    def error(
        self, line: int, what: str, value: str = "", limit: str = "", hint: str = cut
    ) -> InputError:
        """Return the error of one line (from 1; 0 for the whole file), for use with `raise`."""
        where = f"{self.path}:{line}" if line else str(self.path)
        return InputError(what, where=where, value=value, limit=limit, hint=hint)

    def not_read(
        self, line: int, what: str, value: str = "", limit: str = "", *, hint: str
    ) -> NotReadError:
        """Return the error of a kind that is not read, for use with `raise`."""
        where = f"{self.path}:{line}" if line else str(self.path)
        return NotReadError(what, where=where, value=value, limit=limit, hint=hint)

    def line(self, number: int, holds: str) -> str:
        """Return a line, counted from 1; an error says what it should have held."""
        if number > len(self.lines):
            raise self.error(
                len(self.lines), f"the file ends before {holds}", limit=f"line {number}"
            )
        return self.lines[number - 1]

    def words(self, number: int, least: int, holds: str) -> list[str]:
        """Return the words of a line, of which there are `least` or more."""
        words = self.line(number, holds).split()
        if len(words) < least:
            what = f"this line should hold {holds}"
            raise self.error(number, what, " ".join(words), f"{least} words or more")
        return words

    def number(self, word: str, line: int, holds: str) -> float:
        """Return a word as a finite number."""
        return float(self.numbers([word], line, holds)[0])

    def whole(self, word: str, line: int, holds: str, least: int, most: int) -> int:
        """Return a word as a whole number within limits."""
        if _whole.fullmatch(word) is None or not least <= int(word) <= most:
            limit = f"a whole number from {least} to {most:,}"
            raise self.error(line, f"is not {holds}", word, limit)
        return int(word)

    def numbers(self, words: list[str], line: int, holds: str) -> Floats:
        """Return words as finite numbers; `line` is that of the first one."""
        if all(map(_signs.fullmatch, words)):
            try:
                found = np.array([w.replace("D", "e").replace("d", "e") for w in words], float)
            except ValueError:
                found = np.array([self._one(word, line, holds) for word in words], float)
        else:
            found = np.array([self._one(word, line, holds) for word in words], float)
        if not np.isfinite(found).all():
            word = words[int(np.argmin(np.isfinite(found)))]
            raise self.error(self._line_of(word, line), f"is no finite number in {holds}", word)
        return found

    def _one(self, word: str, line: int, holds: str) -> float:
        if _number.fullmatch(word) is None:
            place = self._line_of(word, line)
            raise self.error(place, f"is no number in {holds}", word)
        return float(re.sub(r"(?<=[0-9.])([+-][0-9]{3})\Z", r"e\1", re.sub("[dD]", "e", word)))

    def _line_of(self, word: str, line: int) -> int:
        """Return the first line, from `line` on, that holds the word."""
        for number in range(max(line, 1), len(self.lines) + 1):
            if word in self.lines[number - 1].split():
                return number
        return line


def read_text(path: str | Path) -> Text:
    """Read a file into lines.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    InputError
        If there is no such file, or if it is empty, too large or not a text.
    """
    path = Path(path)
    try:
        data = path.read_bytes() if path.stat().st_size <= _most_bytes else None
    except OSError as error:
        hint = "give the path of a pseudopotential file"
        what = f"cannot be read: {error.strerror or error}"
        raise InputError(what, where=str(path), hint=hint) from None
    if data is None:
        limit = f"{_most_bytes // 1_000_000} MB"
        raise InputError(
            "is too large for a pseudopotential", where=str(path), limit=limit, hint="another file?"
        )
    if not data.strip():
        raise InputError("is empty", where=str(path), hint="copy it again")
    if b"\0" in data:
        hint = "expand it if it is compressed; a pseudopotential is a text file"
        raise InputError("is not a text file", where=str(path), hint=hint)
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return Text(path, tuple(text.split("\n")), hashlib.sha256(data).hexdigest())


def frozen(values: Any) -> Floats:
    """Return a read-only array of doubles."""
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array
