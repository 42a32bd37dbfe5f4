# SPDX-License-Identifier: BSD-3-Clause
"""What is computed from the frames of a trajectory, from plain arrays.

Examples
--------
>>> from finegrain import observables
>>> with fg.Trajectory("runs/water") as trajectory:  # doctest: +SKIP
...     between = observables.radial_distributions(trajectory)
...     between["O", "H"].g.max()
"""

from finegrain.observables.displacement import (
    Displacement,
    diffusion_coefficient,
    mean_squared_displacement,
)
from finegrain.observables.molecules import molecules_of
from finegrain.observables.of_trajectory import (
    displacements,
    radial_distributions,
    vibrations,
)
from finegrain.observables.picture import draw_observables
from finegrain.observables.radial_distribution import (
    RadialDistribution,
    radial_distribution,
)
from finegrain.observables.shape import radius_of_gyration, rmsd, rmsf, superposed
from finegrain.observables.vibrations import (
    VibrationalDensity,
    velocity_autocorrelation,
    vibrational_density,
)
from finegrain.page.averages import BlockAverage, block_average

__all__ = [
    "BlockAverage",
    "Displacement",
    "RadialDistribution",
    "VibrationalDensity",
    "block_average",
    "diffusion_coefficient",
    "displacements",
    "draw_observables",
    "mean_squared_displacement",
    "molecules_of",
    "radial_distribution",
    "radial_distributions",
    "radius_of_gyration",
    "rmsd",
    "rmsf",
    "superposed",
    "velocity_autocorrelation",
    "vibrational_density",
    "vibrations",
]
