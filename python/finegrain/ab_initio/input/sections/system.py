# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [system]: the atoms and their cell."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from finegrain import units
from finegrain.toml_input.fields import Box, Section, key, quantity_reader, shown_as, sizes
from finegrain.units import Quantity

_read_mass: Any = quantity_reader(units.mass, least="0.5 Da", most="400 Da").func


def _masses(value: Any) -> Any:
    """Read a table from element to mass."""
    if not isinstance(value, dict) or not value:
        what, hint = "is not a table of masses", 'such as { H = "2.014 Da" }'
        raise PydanticCustomError("quantity", "{what}", {"what": what, "hint": hint, "limit": ""})
    return {element: _mass_of(element, mass) for element, mass in value.items()}


def _mass_of(element: str, mass: Any) -> Any:
    """Read one mass; an error names the element."""
    try:
        return _read_mass(mass)
    except PydanticCustomError as error:
        context = dict(error.context or {})
        context["what"] = f"the mass of {element}, {mass}: {context['what']}"
        raise PydanticCustomError("quantity", "{what}", context) from None


Masses = Annotated[
    Any,
    PlainValidator(_masses),
    WithJsonSchema({"type": "string", "examples": ['{ H = "2.014 Da" }']}),
]
LeastDistance = Annotated[
    Quantity,
    quantity_reader(units.length, **sizes, hint='such as "0.3 Å"'),
    *shown_as("0.3 Å"),
]


class SystemSection(Section):
    """The atoms and their cell."""

    kind: Literal["ab-initio"] = key("kind of run", examples=["ab-initio"])
    title: str = key("a title, stored in every result", "")
    structure: str = key(
        "any file that ASE reads: xyz, cif, POSCAR, pdb, gen and others; or `built-in:ice`, "
        "`built-in:silicon`, or a molecule of ASE's G2 collection, `built-in:H2O`",
        examples=["water32.xyz"],
    )
    frame: Annotated[int, Field(ge=-(10**9), le=10**9)] = key(
        "which structure of a file with several, from 0; -1 is the last", -1
    )
    cell: Box | None = key(
        "three edges; three lengths and three angles; or three vectors. Without it that of the "
        "file",
        None,
        examples=[["10 Å", "10 Å", "10 Å"]],
    )
    boundary: Literal["periodic", "isolated"] = key(
        "`isolated`: a molecule without its periodic images, [which "
        "needs](../how-to/ab-initio.md#molecules) a cell twice as large as the molecule with its "
        "electrons, and has no stress",
        "periodic",
        to="/cell/boundary",
    )
    least_distance: LeastDistance | None = key(
        "atoms that are closer are refused (half of their bond length)", None, examples=["0.3 Å"]
    )
    masses: Masses | None = key(
        'masses of some elements, instead of those of the structure: `{ H = "2.014 Da" }` makes '
        "heavy water",
        None,
    )
