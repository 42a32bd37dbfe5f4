# SPDX-License-Identifier: BSD-3-Clause
"""The choice between the kinds of runs.

An input names its kind in ``[system]``, a job in its attribute ``kind``. A kind is imported when it
is needed. Nothing that a kind consists of knows of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from finegrain.base.arguments import PathOrObject, run_folder
from finegrain.errors import InputError, nearest
from finegrain.runs.folder.directory import RunDirectory, existing
from finegrain.runs.job import JobFile
from finegrain.runs.kind import Kind
from finegrain.runs.results import RunResults

if TYPE_CHECKING:
    from finegrain.toml_input.source import InputFile


def _classical() -> Kind:
    from finegrain.classical.kind import Classical

    return Classical()


def _ab_initio() -> Kind:
    from finegrain.ab_initio.kind import AbInitio

    return AbInitio()


KINDS: dict[str, Callable[[], Kind]] = {"classical": _classical, "ab-initio": _ab_initio}


def kind_named(name: str) -> Kind:
    """Return one of `KINDS`."""
    return KINDS[name]()


def usual_kind() -> Kind:
    """Return the kind of a run whose job is gone."""
    return kind_named(next(iter(KINDS)))


def kind_of_input(path: str | InputFile) -> Kind:
    """Return the kind of an input.

    A word that is no kind is taken for the nearest kind. The model of this kind refuses it together
    with all other problems of the input. If none is near, an input with a section of electrons is
    taken for an ab initio run.
    """
    from finegrain.toml_input.source import read_toml

    return kind_of_tables(read_toml(path).data)


def kind_of_tables(data: Mapping[str, Any]) -> Kind:
    """Return the kind of an input that has been read, as `kind_of_input` does."""
    system, likely = data.get("system"), "ab-initio" if "electrons" in data else next(iter(KINDS))
    word = str(system.get("kind")) if isinstance(system, Mapping) else ""
    return kind_named(word if word in KINDS else nearest(word, KINDS) or likely)


def has_stages(path: InputFile) -> bool:
    """Return whether an input has [[stages]], and is of a kind that may have them."""
    from finegrain.toml_input.source import is_job, read_toml

    if is_job(path):
        return False
    return "stages" in read_toml(path).data and kind_of_input(path).stages


def kind_of_job(path: PathOrObject) -> Kind:
    """Return the kind of a job, or of the job in the folder of a run."""
    return kind_named(JobFile(path).of_kind)


def kind_of_run(directory: RunDirectory) -> Kind:
    """Return the kind of a run; the usual one if its job is gone."""
    return kind_of_job(directory.job) if directory.job.exists() else usual_kind()


def open_job(path: PathOrObject) -> JobFile:
    """Open a job of any kind.

    Parameters
    ----------
    path : path
        The job, or the folder of a run.

    Returns
    -------
    Job or AbInitioJob
        By the kind that the file names.

    Raises
    ------
    InputError
        If the file is missing, cut short, damaged, or not a job of finegrain.
    """
    return JobFile.of_class(path, lambda name: kind_named(name).job_class)


def open_plain_run(path: PathOrObject) -> RunResults:
    """Open the results of a run of any kind that has no stages.

    Raises
    ------
    InputError
        If the folder holds no such run.
    """
    return kind_of_run(existing(run_folder(path))).open_run(path)


def template(name: str, others: Sequence[str] = ()) -> str:
    """Return a commented input: for files of your own, or of a system to try.

    Parameters
    ----------
    name : str
        The template.
    others : sequence of str
        Further names that the caller knows, for the message of an error.

    Raises
    ------
    InputError
        If no kind of run has a template of this name.
    """
    kinds = [kind_named(kind) for kind in KINDS]
    for kind in kinds:
        if name in kind.templates:
            return kind.template(name)
    names = [*(one for kind in kinds for one in kind.templates), *others]
    close = nearest(name, names)
    hint = f"did you mean {close}? (" if close else "("
    hint += f"one of {', '.join(names)})"
    raise InputError("there is no such kind of input", value=name, hint=hint)
