# SPDX-License-Identifier: BSD-3-Clause
"""Dispersion between atoms, DFT-D3, as an input asks for it.

It depends on the positions alone. For the first positions it is computed when a job is made, and is
stored in the job. For later positions the engine asks a program beside the run.
Units: Hartree atomic units. Sources: model.py beside this.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finegrain.ab_initio.dispersion.model import Found, Method, make_model, version
from finegrain.ab_initio.input.functional import pseudopotential_name
from finegrain.ab_initio.input.load import AbInitioInput
from finegrain.ab_initio.ions.structure import Structure
from finegrain.pseudopotentials.elements import SYMBOLS

_methods = {"PBE": "pbe", "revPBE": "revpbe", "BLYP": "blyp", "PBEsol": "pbesol"}
_models = {"d3zero": "D3(0)", "d3bj": "D3(BJ)"}


@dataclass(frozen=True, eq=False)
class Dispersion(Found):
    """Dispersion of a structure.

    Attributes
    ----------
    model : str
        "D3(0)", "D3(BJ)", or the same with "-ATM" for the terms of three atoms.
    program : str
        The library and its version.
    method : Method
    elements : int32, shape (atoms,)
        Atomic numbers.
    """

    model: str
    program: str
    method: Method
    elements: NDArray[np.int32]


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
        number = version()
    except ImportError:
        what = "needs the Python package dftd3, which is not installed"
        hint = "python -m pip install dftd3"
        _add(given, "electrons.dispersion", what, "", hint)
        return None
    method = Method(
        damping=electrons.dispersion,
        functional=_methods[name],
        three_body=electrons.three_body,
        isolated=given.model.system.boundary == "isolated",
    )
    elements = np.array([SYMBOLS.index(one) + 1 for one in structure.symbols], np.int32)
    try:
        found = make_model(method, elements)(structure.position, structure.vectors)
    except RuntimeError as error:  # an element beyond the parameters
        _add(given, "electrons.dispersion", f"the library says: {error}", "", 'or take "none"')
        return None
    return Dispersion(
        energy=found.energy,
        forces=found.forces,
        strain=found.strain,
        model=_models[electrons.dispersion] + ("-ATM" if electrons.three_body else ""),
        program=f"s-dftd3 {number}",
        method=method,
        elements=elements,
    )


def _refuse_three_body(given: AbInitioInput) -> None:
    if given.model.electrons.three_body:
        what, hint = "belongs to a dispersion", 'add dispersion = "d3bj"'
        _add(given, "electrons.three_body", what, "", hint)


def _add(given: AbInitioInput, key: str, what: str, limit: str, hint: str) -> None:
    given.problems.append(given.source.problem(key, what, limit=limit, hint=hint))
