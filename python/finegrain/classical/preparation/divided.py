# SPDX-License-Identifier: BSD-3-Clause
"""The job of an input as it would be divided for other numbers of PEs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from finegrain.classical.preparation.division import settle_division
from finegrain.classical.preparation.job import image_without_cells, job_image
from finegrain.classical.preparation.other_divisions import division_of, input_with
from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.toml_input.source import InputFile


def divided_images(
    path: str | InputFile, numbers: Iterable[int], *, allow_scripts: bool = False
) -> Iterator[bytes]:
    """Yield for each number of PEs the job's file, divided as if ``[patches] pes`` were it.

    The input is read once. Its own ``pes`` has no effect; other keys that it gives do.

    Raises
    ------
    InputError
        With every problem of the input.
    """
    prepared = prepare(path, allow_scripts=allow_scripts)
    for pes in numbers:
        yield _image(prepared, pes)


def _image(prepared: Prepared, pes: int) -> bytes:
    given = input_with(prepared.given, {"patches.pes": pes})
    division, problems = division_of(prepared, given)
    given.problems += problems
    given.raise_problems()
    other = replace(prepared, given=given, division=division, why={})
    settle_division(other, image_without_cells(other))
    return job_image(other)
