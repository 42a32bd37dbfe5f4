# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of runs: the only place that chooses between them.

An input names its kind in ``[system]``, a job in its attribute ``kind``. A kind is a module with
``KIND``, which is imported when it is needed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from finegrain.errors import InputError, nearest

if TYPE_CHECKING:
    from finegrain.base.arguments import PathOrObject
    from finegrain.cite import Reference
    from finegrain.evaluation import Energies
    from finegrain.job_file import JobFile
    from finegrain.run_directory import RunDirectory
    from finegrain.run_results import RunResults
    from finegrain.tuning.search import Tunable


class InputReport(Protocol):
    """The description of a checked input."""

    def text(self) -> str:
        """Return it for reading."""

    def as_dict(self) -> dict[str, Any]:
        """Return it for ``--json``."""


ProgressWords = Callable[[Mapping[str, Any], float], str]


@dataclass(frozen=True)
class Kind:
    """What a kind of run brings.

    Attributes
    ----------
    model : type
        The model of its input; its ``output.directory`` is the folder of results.
    load : callable
        (path, strict) to an object with that ``model``; raises InputError.
    check : callable
        (path, allow_scripts) to the description of the run; raises InputError.
    make_job : callable
        (path, out, allow_scripts): writes the job; raises InputError.
    templates : sequence of str
        Names of inputs that `template` returns as text.
    open_job : callable
        (path) to its job.
    describe_job : callable
        (path) to the description of a job that the engine takes; raises InputError.
    open_run : callable
        (path) to the results in the folder of a run.
    figures : callable
        (job) to what a reader needs to understand the figures of a run; the engine's replace them.
    finish : callable
        (directory, job): draws the pictures of a run.
    energies : callable
        (the engine's answer, job) to energies by term and forces.
    formats : sequence of str
        The formats that `convert` writes.
    convert : callable
        (run, to, out, frame, unwrap, wrap, orbital, overwrite) to the new file; raises InputError.
    references : callable
        (job) to the methods that a run of it uses; (None) to all that the kind may use.
    tunable : callable
        (path, folder, how, pes, say, allow_scripts) to what `tune` varies; raises InputError.
    progress_line : callable
        (job) to a function from the engine's report and the seconds per step to one line.
    stages : bool
        Whether its inputs may have [[stages]].
    drawn_after_runs : bool
        Whether a run ends with its pictures; otherwise ``show`` draws them.
    """

    model: type
    load: Callable[..., Any]
    check: Callable[..., InputReport]
    make_job: Callable[..., Any]
    templates: Sequence[str]
    template: Callable[[str], str]
    open_job: Callable[[PathOrObject], JobFile]
    describe_job: Callable[[Path], InputReport]
    open_run: Callable[[PathOrObject], RunResults]
    figures: Callable[[Any], dict[str, Any]]
    finish: Callable[[RunDirectory, Any], None]
    energies: Callable[[Mapping[str, Any], Any], Energies]
    formats: Sequence[str]
    convert: Callable[..., Path]
    references: Callable[[Any], list[Reference]]
    tunable: Callable[..., Tunable]
    progress_line: Callable[[Any], ProgressWords]
    stages: bool = False
    drawn_after_runs: bool = True


KINDS = {"classical": "finegrain.input.classical", "ab-initio": "finegrain.ab_initio.kind"}


def kind_named(name: str) -> Kind:
    """Return one of `KINDS`."""
    kind: Kind = importlib.import_module(KINDS[name]).KIND
    return kind


def kind_of_input(path: str | Path) -> Kind:
    """Return the kind of an input.

    A word that is no kind is taken for the nearest one, whose model refuses it together with all
    other problems of the input. Without a near one the section of electrons tells an ab initio run.
    """
    from finegrain.toml_input.source import read_toml

    data = read_toml(Path(path)).data
    system, likely = data.get("system"), "ab-initio" if "electrons" in data else next(iter(KINDS))
    word = str(system.get("kind")) if isinstance(system, dict) else ""
    return kind_named(word if word in KINDS else nearest(word, KINDS) or likely)


def kind_of_job(path: PathOrObject) -> Kind:
    """Return the kind of a job, or of the job in the folder of a run."""
    from finegrain.job_file import JobFile

    return kind_named(JobFile(path).of_kind)


def open_job(path: PathOrObject) -> JobFile:
    """Open a job of any kind.

    Raises
    ------
    InputError
        If the file is missing, cut short, damaged, or not a job of finegrain.
    """
    return kind_of_job(path).open_job(path)


def open_run(path: PathOrObject) -> RunResults:
    """Open the results in the folder of a run of any kind.

    Raises
    ------
    InputError
        If the folder holds no run.
    """
    from finegrain.base.arguments import run_folder
    from finegrain.run_directory import existing

    directory = existing(run_folder(path))
    kind = kind_of_job(directory.job) if directory.job.exists() else kind_named(next(iter(KINDS)))
    return kind.open_run(path)


def require_kind(name: str, where: str) -> None:
    """Refuse a job of a kind that is none of `KINDS`."""
    if name not in KINDS:
        raise InputError(
            "is a job of a kind that this version does not run",
            where=where,
            value=name,
            limit=", ".join(KINDS),
            hint="make the job again with this version of finegrain",
        )


def template(name: str) -> str:
    """Return a commented input: for files of your own, or of a system to try.

    Raises
    ------
    InputError
        If no kind of run has a template of this name.
    """
    kinds = [kind_named(kind) for kind in KINDS]
    for kind in kinds:
        if name in kind.templates:
            return kind.template(name)
    names = [one for kind in kinds for one in kind.templates]
    close = nearest(name, names)
    hint = f"did you mean {close}? (" if close else "("
    hint += f"one of {', '.join(names)})"
    raise InputError("there is no such kind of input", value=name, hint=hint)
