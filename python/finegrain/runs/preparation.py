# SPDX-License-Identifier: BSD-3-Clause
"""The steps before a run of any kind: its folder, errors in our words."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from finegrain.errors import FinegrainError, ResourceError
from finegrain.files.whole import disk_hint
from finegrain.words.report import as_finegrain_error


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
