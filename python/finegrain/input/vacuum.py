# SPDX-License-Identifier: BSD-3-Clause
"""A molecule without a box: an empty frame so large that no image is within the cutoff.

The engine knows periodic boxes only. With D the extent of the molecule, the frame's edge is
L = 3 D + 30 Å and the cutoff just less than L / 2: at least 1.5 D + 15 Å, so every pair is inside
it, while the nearest image is 2 D + 30 Å away. Energies and forces are those of the bare molecule
as long as it does not grow by half its extent.
Units: bohr.
"""

from __future__ import annotations

import numpy as np

from finegrain.input.settings import Settings
from finegrain.input.system import ClassicalSystem, Floats
from finegrain.units import bohr_in_angstrom

_margin = 30.0 / bohr_in_angstrom


def place_in_frame(system: ClassicalSystem, settings: Settings) -> Floats:
    """Centre the molecule in its frame; set the cutoff where the settings have none.

    Returns
    -------
    float64, shape (3,), bohr
        Edges of the frame.
    """
    low, high = system.position.min(axis=0), system.position.max(axis=0)
    extent = float(np.linalg.norm(high - low))
    edge = 3 * extent + _margin
    if settings.cutoff == 0:
        settings.cutoff = 0.495 * edge
    else:
        edge = max(edge, 2.1 * settings.cutoff)
    frame = np.full(3, edge)
    system.position += frame / 2 - (low + high) / 2
    return frame
