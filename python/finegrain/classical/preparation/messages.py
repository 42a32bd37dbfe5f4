# SPDX-License-Identifier: BSD-3-Clause
"""What each process of a run would send in a step, with either assignment of pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from finegrain.classical.preparation.job import job_image
from finegrain.classical.preparation.other_divisions import division_of
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
    pairs : str
        The assignment of the input.
    by : dict of str to Sent
        By assignment, that of the input first.
    """

    ranks: int
    pairs: str
    by: dict[str, Sent]

    def in_words(self) -> str:
        """Return a line for each assignment."""
        own = self.by[self.pairs]
        lines = [
            f"each of {self.ranks:,} processes sends {_number(own.all_messages)} a step with "
            f"{file_size(own.all_bytes)}"
        ]
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
    return Messages(ranks, own, by)


def _number(mean: float) -> str:
    return f"{mean:,.0f}" if mean >= 10 else f"{mean:.1f}"


def _with_assignment(prepared: Prepared, pairs: str) -> bytes | None:
    """Return the file of the job with the same patches; None if they cannot have the assignment."""
    division, model = prepared.division, prepared.given.model
    patches = model.patches.model_copy(
        update={
            "pairs": pairs,
            "grid": list(division.patch_grid),
            "reach": max(division.reach),
            "pair_computes": 1 if pairs == "midpoint" else division.pair_computes,
        }
    )
    given = replace(prepared.given, model=model.model_copy(update={"patches": patches}))
    other, problems = division_of(prepared, given)
    if problems:
        return None
    return job_image(replace(prepared, given=given, division=other))


def _sent(name: str, image: bytes, ranks: int) -> Sent:
    phases = load_engine().job_traffic(name, image, "cost", ranks, 1)["phases"]
    counts = {phase: (sent.sum(), sizes.sum()) for phase, (_, _, sizes, sent) in phases.items()}

    def mean(which: int, of: tuple[str, ...]) -> float:
        return sum(float(counts[phase][which]) for phase in of if phase in counts) / ranks

    every = tuple(counts)
    return Sent(mean(0, _of_pairs), mean(1, _of_pairs), mean(0, every), mean(1, every))
