# SPDX-License-Identifier: BSD-3-Clause
"""Whether a run continues with the vector instructions with which it began."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

from finegrain.base.visible import visible
from finegrain.engine.engine import load_engine
from finegrain.errors import InputNote
from finegrain.files.hdf5 import open_hdf5
from finegrain.files.plain import plain_text
from finegrain.runs.job import JobFile, text_of

# the line of engine/runs/run_report.cpp; a resumed run adds one
_line = re.compile(r"^\s*SIMD target [ .]*(\S.*?)\s*$", re.MULTILINE)


def note_other_simd_target(job: JobFile, log: Path) -> None:
    """Note that a run continues with other vector instructions, which give other bits.

    Such a run is right, and machines of a cluster differ, so it is not refused. A job with portable
    bits has the same bits on all of them.
    """
    if not log.exists() or _has_portable_bits(job):
        return
    found = _line.findall(plain_text(log, "replace"))
    here = str(load_engine().doctor()["simd_target"])
    if not found or found[-1] == here:
        return
    remedy = "continue it on a processor like the first one for the same bits"
    if job.of_kind == "classical":
        remedy += '; a job with bits = "portable" in [forces] has them on every processor'
    warnings.warn(
        f"{log.parent}: the run was computed with {visible(found[-1])[:40]}, and continues with "
        f"{here}: it is right, but its bits are not those of a run without a stop; {remedy}",
        InputNote,
        stacklevel=4,
    )


def _has_portable_bits(job: JobFile) -> bool:
    with open_hdf5(job.path) as file:
        settings = file.get("settings")
        return settings is not None and text_of(settings.attrs.get("bits", "")) == "portable"
