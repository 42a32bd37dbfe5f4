# SPDX-License-Identifier: BSD-3-Clause
"""The steps before a run: its folder, and its job beside existing results."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path

from finegrain.errors import FinegrainError, InputNote, ResourceError
from finegrain.files.plain import plain_bytes
from finegrain.files.whole import disk_hint, replace_file
from finegrain.job_file import check_job_file
from finegrain.job_header import own_version
from finegrain.kinds import kind_of_input, open_job
from finegrain.run_directory import RunDirectory
from finegrain.words.report import as_finegrain_error


def write_job(source: Path, target: Path, *, allow_scripts: bool = False) -> None:
    """Read an input and write its job."""
    with our_errors():
        kind_of_input(source).make_job(source, target, allow_scripts=allow_scripts)


@contextlib.contextmanager
def our_errors() -> Iterator[None]:
    """Turn any exception of the block into one of our errors."""
    try:
        yield
    except FinegrainError:
        raise
    except Exception as error:
        raise as_finegrain_error(error) from error


@contextlib.contextmanager
def made_folder(path: Path) -> Iterator[None]:
    """Make a folder, and remove it again if the block fails and leaves it empty."""
    made = [folder for folder in (path, *path.parents) if not folder.exists()]
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"cannot be made: {(error.strerror or str(error)).lower()}"
        raise ResourceError(what, where=str(path), hint=disk_hint(error)) from error
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):  # the folder is not empty
            for folder in made:
                folder.rmdir()
        raise


@contextlib.contextmanager
def prepared_job(
    path: Path, directory: RunDirectory, steps: int | None, allow_scripts: bool = False
) -> Iterator[Path]:
    """Yield the new job beside the results, so that a bad input harms none of them."""
    beside = directory.path / ".job.new.h5"
    try:
        if path.suffix == ".h5":
            check_job_file(path)  # complains about anything that is not a job
            replace_file(beside, plain_bytes(path))
            made_by = open_job(beside).made_by
            if made_by and made_by != own_version():
                note = f"{path.name}: the job was made by finegrain {made_by}, this is "
                note += f"{own_version()}: results may differ in their bits from those of that one"
                warnings.warn(note, InputNote, stacklevel=4)
        else:
            write_job(path, beside, allow_scripts=allow_scripts)
        if steps is not None:
            job = open_job(beside)
            job.refuse_steps(steps, path.name)
            job.set_steps(steps)
        yield beside
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
