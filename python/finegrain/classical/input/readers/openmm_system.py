# SPDX-License-Identifier: BSD-3-Clause
"""An OpenMM System, serialised to XML."""

from __future__ import annotations

import openmm

from finegrain.base import cells
from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.coordinates import read_coordinates
from finegrain.classical.input.readers.system_xml import check_system_xml
from finegrain.classical.input.source import (
    Source,
    box_in_nm,
    nameless,
    names_of,
    need_coordinates,
    reading,
    serialise,
)

_rounding = 1e-4  # nm; a PDB file truncates its box at 0.001 Å


def read_openmm_system(given: Input) -> Source:
    """Read the System; its own settings are used where the input gives none."""
    path = given.path_of(given.model.system.topology)
    coordinates = need_coordinates(given, 'such as coordinates = "system.pdb"')
    check_system_xml(given, "system.topology", path, "System")
    with reading(given, "system.topology", path, "OpenMM System"):
        system = openmm.XmlSerializer.deserialize(path.read_text())
    found = read_coordinates(given, coordinates)
    box, own = found.box, box_in_nm(system.getDefaultPeriodicBoxVectors())
    if not system.usesPeriodicBoundaryConditions():
        box = None
    elif box is None or (own is not None and cells.same_lattice(box, own, _rounding)):
        box = own
    names = nameless(system.getNumParticles())
    python = given.source.python
    if python is not None and "system.topology" in python.objects:
        names = names_of(python.objects["system.topology"])
    elif found.topology is not None and found.topology.getNumAtoms() == system.getNumParticles():
        names = names_of(found.topology)
    elif found.names is not None and len(found.names.atom) == system.getNumParticles():
        names = found.names
    return Source("openmm", True, serialise(system), names, found.position, found.velocity, box)
