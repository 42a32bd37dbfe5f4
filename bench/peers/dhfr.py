# SPDX-License-Identifier: BSD-3-Clause
"""The DHFR benchmark for every program: the same files, the same settings.

The joint AMBER-CHARMM benchmark: dihydrofolate reductase in TIP3P water, 23,558 atoms. The files
come with openmmtools. finegrain's own settings are in `finegrain.terminal.benchmark`.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

ATOMS = 23558
CUTOFF_NM = 0.9
MESH = 64
SPLINE_ORDER = 4
# erfc(coefficient * cutoff) = 1e-5, which is what gromacs derives from its default ewald-rtol.
EWALD_COEFFICIENT_PER_NM = 3.47
TIMESTEP_FS = 2.0
TEMPERATURE_K = 300.0
FRICTION_PER_PS = 1.0
SEED = 1


def files() -> tuple[Path, Path]:
    """Return prmtop and inpcrd."""
    found = importlib.util.find_spec("openmmtools")
    if found is None or found.origin is None:
        raise SystemExit("bench/peers: openmmtools has the DHFR files: pip install openmmtools")
    folder = Path(found.origin).parent / "data" / "dhfr"
    return folder / "JAC.prmtop", folder / "JAC.inpcrd"


def ns_per_day(seconds_per_step: float) -> float:
    """Return the rate that belongs to this time per step."""
    return TIMESTEP_FS * 1e-6 * 86400 / seconds_per_step
