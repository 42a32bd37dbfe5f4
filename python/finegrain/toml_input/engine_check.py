# SPDX-License-Identifier: BSD-3-Clause
"""The engine's own check of a job before it is written: `check` refuses what the engine refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from finegrain.engine.engine import check_job
from finegrain.errors import InputError, Problem
from finegrain.toml_input.given import GivenInput


def refuse_what_the_engine_refuses(
    given: GivenInput[Any],
    image: bytes,
    keys: Sequence[tuple[str, str]],
    *,
    settings_are_keys: bool = False,
) -> None:
    """Raise the errors of a run of a job before its first step, with the input's places.

    Parameters
    ----------
    image : bytes
        The contents of the job's file.
    keys, settings_are_keys
        As for `places_of_the_input`.
    """
    with places_of_the_input(given, keys, settings_are_keys=settings_are_keys):
        check_job(given.source.name, image)


@contextmanager
def places_of_the_input(
    given: GivenInput[Any],
    keys: Sequence[tuple[str, str]],
    *,
    settings_are_keys: bool = False,
) -> Iterator[None]:
    """Raise what the engine refuses in a job with the places in the input that it comes from.

    Parameters
    ----------
    keys : sequence of (str, str)
        Parts of the job and the keys of the input from which they come. The first that fits is
        taken, or the last if none fits.
    settings_are_keys : bool
        Whether a setting that the engine names in quotes is a key of the same name.
    """
    try:
        yield
    except InputError as error:
        found = error.problems[0]
        part = found.where.removeprefix(f"{given.source.name}:").strip()
        key = next((key for start, key in keys if part.startswith(start)), keys[-1][1])
        if settings_are_keys and (quoted := re.match(r"'(\w+)'", found.what)):
            key = f"{key}.{quoted[1]}" if given.given(f"{key}.{quoted[1]}") else key
        value = f"{key} = {given.source.written(key)}" if given.source.written(key) else key
        limit = "; ".join(text for text in (found.value, found.limit) if text)
        hint = found.hint
        if "make the job again" in hint or not hint:
            hint = "check the files and keys that this comes from"
        problem = Problem(found.what, given.source.place(key), value, limit, hint)
        raise InputError([problem], source=given.source.name) from error
