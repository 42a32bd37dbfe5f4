# SPDX-License-Identifier: BSD-3-Clause
"""Classical dynamics as a kind of run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from finegrain import cite
from finegrain.base.arguments import PathOrObject
from finegrain.classical.convert import convert_run
from finegrain.classical.division.step_estimate import keep_speed_of
from finegrain.classical.input.load import Input, load_input
from finegrain.classical.input.python_objects import take_objects
from finegrain.classical.input.template import names, template
from finegrain.classical.job import Job
from finegrain.classical.preparation.check import Report, StagedReport, check, check_stages
from finegrain.classical.preparation.divided import divided_images
from finegrain.classical.preparation.job import make_job
from finegrain.classical.report import JobReport, describe_job
from finegrain.classical.run import Run
from finegrain.runs.conversion import ConversionOptions
from finegrain.runs.energy_charts import draw_energies
from finegrain.runs.evaluation import Energies, terms_of
from finegrain.runs.folder.directory import FORMATS, RunDirectory
from finegrain.runs.kind import Kind
from finegrain.toml_input.from_python import TakenObjects
from finegrain.toml_input.source import InputFile, read_toml
from finegrain.words.progress import ProgressWords, words_of_dynamics

DRIFT_UNIT = "kJ/mol/ps/atom"


class Classical(Kind):
    """Classical dynamics."""

    name = "classical"
    job_class = Job
    templates = names
    division_key = "[patches] pes"
    formats = FORMATS
    stages = True
    counts_messages = True

    def load(self, path: InputFile, *, strict: bool = True) -> Input:
        """Return the input."""
        return load_input(path, strict=strict)

    def take_objects(self, system: Mapping[str, Any]) -> TakenObjects:
        """Take what OpenMM or ParmEd has made out of [system]."""
        return take_objects(system)

    def check(
        self, path: InputFile, *, allow_scripts: bool, ranks: int | None = None
    ) -> Report | StagedReport:
        """Return the description of an input's run, or of each of its stages."""
        if "stages" in read_toml(path).data:
            return check_stages(path, allow_scripts=allow_scripts, ranks=ranks)
        return check(path, allow_scripts=allow_scripts, ranks=ranks)

    def make_job(
        self, path: InputFile, out: Path, *, allow_scripts: bool, runs_here: bool = True
    ) -> None:
        """Write the job of an input."""
        make_job(path, out, allow_scripts=allow_scripts, runs_here=runs_here)

    def divided_jobs(
        self,
        path: InputFile,
        pes: Iterable[int],
        *,
        allow_scripts: bool,
    ) -> Iterator[bytes]:
        """Yield the job of an input, divided for each number of PEs."""
        return divided_images(path, pes, allow_scripts=allow_scripts)

    def template(self, name: str) -> str:
        """Return a commented input."""
        return template(name)

    def describe_job(self, path: Path) -> JobReport:
        """Return the description of a job that the engine takes."""
        return describe_job(path)

    def open_run(self, path: PathOrObject, job: Job | None = None) -> Run:
        """Return the results in the folder of a run."""
        return Run(path).holding(job)

    def figures(self, job: Job) -> dict[str, Any]:
        """Return what a reader of a run's figures also needs."""
        return {
            "energy_drift": None,
            "energy_drift_unit": DRIFT_UNIT,
            "timestep_fs": job.timestep_fs,
            "precision": job.settings.get("precision", ""),
        }

    def finish(self, directory: RunDirectory, job: Job | None) -> None:
        """Draw the energies of a run."""
        title = directory.titled(job.title if job is not None else "")
        tolerance = job.minimise_tolerance if job is not None else 0.0
        draw_energies(directory.energies, directory.picture, title, tolerance=tolerance)

    def learn(self, job: Job, result: Mapping[str, Any]) -> None:
        """Keep how fast this machine was, for the times that `check` tells."""
        keep_speed_of(job.path, result)

    def energies(self, answer: Mapping[str, Any], job: Job) -> Energies:  # noqa: ARG002 - kinds know
        """Return the engine's answer in kJ/mol and kJ/mol/nm."""
        virial = answer.get("virial")
        return Energies(
            energies=terms_of(answer),
            forces=np.asarray(answer["forces"], np.float64).reshape(-1, 3),
            virial=None if virial is None else np.asarray(virial, np.float64),
        )

    def convert(self, folder: RunDirectory, asked: ConversionOptions) -> Path:
        """Write frames, or the last state, in another format."""
        return convert_run(folder, asked)

    def references(self, job: Job | None) -> list[cite.Reference]:
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

    def progress_line(self, job: Job) -> ProgressWords:
        """Return the words for the progress of a run."""
        return words_of_dynamics(job.timestep_fs, box=bool(job.barostat))
