# SPDX-License-Identifier: BSD-3-Clause
"""Quantities that a caller gives with their units, checked against limits."""

from __future__ import annotations

from dataclasses import dataclass

from finegrain import units
from finegrain.errors import InputError


@dataclass(frozen=True)
class Limits:
    """The limits of a quantity, and an example of it, with their units."""

    option: str
    noun: str
    least: str
    most: str
    example: str


def checked_quantity(value: object, dimension: units.Dimension, limits: Limits) -> float:
    """Return a quantity in atomic units, checked against its limits."""
    hint = f'such as {limits.option} "{limits.example}"'
    try:
        found = units.parse_quantity(str(value), dimension).value
    except units.UnitError as error:
        raise InputError(error.what, where=limits.option, value=str(value), hint=hint) from None
    least, most = (
        units.parse_quantity(one, dimension).value for one in (limits.least, limits.most)
    )
    if not least * (1 - 1e-9) <= found <= most * (1 + 1e-9):
        raise InputError(
            f"no useful {limits.noun}",
            where=limits.option,
            value=str(value),
            limit=f"{limits.least} to {limits.most}",
            hint=hint,
        )
    return found
