# SPDX-License-Identifier: BSD-3-Clause
"""The content of an existing job, and whether it is complete."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finegrain.classical.division.step_estimate import estimate_own_step
from finegrain.classical.job import Job
from finegrain.classical.preparation.check import ClassicalReport, copies_in_words
from finegrain.engine.engine import usable_cores
from finegrain.runs.job import check_job_file
from finegrain.units import bohr_in_angstrom, in_angstrom


@dataclass(kw_only=True)
class JobReport(ClassicalReport):
    """A checked job."""

    what = ", a job"
    title: str
    constraints: int

    def words(self) -> dict[str, str]:
        """Return names and values."""
        return super().words() | {"title": self.title, "constraints": f"{self.constraints:,}"}


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
    words = copies_in_words(job.repeat, job.atoms // job.copies)
    words |= {"electrostatics": str(settings["electrostatics"])}
    if settings.get("periodic", 1) or settings["electrostatics"] != "plain":
        words["cutoff"] = in_angstrom(float(settings["cutoff"]))
    if settings["electrostatics"] == "pme":
        if "ewald_coefficient" in settings:
            alpha = float(settings["ewald_coefficient"]) / bohr_in_angstrom
            words["ewald"] = f"{alpha:.5f} 1/Å"
        words["mesh"] = " x ".join(str(count) for count in _counts(settings.get("mesh")))
        words["spline order"] = str(settings.get("spline_order", ""))
        words["influence"] = str(settings.get("influence_function", "smooth"))
    words["precision"] = str(settings["precision"])
    words["bits"] = str(settings.get("bits", "fast"))
    if job.restraints:
        words["restraints"] = f"{job.restraints:,} atoms"
    words["dynamics"] = f"{dynamics['integrator']}, {job.timestep_fs:g} fs"
    if job.pair_interval > 1:
        words["pair forces"] = f"every {job.pair_interval} steps"
    if job.long_range_interval > 1:
        words["long range"] = f"every {job.long_range_interval} steps"
    if dynamics.get("minimise", "no") != "no":
        words["minimise"] = str(dynamics["minimise"])
    return words
