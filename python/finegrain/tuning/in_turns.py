# SPDX-License-Identifier: BSD-3-Clause
"""Short runs of several jobs in turns, so that a disturbance of the machine meets all of them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from finegrain import api
from finegrain.errors import ResourceError
from finegrain.files.whole import replace_file
from finegrain.runs.options import How
from finegrain.runs.results import RunResults
from finegrain.tuning.tuned import Timing

_aim = 1.5  # seconds of a timed run
_least_rebuilds = 4
_clearly_slower = 1.12  # not timed again

Say = Callable[[str], None]


@dataclass
class Entrant:
    """A job that is timed against the first of all.

    Attributes
    ----------
    what : str
        What it is called, in words.
    image : bytes
        The contents of the job's file.
    rebuild_interval : int
        Steps between two rebuilds of the list; a run has a multiple of it.
    seconds : list of float
        The time of a step in each round so far.
    ratios : list of float
        The same over those of the first job.
    """

    what: str
    image: bytes
    rebuild_interval: int
    seconds: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    def timing(self) -> Timing:
        """Return the median and the range of the rounds."""
        return Timing(
            what=self.what,
            seconds=statistics.median(self.seconds),
            ratio=statistics.median(self.ratios),
            least=min(self.ratios),
            most=max(self.ratios),
            rounds=len(self.ratios),
        )


@dataclass
class Turns:
    """How jobs are timed.

    Attributes
    ----------
    folder : Path
        Where runs may write.
    how : How
        Options of the runs: threads, processes, map.
    rounds : int
    steps : int or None
        Steps of each run; by default as many as take about a second and a half.
    say : callable
        Takes a line for the user about what is going on.
    """

    folder: Path
    how: How
    rounds: int
    steps: int | None
    say: Say

    def time(self, title: str, entrants: Sequence[Entrant], expected: float) -> list[Timing]:
        """Time jobs in turns; the first is that with which the others are compared.

        Parameters
        ----------
        title : str
            What the jobs differ in.
        expected : float
            Seconds of a step.
        """
        self.say(f"{title}: warming up")
        self._seconds(entrants[0], expected)  # the first run after a pause is slower
        left = list(entrants)
        for number in range(self.rounds):
            for entrant in left:
                words = f"{title}, round {number + 1} of {self.rounds}: {entrant.what}"
                self.say(words)
                entrant.seconds.append(self._seconds(entrant, expected))
                entrant.ratios.append(entrant.seconds[-1] / entrants[0].seconds[number])
            if number == 0:
                expected = entrants[0].seconds[0]
            left = [one for one in left if one.ratios[-1] < _clearly_slower]
        return [entrant.timing() for entrant in entrants]

    def _seconds(self, entrant: Entrant, expected: float) -> float:
        rebuild = entrant.rebuild_interval
        steps = self.steps or max(math.ceil(_aim / expected), _least_rebuilds * rebuild)
        steps = math.ceil(steps / rebuild) * rebuild
        source = self.folder / "entrant.h5"
        replace_file(source, entrant.image)
        run = api.run(source, self.folder / "run", steps=steps, overwrite=True, **self.how)
        if not run.finished:
            raise ResourceError(
                "was stopped before its end",
                value=entrant.what,
                hint="nothing was changed; let it time all divisions",
            )
        assert isinstance(run, RunResults)  # of a job
        return float(run.result["seconds_per_step"])
