# SPDX-License-Identifier: BSD-3-Clause
"""The engine's own check of a job before it is written: `check` refuses what the engine refuses."""

from __future__ import annotations

from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.engine.engine import check_job
from finegrain.errors import InputError, Problem

# Which key of the input a part of the job comes from; the first that fits.
_keys = (
    ("/cell", "system.cell"),
    ("/ions", "system.structure"),
    ("/species", "electrons.pseudopotentials"),
    ("/electrons", "electrons"),
    ("/nonlocal", "electrons.spline_grid"),
    ("/local", "electrons.spline_grid"),
    ("/ground_state", "ground_state"),
    ("/dynamics", "dynamics.timestep"),
    ("/cut", "objects"),
    ("/outputs", "output"),
    ("/", "system.structure"),
)


def refuse_what_the_engine_refuses(prepared: Prepared, image: bytes) -> None:
    """Raise the errors of a run of this job before its first iteration, with the input's places.

    Parameters
    ----------
    image : bytes
        The contents of the job's file.
    """
    given = prepared.given
    try:
        check_job(given.source.name, image)
    except InputError as error:
        found = error.problems[0]
        part = found.where.removeprefix(f"{given.source.name}:").strip()
        key = next((key for start, key in _keys if part.startswith(start)), "system.structure")
        value = f"{key} = {given.source.written(key)}" if given.source.written(key) else key
        limit = "; ".join(text for text in (found.value, found.limit) if text)
        hint = found.hint
        if "make the job again" in hint or not hint:
            hint = "check the files and keys that this comes from"
        problem = Problem(found.what, given.source.place(key), value, limit, hint)
        raise InputError([problem], source=given.source.name) from error
