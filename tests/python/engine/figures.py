# SPDX-License-Identifier: BSD-3-Clause
"""Figures that physics tests measure, for the tables of docs/.

With FINEGRAIN_FIGURES=FILE each figure is added to that file; without it nothing is kept.
"""

import fcntl
import os
from pathlib import Path
from typing import Any

import stored

from finegrain.engine import machine


def keep(section: str, name: str, **values: Any) -> None:
    """Print one figure, and add it to the file of figures under its section and name."""
    print(f"{section}, {name}: " + ", ".join(f"{key} {value}" for key, value in values.items()))
    if not (target := os.environ.get("FINEGRAIN_FIGURES")):
        return
    path = Path(target)
    with path.with_suffix(".lock").open("w") as lock:  # tests run side by side
        fcntl.flock(lock, fcntl.LOCK_EX)
        report = stored.read(path) if path.exists() else {}
        report["machine"] = machine.fingerprint()
        report.setdefault(section, {})[name] = values
        stored.write(report, path)
