# SPDX-License-Identifier: BSD-3-Clause
"""The JSON files in the folder of a run: read as what may have been changed by anybody."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from finegrain.errors import InputError
from finegrain.files.plain import plain_bytes

_MOST_BYTES = 16 << 20  # a result has a few kilobytes
_DEEPEST = 20  # lists in lists; a result has three
_LARGEST = 1e300

_WHOLE = ("steps", "pes", "ranks", "atoms", "iterations", "messages", "evaluations")
_NUMBERS = (
    *("seconds", "seconds_per_step", "ns_per_day", "energy_drift", "temperature"),
    *("potential", "kinetic", "pressure", "volume", "density"),
    *("total_energy", "residual", "fictitious_kinetic", "conserved_energy", "timestep_fs"),
    *("overhead_share", "idle_share", "load_imbalance"),
)
_TEXTS = ("title", "state_digest", "went_on_from", "stopped_by", "simd_target", "bits")
# Others are null where they were not measured, or were no number.
_NEVER_NULL = ("steps", "atoms", "pes", "ranks", "timestep_fs", "finished", "warnings", "phases")


def read_json(path: Path, hint: str) -> Any:
    """Return what a file of JSON holds.

    Raises
    ------
    InputError
        If it is no plain file, or not JSON.
    OSError
        If it cannot be read.
    """
    if path.stat().st_size > _MOST_BYTES:
        limit = f"{_MOST_BYTES >> 20} MiB"
        what = "is too large for a file of this kind"
        raise InputError(what, where=str(path), limit=limit, hint=hint)
    try:
        content = json.loads(plain_bytes(path))
        if _is_deep(content):
            raise RecursionError
        return content
    except (ValueError, RecursionError) as error:  # bytes, JSON, a number without end, depth
        said = str(error)
        if isinstance(error, RecursionError):
            said = "brackets in brackets without end"
        elif isinstance(error, UnicodeDecodeError):
            said = f"byte {error.start} is of no text in UTF-8"
        raise InputError(
            "not a result of finegrain, or cut short",
            where=str(path),
            value=said,
            hint=hint,
        ) from None


def _is_deep(content: Any) -> bool:
    """Return whether lists are in lists so often that it cannot be written again."""
    level = [content]
    for _ in range(_DEEPEST):
        inner = [one for one in level if isinstance(one, list | dict)]
        level = [x for one in inner for x in (one.values() if isinstance(one, dict) else one)]
    return any(isinstance(one, list | dict) for one in level)


def refuse_odd_figures(content: Any, path: Path) -> dict[str, Any]:
    """Return the figures of a run, each of its kind, or null where it was not measured."""
    if not isinstance(content, dict):
        raise _odd(path, "", content, "names and values")
    for names, fits, kind in _FIGURES:
        for name in names:
            value = content.get(name)
            is_null = value is None and name in content and name in _NEVER_NULL
            if is_null or (value is not None and not fits(value)):
                raise _odd(path, name, value, kind)
    return {n: "" if n in _TEXTS and value is None else value for n, value in content.items()}


def _odd(path: Path, name: str, value: Any, kind: str) -> InputError:
    try:
        shown = json.dumps(value)[:60]
    except (ValueError, RecursionError):
        shown = type(value).__name__
    return InputError(
        f"not a result of finegrain: {name or 'all'} is of another kind",
        where=str(path),
        value=shown,
        limit=kind,
        hint="it was changed: run the job again",
    )


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and -_LARGEST < value < _LARGEST
        and math.isfinite(value)
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _are_phases(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, Mapping) and _is_text(one.get("name")) and _is_number(one.get("seconds"))
        for one in value
    )


_FIGURES: tuple[tuple[tuple[str, ...], Callable[[Any], bool], str], ...] = (
    (_WHOLE, _is_whole, "a whole number of at least 0"),
    (_NUMBERS, _is_number, "a finite number"),
    (_TEXTS, _is_text, "text"),
    (("finished", "converged"), lambda value: isinstance(value, bool), "true or false"),
    (("warnings",), _are_texts, "a list of texts"),
    (("phases", "parts"), _are_phases, "a list of names with their seconds"),
)
