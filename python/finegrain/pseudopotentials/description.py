# SPDX-License-Identifier: BSD-3-Clause
"""One norm-conserving pseudopotential, in the same form for every file format.

Hartree atomic units: energies in hartree, lengths in bohr. The energy of the nonlocal part is
sum_s f_s sum_(l,m) sum_ij D_ij^l <psi_s|beta_i Y_lm> <beta_j Y_lm|psi_s>.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from finegrain.pseudopotentials.functionals import Functional
from finegrain.pseudopotentials.text import Floats


@dataclass(frozen=True, eq=False)
class Mesh:
    """Points along the radius.

    Attributes
    ----------
    r : float64, shape (points,)
        Rising, bohr.
    step : float64, shape (points,)
        dr/di, the derivative of the radius by the index of the point, bohr.
    """

    r: Floats
    step: Floats


@dataclass(frozen=True, eq=False)
class TabulatedLocal:
    """The local potential at the points of the mesh; it ends in -Z/r.

    Attributes
    ----------
    v : float64, shape (points,)
        Hartree.
    """

    v: Floats


@dataclass(frozen=True)
class GaussianLocal:
    """The local potential of Goedecker, Teter and Hutter, Phys. Rev. B 54, 1703 (1996).

    v(r) = -Z/r erf(r/(sqrt(2) radius)) + exp(-x^2/2) (C1 + C2 x^2 + C3 x^4 + C4 x^6), x = r/radius.

    Attributes
    ----------
    radius : float
        r_loc, bohr.
    coefficients : tuple of float
        C1 to C4, hartree; as many as the file gives.
    """

    radius: float
    coefficients: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class TabulatedProjector:
    """A projector at the points of the mesh.

    Attributes
    ----------
    r_beta : float64, shape (points,)
        r beta(r), bohr^(-1/2).
    points : int
        Number of points from the origin over which integrals run; the projector is zero beyond.
    """

    r_beta: Floats
    points: int


@dataclass(frozen=True)
class GaussianProjector:
    """A projector of Hartwigsen, Goedecker and Hutter, Phys. Rev. B 58, 3641 (1998).

    Attributes
    ----------
    radius : float
        r_l, bohr.
    order : int
        The index i, from 1 to 3.
    """

    radius: float
    order: int


@dataclass(frozen=True, eq=False)
class Channel:
    """The projectors of one angular momentum.

    Attributes
    ----------
    l : int
    projectors : tuple
        Each is a `TabulatedProjector` or a `GaussianProjector`.
    coupling : float64, shape (projectors, projectors)
        The symmetric matrix D_ij, hartree.
    """

    l: int  # noqa: E741 - the symbol of the angular momentum
    projectors: tuple[TabulatedProjector, ...] | tuple[GaussianProjector, ...]
    coupling: Floats


@dataclass(frozen=True, eq=False)
class Orbital:
    """A pseudo-orbital of the atom.

    Attributes
    ----------
    label : str
        Such as "3S".
    l : int
    occupation : float
        Electrons in it when the pseudopotential was made.
    r_chi : float64, shape (points,)
        r chi(r), bohr^(-1/2); the integral of its square is 1.
    """

    label: str
    l: int  # noqa: E741 - the symbol of the angular momentum
    occupation: float
    r_chi: Floats


@dataclass(frozen=True, eq=False)
class Pseudopotential:
    """One element's pseudopotential.

    Attributes
    ----------
    path : Path
    form : str
        The format of the file: "UPF 1", "UPF 2", "psp8", "GTH" or "HGH".
    label : str
        Its name within a file of many, such as "GTH-BLYP-q6"; otherwise the name of the file.
    sha256 : str
        The hash of the bytes of the file.
    element : str
        Symbol.
    charge : float
        The number of valence electrons, Z.
    functional : Functional
        The one that it was made with.
    local : TabulatedLocal or GaussianLocal
    channels : tuple of Channel
        In the order of l, without empty ones.
    mesh : Mesh or None
        None if everything is given by formulas.
    core_density : float64, shape (points,), or None
        The model core of the nonlinear core correction, electrons/bohr^3. If it is there, it must
        be added to the density that goes into the exchange-correlation functional.
    atomic_density : float64, shape (points,), or None
        4 pi r^2 times the valence density of the atom, electrons/bohr; for a first guess.
    orbitals : tuple of Orbital
    recommended_cutoff : float or None
        The least cut-off of |G|^2/2 for orbitals by the file, hartree; None if it says nothing.
    notes : tuple of str
        What the reader left out, in words.
    """

    path: Path
    form: str
    label: str
    sha256: str
    element: str
    charge: float
    functional: Functional
    local: TabulatedLocal | GaussianLocal
    channels: tuple[Channel, ...]
    mesh: Mesh | None = None
    core_density: Floats | None = None
    atomic_density: Floats | None = None
    orbitals: tuple[Orbital, ...] = ()
    recommended_cutoff: float | None = None
    notes: tuple[str, ...] = field(default=())

    @property
    def core_corrected(self) -> bool:
        """Whether there is a nonlinear core correction."""
        return self.core_density is not None

    @property
    def projectors(self) -> int:
        """Number of projectors of one atom, with all their m."""
        return sum((2 * channel.l + 1) * len(channel.projectors) for channel in self.channels)

    def couplings(self) -> Floats:
        """Return the eigenvalues of all D_ij, in the order of the channels, hartree."""
        parts = [np.linalg.eigvalsh(channel.coupling) for channel in self.channels]
        return np.concatenate(parts) if parts else np.zeros(0)
