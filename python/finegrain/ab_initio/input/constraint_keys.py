# SPDX-License-Identifier: BSD-3-Clause
"""The key ``dynamics.constraints``: a list of tables, each with two atoms and maybe a distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, NoReturn

from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from finegrain import units
from finegrain.toml_input.fields import quantity_reader
from finegrain.units import Quantity

_example = '{ atoms = [1, 2], distance = "0.96 Å" }'
_read_length: Any = quantity_reader(units.length, least="0.01 Å", most="1e5 nm").func


@dataclass(frozen=True)
class GivenDistance:
    """One constraint as it is written.

    Attributes
    ----------
    atoms : tuple of int
        Two atoms, counted from 1.
    distance : Quantity or None
        None for that of the structure.
    """

    atoms: tuple[int, int]
    distance: Quantity | None


def _refuse(what: str, hint: str) -> NoReturn:
    raise PydanticCustomError("quantity", "{what}", {"what": what, "hint": hint, "limit": ""})


def _one(number: int, table: Any) -> GivenDistance:
    if not isinstance(table, dict):
        _refuse(f"constraint {number} is not a table", f"such as {_example}")
    if unknown := sorted(set(table) - {"atoms", "distance"}):
        _refuse(f"constraint {number} has the unknown key {unknown[0]}", f"such as {_example}")
    atoms = table.get("atoms")
    whole = isinstance(atoms, list) and all(type(atom) is int for atom in atoms)
    if not isinstance(atoms, list) or not whole or len(atoms) != 2 or min(atoms) < 1:
        _refuse(
            f"constraint {number} does not name two atoms",
            f"atoms are numbers from 1 in the order of the structure, such as {_example}",
        )
    distance = table.get("distance")
    try:
        length = None if distance is None else _read_length(distance)
    except PydanticCustomError as error:
        found: dict[str, Any] = error.context or {}
        words = f"constraint {number}: the distance {found.get('what', '')}"
        context = {"what": words, "hint": found.get("hint", ""), "limit": found.get("limit", "")}
        raise PydanticCustomError("quantity", "{what}", context) from None
    return GivenDistance((atoms[0], atoms[1]), length)


def _constraints(value: Any) -> Any:
    """Read the list."""
    if isinstance(value, str):
        _refuse(
            "is a word, but an ab initio run knows no bonds to choose from",
            f"name the pairs of atoms: constraints = [{_example}]",
        )
    if not isinstance(value, list) or not value:
        _refuse("is not a list of constraints", f"such as [{_example}]")
    return tuple(_one(number, table) for number, table in enumerate(value, start=1))


Constraints = Annotated[
    Any,
    PlainValidator(_constraints),
    WithJsonSchema({"type": "string", "examples": [f"[{_example}]"]}),
]
