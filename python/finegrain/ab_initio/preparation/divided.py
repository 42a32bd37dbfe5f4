# SPDX-License-Identifier: BSD-3-Clause
"""The job of an input as it would be divided for other numbers of PEs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from finegrain.ab_initio.preparation.division import choose_division
from finegrain.ab_initio.preparation.job import checked_image
from finegrain.ab_initio.preparation.prepare import Prepared, prepare
from finegrain.toml_input.source import InputFile


def divided_images(path: str | InputFile, numbers: Iterable[int]) -> Iterator[bytes]:
    """Yield for each number of PEs the job's file, divided as if ``[objects] pes`` were it.

    The input is read once. Its own ``pes`` has no effect; other keys that it gives do.

    Raises
    ------
    InputError
        With every problem of the input.
    """
    prepared = prepare(path)
    for pes in numbers:
        yield _image(prepared, pes)


def _image(prepared: Prepared, pes: int) -> bytes:
    model = prepared.given.model
    objects = model.objects.model_copy(update={"pes": pes})
    given = replace(prepared.given, model=model.model_copy(update={"objects": objects}))
    most = max(prepared.spins.up, prepared.spins.down, 1)
    division = choose_division(given, most, prepared.waves)
    given.raise_problems()
    return checked_image(replace(prepared, given=given, division=division), runs_here=False)
