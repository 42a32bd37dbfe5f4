# SPDX-License-Identifier: BSD-3-Clause
"""The result of every reader, and the steps that several readers share."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.base.visible import visible
from finegrain.classical.input.load import Input
from finegrain.classical.system.system import Floats, Ints, Names
from finegrain.errors import InputError, Problem
from finegrain.words.library_errors import said


@dataclass
class Source:
    """A system as given by its files, in OpenMM's units.

    Attributes
    ----------
    family : str
        "amber", "charmm", "gromacs", "forcefield" or "openmm"; decides the defaults.
    own_settings : bool
        Whether the System's own non-bonded settings are used where the input gives none.
    system_xml : str
        The serialised System.
    position : float64, shape (atoms, 3), nm
    velocity : float64, shape (atoms, 3), nm/ps, or None
    box : float64, shape (3, 3), rows are the box vectors, nm; or None
    restrained : int32, shape (n,), and float64, shape (n, 3)
        Atoms that the topology restrains to positions that are given elsewhere, and the constants
        along each axis, kJ/mol/nm^2; or None.
    """

    family: str
    own_settings: bool
    system_xml: str
    names: Names
    position: Floats
    velocity: Floats | None = None
    box: Floats | None = None
    restrained: tuple[Ints, Floats] | None = None


@dataclass
class Coordinates:
    """Positions (nm) and the other content of their file; see `Source`."""

    position: Floats
    velocity: Floats | None = None
    box: Floats | None = None
    topology: Any = None
    atom_names: list[str] = field(default_factory=list)  # where they are compared
    names: Names | None = None


def serialise(system: Any) -> str:
    """Return the System's XML form."""
    import openmm

    return str(openmm.XmlSerializer.serialize(system))


def in_nm(quantity: Any) -> Floats:
    """Return an array from a Quantity of lengths, or of velocities in nm/ps."""
    from openmm import unit

    for wanted in (unit.nanometer, unit.nanometer / unit.picosecond):
        if unit.is_quantity(quantity) and quantity.unit.is_compatible(wanted):
            return np.array(quantity.value_in_unit(wanted), dtype=np.float64).reshape(-1, 3)
    return np.array([in_nm(row)[0] for row in quantity], dtype=np.float64).reshape(-1, 3)


def box_in_nm(vectors: Any) -> Floats | None:
    """Return box vectors as a 3 by 3 array; None remains None."""
    return None if vectors is None else in_nm(vectors)


def names_of(topology: Any) -> Names:
    """Return the names in an `openmm.app.Topology`."""
    atom, element, residue = [], [], []
    for item in topology.atoms():
        atom.append(visible(str(item.name), keep=""))
        element.append(item.element.symbol if item.element is not None else "")
        residue.append(item.residue.index)
    residues = list(topology.residues())
    numbers = [_number(item.id, item.index + 1) for item in residues]
    return Names(
        atom,
        element,
        np.array(residue, dtype=np.int32),
        [visible(str(item.name), keep="") for item in residues],
        [visible(str(item.chain.id), keep="") for item in residues],
        np.array(numbers, dtype=np.int32),
    )


def nameless(atoms: int) -> Names:
    """Return names for atoms for which no file gives any."""
    zero = np.zeros(atoms, dtype=np.int32)
    return Names(["X"] * atoms, [""] * atoms, zero, ["SYS"], [""], np.ones(1, dtype=np.int32))


def _number(text: str, otherwise: int) -> int:
    """Return the number of a residue; `otherwise` if it is no number, or too large for a job."""
    try:
        number = int(text)
    except (TypeError, ValueError):
        return otherwise
    return number if abs(number) < 2**31 else otherwise


def brought_force_field(name: str) -> Path | None:
    """Return the file of that name in OpenMM or in a package beside it."""
    from openmm.app import forcefield

    if name.startswith(("./", "../", "/", "~")):
        return None
    for folder in forcefield._getDataDirectories():
        path = Path(folder) / name
        if ".." not in Path(name).parts and path.is_file():
            return path
    return None


