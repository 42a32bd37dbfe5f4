# SPDX-License-Identifier: BSD-3-Clause
"""DFT-D3 of one set of atoms at any positions, by the library of its authors (s-dftd3).

Units: hartree, bohr. Sources: Grimme, Antony, Ehrlich and Krieg, J. Chem. Phys. 132, 154104 (2010);
Grimme, Ehrlich and Goerigk, J. Comput. Chem. 32, 1456 (2011), for the damping of Becke and Johnson.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Sums end here [bohr], as in the authors' first program and in others after it. The library's own
# limits are shorter: they miss 1e-6 hartree of a molecule and its images.
_pairs_end, _neighbours_end = sqrt(9000), sqrt(1600)


@dataclass(frozen=True)
class Method:
    """The kind of dispersion.

    Attributes
    ----------
    damping : str
        "d3zero" or "d3bj".
    functional : str
        The name of the functional in the library.
    three_body : bool
        Whether the terms of three atoms are in it.
    isolated : bool
        Whether there are no periodic images.
    """

    damping: str
    functional: str
    three_body: bool
    isolated: bool


@dataclass(frozen=True, eq=False)
class Found:
    """Dispersion of one geometry.

    Attributes
    ----------
    energy : float
        Energy [hartree].
    forces : ndarray, shape (atoms, 3)
        Minus its derivative by the positions [hartree/bohr].
    strain : ndarray, shape (3, 3)
        Its derivative by the strain of cell and atoms [hartree].
    """

    energy: float
    forces: NDArray[np.float64]
    strain: NDArray[np.float64]


def version() -> str:
    """Return the version of the library.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    import dftd3
    from dftd3 import interface  # noqa: F401 - the part that is needed

    return str(dftd3.__version__)


def make_model(
    method: Method, elements: NDArray[np.int32]
) -> Callable[[NDArray[np.float64], NDArray[np.float64]], Found]:
    """Return a function of positions, shape (atoms, 3), and cell vectors, shape (3, 3) [bohr].

    Every call makes the library's model again, so that an answer depends on no other.

    Raises
    ------
    RuntimeError
        The function raises it for an element beyond the parameters.
    """
    from dftd3 import interface

    kind: Any = (
        interface.ZeroDampingParam if method.damping == "d3zero" else interface.RationalDampingParam
    )

    def found(position: NDArray[np.float64], vectors: NDArray[np.float64]) -> Found:
        model = interface.DispersionModel(
            elements,
            position,
            None if method.isolated else vectors,
            None if method.isolated else np.full(3, fill_value=True),
        )
        model.set_realspace_cutoff(disp2=_pairs_end, disp3=_neighbours_end, cn=_neighbours_end)
        result = model.get_dispersion(
            kind(method=method.functional, atm=method.three_body), grad=True
        )
        return Found(
            energy=float(result["energy"]),
            forces=-np.asarray(result["gradient"], np.float64),
            strain=np.zeros((3, 3))
            if method.isolated
            else np.asarray(result["virial"], np.float64),
        )

    return found
