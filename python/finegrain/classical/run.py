# SPDX-License-Identifier: BSD-3-Clause
"""The results of a run of classical dynamics: its figures, energies, trajectory and log."""

from __future__ import annotations

from typing import Any

from finegrain.classical.job import Job
from finegrain.classical.sections import curve_sections, frame_sections, structure_section
from finegrain.page.html import Section
from finegrain.runs.checkpoints import step_of_checkpoint
from finegrain.runs.results import Rows
from finegrain.runs.steps import StepsOfRun
from finegrain.words.report import number_in_words


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

    def _speed(self, result: dict[str, Any], /) -> str:
        rate, pace = result.get("ns_per_day"), result.get("seconds_per_step")
        if not rate or not pace:
            return ""
        return f"{float(rate):.3g} ns/day, {1000 * float(pace):.3g} ms/step"

    def _found(self, result: dict[str, Any], /) -> Rows:
        warm = number_in_words(result.get("temperature"), "{:.1f} K")
        drift = number_in_words(result.get("energy_drift"), "{:.2e} kJ/mol/ps/atom")
        return [
            ("temperature", warm or "not measured"),
            *self._box(),
            ("conserved energy drift", drift or "not measured"),
            ("frames", self._frames()),
        ]

    def _unfinished(self) -> Rows:
        rows = [*super()._unfinished(), ("frames", self._frames())]
        if self.directory.checkpoint.exists():
            rows += self._saved()
            rows.append(("continue with", f"finegrain resume {self.path}"))
        return rows

    def _curves(self, points: int, /, *, frames: bool = True) -> list[Section]:
        job = self.job if self.directory.job.exists() else None
        tolerance = job.minimise_tolerance if job else 0.0
        found = curve_sections(self.directory, tolerance, points)
        return [*found, *(frame_sections(self.directory, points) if frames else [])]

    def _structure(self) -> list[Section]:
        return structure_section(self.directory)

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
        return self._means(self.energies(), {"density": "{:,.1f} kg/m3", "pressure": "{:,.1f} bar"})
