# SPDX-License-Identifier: BSD-3-Clause
"""Make a table from a stored result and a list of columns.

A column is a line of text: "heading | cell", with "<" before the heading where its cells are texts.
A cell is a template, filled from an entry of the result: "{seconds[median]:.1f} s". Besides the
formats of Python it knows those in `FORMATS`, "{share:100*.0f} %", which multiplies first,
"{us/bound_us:.2f}", which divides, and "{drift:±.1f}", which adds what is stored as drift_error. In
"one or other" the other counts where the entry lacks a value of the one; it may be empty.

A row is an entry, or all entries that have the same values of some keys. Then a column may choose
one of them by other values: "heading | cell | part=local & kind=real". Columns below a line "each
KEY" are repeated for each value of the key; their headings are templates, too.
"""

from __future__ import annotations

import json
import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

NOT_YET = ["Not measured yet."]

Entry = Mapping[str, Any]
Rows = Callable[[Any], Iterable[Entry]]
Text = str | Callable[[Any], str]


def machine(about: Entry) -> str:
    """Name a processor; families differ that have one name."""
    name = str(about.get("cpu", "a machine that the result does not name"))
    if "cpu_model" not in about:
        return name
    return f"{name} (family {about['cpu_family']}, model {about['cpu_model']})"


def spread(found: Entry, digits: str) -> str:
    """Write a median with its range."""
    values = (found["median"], *found.get("range", ()))
    median, *limits = (f"{value:.{digits or 0}f}" for value in values)
    return f"{median} ({' to '.join(limits) or 'one run'})"


# What may stand after the colon in a template; words after the name are handed over.
FORMATS: dict[str, Callable[[Any, str], str]] = {
    "spread": spread,
    "machine": lambda about, _: machine(about),
    "ms": lambda seconds, _: f"{1e3 * seconds:.{1 if seconds < 0.01 else 0}f}",
    "size": lambda count, _: f"{count // 1024} KiB" if count >= 1024 else f"{count} B",
    # Words by whether it is so; words by whether a count is more than 1; a sum of shares.
    "either": lambda true, words: words.split(" / ")[0 if true else 1],
    "many": lambda count, words: words.split(" / ")[count < 2].replace("#", str(count)),
    "share": lambda of, names: f"{100 * sum(of.get(one, 0.0) for one in names.split(' + ')):.1f} %",
    "list": lambda values, between: (between or ", ").join(map(str, values)),
}
WITH_ERROR, EITHER = re.compile(r"{([^{}:]+):±(.*?)}"), r"{\1:\2} ± {\1_error:\2} or {\1:\2}"


class _Templates(string.Formatter):
    def get_field(self, field_name: str, args: Any, kwargs: Any) -> tuple[Any, Any]:
        over, _, below = field_name.partition("/")
        value, key = super().get_field(over, args, kwargs)
        return (value / super().get_field(below, args, kwargs)[0] if below else value), key

    def format_field(self, value: Any, format_spec: str) -> str:
        if value is None:
            raise KeyError("a value")
        name, _, rest = format_spec.partition(" ")
        if name in FORMATS:
            return FORMATS[name](value, rest)
        factor, times, plain = format_spec.rpartition("*")
        return format(float(factor) * value, plain) if times else format(value, format_spec)


def fill(template: str, entry: Entry) -> str:
    """Fill a template."""
    return _Templates().vformat(template, (), entry)


def first_of(templates: str, entry: Entry) -> str:
    """Fill the first of some templates whose keys the entry has."""
    one, either, other = f"{templates} ".partition(" or ")
    try:
        return fill(one.strip(), entry)
    except KeyError:
        if not either:
            raise
        return first_of(other.strip(), entry)


def has(entry: Entry, values: Entry) -> bool:
    """Tell whether an entry has these values; None stands for a key that is not there."""
    return all(entry.get(key) == value for key, value in values.items())


@dataclass(frozen=True)
class Column:
    """A column; `of` are the values that choose an entry of the row, if there are any."""

    heading: str
    cell: str
    of: Entry
    right: bool

    def text(self, entries: Sequence[Entry]) -> str:
        """Return the cell of a row, empty if it has no such entry."""
        entry = next((entry for entry in entries if has(entry, self.of)), None)
        return "" if entry is None else first_of(self.cell, entry)


