# SPDX-License-Identifier: BSD-3-Clause
"""The results of a run of classical dynamics: its figures, energies, trajectory and log."""

from __future__ import annotations

from typing import Any

from finegrain.classical.job import Job
from finegrain.runs.checkpoints import step_of_checkpoint
from finegrain.runs.energies import column
from finegrain.runs.results import Rows, threads_in_words
from finegrain.runs.steps import StepsOfRun


class Run(StepsOfRun):
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

    @property
    def job(self) -> Job:
        """The job of the run."""
        return self._opened(Job)

    def _rows(self) -> Rows:
        result = self.result
        return [
            ("run", str(self.path)),
            ("system", f"{result.get('title', '')}, {int(result.get('atoms', 0)):,} atoms"),
            ("steps", _steps(result)),
            ("continued from", str(result.get("went_on_from", ""))),
            ("worker threads", threads_in_words(result)),
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

    def _unfinished(self) -> Rows:
        rows = [*super()._unfinished(), ("frames", self._frames())]
        if self.directory.checkpoint.exists():
            rows += self._saved()
            rows.append(("continue with", f"finegrain resume {self.path}"))
        return rows

    def outcome(self) -> str:
        """Return where a run that stopped early can be continued."""
        result = self.result
        if self.finished:
            return ""
        if not result.get("state_digest"):
            return (
                "Stopped while minimising, before the first step; no state was saved.\n"
                "Start the minimisation again, to the same bits, with: "
                f"finegrain resume {self.path}"
            )
        return self._saved_at("step")

    def _saved(self) -> Rows:
        """Return how far the checkpoint of a run without a result is."""
        if not self.directory.job.exists():
            return []
        step, steps = step_of_checkpoint(self.directory.checkpoint), self.job.steps
        text = f"step {step:,} of {steps:,}"
        if step >= steps:
            text += "; all steps are done, only the figures are missing"
        return [("saved at", text)]

    def _box(self) -> Rows:
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
