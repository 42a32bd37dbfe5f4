# SPDX-License-Identifier: BSD-3-Clause
"""The sections of an AMBER topology, as its text has them."""

from __future__ import annotations

from dataclasses import dataclass, field


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
