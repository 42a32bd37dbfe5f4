# SPDX-License-Identifier: BSD-3-Clause
"""AMBER prmtop files."""

from __future__ import annotations

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.amber.aside import notes_of_prmtop
from finegrain.classical.input.readers.amber.extra_points import place_extra_points
from finegrain.classical.input.readers.amber.text import check_prmtop
from finegrain.classical.input.readers.coordinates import read_coordinates
from finegrain.classical.input.readers.findings import Findings, plain_copy
from finegrain.classical.input.source import (
    Source,
    box_in_nm,
    chosen_constraints,
    names_of,
    need_coordinates,
    reading,
    serialise,
)

_key = "system.topology"


def read_amber(given: Input) -> Source:
    """Read topology and coordinates; the System is made with the input's constraints."""
    from openmm import app

    path = given.path_of(given.model.system.topology)
    coordinates = need_coordinates(given, 'such as coordinates = "JAC.inpcrd"')
    sections = check_prmtop(given, _key, path)
    with reading(given, _key, path, "AMBER topology"), plain_copy(path) as copy:
        prmtop = app.AmberPrmtopFile(str(copy))
        constraints, rigid = chosen_constraints(given)
        system = prmtop.createSystem(
            nonbondedMethod=app.NoCutoff, constraints=constraints, rigidWater=rigid
        )
    findings = Findings()
    place_extra_points(findings, path.name, prmtop, system)
    findings.raise_them(given)
    found = read_coordinates(given, coordinates)
    box = box_in_nm(prmtop.topology.getPeriodicBoxVectors())
    if found.box is not None and not (box is None and coordinates.suffix == ".xml"):
        box = found.box  # a State has a box even if the topology has none
    given.notes += notes_of_prmtop(
        path.name,
        sections,
        placed_box=found.box is not None and box is found.box,
        own_box=given.model.system.box is not None,
    )
    return Source(
        "amber",
        False,
        serialise(system),
        names_of(prmtop.topology),
        found.position,
        found.velocity,
        box,
    )
