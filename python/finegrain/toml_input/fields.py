# SPDX-License-Identifier: BSD-3-Clause
"""Fields of an input: quantities with units and bounds, boxes, sections that know their keys."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from finegrain import units
from finegrain.toml_input.box import GivenBox, box_reader
from finegrain.units import Quantity, UnitError


def quantity_reader(
    dimension: units.Dimension,
    *,
    zero: bool = False,
    negative: bool = False,
    off: bool = False,
    least: str = "",
    most: str = "",
    hint: str = "",
) -> BeforeValidator:
    """Read a quantity; refuse it outside `least` to `most`, with `hint` or an example."""
    bottom = -math.inf if negative else 0.0
    low = units.parse_quantity(least, dimension).value if least else bottom
    high = units.parse_quantity(most, dimension).value if most else math.inf

    def refuse(what: str, hint: str, limit: str = "") -> PydanticCustomError:
        context = {"what": what, "hint": hint, "limit": limit}
        return PydanticCustomError("quantity", "{what}", context)

    def read(value: Any) -> Any:
        if off and value == "off":
            return Quantity(0.0, "off")
        try:
            quantity = units.parse_quantity(value, dimension)
        except UnitError as error:
            raise refuse(error.what, error.hint + (', or "off"' if off else "")) from None
        example = hint or f'such as "{dimension.example}"'
        if not negative and (quantity.value < 0 or (quantity.value == 0 and not zero)):
            raise refuse("must not be negative" if zero else "must be positive", example)
        # A limit may itself be written in another unit, with another rounding.
        if quantity.value > high * (1 + 1e-12):
            raise refuse("out of range", example, f"at most {most}")
        if quantity.value < low - 1e-12 * abs(low):
            raise refuse("out of range", example, f"at least {least}")
        return quantity

    return BeforeValidator(read)


def shown_as(example: str) -> tuple[PlainSerializer, WithJsonSchema]:
    """Return how a quantity is written back, and its schema with an example."""
    schema = WithJsonSchema({"type": "string", "examples": [example]})
    return PlainSerializer(str, return_type=str), schema


sizes = {"least": "0.01 Å", "most": "1e5 nm"}  # of lengths

Length = Annotated[Quantity, quantity_reader(units.length, **sizes), *shown_as("9 Å")]

Box = Annotated[
    GivenBox,
    PlainValidator(
        box_reader(
            quantity_reader(units.length, **sizes).func,
            quantity_reader(units.angle, least="1 degree", most="179 degrees").func,
        )
    ),
    WithJsonSchema({"type": "array", "minItems": 3, "maxItems": 6}),
]

WallTime = Annotated[
    Quantity, quantity_reader(units.wall_time, zero=True, most="1e9 s"), *shown_as("15 min")
]
Interval = Annotated[int, Field(ge=0, le=10**9)]
Count = Annotated[int, Field(ge=1, le=10**6)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]


class Section(BaseModel):
    """A table of the input; unknown keys and values of another type are errors."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, arbitrary_types_allowed=True, allow_inf_nan=False
    )


def key(
    meaning: str,
    default: Any = ...,
    *,
    only_with: Mapping[str, str | tuple[str, ...]] | None = None,
    usual: str | Mapping[str, str] = "",
    to: str = "",
    by_default: str = "",
    hint: str = "",
    **how: Any,
) -> Any:
    """Return the field of a key: all that is said of it outside the code that uses it.

    `toml_input/key_effects.py` reads `only_with`, `usual` and `to`.

    Parameters
    ----------
    meaning : str
        Its words in the manual.
    default : object
        Its value if the input lacks it; None if that depends on more than this field. Without one
        the key is required.
    only_with : mapping
        Another key of the section, and the words of it with which this key has an effect. If
        several keys are named, any of them is enough.
    usual : str or mapping
        What counts if the default is None and the key has an effect: as in an input, or for each
        word of the key in `only_with`.
    to : str
        The attribute of the job that has the value as it is, such as "/dynamics/seed".
    by_default : str
        The default in the manual, where neither `default` nor `usual` says it.
    hint : str
        A remedy for a wrong value, instead of one of the `examples`.
    how : object
        What pydantic's `Field` takes, such as limits and examples.
    """
    notes: dict[str, Any] = {
        "only_with": {
            other: (words,) if isinstance(words, str) else words
            for other, words in (only_with or {}).items()
        },
        "usual": usual,
        "to": to,
        "by_default": by_default,
        "hint": hint,
    }
    kept = {name: value for name, value in notes.items() if value}
    return Field(default, description=meaning, json_schema_extra=kept, **how)


def notes_of(section: type[Section], name: str) -> Mapping[str, Any]:
    """Return what `key` got of a key, without what it did not get."""
    notes = section.model_fields[name].json_schema_extra
    return notes if isinstance(notes, dict) else {}
