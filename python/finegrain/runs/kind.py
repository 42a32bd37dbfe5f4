# SPDX-License-Identifier: BSD-3-Clause
"""What a kind of run brings: its input, its job, its results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from finegrain.base.arguments import PathOrObject
from finegrain.cite import Reference
from finegrain.runs.conversion import ConversionOptions
from finegrain.runs.evaluation import Energies
from finegrain.runs.folder.directory import RunDirectory
from finegrain.runs.job import JobFile
from finegrain.runs.report import InputReport
from finegrain.runs.results import RunResults
from finegrain.toml_input.from_python import TakenObjects
from finegrain.toml_input.source import InputFile
from finegrain.words.progress import ProgressWords


class Kind(ABC):
    """A kind of run.

    Each kind has a class of its own; `finegrain.kinds.registry` chooses between them.

    Attributes
    ----------
    name : str
        As inputs and jobs have it.
    job_class : type
        The class of its jobs.
    templates : sequence of str
        Names of inputs that `template` returns as text.
    formats : sequence of str
        The formats that `convert` writes.
    division_key : str
        The key of an input with the number of PEs for which its job is divided.
    stages : bool
        Whether its inputs may have [[stages]].
    counts_messages : bool
        Whether `check` counts the messages of processes.
    drawn_after_runs : bool
        Whether a run ends with its pictures; otherwise ``show`` draws them.
    """

    name: ClassVar[str]
    job_class: ClassVar[type[JobFile]]
    templates: ClassVar[Sequence[str]]
    formats: ClassVar[Sequence[str]]
    division_key: ClassVar[str]
    stages: ClassVar[bool] = False
    counts_messages: ClassVar[bool] = False
    drawn_after_runs: ClassVar[bool] = True

    @abstractmethod
    def load(self, path: InputFile, *, strict: bool = True) -> Any:
        """Return the input; its ``model.output.directory`` is the folder of results.

        Raises
        ------
        InputError
            If something is wrong with it; `strict` also counts what is not needed to continue.
        """

    @abstractmethod
    def take_objects(self, system: Mapping[str, Any]) -> TakenObjects:
        """Take the objects out of the [system] of an input in Python, each with its problems."""

    @abstractmethod
    def check(
        self, path: InputFile, *, allow_scripts: bool, ranks: int | None = None
    ) -> InputReport:
        """Return the description of an input's run; raises InputError.

        With `ranks` it says what each of so many processes would send, if the kind
        `counts_messages`.
        """

    @abstractmethod
    def make_job(
        self, path: InputFile, out: Path, *, allow_scripts: bool, runs_here: bool = True
    ) -> None:
        """Write the job of an input; raises InputError.

        If it `runs_here`, a ResourceError says that it takes more memory than this machine has.
        """

    @abstractmethod
    def divided_jobs(
        self, path: InputFile, pes: Iterable[int], *, allow_scripts: bool
    ) -> Iterator[bytes]:
        """Yield the job of an input as it would be with each `division_key`; raises InputError."""

    @abstractmethod
    def template(self, name: str) -> str:
        """Return a commented input, one of `templates`."""

    @abstractmethod
    def describe_job(self, path: Path) -> InputReport:
        """Return the description of a job that the engine takes; raises InputError."""

    @abstractmethod
    def open_run(self, path: PathOrObject, job: Any | None = None) -> RunResults:
        """Return the results in the folder of a run, with its job if that is open already."""

    @abstractmethod
    def figures(self, job: Any) -> dict[str, Any]:
        """Return what a reader needs to understand a run's figures; the engine's replace them."""

    @abstractmethod
    def finish(self, directory: RunDirectory, job: Any) -> None:
        """Draw the pictures of a run, of whose job nothing may be known."""

    def learn(self, job: Any, result: Mapping[str, Any]) -> None:  # noqa: B027 - few kinds do
        """Keep what a run showed of this machine, if the kind estimates times."""

    @abstractmethod
    def energies(self, answer: Mapping[str, Any], job: Any) -> Energies:
        """Return the engine's answer to one evaluation as energies by term and forces."""

    @abstractmethod
    def convert(self, folder: RunDirectory, asked: ConversionOptions) -> Path:
        """Write results in another format and return the new file; raises InputError."""

    @abstractmethod
    def references(self, job: Any) -> list[Reference]:
        """Return the methods that a run of a job uses; without a job all that the kind may use."""

    @abstractmethod
    def progress_line(self, job: Any) -> ProgressWords:
        """Return a function from the engine's report and the seconds per step to one line."""
