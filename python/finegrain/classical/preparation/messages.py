# SPDX-License-Identifier: BSD-3-Clause
"""What each process of a run would send in a step, with either assignment of pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from finegrain.classical.preparation.job import job_image
from finegrain.classical.preparation.other_divisions import prepared_with
from finegrain.classical.preparation.prepare import Prepared
from finegrain.engine.engine import load_engine
from finegrain.words.report import file_size

_names = {"half-shell": "half shells", "midpoint": "midpoints"}
_of_pairs = ("positions", "pair forces")


@dataclass(frozen=True)
class Sent:
    """What a process sends in a step on average.

    Attributes
    ----------
    messages, bytes : float
        With positions of atoms, and with sums of their pair forces.
    all_messages, all_bytes : float
        In all phases of the step.
    """

    messages: float
    bytes: float
    all_messages: float
    all_bytes: float


@dataclass(frozen=True)
class Messages:
    """What the processes of a run send.

    Attributes
    ----------
    ranks : int
        Processes, each with one worker thread, placed by the map ``cost``.
    patches : int
    pairs : str
        The assignment of the input.
    by : dict of str to Sent
        By assignment, that of the input first.
    """

    ranks: int
    patches: int
    pairs: str
    by: dict[str, Sent]

    def in_words(self) -> str:
        """Return a line for each assignment."""
        own = self.by[self.pairs]
        if self.ranks == 1:
            return "one process sends nothing"
        lines = [
            f"on average each of {self.ranks:,} processes sends {_number(own.all_messages)} "
            f"a step with {file_size(own.all_bytes)}"
        ]
        if self.ranks > self.patches:
            lines.append(
                f"only {self.patches:,} of them have a patch; [patches] pes = {self.ranks} "
                "divides for all"
            )
        for pairs, sent in self.by.items():
            line = f"for pairs by {_names[pairs]}: {_number(sent.messages)}, "
            line += file_size(sent.bytes)
            if pairs != self.pairs and own.bytes > 0:
                line += f", {sent.bytes / own.bytes:.2f} times as much"
            lines.append(line)
        return "\n".join(lines)


def count_messages(prepared: Prepared, image: bytes, ranks: int) -> Messages:
    """Count what so many processes send with the patches of a run, with either assignment.

    Parameters
    ----------
    image : bytes
        The job's file.
    """
    name, own = prepared.given.source.name, str(prepared.given.model.patches.pairs)
    by = {own: _sent(name, image, ranks)}
    for pairs in _names:
        if pairs != own and (other := _with_assignment(prepared, pairs)) is not None:
            by[pairs] = _sent(name, other, ranks)
    return Messages(ranks, math.prod(prepared.division.patch_grid), own, by)


def _number(mean: float) -> str:
    if 0 < mean < 0.1:
        return "fewer than 0.1"
    return f"{mean:,.0f}" if mean >= 10 else f"{mean:.1f}"


def _with_assignment(prepared: Prepared, pairs: str) -> bytes | None:
    """Return the file of the job with the same patches and lists; None if it cannot have them."""
    computes = 1 if pairs == "midpoint" else prepared.division.pair_computes
    keys = {"patches.pairs": pairs, "patches.pair_computes": computes, "patches.cells": None}
    other = prepared_with(prepared, keys)
    return None if other is None else job_image(other)


def _sent(name: str, image: bytes, ranks: int) -> Sent:
    phases = load_engine().job_traffic(name, image, "cost", ranks, 1)["phases"]
    counts = {phase: (sent.sum(), sizes.sum()) for phase, (_, _, sizes, sent) in phases.items()}

    def mean(which: int, of: tuple[str, ...]) -> float:
        return sum(float(counts[phase][which]) for phase in of if phase in counts) / ranks

    every = tuple(counts)
    return Sent(mean(0, _of_pairs), mean(1, _of_pairs), mean(0, every), mean(1, every))
