# SPDX-License-Identifier: BSD-3-Clause
"""The results of an ab initio dynamics: its energies, frames, summary and words of progress."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from finegrain.ab_initio.input.words import formula
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.results.ground_state_run import GroundStateRun, search_in_words
from finegrain.errors import InputError
from finegrain.page.html import Section
from finegrain.page.svg import charts_as_svg
from finegrain.runs.energies import column
from finegrain.runs.results import Rows
from finegrain.runs.steps import StepsOfRun, averages
from finegrain.words.progress import ProgressWords, ns_per_day, steps_in_words
from finegrain.words.report import number_in_words

DRIFT_UNIT = "kJ/mol/ps/atom"  # as in classical runs, so that both can be compared


class DynamicsRun(StepsOfRun, GroundStateRun):
    """The results in the folder of a Car-Parrinello or Born-Oppenheimer run.

    `ground_state` opens energies, forces and orbital energies of the last step. Its history is that
    of the search before the first step.

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
    def energy_drift(self) -> float:
        """Slope of the conserved energy, kJ/mol/ps per atom; NaN with fewer than two rows."""
        value = self.result.get("energy_drift")
        return float("nan") if value is None else float(value)

    _digits = 4

    def _length(self, result: dict[str, Any], /) -> Rows:
        return [("formula", self._formula()), *super()._length(result)]

    def _speed(self, result: dict[str, Any], /) -> str:
        rate, pace = result.get("ns_per_day"), result.get("seconds_per_step")
        if not rate or not pace:
            return ""
        return f"{1000 * float(rate):.3g} ps/day, {float(pace):.3g} s/step"

    def _found(self, result: dict[str, Any], /) -> Rows:
        drift = number_in_words(result.get("energy_drift"), "{:.2e} " + DRIFT_UNIT)
        return [
            *self._of_table(),
            ("conserved energy drift", drift),
            ("frames", self._frames()),
            *self._start(),
        ]

    def _unfinished(self) -> Rows:
        rows = [*super(GroundStateRun, self)._unfinished(), *self._of_table()]
        rows.append(("frames", self._frames()))
        if self._lacks_a_start():
            remedy = f'the input with more [ground_state] iterations and start = "{self.path}"'
            return [*rows, *self._start(), ("continue with", remedy)]
        if self.directory.checkpoint.exists():
            rows.append(("continue with", f"finegrain resume {self.path}"))
        return rows

    def _lacks_a_start(self) -> bool:
        """Return whether the run ended because the ground state of its start was not found."""
        if not self.directory.ground_state.exists() or self._of_table():
            return False
        return not self.ground_state().converged

    def _formula(self) -> str:
        return formula(self.job.symbols) if self.directory.job.exists() else ""

    def _of_table(self) -> Rows:
        """Return the last energies, and means over the later half of the run."""
        try:
            table = self.energies()
        except InputError:
            return []
        lines: Rows = []
        potential = column(table, "potential")
        if potential is not None and len(potential[1]):
            lines.append(("energy", f"{potential[1][-1]:.8f} hartree, of the last row"))
        lines += self._means(
            table,
            {
                "temperature": "{:.1f} K",
                "fictitious kinetic energy": "{:.3e} hartree",
                "ion kinetic energy": "{:.3e} hartree",
                "pressure": "{:,.0f} bar",
                "volume": "{:.5f} nm3",
            },
        )
        conserved = column(table, "conserved")
        if conserved is not None and len(conserved[1]):
            change = np.abs(conserved[1] - conserved[1][0]).max()
            lines.append(("conserved energy", f"changes by {change:.2e} hartree at most"))
        return lines

    def _curves(self, points: int, /, *, frames: bool = True) -> list[Section]:
        from finegrain.ab_initio.results.dynamics_picture import dynamics_charts
        from finegrain.observables.picture import charts_of_frames

        sections = []
        if charts := dynamics_charts(self.directory.energies):
            parts = [*charts_as_svg(charts, points=points), *averages(self.energies())]
            sections.append(Section("Energies", parts))
        if frames and self.directory.trajectory.exists():
            with self.trajectory() as trajectory:
                of_frames = charts_as_svg(charts_of_frames(trajectory), points=points)
            if of_frames:
                sections.append(Section("Distances, displacements, vibrations", of_frames))
        return [*sections, *super()._curves(points, frames=frames)]

    def _start(self) -> Rows:
        if not self.directory.ground_state.exists():
            return []
        return [("ground state of the start", search_in_words(self.ground_state()))]

    def outcome(self) -> str:
        """Return what to do with a run that was stopped."""
        if self.finished:
            return ""
        if not self.directory.checkpoint.exists():
            step = int(self.result.get("steps", 0))
            return f"Stopped at step {step:,}. No state was saved; start it again with --overwrite."
        return self._saved_at("step")


def dynamics_figures(job: AbInitioJob) -> dict[str, Any]:
    """Return what a reader of the figures of a dynamics also needs."""
    return {
        "energy_unit": "hartree",
        "energy_drift": None,
        "energy_drift_unit": DRIFT_UNIT,
        "timestep_fs": job.timestep_fs,
        "dynamics": str(job.dynamics["kind"]),
    }


def dynamics_words(job: AbInitioJob) -> ProgressWords:
    """Return the words for the progress of a dynamics: step, energies, temperature, drift."""

    def words(progress: Mapping[str, Any], pace: float) -> str:
        energy = number_in_words(progress.get("total_energy"), "   E {:.6f} hartree")
        residual = number_in_words(progress.get("residual"), "   residual {:.1e} hartree")
        if iterations := int(progress.get("evaluations") or 0):
            return f"ground state of the start: iteration {iterations - 1:,}{energy}{residual}"
        rate = f"{1000 * ns_per_day(job.timestep_fs, pace):.3g} ps/day"
        line = steps_in_words(progress, pace, rate) + energy
        line += number_in_words(progress.get("fictitious_kinetic"), "   fictitious {:.2e} hartree")
        line += number_in_words(progress.get("temperature"), "   T {:.0f} K")
        line += number_in_words(progress.get("pressure"), "   p {:.0f} bar")
        line += number_in_words(progress.get("volume"), "   V {:.4f} nm3")
        line += number_in_words(progress.get("energy_drift"), "   drift {:.1e} " + DRIFT_UNIT)
        trouble = str(progress.get("trouble") or "")
        return line + (f"   warning: {trouble}" if trouble else "")

    return words
