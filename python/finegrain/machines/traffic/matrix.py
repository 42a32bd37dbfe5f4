# SPDX-License-Identifier: BSD-3-Clause
"""A communication matrix from a file: of any program, made by any tool.

Two forms are read. Plain text has lines ``from to bytes [messages]``, with ranks from 0. A file of
the Matrix Market (coordinate format) has its own heading, and rows and columns from 1. The row is
the sender, the column is the receiver, the entry is the bytes.
"""

from __future__ import annotations

import os
import re
from array import array
from dataclasses import dataclass, field

from finegrain.base.arguments import as_path
from finegrain.errors import InputError, Problem
from finegrain.files.plain import plain_text
from finegrain.machines.traffic.traffic import (
    MOST_BYTES,
    MOST_PAIRS,
    MOST_RANKS,
    Traffic,
    traffic_of,
)

_most_problems = 20
_whole = re.compile(r"\d{1,18}\Z", re.ASCII)
_number = re.compile(r"[+-]?(?:\d{1,40}\.?\d{0,40}|\.\d{1,40})(?:[eE][+-]?\d{1,3})?\Z", re.ASCII)
_heading = "%%MatrixMarket"
_plain_form = 'a line is "from to bytes" or "from to bytes messages", such as 0 1 65536'


@dataclass
class _Columns:
    """The entries of a file so far, and what is wrong with others."""

    name: str
    sender: array[int] = field(default_factory=lambda: array("q"))
    receiver: array[int] = field(default_factory=lambda: array("q"))
    bytes: array[float] = field(default_factory=lambda: array("d"))
    messages: array[float] = field(default_factory=lambda: array("d"))
    problems: list[Problem] = field(default_factory=list)

    def add(self, sender: int, receiver: int, size: float, messages: float) -> None:
        self.sender.append(sender)
        self.receiver.append(receiver)
        self.bytes.append(size)
        self.messages.append(messages)

    def say(self, line: int, what: str, value: str, limit: str = "", hint: str = "") -> None:
        where = f"{self.name}:{line}" if line else self.name
        self.problems.append(Problem(what, where, value[:80], limit, hint))

    def number(self, line: int, word: str, what: str) -> float:
        """Return a number that is not negative; -1 if it is none."""
        if not _number.match(word):
            self.say(line, f"is no number of {what}", word, hint=f"write {what} as a plain number")
            return -1.0
        found = float(word)
        if not 0 <= found <= MOST_BYTES:
            limit = f"0 to {MOST_BYTES:.3g}"
            self.say(line, f"is no number of {what}", word, limit, "check the line")
            return -1.0
        return found

    def full(self) -> bool:
        """Return whether there are problems enough."""
        return len(self.problems) >= _most_problems


def read_matrix(path: str | os.PathLike[str], ranks: int | None = None) -> Traffic:
    """Read a communication matrix.

    Parameters
    ----------
    path : path
        A text file of one of the two forms.
    ranks : int, optional
        The number of ranks. By default one more than the highest in the file, or the size of the
        matrix.

    Returns
    -------
    Traffic
        Repeated pairs are added up; what a rank sends to itself is left out.

    Raises
    ------
    InputError
        With all problems of the file, each with its line.
    """
    file = as_path(path)
    try:
        text = plain_text(file)
    except UnicodeDecodeError:
        hint = "give a text file; a program's own format has to be converted first"
        raise InputError("is not UTF-8 text", where=str(file), hint=hint) from None
    except OSError as error:
        what = f"cannot be read: {(error.strerror or str(error)).lower()}"
        raise InputError(what, where=str(file), hint="check the path") from None
    lines = text.split("\n")
    columns = _Columns(file.name)
    if lines[0].lower().startswith(_heading.lower()):
        size = _read_market(lines, columns)
    else:
        size = _read_plain(lines, columns)
    if not columns.problems and ranks is not None and size > ranks:
        what, limit = f"is of {size:,} ranks", f"{ranks:,}"
        columns.say(0, what, "", limit, "give the matrix of this job, or more nodes or ranks")
    if columns.problems:
        raise InputError(columns.problems[:_most_problems], source=file.name)
    return traffic_of(
        size if ranks is None else ranks,
        columns.sender,
        columns.receiver,
        columns.bytes,
        columns.messages,
    )


