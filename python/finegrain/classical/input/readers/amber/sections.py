# SPDX-License-Identifier: BSD-3-Clause
"""The sections of an AMBER topology, as its text has them, and checks of what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from finegrain.classical.input.readers.findings import Findings, cut
from finegrain.classical.input.readers.plain_numbers import is_whole

not_whole = "is not a whole AMBER topology"


@dataclass
class Section:
    """A section of the file.

    Attributes
    ----------
    values, lines : list, list
        What it holds, and the line of each value.
    """

    name: str
    line: int  # of its %FLAG, from 1
    kind: str = ""  # A for text, I for whole numbers, E and F for others
    width: int = 0  # of a value, in characters
    values: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    _whole: tuple[NDArray[np.int64], NDArray[np.bool_]] | None = None

    def whole_numbers(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the values as whole numbers, and which of them are; the others are 0."""
        if self._whole is None:
            known = {word: int(word) for word in set(self.values) if is_whole(word)}
            numbers = np.array([known.get(word, 0) for word in self.values], np.int64)
            if len(known) == len(set(self.values)):
                good = np.ones(len(numbers), np.bool_)
            else:
                good = np.array([word in known for word in self.values], np.bool_)
            self._whole = numbers, good
        return self._whole


@dataclass
class SectionChecks:
    """Checks of the sections of a file, which add their problems to `found`."""

    found: Findings
    file: str
    sections: Mapping[str, Section]

    def length(self, name: str, wanted: int) -> bool:
        """Check the number of values; return whether it is right."""
        section = self.sections.get(name)
        held = len(section.values) if section else 0
        if held != wanted:
            limit = f"section {name} holds {held:,} of {wanted:,} values"
            line = section.line if section else 0
            self.found.add(self.file, line, not_whole, name, limit, cut)
        return held == wanted

    def within(
        self, name: str, least: int, most: int, start: int = 0, step: int = 1, *, signs: bool
    ) -> None:
        """Check numbers, of each row of `step` that at `start`; signs may have a meaning."""
        section = self.sections[name]
        numbers, good = section.whole_numbers()
        chosen = np.abs(numbers) if signs else numbers
        outside = good & ((chosen < least) | (chosen > most))
        for at in np.flatnonzero(outside[start::step]) * step + start:
            limit, shown = f"{least} to {most:,}", f"{name} {section.values[at]}"
            self.found.add(self.file, section.lines[at], "is out of range", shown, limit, cut)
