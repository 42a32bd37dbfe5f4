# SPDX-License-Identifier: BSD-3-Clause
"""The job of a run, made beside existing results."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path

from finegrain.errors import InputNote
from finegrain.files.plain import plain_bytes
from finegrain.files.whole import replace_file
from finegrain.kinds.registry import kind_of_input, open_job
from finegrain.runs.folder.directory import RunDirectory
from finegrain.runs.job import JobFile, check_job_file
from finegrain.runs.job_header import own_version
from finegrain.runs.preparation import our_errors
from finegrain.toml_input.source import InputFile, is_job


def write_job(
    source: InputFile, target: Path, *, allow_scripts: bool = False, runs_here: bool = True
) -> None:
    """Read an input and write its job; if it `runs_here`, it has to fit into the memory."""
    with our_errors():
        kind_of_input(source).make_job(
            source, target, allow_scripts=allow_scripts, runs_here=runs_here
        )


@contextlib.contextmanager
def prepared_job(
    path: InputFile, directory: RunDirectory, steps: int | None, allow_scripts: bool = False
) -> Iterator[JobFile]:
    """Yield the new job beside the results, so that a bad input harms none of them."""
    beside = directory.path / ".job.new.h5"
    try:
        if is_job(path):
            check_job_file(path)  # complains about anything that is not a job
            replace_file(beside, plain_bytes(path))
            job = open_job(beside)
            made_by = job.made_by
            if made_by and made_by != own_version():
                note = f"{path.name}: the job was made by finegrain {made_by}, this is "
                note += f"{own_version()}: results may differ in their bits from those of that one"
                warnings.warn(note, InputNote, stacklevel=4)
        else:
            write_job(path, beside, allow_scripts=allow_scripts)
            job = open_job(beside)
        if steps is not None:
            job.refuse_steps(steps, path.name)
            job.set_steps(steps)
        yield job
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