def _read_plain(lines: list[str], columns: _Columns) -> int:
    """Read lines of plain text; return the number of ranks."""
    highest = -1
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if columns.full():
            break
        if len(words) not in (3, 4):
            what = f"has {len(words)} words"
            columns.say(number, what, line.strip(), "3 or 4", _plain_form)
            continue
        pair = [_rank(columns, number, word, 0, MOST_RANKS - 1) for word in words[:2]]
        size = columns.number(number, words[2], "bytes")
        messages = columns.number(number, words[3], "messages") if len(words) == 4 else 1.0
        if min(*pair, size, messages) < 0:
            continue
        highest = max(highest, *pair)
        columns.add(pair[0], pair[1], size, messages)
        if len(columns.sender) > MOST_PAIRS:
            columns.say(number, "has too many lines", "", f"at most {MOST_PAIRS:,}", "add pairs up")
            break
    if highest < 0 and not columns.problems:
        columns.say(0, "has no line of traffic", "", hint=_plain_form)
    return highest + 1


def _read_market(lines: list[str], columns: _Columns) -> int:
    """Read the Matrix Market's coordinate format; return the number of ranks."""
    words = lines[0].lower().split()
    hint = "such as %%MatrixMarket matrix coordinate real general"
    if len(words) != 5 or words[1] != "matrix":
        columns.say(1, "is no heading of a matrix", lines[0], hint=hint)
        return 0
    if words[2] != "coordinate":
        columns.say(1, f"is a matrix in {words[2]} format", lines[0], "coordinate", hint)
    if words[3] not in ("real", "integer", "double", "unsigned-integer"):
        limit = "real or integer"
        columns.say(1, f"has entries that are {words[3]}, not bytes", lines[0], limit, hint)
    if words[4] not in ("general", "symmetric"):
        columns.say(1, f"is a {words[4]} matrix", lines[0], "general or symmetric", hint)
    if columns.problems:
        return 0
    both = words[4] == "symmetric"
    rest = (
        (number, one.split())
        for number, one in enumerate(lines[1:], start=2)
        if one.strip() and not one.startswith("%")
    )
    size, entries = _market_size(next(rest, None), columns)
    last = 1
    for last, words in rest:
        if columns.full() or size < 1:
            break
        if len(words) != 3:
            hint = "a line is row, column and bytes"
            columns.say(last, f"has {len(words)} words", " ".join(words), "3", hint)
            continue
        pair = [_rank(columns, last, word, 1, size) for word in words[:2]]
        value = columns.number(last, words[2], "bytes")
        if min(*pair, value) < 0:
            continue
        columns.add(pair[0] - 1, pair[1] - 1, value, 1.0)
        if both and pair[0] != pair[1]:
            columns.add(pair[1] - 1, pair[0] - 1, value, 1.0)
        entries -= 1
        if entries < 0:
            columns.say(last, "is an entry too many", " ".join(words), hint="correct the sizes")
            break
    if entries > 0 and not columns.problems:
        what = f"ends {entries:,} entries too early"
        columns.say(last, what, "", hint="is the file cut short? copy or make it again")
    return size


def _market_size(found: tuple[int, list[str]] | None, columns: _Columns) -> tuple[int, int]:
    """Return ranks and entries; 0 ranks if they are not right."""
    if found is None:
        columns.say(
            0, "has no line of sizes", "", hint="such as 64 64 1024: rows, columns, entries"
        )
        return 0, 0
    line, words = found
    shown = " ".join(words)
    if len(words) != 3 or not all(map(_whole.match, words)):
        columns.say(line, "is no line of sizes", shown, hint="such as 64 64 1024")
        return 0, 0
    rows, across, entries = map(int, words)
    if rows != across or not 1 <= rows <= MOST_RANKS:
        limit = f"as many rows as columns, 1 to {MOST_RANKS:,}"
        columns.say(line, "is no matrix between ranks", shown, limit, "a row is a sender")
        return 0, 0
    if entries > MOST_PAIRS:
        columns.say(line, "has too many entries", shown, f"at most {MOST_PAIRS:,}", "add pairs up")
        return 0, 0
    return rows, entries


def _rank(columns: _Columns, line: int, word: str, least: int, most: int) -> int:
    """Return a rank; -1 if it is none."""
    if not _whole.match(word):
        columns.say(line, "is no rank", word, hint="ranks are whole numbers")
        return -1
    if not least <= int(word) <= most:
        columns.say(
            line, "is no rank of this matrix", word, f"{least} to {most:,}", "check the line"
        )
        return -1
    return int(word)
