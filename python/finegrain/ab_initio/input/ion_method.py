# SPDX-License-Identifier: BSD-3-Clause
"""How waves meet ions in a job: exactly, or by splines on a grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from finegrain.ab_initio.input.words import times


@dataclass(frozen=True)
class IonMethod:
    """How a term of the ions is computed.

    Attributes
    ----------
    method : str
        "exact" or "splines".
    order : int
        The order of the splines.
    grid : tuple of int
        Points of the splines along the vectors of the cell.
    exact_seconds, spline_seconds : float
        The estimated processor time of both methods. For the nonlocal part it is that of an
        iteration, for the local part that of one set of positions with forces and stress.
    """

    method: str
    order: int
    grid: tuple[int, int, int]
    exact_seconds: float
    spline_seconds: float

    @property
    def seconds(self) -> float:
        """That of the method."""
        return self.exact_seconds if self.method == "exact" else self.spline_seconds

    def in_words(self, each: str = "") -> str:
        """Return the method with the costs of both; `each`: such as " an iteration"."""
        splines = f"splines of order {self.order} on {times(self.grid)} points"
        exact, other = (f"{one:.2g} s" for one in (self.exact_seconds, self.spline_seconds))
        if self.method == "exact":
            return f"exact, about {exact}{each}; {splines} would take {other}"
        return f"{splines}, about {other}{each}; exact would take {exact}"


def method_of(values: Mapping[str, Any]) -> IonMethod:
    """Return the method from the attributes of a job's group."""
    a, b, c = (int(points) for points in values["spline_grid"])
    return IonMethod(
        str(values["method"]),
        int(values["spline_order"]),
        (a, b, c),
        float(values["exact_seconds"]),
        float(values["spline_seconds"]),
    )