@contextmanager
def reading(given: Input, key: str, path: Path, what: str) -> Iterator[None]:
    """Turn any exception of a reader into a problem of its file; printed output is dropped."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    except InputError:
        raise
    except MemoryError:
        raise
    except Exception as error:
        text = re.sub(rf"[^\s'\"]*{re.escape(path.name)}", path.name, said(error))
        problem = given.source.problem(
            key,
            f"is not a whole {what}",
            limit=f"{path.name}: {text}",
            hint="is the file cut short, or of another kind? copy or make it again",
        )
        if place := _line_in(path, str(error)):
            problem = replace(problem, where=place)
        raise InputError([problem], source=given.source.name) from error


def _line_in(path: Path, message: str) -> str:
    """Return the place of the line that a reader's message cites; nothing if it cites none."""
    message = " ".join(message.split())
    if not 20 < len(message) < 2000:
        return ""
    for number, line in enumerate(re.split(rb"\r\n|\r|\n", path.read_bytes()), start=1):
        words = " ".join(line.decode("utf-8", "replace").split())
        if len(words) > 12 and words in message:
            return f"{path.name}:{number}"
    return ""


def fail(given: Input, key: str, what: str, *, limit: str = "", hint: str = "") -> InputError:
    """Return the error of one key, for use with `raise`."""
    return InputError(
        [given.source.problem(key, what, limit=limit, hint=hint)], source=given.source.name
    )


def need_coordinates(given: Input, hint: str) -> Path:
    """Return the file of [system] coordinates, or say that it is needed."""
    name = given.model.system.coordinates
    if name is None:
        problem = Problem(
            "missing key", given.source.place("system"), "system.coordinates", hint=hint
        )
        raise InputError([problem], source=given.source.name)
    return given.path_of(name)


def chosen_constraints(given: Input) -> tuple[Any, bool]:
    """Return the constraints for `createSystem`, with our defaults."""
    from openmm import app

    choice = {"none": None, "h-bonds": app.HBonds, "all-bonds": app.AllBonds}
    forces = given.model.forces
    rigid = True if forces.rigid_water is None else forces.rigid_water
    return choice[forces.constraints or "h-bonds"], rigid


def wrong_count(given: Input, named: int, placed: int) -> Problem:
    """Return the problem of coordinates that are not those of the topology."""
    what = f"{placed:,} atoms, but the topology has {named:,}"
    hint = "give the coordinates that were made together with this topology"
    if given.model.system.repeat is not None and named and placed % named == 0:
        hint = "give those of one copy; a repeated run continues with `finegrain resume`, or with "
        hint += "a next stage in [[stages]]"
    key = "system.coordinates" if given.model.system.coordinates else "system.topology"
    return given.source.problem(key, what, hint=hint)


def missing_files(given: Input) -> Sequence[Problem]:
    """Find the files and folders that the input names and that do not exist."""
    system = given.model.system
    named: list[tuple[str, str]] = []
    if not system.topology.startswith("openmmtools:"):
        named.append(("system.topology", system.topology))
    if system.coordinates is not None:
        named.append(("system.coordinates", system.coordinates))
    named += [("system.parameters", name) for name in system.parameters]
    problems = []
    for key, name in named:
        path = given.path_of(name)
        if not path.is_file():
            what = "is a folder, not a file" if path.is_dir() else "no such file"
            place = given.source.place(key)
            hint = _files_beside(path) or "names are relative to the input file"
            problems.append(Problem(what, place, f"{key} = {name}", hint=hint))
    for name in system.include:
        path = given.path_of(name)
        if not path.is_dir():
            what = "is a file, not a folder" if path.exists() else "no such folder"
            hint = "name a folder; names are relative to the input file"
            place = given.source.place("system.include")
            problems.append(Problem(what, place, f"system.include = {name}", hint=hint))
    return problems


def _files_beside(path: Path) -> str:
    from finegrain.errors import nearest

    if not path.parent.is_dir():
        return f"there is no folder {path.parent}"
    names = {entry.name.lower(): entry.name for entry in path.parent.iterdir() if entry.is_file()}
    close = nearest(path.name, names)
    return f"did you mean {names[close]}?" if close else ""