def column(line: str) -> Column:
    """Return the column that a line describes."""
    heading, cell, *of = (part.strip() for part in WITH_ERROR.sub(EITHER, line).split("|"))
    values = dict(one.strip().split("=", 1) for one in of[0].split("&")) if of else {}
    return Column(heading.removeprefix("<").strip(), cell, values, not heading.startswith("<"))


def columns(text: str, entries: Sequence[Entry]) -> Iterator[Column]:
    """Yield the columns of a list, those below "each" for each value of its key."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    at = next((at for at, line in enumerate(lines) if line.startswith("each ")), len(lines))
    yield from map(column, lines[:at])
    key = "".join(lines[at : at + 1]).removeprefix("each ")
    first: dict[Any, Entry] = {}
    for entry in entries if key else ():
        first.setdefault(entry[key], entry)
    for value, entry in first.items():
        for one in map(column, lines[at + 1 :]):
            yield replace(one, heading=fill(one.heading, entry), of={key: value, **one.of})


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes
    ----------
    name : str
        As it is named on the pages.
    source : str or function
        A file of results, or what returns the reports of several; each makes a table.
    rows : str or function
        The section of the report that holds the entries, or what returns them.
    columns : str
        The list of columns.
    by : tuple of str
        Entries with the same values of these keys share a row; without any, each is a row.
    ordered : bool
        Whether rows are in the order of these values, not in that of appearance.
    where : mapping
        Values that an entry needs to count; None for a key that it must not have.
    above, below : template or function of the report
        The text above and below the table.
    may_lack : bool
        Whether a result that is not there is no error.
    """

    name: str
    source: str | Callable[[Path], Iterable[Any]]
    rows: str | Rows
    columns: str
    by: tuple[str, ...] = ()
    ordered: bool = False
    where: Entry = field(default_factory=dict)
    above: Text = ""
    below: Text = ""
    may_lack: bool = False

    def lines(self, results: Path) -> list[str]:
        """Return the lines of the table from the stored results."""
        lines: list[str] = []
        for report in self._reports(results):
            entries = list(self.rows(report) if callable(self.rows) else report[self.rows])
            if chosen := [entry for entry in entries if has(entry, self.where)]:
                lines += [*_words(self.above, report), *self._of(entries, chosen)]
                lines += ["", *_words(self.below, report)]
        return lines[:-1] or NOT_YET

    def _reports(self, results: Path) -> Iterable[Any]:
        if callable(self.source):
            return self.source(results)
        path = results / self.source
        return [] if self.may_lack and not path.exists() else [read(path)]

    def _of(self, entries: Sequence[Entry], chosen: Sequence[Entry]) -> Iterator[str]:
        made = list(columns(self.columns, entries))
        yield line(one.heading for one in made)
        yield "|" + "|".join("---:" if one.right else "---" for one in made) + "|"
        groups: dict[Any, list[Entry]] = {}
        for number, entry in enumerate(chosen):
            key = tuple(entry[key] for key in self.by) if self.by else number
            groups.setdefault(key, []).append(entry)
        for key in sorted(groups) if self.ordered else groups:
            yield line(one.text(groups[key]) for one in made)


def _words(words: Text, report: Any) -> list[str]:
    filled = words(report) if callable(words) else fill(words, report)
    return [filled, ""] if filled else []


def line(cells: Iterable[str]) -> str:
    """Lay out one row."""
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"


def read(path: Path) -> Any:
    """Read one stored result."""
    return json.loads(path.read_text(encoding="utf-8"))


def reports(results: Path, pattern: str) -> Iterator[Any]:
    """Yield all results with such a name that are reports."""
    found = (read(path) for path in sorted(results.glob(pattern)))
    yield from (report for report in found if isinstance(report, dict))


def named(section: Mapping[str, Entry]) -> list[Entry]:
    """Return entries that know their names."""
    return [{"name": name, **entry} for name, entry in section.items()]
