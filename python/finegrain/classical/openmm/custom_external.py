# SPDX-License-Identifier: BSD-3-Clause
"""Position restraints from OpenMM's CustomExternalForce, recognised by its expression.

Units: nm and kJ/mol in the force, Hartree atomic units in what comes out.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import numpy as np

from finegrain.classical.openmm.custom_forces import parameters_of, parts_of
from finegrain.classical.system.refusals import refuse_force
from finegrain.classical.system.system import ClassicalSystem, Floats, Restraints
from finegrain.errors import Problem
from finegrain.units import bohr_in_nm, hartree_in_kj_per_mol

# The engine's energy is k d^2 / 2.
_factors = (
    (re.compile(r"(?:0?\.5|1/2|\(1/2\)|\(0?\.5\))\*([a-zA-Z_]\w*)\*"), 1.0),
    (re.compile(r"(?:\(([a-zA-Z_]\w*)/2\)|([a-zA-Z_]\w*)/2)\*"), 1.0),
    (re.compile(r"([a-zA-Z_]\w*)\*"), 2.0),
)
_periodic = re.compile(r"periodicdistance\(x,y,z,(\w+),(\w+),(\w+)\)\^2")
_plain = re.compile(r"\(\(x-(\w+)\)\^2\+\(y-(\w+)\)\^2\+\(z-(\w+)\)\^2\)")


def is_restraint(force: ET.Element) -> bool:
    """Return whether the formula of a CustomExternalForce is that of a position restraint."""
    return _read_formula(force) is not None


def add_restraints(system: ClassicalSystem, force: ET.Element) -> list[Problem]:
    """Add the restraints of a force; refuse it if it is none that is understood."""
    found = _read_formula(force)
    if found is None or set(found[2]) != _parameters(force):
        return [_refused(force)]
    factor, periodic, names = found
    if not periodic and system.box is not None:
        problem = _refused(force)
        hint = "use periodicdistance(x, y, z, x0, y0, z0)^2: in a periodic box this one jumps"
        return [Problem(problem.what, value=problem.value, hint=hint)]
    particles = list(force.find("Particles") or ())
    own = parameters_of(force, "Particle", "Particles")
    shared = {
        one.get("name", ""): float(one.get("default", "nan"))
        for one in force.findall("GlobalParameters/Parameter")
    }

    def column(name: str) -> Floats:
        return own[name] if name in own else np.full(len(particles), shared[name])

    k, *places = names
    atoms = np.array([int(one.attrib["index"]) for one in particles], dtype=np.int32)
    stiffness = column(k) * factor * bohr_in_nm**2 / hartree_in_kj_per_mol
    reference = np.column_stack([column(name) for name in places]) / bohr_in_nm
    group = Restraints(
        atoms, np.repeat(stiffness[:, None], 3, axis=1), reference, np.zeros_like(reference)
    )
    system.restraints = system.restraints.joined(group)
    return []


def _parameters(force: ET.Element) -> set[str]:
    paths = ("PerParticleParameters/Parameter", "GlobalParameters/Parameter")
    return {one.get("name", "") for path in paths for one in force.findall(path)}


def _read_formula(force: ET.Element) -> tuple[float, bool, list[str]] | None:
    """Return the factor, whether it is periodic, and the names of k, x0, y0 and z0."""
    parts = parts_of(force)
    if len(parts) != 1:
        return None
    for start, factor in _factors:
        head = start.match(parts[0])
        for shape in (_periodic, _plain):
            rest = shape.fullmatch(parts[0], head.end()) if head else None
            if head is None or rest is None:
                continue
            names = [head[head.lastindex or 1], *rest.groups()]
            if len(set(names)) == 4:
                return factor, shape is _periodic, names
    return None


def _refused(force: ET.Element) -> Problem:
    kind = "CustomExternalForce"
    return refuse_force(kind, force.get("name", kind), force.get("energy"))
