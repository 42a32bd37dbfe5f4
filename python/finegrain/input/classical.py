# SPDX-License-Identifier: BSD-3-Clause
"""Classical dynamics as a kind of run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain import cite
from finegrain.convert import convert_trajectory
from finegrain.energies import draw_energies
from finegrain.evaluation import Energies, terms_of
from finegrain.input.check import check
from finegrain.input.job import make_job
from finegrain.input.load import load_input
from finegrain.input.model import InputModel
from finegrain.input.template import names, template
from finegrain.job_report import describe_job
from finegrain.jobs import Job
from finegrain.kinds import Kind, ProgressWords
from finegrain.run_directory import FORMATS, RunDirectory
from finegrain.runs import Run
from finegrain.words.progress import words_of_dynamics

if TYPE_CHECKING:
    from finegrain.tuning.search import Tunable

DRIFT_UNIT = "kJ/mol/ps/atom"


def figures(job: Job) -> dict[str, Any]:
    """Return what a reader of a run's figures needs besides."""
    return {
        "energy_drift": None,
        "energy_drift_unit": DRIFT_UNIT,
        "timestep_fs": job.timestep_fs,
        "precision": job.settings.get("precision", ""),
    }


def finish(directory: RunDirectory, job: Job | None) -> None:
    """Draw the energies of a run."""
    draw_energies(directory.energies, directory.picture, job.title if job is not None else "")


def energies(answer: Mapping[str, Any], _job: Job) -> Energies:
    """Return the engine's answer in kJ/mol and kJ/mol/nm."""
    virial = answer.get("virial")
    return Energies(
        energies=terms_of(answer),
        forces=np.asarray(answer["forces"], np.float64).reshape(-1, 3),
        virial=None if virial is None else np.asarray(virial, np.float64),
    )


def references(job: Job | None) -> list[cite.Reference]:
    """Return the methods that a run of a job uses; without a job, all entries."""
    if job is None:
        return cite.all_references()
    return cite.references(
        job.settings,
        job.dynamics,
        waters=job.waters,
        constraints=job.constraints,
        cmaps=job.cmaps,
    )


def progress_line(job: Job) -> ProgressWords:
    """Return the words for the progress of a run."""
    return words_of_dynamics(job.timestep_fs, box=bool(job.barostat))


def tunable(*given: Any, **more: Any) -> Tunable:
    """Return what `tune` varies; imported when it is needed, since it runs jobs."""
    from finegrain.tuning.classical import tunable as found

    return found(*given, **more)


KIND = Kind(
    model=InputModel,
    load=load_input,
    check=check,
    make_job=make_job,
    templates=names,
    template=template,
    open_job=Job,
    describe_job=describe_job,
    open_run=Run,
    figures=figures,
    finish=finish,
    energies=energies,
    formats=FORMATS,
    convert=convert_trajectory,
    references=references,
    tunable=tunable,
    progress_line=progress_line,
    stages=True,
)
