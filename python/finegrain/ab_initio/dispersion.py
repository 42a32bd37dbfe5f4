# SPDX-License-Identifier: BSD-3-Clause
"""Dispersion between atoms, DFT-D3, by the library of its authors (s-dftd3).

It depends on the positions alone, so it is computed when a job is made and stored in it. Units:
Hartree atomic units. Sources: Grimme, Antony, Ehrlich and Krieg, J. Chem. Phys. 132, 154104 (2010);
Grimme, Ehrlich and Goerigk, J. Comput. Chem. 32, 1456 (2011), for the damping of Becke and Johnson.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.ab_initio.functional import pseudopotential_name
from finegrain.ab_initio.load import AbInitioInput
from finegrain.ab_initio.structure import Structure
from finegrain.pseudopotentials.elements import SYMBOLS

_methods = {"PBE": "pbe", "revPBE": "revpbe", "BLYP": "blyp", "PBEsol": "pbesol"}
# Where sums end [bohr]: those of the authors' first program, which others have taken over. The
# library's own are shorter, which leaves 1e-6 hartree out in a molecule and its images.
_pairs_end, _neighbours_end = sqrt(9000), sqrt(1600)
_models = {"d3zero": "D3(0)", "d3bj": "D3(BJ)"}


@dataclass(frozen=True, eq=False)
class Dispersion:
    """Dispersion of a structure.

    Attributes
    ----------
    model : str
        "D3(0)", "D3(BJ)", or the same with "-ATM" for the terms of three atoms.
    program : str
        The library and its version.
    energy : float
        Energy [hartree].
    forces : ndarray, shape (atoms, 3)
        Minus its derivative by the positions [hartree/bohr].
    strain : ndarray, shape (3, 3)
        Its derivative by the strain of cell and atoms [hartree].
    """

    model: str
    program: str
    energy: float
    forces: NDArray[np.float64]
    strain: NDArray[np.float64]


def find_dispersion(given: AbInitioInput, structure: Structure) -> Dispersion | None:
    """Return what the input asks for; what is wrong with it is added to the input's problems."""
    electrons = given.model.electrons
    if electrons.dispersion == "none":
        _refuse_three_body(given)
        return None
    name = pseudopotential_name(electrons.functional)
    if name not in _methods:
        what = f"has no parameters for the functional {electrons.functional}"
        limit = f"one of {', '.join(_methods)}"
        hint = 'take one of these functionals, or dispersion = "none"'
        _add(given, "electrons.dispersion", what, limit, hint)
        return None
    try:
        import dftd3
        from dftd3 import interface
    except ImportError:
        what = "needs the Python package dftd3, which is not installed"
        hint = "python -m pip install dftd3"
        _add(given, "electrons.dispersion", what, "", hint)
        return None
    damping: Any = (
        interface.ZeroDampingParam
        if electrons.dispersion == "d3zero"
        else interface.RationalDampingParam
    )
    isolated = given.model.system.boundary == "isolated"
    try:
        model = interface.DispersionModel(
            np.array([SYMBOLS.index(symbol) + 1 for symbol in structure.symbols]),
            structure.position,
            None if isolated else structure.vectors,
            None if isolated else np.full(3, fill_value=True),
        )
        model.set_realspace_cutoff(disp2=_pairs_end, disp3=_neighbours_end, cn=_neighbours_end)
        found = model.get_dispersion(
            damping(method=_methods[name], atm=electrons.three_body), grad=True
        )
    except RuntimeError as error:  # an element beyond the parameters
        _add(given, "electrons.dispersion", f"the library says: {error}", "", 'or take "none"')
        return None
    return Dispersion(
        model=_models[electrons.dispersion] + ("-ATM" if electrons.three_body else ""),
        program=f"s-dftd3 {dftd3.__version__}",
        energy=float(found["energy"]),
        forces=-np.asarray(found["gradient"], np.float64),
        strain=np.zeros((3, 3)) if isolated else np.asarray(found["virial"], np.float64),
    )


def _refuse_three_body(given: AbInitioInput) -> None:
    if given.model.electrons.three_body:
        what, hint = "belongs to a dispersion", 'add dispersion = "d3bj"'
        _add(given, "electrons.three_body", what, "", hint)


def _add(given: AbInitioInput, key: str, what: str, limit: str, hint: str) -> None:
    given.problems.append(given.source.problem(key, what, limit=limit, hint=hint))
