# SPDX-License-Identifier: BSD-3-Clause
"""The words that a GROMACS topology defines, and their replacement in a line.

The rules are those of `gmx grompp`. Each word is replaced once, in the order in which the words
were first defined. So a value may name words that are defined later. A hyphen is part of a word.
The length of a line has a limit, so that words which name each other cannot fill the memory.
"""

from __future__ import annotations

import heapq
import re
from dataclasses import dataclass, field

longest = 4095  # characters that a line may grow by; the whole line of grompp has no more
most_replaced = (
    200  # words of one line, one after the other; force fields have chains of two or three
)
most_added = 10_000_000  # characters in a whole topology

_word = re.compile(r"[A-Za-z0-9_-]+")


class TooMuchError(Exception):
    """A line or a topology that outgrows a limit.

    Attributes
    ----------
    word : str
        The word whose replacement did it.
    limit : str
    """

    def __init__(self, word: str, limit: str) -> None:
        super().__init__(limit)
        self.word, self.limit = word, limit


@dataclass(frozen=True)
class _Macro:
    value: str
    order: int
    place: str


@dataclass
class Macros:
    """Defined words, by name."""

    _known: dict[str, _Macro] = field(default_factory=dict)
    _next: int = 0
    _added: int = 0

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def define(self, name: str, value: str, place: str = "") -> None:
        """Define a word; one that is defined already keeps its place in the order."""
        before = self._known.get(name)
        order = before.order if before else self._next
        self._next += before is None
        self._known[name] = _Macro(value, order, place)

    def undefine(self, name: str) -> None:
        """Forget a word; one that is not defined is no mistake."""
        self._known.pop(name, None)

    def place_of(self, name: str) -> str:
        """Return file and line of a definition; nothing for one of the input."""
        return self._known[name].place

    def replaced(self, text: str) -> tuple[str, list[str]]:
        """Return the text with its words replaced, and the words that were.

        Raises
        ------
        TooMuchError
            If the line, or what is added to all lines, grows beyond its limit.
        """
        waiting = self._waiting(text, -1)
        end = len(text) + longest
        used: list[str] = []
        while waiting:
            order, name = heapq.heappop(waiting)
            if used and used[-1] == name:
                continue
            value = self._known[name].value
            before = len(text)
            text, count = _replace(text, name, value, end)
            if count == 0:
                continue
            used.append(name)
            self._added += max(len(text) - before, 0)
            if len(text) > end:
                raise TooMuchError(
                    name, f"{longest:,} more characters; GROMACS takes no longer lines"
                )
            if len(used) > most_replaced:
                raise TooMuchError(name, f"{most_replaced:,} words of a line")
            if self._added > most_added:
                raise TooMuchError(name, f"{most_added:,} characters in the whole topology")
            for later in self._waiting(value, order):
                heapq.heappush(waiting, later)
        return text, used

    def _waiting(self, text: str, after: int) -> list[tuple[int, str]]:
        """Return the defined words of a text that come later in the order than `after`."""
        known = ((name, self._known.get(name)) for name in set(_word.findall(text)))
        found = [(macro.order, name) for name, macro in known if macro and macro.value]
        return sorted(pair for pair in found if pair[0] > after)


def _replace(text: str, name: str, value: str, end: int) -> tuple[str, int]:
    """Replace whole words; stop where the text is longer than `end`."""
    parts: list[str] = []
    length = start = count = 0
    for match in _word.finditer(text):
        if match.group() != name:
            continue
        parts += [text[start : match.start()], value]
        length += len(parts[-2]) + len(value)
        start, count = match.end(), count + 1
        if length > end:
            break
    return "".join([*parts, text[start:]]), count
