# SPDX-License-Identifier: BSD-3-Clause
"""The content of an existing job, and whether it is complete."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.base import cells
from finegrain.base.visible import visible
from finegrain.classical.division.step_estimate import StepEstimate, estimate_own_step
from finegrain.classical.job import Job
from finegrain.engine.engine import usable_cores
from finegrain.runs.job import check_job_file
from finegrain.units import bohr_in_angstrom, in_angstrom
from finegrain.words.report import aligned, atoms_in_words


@dataclass(frozen=True)
class JobReport:
    """A checked job.

    Attributes
    ----------
    charge : float
        Elementary charges.
    box_nm : list
        Edges, nanometres; three vectors if the cell is tilted.
    settings : dict of str to str
        Each setting of forces and dynamics, in words.
    estimate : StepEstimate
        The estimate of a step on the PEs at hand.
    """

    source: str
    title: str
    atoms: int
    waters: int
    virtual_sites: int
    constraints: int
    charge: float
    box_nm: list[Any]
    periodic: bool
    settings: dict[str, str]
    patch_grid: list[int]
    pencil_grid: list[int]
    steps: int
    simulated_ps: float
    timestep_fs: float
    estimate: StepEstimate
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the report for ``--json``."""
        return asdict(self) | {"estimate": self.estimate.as_dict(), "problems": []}

    def text(self) -> str:
        """Return the report as text."""
        box = cells.describe(np.array(self.box_nm), "nm")
        patches = " x ".join(str(count) for count in self.patch_grid)
        rows = [
            ("title", self.title),
            ("atoms", atoms_in_words(self.atoms, self.waters, self.virtual_sites)),
            ("box", box if self.periodic else "none (vacuum)"),
            ("charge", f"{self.charge:+.3f} e"),
            ("constraints", f"{self.constraints:,}"),
            *self.settings.items(),
            ("patches", patches),
            ("length", f"{self.steps:,} steps, {self.simulated_ps:g} ps" if self.steps else ""),
            ("step", "\n".join(self.estimate.lines())),
            ("time", self.estimate.pace(self.timestep_fs)),
        ]
        shown = [(name, value) for name, value in rows if value]
        lines = [f"fine  {self.source}, a job", "", *aligned(shown)]
        lines += [f"  note: {note}" for note in self.notes]
        return visible("\n".join(lines)) + "\n"


def describe_job(path: Path) -> JobReport:
    """Read a job as the engine does.

    Raises
    ------
    InputError
        If it is missing, damaged, not a job of finegrain, or one that the engine refuses.
    """
    contents = check_job_file(path)
    return _report(Job(path), contents)


def _report(job: Job, contents: bytes) -> JobReport:
    settings = job.settings
    return JobReport(
        source=job.path.name,
        title=job.title,
        atoms=job.atoms,
        waters=job.waters,
        virtual_sites=job.virtual_sites,
        constraints=job.constraints,
        charge=round(float(job.charges.sum()), 6) + 0.0,
        box_nm=job.box.tolist(),
        periodic=bool(settings.get("periodic", 1)),
        settings=_in_words(job),
        patch_grid=_counts(settings.get("patch_grid")),
        pencil_grid=_counts(settings.get("pencil_grid")),
        steps=job.steps,
        simulated_ps=job.steps * job.timestep_fs / 1000,
        timestep_fs=job.timestep_fs,
        estimate=estimate_own_step(str(job.path), contents, usable_cores()),
        notes=job.notes,
    )


def _counts(value: Any) -> list[int]:
    return [] if value is None else [int(count) for count in value]


def _in_words(job: Job) -> dict[str, str]:
    settings, dynamics = job.settings, job.dynamics
    words = {"electrostatics": str(settings["electrostatics"])}
    if settings.get("periodic", 1) or settings["electrostatics"] != "plain":
        words["cutoff"] = in_angstrom(float(settings["cutoff"]))
    if settings["electrostatics"] == "pme":
        if "ewald_coefficient" in settings:
            alpha = float(settings["ewald_coefficient"]) / bohr_in_angstrom
            words["ewald"] = f"{alpha:.5f} 1/Å"
        words["mesh"] = " x ".join(str(count) for count in _counts(settings.get("mesh")))
        words["spline order"] = str(settings.get("spline_order", ""))
    words["precision"] = str(settings["precision"])
    words["bits"] = str(settings.get("bits", "fast"))
    if job.restraints:
        words["restraints"] = f"{job.restraints:,} atoms"
    words["dynamics"] = f"{dynamics['integrator']}, {job.timestep_fs:g} fs"
    if job.long_range_interval > 1:
        words["long range"] = f"every {job.long_range_interval} steps"
    if dynamics.get("minimise", "no") != "no":
        words["minimise"] = str(dynamics["minimise"])
    return words
