# SPDX-License-Identifier: BSD-3-Clause
"""GROMACS topologies."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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

_installed = ("/usr/share/gromacs/top", "/usr/local/gromacs/share/gromacs/top")


def read_gromacs(given: Input) -> Source:
    """Read topology and coordinates.

    Included files are looked for beside the topology, then in the input's folders in their order,
    then where GROMACS keeps its own.
    """
    path = given.path_of(given.model.system.topology)
    coordinates = need_coordinates(given, 'such as coordinates = "conf.gro"')
    found = read_coordinates(given, coordinates)
    folders = [given.path_of(name) for name in given.model.system.include] + _folders_of_gromacs()
    key = "system.topology"
    try:
        with _as_one(folders) as folder:  # the reader takes no more than one
            topology = app.GromacsTopFile(str(path), includeDir=folder)
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


def _folders_of_gromacs() -> list[Path]:
    """Return the folders of GROMACS's own force fields that are there."""
    places = [Path(name) for name in _installed]
    if "GMXDATA" in os.environ:
        places.insert(0, Path(os.environ["GMXDATA"]) / "top")
    elif program := shutil.which("gmx"):
        places.insert(0, Path(program).resolve().parent.parent / "share/gromacs/top")
    return [place for place in dict.fromkeys(places) if place.is_dir()]


@contextmanager
def _as_one(folders: Sequence[Path]) -> Iterator[str | None]:
    """Give a folder in which each name stands for the first of that name in `folders`."""
    if len(folders) < 2:
        yield str(folders[0]) if folders else None
        return
    with tempfile.TemporaryDirectory(prefix="finegrain-") as name:
        _join(Path(name), [folder.resolve() for folder in folders])
        yield name


def _join(target: Path, folders: Sequence[Path]) -> None:
    named: dict[str, list[Path]] = {}
    for folder in folders:
        for entry in folder.iterdir():
            if entry.exists():  # no link to nowhere
                named.setdefault(entry.name, []).append(entry)
    for name, entries in named.items():
        # Only folders of one name, such as a force field with changes, need to be joined in turn.
        alike = [entry for entry in entries if entry.is_dir()]
        if entries[0].is_dir() and len(alike) > 1:
            (target / name).mkdir()
            _join(target / name, alike)
        else:
            (target / name).symlink_to(entries[0])
