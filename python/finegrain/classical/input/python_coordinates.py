# SPDX-License-Identifier: BSD-3-Clause
"""Coordinates that are given in Python: of OpenMM, of ParmEd, or as a quantity; nm and ps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from finegrain.classical.input.source import box_in_nm, in_nm
from finegrain.classical.system.system import Floats
from finegrain.toml_input.from_python import TakenObjects
from finegrain.toml_input.python_values import is_quantity
from finegrain.words.library_errors import said

_limit = (
    "the name of a file, positions with their unit, or a State or a file of coordinates of OpenMM"
)
_in_unit = "positions * openmm.unit.nanometer, say, has one"
_shape = "three lengths for each atom: the shape (atoms, 3)"


@dataclass
class Placed:
    """Where atoms are, in nm and nm/ps: what is None is not given."""

    position: Floats | None = None
    velocity: Floats | None = None
    box: Floats | None = None
    words: str = ""


def box_of(vectors: Any) -> Floats | None:
    """Return box vectors, shape (3, 3), nm; None for those of 1 Å, which say that there is none."""
    box = box_in_nm(vectors)
    return None if box is None or box.max() < 0.11 else box


def coordinates_of(taken: TakenObjects, given: Any, shown: str) -> Placed | None:
    """Return what is given as [system] coordinates; None if it is refused."""
    try:
        if is_quantity(given) or _are_quantities(given):
            return _of_quantity(taken, given, shown)
        if hasattr(given, "getPositions"):
            return _of_file(given)
        if hasattr(given, "createSystem") and hasattr(given, "coordinates"):
            return of_parmed(given)
    except Exception as error:  # of libraries, of any kind
        hint = "positions have three lengths for each atom"
        taken.refuse("coordinates", "cannot be read", shown, said(error), hint)
        return None
    what, hint = "is no coordinates", ""
    if hasattr(given, "__array__") or isinstance(given, list | tuple):
        what, hint = "has no unit", _in_unit
    taken.refuse("coordinates", what, shown, _limit, hint)
    return None


def _are_quantities(given: Any) -> bool:
    return isinstance(given, list | tuple) and bool(given) and all(map(is_quantity, given))


def _of_quantity(taken: TakenObjects, given: Any, shown: str) -> Placed | None:
    """Return positions from a quantity, or from a list of those of the atoms."""
    listed = isinstance(given, list | tuple)
    parts = [_lengths(one) for one in (given if listed else [given])]
    numbers = [part[0] for part in parts if part is not None]
    if len(numbers) < len(parts):
        hint = f"{_in_unit}; velocities come with a State of OpenMM"
        taken.refuse("coordinates", "has a unit that is no length", shown, _limit, hint)
        return None
    position = np.array(numbers if listed else numbers[0], np.float64)
    if position.ndim != 2 or position.shape[1] != 3:
        what = f"has the shape {position.shape}"
        hint = "numbers of one atom belong in one row: is it flat, or turned?"
        taken.refuse("coordinates", what, shown, _shape, hint)
        return None
    return Placed(position, words="positions from Python")


def _lengths(given: Any) -> tuple[Any] | None:
    """Return the numbers of a quantity of OpenMM or of pint in nm; None if it is no length."""
    from openmm import unit

    if hasattr(given, "magnitude"):
        if not given.is_compatible_with("nanometer"):
            return None
        return (given.to("nanometer").magnitude,)
    if not given.unit.is_compatible(unit.nanometer):
        return None
    return (given.value_in_unit(unit.nanometer),)


def all_finite(taken: TakenObjects, key: str, placed: Placed) -> bool:
    """Return whether all positions and velocities are numbers; refuse others with their atom."""
    good = True
    for name, values in (("position", placed.position), ("velocity", placed.velocity)):
        if values is None or (finite := np.isfinite(values).all(axis=1)).all():
            continue
        lost = np.flatnonzero(~finite)
        what = f"has atoms whose {name} is no finite number"
        shown = f"{placed.words}, atom {lost[0] + 1:,}: {values[lost[0]].tolist()}"
        limit = f"{len(lost):,} of {len(values):,} atoms"
        hint = "was the simulation that made them unstable? give those of an earlier step"
        taken.refuse(key, what, shown, limit, hint)
        good = False
    return good


def _of_file(given: Any) -> Placed:
    """Return what a State or one of OpenMM's files holds."""
    from openmm import State

    if isinstance(given, State):
        velocity = _if_any(lambda: in_nm(given.getVelocities(asNumpy=True)))
        box, position = (
            in_nm(given.getPeriodicBoxVectors()),
            in_nm(given.getPositions(asNumpy=True)),
        )
        return Placed(position, velocity, box, "a State of OpenMM")
    velocity = getattr(given, "velocities", None)
    vectors = getattr(given, "boxVectors", None)
    if vectors is None and hasattr(given, "getPeriodicBoxVectors"):
        vectors = _if_any(given.getPeriodicBoxVectors)
    if vectors is None and hasattr(given, "topology"):
        vectors = given.topology.getPeriodicBoxVectors()
    words = f"positions of an {type(given).__name__} of OpenMM"
    velocity = None if velocity is None else in_nm(velocity)
    return Placed(in_nm(given.getPositions()), velocity, box_of(vectors), words)


def _if_any(get: Callable[[], Any]) -> Any:
    try:
        return get()
    except Exception:  # there are none
        return None


def of_parmed(structure: Any) -> Placed:
    """Return what a Structure of ParmEd holds, which is in Å and Å/ps."""
    from openmm import unit
    from openmm.app.internal.unitcell import computePeriodicBoxVectors

    box = position = velocity = None
    if (found := structure.coordinates) is not None:
        position = in_nm(unit.Quantity(np.array(found, np.float64), unit.angstrom))
    if (found := structure.velocities) is not None:
        velocity = np.array(found, np.float64).reshape(-1, 3)
        velocity = in_nm(unit.Quantity(velocity, unit.angstrom / unit.picosecond))
    if (found := structure.box) is not None:
        lengths = [float(one) for one in found[:3]] * unit.angstrom
        angles = [float(one) for one in found[3:]] * unit.degree
        box = in_nm(computePeriodicBoxVectors(*lengths, *angles))
    return Placed(position, velocity, box, "positions of a Structure of ParmEd")


def state_xml(placed: Placed) -> str:
    """Return coordinates as OpenMM's XML of a State, with all their digits.

    A State always has a box. Where none is given it has that of a new System, which a reader
    ignores there.
    """
    assert placed.position is not None
    box = 2 * np.eye(3) if placed.box is None else placed.box
    lines = ['<?xml version="1.0" ?>', '<State time="0" type="State" version="1">']
    lines += ["\t<PeriodicBoxVectors>"]
    lines += [_row(name, row) for name, row in zip("ABC", box, strict=True)]
    lines += ["\t</PeriodicBoxVectors>", *_rows("Positions", "Position", placed.position)]
    if placed.velocity is not None:
        lines += _rows("Velocities", "Velocity", placed.velocity)
    return "\n".join([*lines, "</State>", ""])


def _rows(group: str, name: str, values: Floats) -> list[str]:
    return [f"\t<{group}>", *(_row(name, row) for row in values), f"\t</{group}>"]


def _row(name: str, row: Floats) -> str:
    x, y, z = (repr(float(one)) for one in row)
    return f'\t\t<{name} x="{x}" y="{y}" z="{z}"/>'
