# SPDX-License-Identifier: BSD-3-Clause
"""Parameters that a GROMACS topology gives by types: which of them a term of a molecule gets.

The rules are those of `gmx grompp`, found from its output (`gmx dump`). A test compares them with
it. A type serves its atoms in both orders. If several types fit a dihedral, the one with the fewest
wildcards is taken, and the first in the file if there are several such. A type that is given again
replaces the numbers of the one before, in its place. Only lines of function 9 for the same types
that follow each other add up; functions 1 and 9 share one table. A CMAP serves its types in the
order given, and the first of several is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from finegrain.classical.input.readers.gromacs.text import Line

Types = tuple[str, ...]
Numbers = tuple[str, ...]
any_type = "X"


def table_of(section: str, function: str) -> tuple[str, str]:
    """Return the table that serves a function: bondtypes and bonds have the same ones."""
    name = section.removesuffix("types").rstrip("s")
    return name, "1" if (name, function) == ("dihedral", "9") else function


@dataclass
class _Entry:
    types: Types
    numbers: Numbers
    line: Line


@dataclass
class _Table:
    """The types of one function, in the order of the file."""

    entries: list[_Entry] = field(default_factory=list)
    same: dict[Types, list[int]] = field(default_factory=dict)  # by the types in either order
    # By types in the order of a term: twice the index, and one more if that entry is reversed.
    first: dict[Types, int] = field(default_factory=dict)

    def append(self, entry: _Entry) -> None:
        index = len(self.entries)
        self.entries.append(entry)
        self.same.setdefault(_either(entry.types), []).append(index)
        self.first.setdefault(entry.types, 2 * index)
        self.first.setdefault(entry.types[::-1], 2 * index + 1)


@dataclass
class TypeTables:
    """All types of bonded terms.

    Attributes
    ----------
    replaced : list of (Line, Line)
        Types that are given again with other numbers: the line before, and the line that counts.
    """

    replaced: list[tuple[Line, Line]] = field(default_factory=list)
    _tables: dict[tuple[str, str], _Table] = field(default_factory=dict)
    _found: dict[tuple[tuple[str, str], Types], list[Numbers]] = field(default_factory=dict)

    def add(
        self, section: str, function: str, types: Types, numbers: Numbers, line: Line
    ) -> Line | None:
        """Add a type; return the line of another one if grompp refuses both together."""
        table = self._tables.setdefault(table_of(section, function), _Table())
        entry = _Entry(types, numbers, line)
        repeats = section == "dihedraltypes" and function == "9"
        earlier = [table.entries[index] for index in table.same.get(_either(types), ())]
        differs = [other for other in earlier if _values(other.numbers) != _values(numbers)]
        if not repeats:
            if differs:
                self.replaced.append((differs[0].line, line))
            for other in differs:
                other.numbers, other.line = numbers, line
        elif differs and table.entries[-1].types != types:
            return differs[0].line
        if not earlier or (repeats and len(differs) == len(earlier)):
            table.append(entry)
        return None

    def find(self, section: str, function: str, types: Types) -> list[Numbers]:
        """Return the parameters of a term: none, one, or several of a dihedral."""
        key = table_of(section, function)
        if (key, types) not in self._found:
            self._found[key, types] = self._look(key, types)
        return self._found[key, types]

    def rows(self) -> list[tuple[Types, Line]]:
        """Return all types with their lines."""
        tables = self._tables.values()
        return [(entry.types, entry.line) for table in tables for entry in table.entries]

    def _look(self, key: tuple[str, str], types: Types) -> list[Numbers]:
        table = self._tables.get(key)
        if table is None:
            return []
        # grompp has no wildcards for the Fourier form, function 5.
        wild = key[0] == "dihedral" and key[1] != "5"
        masks = product((False, True), repeat=len(types)) if wild else [(False,) * len(types)]
        fits = [
            (sum(mask), at)
            for mask in masks
            if (at := table.first.get(_masked(types, mask))) is not None
        ]
        if not fits:
            return []
        index = min(fits)[1] // 2
        found = [table.entries[index].numbers]
        if key == ("dihedral", "1"):
            wanted = table.entries[index].types
            for other in table.entries[index + 1 :]:
                if other.types != wanted:
                    break
                found.append(other.numbers)
        return found


def _masked(types: Types, mask: Sequence[bool]) -> Types:
    return tuple(any_type if hidden else name for name, hidden in zip(types, mask, strict=True))


def _either(types: Types) -> Types:
    return min(types, types[::-1])


def _values(numbers: Numbers) -> list[float]:
    return [float(number) for number in numbers]
