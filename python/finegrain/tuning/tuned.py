# SPDX-License-Identifier: BSD-3-Clause
"""What `tune` found, for readers and programs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from finegrain.words.report import table_text

_first = "as it is"


@dataclass(frozen=True)
class Timing:
    """A division that was timed in turns with another one.

    Attributes
    ----------
    what : str
        What is chosen about it, in words.
    seconds : float
        The time of a step, the median of the rounds.
    ratio, least, most : float
        Its time over that of the other one in the same round: median and range.
    rounds : int
        Fewer than asked for if it was clearly slower.
    """

    what: str
    seconds: float
    ratio: float
    least: float
    most: float
    rounds: int

    @property
    def is_faster(self) -> bool:
        """Whether the difference is larger than what two runs of one job may show."""
        return self.ratio < 1 - _noise and self.most < 1


_noise = 0.015
_quiet = 0.1  # runs of one job differ by less on a machine without other work


@dataclass(frozen=True)
class Choice:
    """The divisions that were timed for one aspect; the first is that which was best so far."""

    aspect: str
    timings: list[Timing]
    taken: int  # of `timings`
    spread: float  # of the times of the first over its fastest round

    def lines(self) -> list[str]:
        """Return a table."""
        rows = [[self.aspect, "ms a step", "of the first", "from", "to", ""]]
        for number, one in enumerate(self.timings):
            ratios = [f"{value:.3f}" for value in (one.ratio, one.least, one.most)]
            if number == 0:
                ratios = ["1", "", ""]
            rows.append(
                [
                    one.what,
                    f"{1000 * one.seconds:.3g}",
                    *ratios,
                    "taken" if number == self.taken else "",
                ]
            )
        return table_text(rows, numbers=(1, 2, 3, 4)).splitlines()


@dataclass(frozen=True)
class Tuned:
    """The fastest division that was found.

    Attributes
    ----------
    source : str
        The name of the input.
    pes, ranks : int
        Threads of each process, and processes.
    rounds : int
    choices : list of Choice
        One for each aspect with several divisions.
    whole : Timing or None
        The division found against that of the input, in rounds of their own; None if nothing was
        faster.
    keys : dict
        Keys and values that give an input this division; empty if nothing was faster.
    given : list of str
        Keys of the division that the input gives, which stayed.
    """

    source: str
    pes: int
    ranks: int
    rounds: int
    choices: list[Choice]
    whole: Timing | None
    keys: dict[str, Any]
    given: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json``."""
        return asdict(self)

    def section_lines(self) -> list[str]:
        """Return the keys as lines of an input, by section."""
        lines: list[str] = []
        sections = dict.fromkeys(key.partition(".")[0] for key in self.keys)
        for section in sections:
            lines += ["", f"[{section}]"]
            for key, value in self.keys.items():
                if key.startswith(f"{section}."):
                    lines.append(f"{key.partition('.')[2]} = {json.dumps(value)}")
        return lines[1:]

    def text(self) -> str:
        """Return it for reading."""
        pes = f"{self.pes} PE{'s' if self.pes > 1 else ''}"
        if self.ranks > 1:
            pes += f" of each of {self.ranks} processes"
        lines = [f"{self.source} on {pes}, {self.rounds} rounds in turns", ""]
        for choice in self.choices:
            lines += [*choice.lines(), ""]
        if (spread := max((one.spread for one in self.choices), default=0.0)) > _quiet:
            lines += [
                f"One job took up to {100 * spread:.0f} % longer in one round than in another,",
                "so other programs run here. Tune again when they have ended.",
                "",
            ]
        if self.given:
            lines += [f"The input gives {', '.join(self.given)}: not varied.", ""]
        if self.whole is None:
            return "\n".join([*lines, "No other division is faster. Leave the input as it is.", ""])
        whole = self.whole
        lines += [
            f"All together: {1000 * whole.seconds:.3g} ms a step, {whole.ratio:.3f} of the time of "
            f"the input's own division ({whole.least:.3f} to {whole.most:.3f}).",
            "These keys give it. Another division has other bits, so start a new run with them:",
            "",
            *self.section_lines(),
            "",
        ]
        return "\n".join(lines)
