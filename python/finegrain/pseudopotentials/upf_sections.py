# SPDX-License-Identifier: BSD-3-Clause
"""The sections of a UPF file.

UPF looks like XML but often is not. The free text of PP_INFO may hold any sign, and version 1 has
no root. So the tags are found by their names, and all of PP_INFO is skipped.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from finegrain.pseudopotentials.text import Floats, Text

_tag = re.compile(r"<((?:PP_|UPF)[A-Za-z0-9_.]*)((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>")
_attribute = re.compile(r"([A-Za-z_][\w.]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_free_text = ("PP_INFO",)


@dataclass(frozen=True)
class Section:
    """One section.

    Attributes
    ----------
    name : str
        Such as "PP_BETA.1".
    attributes : dict
        The attributes of its tag.
    line : int
        The line of its tag, from 1.
    first : int
        The line where its content begins.
    content : str
    """

    text: Text
    name: str
    attributes: dict[str, str]
    line: int
    first: int
    content: str

    def numbers(self, count: int) -> Floats:
        """Return all numbers in the section, of which there must be `count`."""
        words = self.content.split()
        found = self.text.numbers(words, self.first, self.name)
        if len(found) != count:
            what = f"{self.name} holds {len(found):,} numbers"
            raise self.text.error(self.line, what, limit=f"{count:,}")
        return found

    def rows(self) -> list[tuple[int, str]]:
        """Return the lines that are not blank, with their numbers."""
        lines = enumerate(self.content.split("\n"), start=self.first)
        return [(number, line) for number, line in lines if line.strip()]

    def attribute(self, name: str, otherwise: str | None = None) -> str:
        """Return an attribute; an error if it is missing and `otherwise` is None."""
        value = self.attributes.get(name, otherwise)
        if value is None:
            raise self.text.error(self.line, f"{self.name} has no attribute {name}")
        return value.strip()

    def number(self, name: str, otherwise: str | None = None) -> float:
        """Return an attribute as a number."""
        return self.text.number(self.attribute(name, otherwise), self.line, f"{self.name} {name}")

    def whole(self, name: str, least: int, most: int, otherwise: str | None = None) -> int:
        """Return an attribute as a whole number within limits."""
        word = self.attribute(name, otherwise)
        return self.text.whole(word, self.line, f"{self.name} {name}", least, most)

    def flag(self, name: str) -> bool:
        """Return an attribute as true or false; false if it is missing."""
        word = self.attribute(name, "F").lower().strip(".")
        if word not in ("t", "true", "f", "false", "1", "0"):
            what = f"is not true or false in {self.name} {name}"
            raise self.text.error(self.line, what, word, "T, F, true or false")
        return word in ("t", "true", "1")


class Sections:
    """All sections of a file.

    Parameters
    ----------
    text : Text

    Raises
    ------
    InputError
        If a section has no end.
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        whole = "\n".join(text.lines)
        starts = [0]
        for row in text.lines:
            starts.append(starts[-1] + len(row) + 1)
        self._found: list[Section] = []
        at = 0
        while tag := _tag.search(whole, at):
            name, words = tag.group(1), tag.group(2)
            at = tag.end()
            line = bisect_right(starts, tag.start())
            attributes = {
                m[1]: m[2] if m[2] is not None else m[3] for m in _attribute.finditer(words)
            }
            content, first = "", line
            if not words.rstrip().endswith("/"):
                end = whole.find(f"</{name}>", at)
                if end < 0:
                    hint = "the file is cut short; copy it again"
                    raise text.error(line, f"<{name}> has no end </{name}>", hint=hint)
                content, first = whole[at:end], bisect_right(starts, at)
                if name in _free_text:
                    at = end
            self._found.append(Section(text, name, attributes, line, first, content))

    def __iter__(self) -> Iterator[Section]:
        return iter(self._found)

    def find(self, name: str) -> Section | None:
        """Return the first section of this name, if there is one."""
        return next((section for section in self._found if section.name == name), None)

    def need(self, name: str) -> Section:
        """Return the first section of this name; an error if there is none."""
        section = self.find(name)
        if section is None:
            hint = "is the file cut short, or of another kind? copy it again"
            raise self.text.error(0, f"has no section {name}", hint=hint)
        return section

    def all(self, stem: str) -> list[Section]:
        """Return the sections `stem`, or `stem`.1, `stem`.2 and so on, in the order of the file."""
        pattern = re.compile(rf"{re.escape(stem)}(\.\d+)?")
        return [section for section in self._found if pattern.fullmatch(section.name)]
