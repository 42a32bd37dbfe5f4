# SPDX-License-Identifier: BSD-3-Clause
"""The description of a checked input or job of any kind, as text and for ``--json``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from finegrain.base.visible import visible
from finegrain.words.report import aligned


@dataclass(kw_only=True)
class InputReport:
    """The description of a checked input or job.

    Attributes
    ----------
    what : str
        What its text says behind the name of the file.
    details : sequence of str
        Names of `words` that only a text with all details has.
    """

    what: ClassVar[str] = ""
    details: ClassVar[Sequence[str]] = ()
    source: str
    notes: list[str] = field(default_factory=list)

    def words(self) -> dict[str, str]:
        """Return names and values in their order; an empty value is left out of the text.

        A class that has more to say gives a value to a name that is empty here.
        """
        raise NotImplementedError

    def as_dict(self) -> dict[str, Any]:
        """Return the report for ``--json``."""
        found = asdict(self)
        return found | {"notes": found.pop("notes"), "problems": []}

    def lines(self, *, verbose: bool = False) -> dict[str, str]:
        """Return the lines of the text, by name; a note is its own name."""
        left_out = () if verbose else self.details
        rows = [
            (name, value) for name, value in self.words().items() if value and name not in left_out
        ]
        found = dict(zip((name for name, _ in rows), aligned(rows), strict=True))
        return found | {note: f"  note: {note}" for note in self.notes}

    def text(self, *, verbose: bool = False) -> str:
        """Return the report as text; with `verbose` also why it is divided so, and its step."""
        lines = [f"fine  {self.source}{self.what}", "", *self.lines(verbose=verbose).values()]
        return visible("\n".join(lines)) + "\n"
