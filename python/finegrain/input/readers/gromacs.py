# SPDX-License-Identifier: BSD-3-Clause
"""GROMACS topologies."""

from __future__ import annotations

from pathlib import Path

from openmm import app

from finegrain.input.load import Input
from finegrain.input.readers.coordinates import read_coordinates
from finegrain.input.readers.source import (
    Source,
    chosen_constraints,
    fail,
    names_of,
    need_coordinates,
    reading,
    said,
    serialise,
)

_folders = ("/usr/share/gromacs/top", "/usr/local/gromacs/share/gromacs/top")


def read_gromacs(given: Input) -> Source:
    """Read topology and coordinates; included force fields are looked for in GROMACS's folder."""
    path = given.path_of(given.model.system.topology)
    coordinates = need_coordinates(given, 'such as coordinates = "conf.gro"')
    found = read_coordinates(given, coordinates)
    folders = [str(given.path_of(name)) for name in given.model.system.include]
    folders += [folder for folder in _folders if Path(folder).is_dir()]
    key = "system.topology"
    try:
        # The reader takes one folder; it looks beside the topology by itself.
        topology = app.GromacsTopFile(str(path), includeDir=folders[0] if folders else None)
    except ValueError as error:
        what = "is not a whole GROMACS topology"
        hint = "is the file cut short? copy or make it again"
        if "#include" in str(error):
            what = "includes a file that is not there"
            hint = 'name the folder of the force fields: include = ["/usr/share/gromacs/top"]'
        limit = f"{path.name}: {said(error)}"
        raise fail(given, key, what, limit=limit, hint=hint) from error
    except Exception as error:
        hint = "is the file cut short? copy or make it again"
        limit = f"{path.name}: {said(error)}"
        what = "is not a whole GROMACS topology"
        raise fail(given, key, what, limit=limit, hint=hint) from error
    constraints, rigid = chosen_constraints(given)
    with reading(given, key, path, "GROMACS topology"):
        system = topology.createSystem(
            nonbondedMethod=app.NoCutoff, constraints=constraints, rigidWater=rigid
        )
    return Source(
        "gromacs",
        False,
        serialise(system),
        names_of(topology.topology),
        found.position,
        found.velocity,
        found.box,
    )
