# SPDX-License-Identifier: BSD-3-Clause
"""The results of a run: its figures, energies, trajectory and log."""

from __future__ import annotations

import html
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from finegrain.arguments import PathOrObject, run_folder
from finegrain.checkpoints import step_of_checkpoint
from finegrain.energies import column, read_energies
from finegrain.jobs import Job
from finegrain.report import phase_table
from finegrain.run_directory import RunDirectory, existing
from finegrain.trajectory import Trajectory
from finegrain.visible import visible

if TYPE_CHECKING:
    from finegrain.tracing import Trace


class Run:
    """The results in the folder of a run.

    Parameters
    ----------
    path : path
        The folder, as named by ``finegrain run``.

    Raises
    ------
    InputError
        If the folder holds no run.
    """

    def __init__(self, path: PathOrObject) -> None:
        self.directory: RunDirectory = existing(run_folder(path))

    def __repr__(self) -> str:
        return f"Run({str(self.directory.path)!r})"

    def __fspath__(self) -> str:
        return str(self.directory.path)

    @property
    def path(self) -> Path:
        """The folder."""
        return self.directory.path

    @property
    def job(self) -> Job:
        """The job of the run."""
        return Job(self.directory.job)

    @property
    def result(self) -> dict[str, Any]:
        """The figures: ``steps, seconds_per_step, ns_per_day, state_digest, energy_drift``..."""
        return self.directory.read_result()

    @property
    def finished(self) -> bool:
        """Whether the last step of the job was reached; otherwise `resume` continues."""
        return self.directory.finished()

    @property
    def state_digest(self) -> str:
        """SHA-256 of the final positions, velocities and box: equal bits, equal digests."""
        return str(self.result["state_digest"])

    def trajectory(self) -> Trajectory:
        """Open the frames; close them after use, or use ``with``."""
        return Trajectory(self.directory.trajectory)

    def energies(self) -> dict[str, NDArray[Any]]:
        """Return the table of energies: float64 arrays of shape (rows,) by column with unit."""
        return read_energies(self.directory.energies)

    def trace(self) -> Trace:
        """Open the trace of a run that was made with ``trace=True``."""
        from finegrain.tracing import read_trace

        return read_trace(self)

    def log(self) -> str:
        """Return run.log."""
        return self.directory.log.read_text()

    def summary(self) -> list[tuple[str, str]]:
        """Return the lines of ``finegrain show`` as name and value."""
        if not self.directory.result.exists():
            return self._unfinished()
        result = self.result
        lines = [
            ("run", str(self.path)),
            ("system", f"{result.get('title', '')}, {int(result.get('atoms', 0)):,} atoms"),
            ("steps", _steps(result)),
            ("continued from", str(result.get("went_on_from", ""))),
            ("worker threads", _threads(result)),
            ("speed", _speed(result)),
            ("temperature", _number(result.get("temperature"), "{:.1f} K") or "not measured"),
            *self._box(),
            (
                "conserved energy drift",
                _number(result.get("energy_drift"), "{:.2e} kJ/mol/ps/atom") or "not measured",
            ),
            ("frames", self._frames()),
            *(("warning", str(warning)) for warning in result.get("warnings", ())),
            ("state digest", str(result.get("state_digest", ""))),
        ]
        return [(name, visible(value, keep="")) for name, value in lines if value]

    def _unfinished(self) -> list[tuple[str, str]]:
        """Return what is known about a run that is in progress, or ended without a result."""
        lines = [("run", str(self.path)), ("state", "in progress, or ended without a result")]
        if self.directory.job.exists():
            lines.append(("system", f"{self.job.title}, {self.job.atoms:,} atoms"))
        lines.append(("frames", self._frames()))
        if self.directory.checkpoint.exists():
            lines += self._saved()
            lines.append(("continue with", f"finegrain resume {self.path}"))
        return [(name, visible(value, keep="")) for name, value in lines if value]

    def _saved(self) -> list[tuple[str, str]]:
        """Return how far the checkpoint of a run without a result is."""
        if not self.directory.job.exists():
            return []
        step, steps = step_of_checkpoint(self.directory.checkpoint), self.job.steps
        text = f"step {step:,} of {steps:,}"
        if step >= steps:
            text += "; all steps are done, only the figures are missing"
        return [("saved at", text)]

    def _box(self) -> list[tuple[str, str]]:
        """Return density and pressure of a run with a barostat: a single pressure says nothing."""
        if not self.directory.job.exists() or not self.job.barostat:
            return []
        if not self.directory.energies.exists():
            return []
        table = self.energies()
        lines = []
        for word, form in (("density", "{:,.1f} kg/m3"), ("pressure", "{:,.1f} bar")):
            found = column(table, word)
            if found is None or not len(found[1]):
                continue
            later = found[1][len(found[1]) // 2 :]
            lines.append((word, f"{form.format(later.mean())}, mean of the later half"))
        return lines

    def _frames(self) -> str:
        if not self.directory.trajectory.exists():
            return ""
        with self.trajectory() as trajectory:
            return f"{len(trajectory)} in {self.directory.trajectory.name}"

    def phases(self) -> str:
        """Return the table of time per phase."""
        return phase_table(self.result)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in self.summary()
        )
        return f"<table>{rows}</table>"

    def __str__(self) -> str:
        """Return the summary as text."""
        lines = self.summary()
        width = max(len(name) for name, _ in lines)
        return "\n".join(f"{name.ljust(width)}  {value}" for name, value in lines)


def _threads(result: dict[str, Any]) -> str:
    ranks = int(result.get("ranks") or 1)
    return str(result.get("pes", "")) + (f" in each of {ranks} processes" if ranks > 1 else "")


def _steps(result: dict[str, Any]) -> str:
    last = int(result.get("steps", 0))
    length = last * float(result.get("timestep_fs", 0.0)) / 1000
    state = "" if result.get("finished", True) else ", stopped early"
    return f"{last:,} ({length:g} ps){state}"


def _speed(result: dict[str, Any]) -> str:
    rate, pace = result.get("ns_per_day"), result.get("seconds_per_step")
    if not rate or not pace:
        return ""
    return f"{float(rate):.3g} ns/day, {1000 * float(pace):.3g} ms/step"


def _number(value: Any, form: str) -> str:
    return "" if value is None else form.format(float(value))
