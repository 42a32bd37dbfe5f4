# SPDX-License-Identifier: BSD-3-Clause
"""One live line on a terminal; elsewhere one plain line a minute."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from finegrain.words.report import console, duration, number_in_words

if TYPE_CHECKING:  # only a terminal needs it
    from rich.live import Live

# from the engine's report and the seconds per step to one line
ProgressWords = Callable[[Mapping[str, Any], float], str]

SECONDS_PER_DAY = 86400.0


def ns_per_day(timestep_fs: float, seconds_per_step: float) -> float:
    """Return nanoseconds of simulated time per day of wall-clock time."""
    if seconds_per_step <= 0:
        return 0.0
    return timestep_fs * 1e-6 * SECONDS_PER_DAY / seconds_per_step


def progress_line(progress: Mapping[str, Any], timestep_fs: float, pace: float = 0.0) -> str:
    """Return ``step 42,000/100,000  42%  118 ns/day  6 min left   T 299.8 K   drift ...``.

    Parameters
    ----------
    progress : mapping
        The engine's ``step, steps, temperature`` (K) and ``energy_drift`` (kJ/mol/ps/atom). For a
        box that changes also ``density`` (kg/m3) and ``pressure`` (bar). During minimisation also
        ``evaluations``, ``potential`` (kJ/mol) and ``largest_force`` (kJ/mol/nm).
    timestep_fs : float
        Time step in femtoseconds.
    pace : float
        Seconds per step; 0 if not yet known.
    """
    evaluations = int(progress.get("evaluations") or 0)
    if evaluations:
        energy, force = float(progress["potential"]), float(progress["largest_force"])
        line = f"minimising: {evaluations:,} evaluations   potential {energy:,.0f} kJ/mol"
        return f"{line}   largest force {force:,.0f} kJ/mol/nm"
    rate = ns_per_day(timestep_fs, pace)
    shown = f"{rate:.0f} ns/day" if rate >= 100 else f"{rate:.3g} ns/day"
    line = steps_in_words(progress, pace, shown)
    temperature = progress.get("temperature")
    if not temperature:  # no energies yet
        return line
    line += f"   T {float(temperature):.1f} K"
    for name, form in (
        ("density", "{:,.1f} kg/m3"),
        ("pressure", "{:,.0f} bar"),
        ("energy_drift", "drift {:.1e} kJ/mol/ps/atom"),
    ):
        line += number_in_words(progress.get(name), "   " + form)
    return line


def steps_in_words(progress: Mapping[str, Any], pace: float, rate: str) -> str:
    """Return ``step 42,000/100,000  42%  RATE  6 min left``; without a pace only the steps."""
    step, steps = int(progress["step"]), int(progress["steps"])
    percent = 100 * step // steps if steps else 100
    done = f"step {step:,}/{steps:,}  {percent}%"
    return f"{done}  {rate}  {duration((steps - step) * pace)} left" if pace > 0 else done


def words_of_dynamics(timestep_fs: float, *, box: bool) -> ProgressWords:
    """Return the words for a run of dynamics; density and pressure only if its box changes."""

    def words(progress: Mapping[str, Any], pace: float) -> str:
        shown = dict(progress) if box else {**progress, "density": None, "pressure": None}
        return progress_line(shown, timestep_fs, pace)

    return words


class ProgressLine:
    """Shows the progress of a run.

    Parameters
    ----------
    stream : text file
        A terminal gets a line that is rewritten in place, anything else one line a minute.
    timestep_fs : float
        Time step in femtoseconds.
    box : bool
        Show density and pressure, for a run with a barostat.
    words : callable
        Makes the text from a report and the seconds per step; without it, that of a run of
        dynamics.
    quiet : bool
        Show nothing.
    label : str
        Stands before each line, such as the name of a stage.
    clock : callable
        Seconds; replaced in tests.
    """

    interval_s = 60.0
    marks = 50  # reports that the pace is averaged over: ten seconds at five reports a second

    def __init__(
        self,
        stream: IO[str],
        timestep_fs: float = 0.0,
        *,
        box: bool = False,
        words: ProgressWords | None = None,
        quiet: bool = False,
        label: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self._words = words or words_of_dynamics(timestep_fs, box=box)
        self._quiet = quiet
        self._label = f"{label}: " if label else ""
        self._clock = clock
        self._next = clock() + self.interval_s
        self._live: Live | None = None
        self._last: Mapping[str, Any] | None = None
        self._marks: deque[tuple[float, int]] = deque(maxlen=self.marks)

    def __enter__(self) -> ProgressLine:
        if not self._quiet and self._stream.isatty():
            from rich.live import Live

            self._live = Live(console=console(self._stream), refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._live is not None:
            with contextlib.suppress(OSError):  # the terminal may have gone
                self._live.stop()
            self._live = None
        if self._last is not None and not self._quiet:
            self._print(self._line(self._last))

    def __call__(self, progress: Mapping[str, Any]) -> None:
        """Take in a report of the engine."""
        self._last = progress = dict(progress)
        if not progress.get("evaluations"):  # minimisation takes no steps
            self._marks.append((self._clock(), int(progress["step"])))
        if self._quiet:
            return
        if self._live is not None:
            from rich.text import Text

            self._live.update(Text(self._line(progress), no_wrap=True))
        elif self._clock() >= self._next:
            self._print(self._line(progress))
            self._next += self.interval_s

    def _line(self, progress: Mapping[str, Any]) -> str:
        pace = 0.0
        if self._marks:
            (before, first), (now, last) = self._marks[0], self._marks[-1]
            pace = (now - before) / (last - first) if last > first else 0.0
        return self._label + self._words(progress, pace)

    def _print(self, line: str) -> None:
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except (
            OSError,
            ValueError,
        ):  # the reader or the terminal has gone, the stream is closed, or
            # its disk is full: no reason to stop a simulation
            self._quiet = True
