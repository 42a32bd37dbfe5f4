# SPDX-License-Identifier: BSD-3-Clause
"""Bonded terms from OpenMM's custom forces, recognised by their formula.

OpenMM has no force of its own for some kinds of terms, such as GROMOS's bonds and angles. Its
readers write them with a formula, which the kind has (`Kind.energy`).
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

from finegrain.classical.openmm.custom_forces import parameters_of, parts_of
from finegrain.classical.system.refusals import refuse_force
from finegrain.classical.system.system import ClassicalSystem
from finegrain.classical.system.terms import Kind, kinds
from finegrain.errors import Problem

_by_formula = {(kind.force, kind.energy): kind for kind in kinds if kind.energy}
forces_with_formula = {kind.force for kind in kinds if kind.energy}


def kind_of(force: ET.Element) -> Kind | None:
    """Return the kind of terms that a custom force has; None if its formula is another."""
    return _by_formula.get((force.get("type", ""), ";".join(parts_of(force))))


def add_custom_terms(system: ClassicalSystem, force: ET.Element) -> list[Problem]:
    """Append the terms of a force; refuse it if its formula or its parameters are others."""
    kind = kind_of(force)
    values = {} if kind is None else parameters_of(force, kind.child, kind.children)
    if kind is None or values.keys() != {column.attribute for column in kind.columns}:
        name = force.get("type", "")
        return [refuse_force(name, force.get("name", name), force.get("energy"))]
    table = system.terms[kind.table]
    places = [f"p{place}" for place in range(1, kind.atoms + 1)]
    atoms = [[int(term.attrib[p]) for p in places] for term in force.find(kind.children) or ()]
    added = np.array(atoms, dtype=np.int32).reshape(-1, kind.atoms)
    table.atoms = np.concatenate([table.atoms, added])
    for column in kind.columns:
        converted = values[column.attribute] * column.scale / column.divisor
        table.columns[column.name] = np.concatenate([table[column.name], converted])
    return []
