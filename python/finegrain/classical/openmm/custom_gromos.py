# SPDX-License-Identifier: BSD-3-Clause
"""GROMOS's bonds and angles from OpenMM's custom forces, recognised by their energy.

OpenMM has neither of its own; its reader of GROMACS's files writes functions 2 in these words.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

from finegrain.classical.openmm.custom_forces import parameters_of, parts_of
from finegrain.classical.system.refusals import refuse_force
from finegrain.classical.system.system import ClassicalSystem
from finegrain.errors import Problem

# Each force has the table of its terms, what it calls one of them, and the energy.
_known = {
    "CustomBondForce": ("gromos_bonds", "Bond", "0.25*k*(r^2-r0^2)^2"),
    "CustomAngleForce": ("gromos_angles", "Angle", "0.5*k*(cos(theta)-cos(theta0))^2"),
}


def add_gromos_terms(system: ClassicalSystem, force: ET.Element) -> list[Problem]:
    """Append the terms of a force; refuse it if its energy is another."""
    kind = force.get("type", "")
    name, child, energy = _known[kind]
    table = system.terms[name]
    values = parameters_of(force, child, f"{child}s")
    columns = table.kind.columns
    if parts_of(force) != [energy] or values.keys() != {column.attribute for column in columns}:
        return [refuse_force(kind, force.get("name", kind), force.get("energy"))]
    places = [f"p{place}" for place in range(1, table.kind.atoms + 1)]
    atoms = [[int(term.attrib[p]) for p in places] for term in force.find(f"{child}s") or ()]
    added = np.array(atoms, dtype=np.int32).reshape(-1, table.kind.atoms)
    table.atoms = np.concatenate([table.atoms, added])
    for column in columns:
        converted = values[column.attribute] * column.scale / column.divisor
        table.columns[column.name] = np.concatenate([table[column.name], converted])
    return []
