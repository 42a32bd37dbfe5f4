# SPDX-License-Identifier: BSD-3-Clause
"""Integrals along the radius, over the points of a pseudopotential's mesh.

Simpson's rule runs over the index of the points. It is the sum of f_i (dr/di)_i with the weights
1/3, 4/3, 2/3, ..., 4/3, 1/3. It needs an odd number of points. Integrals of the local potential and
of densities end with the first point beyond 10 bohr.

This is what Quantum ESPRESSO does, and it is the default for two reasons. Total energies can be
compared with that program to 1e-8 hartree. And r v(r) + Z, which should vanish far out, does not
vanish exactly in some files: it is 1e-6 in O.blyp-mt.UPF. The term at G = 0 multiplies it by r. So
the integral to the end of this file's mesh, 62 bohr, changes alpha by 0.027 hartree bohr^3. This
changes the energy of a water molecule in a box of 10 bohr by 2e-4 hartree. In files whose tail is
exact the choice changes alpha by less than 1e-7. Another radius can be asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from finegrain.errors import InputError
from finegrain.pseudopotentials.description import Mesh
from finegrain.pseudopotentials.text import Floats


def simpson_weights(step: Floats, points: int) -> Floats:
    """Return the weights of Simpson's rule for the first points of a mesh.

    Parameters
    ----------
    step : float64, shape (mesh points,)
        dr/di, bohr.
    points : int
        How many points to use; one less is used if it is even.

    Returns
    -------
    float64, shape (odd number of points,)
    """
    points -= 1 - points % 2
    weights = np.full(points, 2 / 3)
    weights[1::2] = 4 / 3
    weights[0] = weights[-1] = 1 / 3
    result: Floats = weights * step[:points]
    return result


@dataclass(frozen=True)
class RadialIntegration:
    """How far integrals of the local potential and of densities run.

    Attributes
    ----------
    longest : float
        Bohr; the first point beyond it is the last one.
    """

    longest: float = 10.0

    def __post_init__(self) -> None:
        if not self.longest > 0:
            what = "the radius where integrals end is not positive"
            raise InputError(what, value=f"{self.longest}", limit="more than 0 bohr", hint="try 10")

    def weights(self, mesh: Mesh) -> Floats:
        """Return the weights of the points of a mesh, as many as are used."""
        inside = int(np.searchsorted(mesh.r, self.longest, side="right"))
        return simpson_weights(mesh.step, min(inside + 1, len(mesh.r)))
