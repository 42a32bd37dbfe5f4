# SPDX-License-Identifier: BSD-3-Clause
"""Problems inside a file, each with the file's name and line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from finegrain.errors import InputError, Problem, nearest
from finegrain.input.load import Input
from finegrain.input.readers.plain_numbers import is_plain, is_whole, why_not
from finegrain.visible import visible

_most = 10  # problems of one file to print at most
_longest = 60


@dataclass
class Findings:
    """Problems of one file, or of several that include each other."""

    problems: list[Problem] = field(default_factory=list)

    def add(
        self, file: str, line: int, what: str, value: str = "", limit: str = "", hint: str = ""
    ) -> None:
        """Add a problem; `line` counts from 1, 0 means the whole file."""
        where = f"{visible(file)}:{line}" if line else visible(file)
        self.problems.append(Problem(what, where, shortened(value), limit, hint))

    def number(
        self, file: str, line: int, word: str, name: str = "", *, whole: bool = False
    ) -> bool:
        """Add a problem unless `word` is a plain number; return whether it is."""
        if is_whole(word) if whole else is_plain(word):
            return True
        kind = "whole number" if whole else "plain number"
        value = f"{name} {word}" if name else word
        if whole and is_plain(word):
            self.add(file, line, f"is not a {kind}", value, hint="it counts something")
        else:
            self.add(file, line, f"is not a {kind}", value or "nothing", hint=why_not(word))
        return False

    def unknown(self, file: str, line: int, what: str, word: str, valid: list[str]) -> None:
        """Add a problem with an unknown word, and the most similar known one."""
        close = nearest(word, {name.lower() for name in valid})
        real = {name.lower(): name for name in valid}
        hint = f"did you mean {real[close]}?" if close else f"known are {', '.join(valid)}"
        self.add(file, line, what, word, hint=hint)

    def raise_them(self, given: Input) -> None:
        """Raise the problems, if there are any; of many only the first."""
        if not self.problems:
            return
        unique = list(dict.fromkeys(self.problems))
        listed = unique[:_most]
        if len(unique) > _most:
            more = f"and {len(unique) - _most:,} more problems of this kind"
            listed.append(Problem(more, unique[_most].where))
        raise InputError(listed, source=given.source.name)


def shortened(text: str) -> str:
    """Return text of a file on one line, safe to print and not too long."""
    text = visible(" ".join(text.split()), keep="")
    return text if len(text) <= _longest else text[: _longest - 1] + "…"


def text_of(given: Input, key: str, path: Path) -> str:
    """Return the text of a file; report the line of what is not UTF-8."""
    data = path.read_bytes()
    found = Findings()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"byte {data[error.start]:#04x}"
        hint = "is this the right file? text with accents must be saved as UTF-8"
        found.add(
            path.name, line, f"is not text ({byte} is not UTF-8)", given_key(key, path), hint=hint
        )
        found.raise_them(given)
        raise
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        hint = "is the file damaged, or of another kind? copy or make it again"
        found.add(
            path.name, line, "is not text (it holds a zero byte)", given_key(key, path), hint=hint
        )
        found.raise_them(given)
    return text


def given_key(key: str, path: Path) -> str:
    """Return the key with the file it names."""
    return f"{key} = {path.name}"


def lines_of(text: str) -> list[str]:
    """Split text at ends of lines, and not at other characters that Python splits at."""
    return re.split(r"\r\n|\r|\n", text)
