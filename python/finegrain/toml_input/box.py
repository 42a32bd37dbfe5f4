# SPDX-License-Identifier: BSD-3-Clause
"""The box of an input file: edges, lengths and angles, or vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic_core import PydanticCustomError

from finegrain import units
from finegrain.base import cells
from finegrain.units import Quantity, UnitError

_example = 'such as ["60 Å", "60 Å", "60 Å"]'
_forms = "three edges, or three lengths and three angles, or three vectors"


@dataclass(frozen=True)
class GivenBox:
    """The vectors of a box, in rows, bohr."""

    vectors: tuple[tuple[float, ...], ...]


def box_reader(
    length: Callable[[Any], Quantity], angle: Callable[[Any], Quantity]
) -> Callable[[Any], GivenBox]:
    """Return the reader of a box from the readers of a length and of an angle.

    Each raises a `PydanticCustomError` for what it does not accept.
    """

    def read(value: Any) -> GivenBox:
        if not isinstance(value, list) or len(value) not in (3, 6):
            raise _problem("is not a box", _forms)
        if any(isinstance(row, list) for row in value):
            if any(not isinstance(row, list) or len(row) != 3 for row in value) or len(value) != 3:
                raise _problem("is not a box", "three vectors of three numbers each")
            return GivenBox(tuple(tuple(_component(number) for number in row) for row in value))
        edges = np.array([length(edge).value for edge in value[:3]])
        if len(value) == 3:
            return _given(np.diag(edges))
        vectors = cells.vectors_from(edges, np.array([angle(one).value for one in value[3:]]))
        if not np.isfinite(vectors).all():
            limit = "each below the sum of the others, and all together below 360 degrees"
            raise _problem("has angles that no cell has", limit)
        return _given(vectors)

    return read


def _given(vectors: NDArray[np.float64]) -> GivenBox:
    return GivenBox(tuple(tuple(row) for row in vectors.tolist()))


def _component(value: Any) -> float:
    """Read a length of any sign."""
    try:
        return units.parse_quantity(value, units.length).value
    except UnitError as error:
        raise _problem(error.what, "", error.hint) from None


def _problem(what: str, limit: str, hint: str = _example) -> PydanticCustomError:
    return PydanticCustomError("quantity", "{what}", {"what": what, "hint": hint, "limit": limit})
