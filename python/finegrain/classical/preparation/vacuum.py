# SPDX-License-Identifier: BSD-3-Clause
"""A molecule without a box: an open frame, divided into patches.

There are no images: the outermost patches of the frame have no outer edge. If every pair counts,
there are at most two patches on each axis, so that all touch each other. The cutoff is then longer
than any molecule. With D the extent of the molecule, the frame's edge is 3 D + 30 Å.
Units: bohr.
"""

from __future__ import annotations

import numpy as np

from finegrain.classical.input.settings import Settings
from finegrain.classical.system.system import ClassicalSystem, Floats
from finegrain.units import bohr_in_angstrom

_margin = 30.0 / bohr_in_angstrom
# 53 micrometres: at 1 km/s an atom takes 53 ns to get there.
no_cutoff = 1e6


def place_in_frame(system: ClassicalSystem, settings: Settings) -> Floats:
    """Centre the molecule in its frame; set the cutoff if the settings have none.

    Returns
    -------
    float64, shape (3,), bohr
        Edges of the frame.
    """
    low, high = system.position.min(axis=0), system.position.max(axis=0)
    extent = float(np.linalg.norm(high - low))
    edge = 3 * extent + _margin
    if settings.cutoff == 0:
        settings.cutoff = no_cutoff
    else:
        edge = max(edge, 2.1 * settings.cutoff)
    frame = np.full(3, edge)
    shift = frame / 2 - (low + high) / 2
    system.position += shift
    system.restraints.reference += shift
    return frame
