# SPDX-License-Identifier: BSD-3-Clause
"""One made-up pseudopotential as tables and as formulas, with everything that formats can hold."""

from math import pi, sqrt
from pathlib import Path

import numpy as np
from scipy.special import erf

from finegrain.pseudopotentials import (
    Channel,
    GaussianLocal,
    GaussianProjector,
    Mesh,
    Orbital,
    Pseudopotential,
    TabulatedLocal,
    TabulatedProjector,
)
from finegrain.pseudopotentials.functionals import Functional

RADIUS, CHARGE, COEFFICIENTS = 0.45, 6.0, (-16.0, 2.5, 0.7, -0.1)


def linear_mesh(points: int = 601, longest: float = 12.0) -> Mesh:
    """A linear mesh, as psp8 files have."""
    return Mesh(np.linspace(0, longest, points), np.full(points, longest / (points - 1)))


def mesh(points: int = 1401, longest: float = 60.0) -> Mesh:
    """A logarithmic mesh, as UPF files have."""
    index = np.arange(points)
    r = 1e-5 * np.exp(index * np.log(longest / 1e-5) / (points - 1))
    return Mesh(r, r * np.log(longest / 1e-5) / (points - 1))


def gaussian_p(l: int, i: int, r: np.ndarray, radius: float) -> np.ndarray:  # noqa: E741
    """The projector as its paper writes it, without the Gamma function: normalised by number."""
    shape = r ** (l + 2 * i - 2) * np.exp(-(r**2) / (2 * radius**2))
    fine = np.linspace(0, 12 * radius, 20001)
    norm = fine ** (2 * l + 4 * i - 2) * np.exp(-(fine**2) / radius**2)
    return shape / sqrt(np.trapezoid(norm, fine))


def tabulated(points: Mesh | None = None) -> Pseudopotential:
    """The local potential, projectors, core and density of Gaussians, as tables."""
    points = mesh() if points is None else points
    r = points.r
    x = r / RADIUS
    c = COEFFICIENTS
    away = np.maximum(r, 1e-12)
    coulomb = np.where(r > 0, erf(x / sqrt(2)) / away, sqrt(2 / pi) / RADIUS)
    v = -CHARGE * coulomb + np.exp(-(x**2) / 2) * (c[0] + c[1] * x**2 + c[2] * x**4 + c[3] * x**6)
    channels = tuple(
        Channel(
            l,
            tuple(
                TabulatedProjector(r * gaussian_p(l, i, r, 0.4 + 0.1 * l), len(r))
                for i in (1, 2, 3)
            ),
            np.eye(3),
        )
        for l in range(4)  # noqa: E741
    )
    gaussian = np.exp(-(r**2) / 2) / (2 * pi) ** 1.5
    return Pseudopotential(
        path=Path("made.upf"),
        form="UPF 2",
        label="made",
        sha256="",
        element="O",
        charge=CHARGE,
        functional=Functional("PBE", "PBE"),
        local=TabulatedLocal(v),
        channels=channels,
        mesh=points,
        core_density=2.0 * gaussian,
        atomic_density=4 * pi * r**2 * CHARGE * gaussian,
        orbitals=(Orbital("2S", 0, 2.0, 2 * r * np.exp(-r)), Orbital("2P", 1, 4.0, r**2)),
    )


def analytic() -> Pseudopotential:
    """The same as formulas."""
    return Pseudopotential(
        path=Path("made.gth"),
        form="GTH",
        label="made",
        sha256="",
        element="O",
        charge=CHARGE,
        functional=Functional("PBE", "PBE"),
        local=GaussianLocal(RADIUS, COEFFICIENTS),
        channels=tuple(
            Channel(l, tuple(GaussianProjector(0.4 + 0.1 * l, i) for i in (1, 2, 3)), np.eye(3))
            for l in range(4)  # noqa: E741
        ),
    )
