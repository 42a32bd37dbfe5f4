# SPDX-License-Identifier: BSD-3-Clause
"""Ab initio calculations as a kind of run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from finegrain.ab_initio.input.load import AbInitioInput, load_input
from finegrain.ab_initio.input.template import names, template
from finegrain.ab_initio.ions.python_atoms import take_objects
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.preparation.divided import divided_images
from finegrain.ab_initio.preparation.job import make_job
from finegrain.ab_initio.preparation.report import AbInitioReport, check
from finegrain.ab_initio.report import AbInitioJobReport, describe_job
from finegrain.ab_initio.results import of_run as results
from finegrain.ab_initio.results.convert import convert_run
from finegrain.ab_initio.results.ground_state_run import GroundStateRun
from finegrain.ab_initio.results.references import references
from finegrain.ab_initio.states.evaluation import energies
from finegrain.base.arguments import PathOrObject
from finegrain.cite import Reference
from finegrain.runs.conversion import ConversionOptions
from finegrain.runs.evaluation import Energies
from finegrain.runs.folder.directory import AB_INITIO_FORMATS, RunDirectory
from finegrain.runs.kind import Kind
from finegrain.toml_input.from_python import TakenObjects
from finegrain.toml_input.source import InputFile
from finegrain.words.progress import ProgressWords


class AbInitio(Kind):
    """Ground states of electrons, and dynamics with their forces."""

    name = "ab-initio"
    job_class = AbInitioJob
    templates = names
    division_key = "[objects] pes"
    formats = AB_INITIO_FORMATS
    drawn_after_runs = False  # a picture would take a large share of the time of a small run

    def load(self, path: InputFile, *, strict: bool = True) -> AbInitioInput:
        """Return the input."""
        return load_input(path, strict=strict)

    def take_objects(self, system: Mapping[str, Any]) -> TakenObjects:
        """Take atoms of ASE out of [system]."""
        return take_objects(system)

    def check(
        self,
        path: InputFile,
        *,
        allow_scripts: bool,
        ranks: int | None = None,  # noqa: ARG002 - no `counts_messages`
    ) -> AbInitioReport:
        """Return the description of an input's run."""
        return check(path, allow_scripts=allow_scripts)

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
        allow_scripts: bool,  # noqa: ARG002 - as for classical runs
    ) -> Iterator[bytes]:
        """Yield the job of an input, divided for each number of PEs."""
        return divided_images(path, pes)

    def template(self, name: str) -> str:
        """Return a commented input."""
        return template(name)

    def describe_job(self, path: Path) -> AbInitioJobReport:
        """Return the description of a job that the engine takes."""
        return describe_job(path)

    def open_run(self, path: PathOrObject, job: AbInitioJob | None = None) -> GroundStateRun:
        """Return the results in the folder of a run, of a ground state or a dynamics."""
        return results.open_results(path, job)

    def figures(self, job: AbInitioJob) -> dict[str, Any]:
        """Return the units of a run's figures."""
        return results.figures(job)

    def finish(self, directory: RunDirectory, job: AbInitioJob | None) -> None:
        """Draw the pictures of a run."""
        results.finish(directory, job)

    def energies(self, answer: Mapping[str, Any], job: AbInitioJob) -> Energies:
        """Return the engine's answer in Hartree atomic units."""
        return energies(answer, job)

    def convert(self, folder: RunDirectory, asked: ConversionOptions) -> Path:
        """Write a ground state, an orbital or frames in another format."""
        return convert_run(folder, asked)

    def references(self, job: AbInitioJob | None) -> list[Reference]:
        """Return the methods that a run of a job uses; without a job, all entries."""
        return references(job)

    def progress_line(self, job: AbInitioJob) -> ProgressWords:
        """Return the words for the progress of a run."""
        return results.progress_line(job)
