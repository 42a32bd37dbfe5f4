# SPDX-License-Identifier: BSD-3-Clause
"""The sections of an AMBER topology, as its text has them, and checks of what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
        pairs = zip(section.values[start::step], section.lines[start::step], strict=True)
        for value, line in pairs:
            if not is_whole(value):
                continue
            number = abs(int(value)) if signs else int(value)
            if not least <= number <= most:
                limit, shown = f"{least} to {most:,}", f"{name} {value}"
                self.found.add(self.file, line, "is out of range", shown, limit, cut)
