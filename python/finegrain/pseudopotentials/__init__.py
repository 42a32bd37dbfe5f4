# SPDX-License-Identifier: BSD-3-Clause
"""Norm-conserving pseudopotentials: reading, Fourier transforms, finding by element."""

from finegrain.pseudopotentials.description import (
    Channel,
    GaussianLocal,
    GaussianProjector,
    Mesh,
    Orbital,
    Pseudopotential,
    TabulatedLocal,
    TabulatedProjector,
)
from finegrain.pseudopotentials.finder import find_pseudopotential
from finegrain.pseudopotentials.functionals import Functional
from finegrain.pseudopotentials.radial import RadialIntegration
from finegrain.pseudopotentials.reading import read_pseudopotential
from finegrain.pseudopotentials.summary import summary

__all__ = [
    "Channel",
    "Functional",
    "GaussianLocal",
    "GaussianProjector",
    "Mesh",
    "Orbital",
    "Pseudopotential",
    "RadialIntegration",
    "TabulatedLocal",
    "TabulatedProjector",
    "find_pseudopotential",
    "read_pseudopotential",
    "summary",
]
