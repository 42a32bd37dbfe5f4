# SPDX-License-Identifier: BSD-3-Clause
"""Problems inside a file, each with the file's name and line."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from finegrain.base.visible import visible
from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.plain_numbers import is_plain, is_whole, why_not
from finegrain.errors import InputError, Problem, nearest

cut = "the file is cut short or damaged; copy or make it again"  # the usual hint
_most = 10  # problems of one file to print at most
_longest = 60
ends_of_lines = re.compile(rb"\r\n|\r|\n")
_ends_of_text = re.compile(r"\r\n|\r|\n")


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

    def numbers(
        self, file: str, lines: Sequence[int], words: Sequence[str], name: str, *, whole: bool
    ) -> None:
        """Add a problem for each of many words with their lines that is no plain number."""
        is_good = is_whole if whole else is_plain
        wrong = {word for word in set(words) if not is_good(word)}
        if not wrong:
            return
        for line, word in zip(lines, words, strict=True):
            if word in wrong:
                self.number(file, line, word, name, whole=whole)

    def atom(self, file: str, line: int, word: str, name: str, least: int, most: int) -> None:
        """Add a problem unless `word` is the number of an atom."""
        if self.number(file, line, word, name, whole=True) and not least <= int(word) <= most:
            self.add(file, line, "names no atom", f"{name} {word}", f"{least} to {most:,}", cut)

    def unknown(self, file: str, line: int, what: str, word: str, valid: list[str]) -> None:
        """Add a problem with an unknown word, and the most similar known one."""
        close = nearest(word, {name.lower() for name in valid})
        real = {name.lower(): name for name in valid}
        hint = f"did you mean {real[close]}?" if close else f"known are {', '.join(valid)}"
        self.add(file, line, what, word, hint=hint)

    def raise_them(self, given: Input) -> None:
        """Raise the problems, if there are any; if they are many, only the first."""
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


Comments = Callable[[int, str], int]


def no_comments(number: int, line: str) -> int:
    """Return where the comment of a line begins: here there is none."""
    del number
    return len(line)


def title_in_front(number: int, line: str) -> int:
    """Return where the comment of a line begins: the first line is all comment."""
    return 0 if number == 1 else len(line)


def text_of(given: Input, key: str, path: Path, comments: Comments = no_comments) -> str:
    """Return the text of a file without byte order marks, lines ended by one line feed each.

    A mark may begin any line, if files with such marks were put together.

    Text is UTF-8. In comments other bytes are allowed, and are read as Latin-1; elsewhere they are
    reported with their line.

    Parameters
    ----------
    comments : callable
        Takes the number of a line, from 1, and the line. Returns the place where its comment
        begins, or the length of the line if it has none.
    """
    data = path.read_bytes()
    if data.isascii() and b"\0" not in data:
        return _ends_of_text.sub("\n", data.decode("ascii")) if b"\r" in data else data.decode()
    found = Findings()
    lines = []
    for number, raw in enumerate(ends_of_lines.split(data), start=1):
        while raw.startswith(codecs.BOM_UTF8):
            raw = raw.removeprefix(codecs.BOM_UTF8)
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = raw.decode("latin-1")
            first = next(place for place, letter in enumerate(line) if ord(letter) > 127)
            if first < comments(number, line):
                byte = f"byte {raw[error.start]:#04x}"
                hint = "is this the right file? text with accents must be saved as UTF-8"
                what = f"is not text ({byte} is not UTF-8)"
                found.add(path.name, number, what, given_key(key, path), hint=hint)
                break
        if b"\0" in raw:
            hint = "is the file damaged, or of another kind? copy or make it again"
            what = "is not text (it holds a zero byte)"
            found.add(path.name, number, what, given_key(key, path), hint=hint)
            break
        lines.append(line)
    found.raise_them(given)
    return "\n".join(lines)


@contextmanager
def plain_copy(path: Path, text: str | None = None) -> Iterator[Path]:
    """Provide a file to a library as plain text: no byte order mark, lines ended by line feeds.

    It is the file itself if that is plain text already, or is binary. Else it is a temporary copy
    of the same name.

    Parameters
    ----------
    text : str
        What the library gets in place of the file.
    """
    data = path.read_bytes()
    if text is None and ((data.isascii() and b"\r" not in data) or b"\0" in data):
        yield path
        return
    if text is None:
        text = "\n".join(
            _decoded(raw) for raw in ends_of_lines.split(data.removeprefix(codecs.BOM_UTF8))
        )
    with TemporaryDirectory(prefix="finegrain-") as folder:
        copy = Path(folder, path.name)
        # Other letters stand in comments and titles, or in names, where only their place matters.
        copy.write_bytes(text.encode("ascii", "replace"))
        yield copy


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def given_key(key: str, path: Path) -> str:
    """Return the key with the file it names."""
    return f"{key} = {path.name}"


def lines_of(text: str) -> list[str]:
    """Split text at ends of lines, and not at other characters that Python splits at."""
    return _ends_of_text.split(text) if "\r" in text else text.split("\n")
