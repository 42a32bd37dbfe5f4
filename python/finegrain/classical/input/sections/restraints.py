# SPDX-License-Identifier: BSD-3-Clause
"""The keys of a table [[restraints]]."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from finegrain import units
from finegrain.toml_input.fields import Section, key, quantity_reader, shown_as
from finegrain.units import Quantity

ForceConstant = Annotated[
    Quantity,
    quantity_reader(units.stiffness, zero=True, most="1e8 kJ/mol/nm^2"),
    *shown_as("1000 kJ/mol/nm^2"),
]


def _one_or_more(value: Any) -> Any:
    """Read one item or a list of them as a list."""
    return value if isinstance(value, list) else [value]


ForceConstants = Annotated[
    list[ForceConstant],
    BeforeValidator(_one_or_more),
    WithJsonSchema({"type": "string", "examples": ["1000 kJ/mol/nm^2"]}),
]


def _atoms(value: Any) -> Any:
    """Read a selection of atoms: text, a number, or a list of both."""
    parts = _one_or_more(value)
    if parts and all(isinstance(part, str | int) and part is not True for part in parts):
        return parts
    hint = 'such as "backbone", "1-340", or ["protein heavy atoms", 2490, "2500-2510"]'
    context = {"what": "is no selection of atoms", "hint": hint, "limit": ""}
    raise PydanticCustomError("quantity", "{what}", context)


Atoms = Annotated[
    list[Any],
    BeforeValidator(_atoms),
    WithJsonSchema({"type": "string", "examples": ["protein heavy atoms"]}),
]


class RestraintSection(Section):
    """Harmonic restraints of a group of atoms to positions; one such table for each group."""

    atoms: Atoms = key(
        "which atoms: words, numbers or ranges from 1, or a list of these (below)",
        examples=["protein heavy atoms"],
    )
    force_constant: ForceConstants | None = key(
        "k of E = k d²/2; three values: along x, y and z",
        None,
        examples=["1000 kJ/mol/nm^2"],
        by_default='required, but not with `"topology"`',
    )
    reference: str | None = key(
        "coordinates of the same atoms; the starting ones if not given",
        None,
        examples=["crystal.gro"],
    )
    reference_scaling: Literal["none", "all", "com"] = key(
        "how references follow a box that changes: not at all, all of them, or the centre of mass "
        "of the group (`refcoord_scaling` of GROMACS)",
        "none",
    )
