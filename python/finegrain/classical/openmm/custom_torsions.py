# SPDX-License-Identifier: BSD-3-Clause
"""Harmonic torsions from OpenMM's CustomTorsionForce, recognised by its expression.

OpenMM has no harmonic torsion of its own. Its readers write CHARMM's and GROMACS's harmonic
impropers as expressions, several of which mean the same. Any other expression is refused.
"""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping

import numpy as np

from finegrain.classical.openmm.custom_forces import parameters_of, parts_of
from finegrain.classical.system.system import ClassicalSystem
from finegrain.errors import Problem
from finegrain.units import hartree_in_kj_per_mol

# These have the form that `_normalised` gives, behind the factor. They are periodic in theta0.
# CHARMM readers in OpenMM write them, ParmEd does, and so does OpenMM's reader of GROMACS's files.
_periodic = {
    "min(dtheta,2*pi-dtheta)^2;dtheta=abs(theta-theta0)",
    "dtheta_torus^2;dtheta=theta-theta0;dtheta_torus=dtheta-floor(dtheta/(2*pi)+0.5)*(2*pi)",
    "(thetap-theta0)^2;thetap=step(-(theta-theta0+pi))*2*pi+theta+step(theta-theta0-pi)*(-2*pi)",
}
# It jumps half a turn from theta = 0; with theta0 = 0 it is the same as those above.
_jumping = "(theta-theta0)^2"
# The engine's energy is k (theta - theta0)^2 / 2.
_factors = {"k*": 2.0, "0.5*k*": 1.0}
_parameters = {"k", "theta0"}
_rounding_of_pi = 1e-5  # readers write it with six digits or more

_number = re.compile(r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def add_harmonic_torsions(system: ClassicalSystem, force: ET.Element) -> list[Problem]:
    """Append the terms of a force; refuse it if it is not a harmonic torsion."""
    energy = force.get("energy", "")
    form = _normalised(parts_of(force), _globals(force))
    values = parameters_of(force, "Torsion", "Torsions")
    factor = next((f for start, f in _factors.items() if form.startswith(start)), 0.0)
    shape = form.partition("k*")[2]
    if (
        not factor
        or shape not in {*_periodic, _jumping}
        or values.keys() != _parameters
        or not _globals(force).keys() <= {"pi"}
    ):
        return [_refused(force)]
    terms = force.findall("Torsions/Torsion")
    atoms = [[int(term.attrib[f"p{i}"]) for i in range(1, 5)] for term in terms]
    table = system.terms["harmonic_torsions"]
    table.atoms = np.concatenate([table.atoms, np.array(atoms, dtype=np.int32).reshape(-1, 4)])
    added = {"angle": values["theta0"], "stiffness": values["k"] * factor / hartree_in_kj_per_mol}
    for name, column in added.items():
        table.columns[name] = np.concatenate([table[name], column])
    if shape == _jumping and (turned := np.count_nonzero(values["theta0"])):
        system.notes.append(
            f"{turned:,} torsions with the energy {energy} have a theta0 that is not 0: they are "
            "periodic here, as in CHARMM; OpenMM's energy jumps where theta passes 180 degrees, "
            "and differs where theta is more than 180 degrees from theta0"
        )
    return []


def _globals(force: ET.Element) -> dict[str, float]:
    found = force.findall("GlobalParameters/Parameter")
    return {one.get("name", ""): float(one.get("default", "nan")) for one in found}


def _normalised(parts: list[str], constants: Mapping[str, float]) -> str:
    """Return an expression without the definition of pi, with plain numbers.

    Nothing is returned if pi has another value.
    """
    main, *definitions = parts or [""]
    known = {name for name, value in constants.items() if name == "pi" and _is_pi(value)}
    rest = []
    for definition in definitions:
        name, _, value = definition.partition("=")
        if name == "pi" and _number.fullmatch(value) and _is_pi(float(value)):
            known.add(name)
        else:
            rest.append(definition)
    parts = [main, *rest]
    if re.search(r"\bpi\b", ";".join(parts)) and not known:
        return ""
    return ";".join(_number.sub(lambda found: _plain(float(found[0])), part) for part in parts)


def _plain(value: float) -> str:
    return "pi" if _is_pi(value) else f"{value:.17g}"


def _is_pi(value: float) -> bool:
    return abs(value - math.pi) < _rounding_of_pi


def _refused(force: ET.Element) -> Problem:
    name = force.get("name", "")
    whose = "CustomTorsionForce" + (f" ({name})" if name != "CustomTorsionForce" else "")
    constants = ", ".join(f"{name} = {value:g}" for name, value in _globals(force).items())
    value = f"{whose} with the energy {' '.join(force.get('energy', '').split())}"
    return Problem(
        "is not supported",
        value=value + (f"; global parameters {constants}" if constants else ""),
        limit="harmonic torsions, k*(theta-theta0)^2 or 0.5*k*(theta-theta0)^2, periodic or not, "
        "with k and theta0 of each torsion, as OpenMM's readers write them",
        hint="write it as a harmonic torsion or a PeriodicTorsionForce, or take it out",
    )
