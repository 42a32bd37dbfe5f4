# SPDX-License-Identifier: BSD-3-Clause
"""What the package itself needs to know of a checkpoint; the engine reads the rest."""

from __future__ import annotations

from pathlib import Path

import h5py


def step_of_checkpoint(path: Path) -> int:
    """Return the step a checkpoint was taken at; 0 for a damaged one, which the engine refuses."""
    try:
        with h5py.File(path, "r") as file:
            return int(file.attrs["step"])
    except (OSError, KeyError, ValueError):
        return 0
