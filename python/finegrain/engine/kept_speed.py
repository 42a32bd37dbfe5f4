# SPDX-License-Identifier: BSD-3-Clause
"""How fast this machine has been with steps, kept from one run to the next.

Estimates of a step come from a fit to other machines' cores (``_engine.fit_of_estimates``). Each
longer run compares its own step with its estimate and leaves the ratio here. The file is one of the
user's cache, for one processor, one set of vector instructions and one fit. Nothing in it changes
what a run computes.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from finegrain.engine import machine
from finegrain.engine.engine import load_engine
from finegrain.errors import FinegrainError
from finegrain.files.plain import plain_text
from finegrain.files.whole import replace_file

FILE = "speed.json"
MOST_KEPT = 5  # runs


@dataclass(frozen=True)
class KeptSpeed:
    """What a run showed.

    Attributes
    ----------
    factor : float
        The estimated time of a step over the time that it took: above 1 if this machine is faster
        than the estimate.
    pes : int
        The number of PEs of the run.
    day : str
        The day of the run, ISO 8601.
    """

    factor: float
    pes: int
    day: str


def folder() -> Path | None:
    """Return the folder of the cache that has the measured transforms too; None without a home."""
    beside = load_engine().exchange_file()
    return Path(beside).parent if beside else None


def kept_speed() -> KeptSpeed | None:
    """Return the fastest of the latest runs on such a machine; None if there was none.

    Other programs can only make a run slower, so the fastest one says most about the machine.
    """
    return max(_kept().get(_machine(), []), key=lambda one: one.factor, default=None)


def keep_speed(factor: float, pes: int) -> None:
    """Keep what a run showed, with the latest ones before it.

    A cache that cannot be written is left as it is.
    """
    if not (math.isfinite(factor) and factor > 0):
        return
    cache = folder()
    if cache is None:
        return
    day = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    kept, here = _kept(), _machine()
    kept[here] = [*kept.get(here, []), KeptSpeed(factor, pes, day)][-MOST_KEPT:]
    plain = {name: [asdict(one) for one in runs] for name, runs in kept.items()}
    with contextlib.suppress(OSError, FinegrainError):
        replace_file(cache / FILE, json.dumps(plain, indent=1).encode())


def _machine() -> str:
    """Return what has to be alike for two runs to be compared."""
    here, engine = machine.fingerprint(), load_engine()
    parts = (
        here["cpu"],
        here["cpu_family"],
        here["cpu_model"],
        str(here["usable_cores"]),
        engine.doctor()["simd_target"],
        engine.fit_of_estimates(),
    )
    return " | ".join(parts)


def _kept() -> dict[str, list[KeptSpeed]]:
    """Return all that is kept, by machine; a file that is missing or damaged counts for nothing."""
    cache = folder()
    if cache is None:
        return {}
    try:
        found: Any = json.loads(plain_text(cache / FILE))
        return {
            str(name): [_checked(one) for one in runs][-MOST_KEPT:] for name, runs in found.items()
        }
    except (OSError, FinegrainError, LookupError, TypeError, ValueError, AttributeError):
        return {}


def _checked(one: dict[str, Any]) -> KeptSpeed:
    factor = float(one["factor"])
    if not (math.isfinite(factor) and factor > 0):
        raise ValueError
    return KeptSpeed(factor, int(one["pes"]), str(datetime.date.fromisoformat(one["day"])))
