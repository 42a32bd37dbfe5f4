# SPDX-License-Identifier: BSD-3-Clause
"""How orbitals meet the projectors of ions: exactly, or by splines on a grid.

Exact products are two products of matrices, of projectors and orbitals; their cost grows with the
third power of the size. By splines (engine/electrons/splines), each orbital and each channel of the
projectors of an element take two transforms on a small grid, and the cost grows with the square.
The choice is part of the job, so that results do not depend on the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2

from finegrain.ab_initio.load import AbInitioInput
from finegrain.ab_initio.structure import Structure
from finegrain.ab_initio.waves import Waves, good_size
from finegrain.ab_initio.words import times
from finegrain.pseudopotentials import Pseudopotential

# Processor time, fitted to bench/results/nonlocal_splines.json.
_products_per_second = 3.0e10  # floating-point operations
_line_seconds = 2.0e-10  # of a transform, times points and the logarithm of points
_line_seconds_past_caches = 2.9e-10  # of those with more points than this
_points_of_caches = 2**19
_point_seconds = 1.45e-9  # for each point that an ion touches


@dataclass(frozen=True)
class IonMethod:
    """How a term of the ions is computed.

    Attributes
    ----------
    method : str
        "exact" or "splines".
    order : int
        Of the splines.
    grid : tuple of int
        Points of the splines along the vectors of the cell.
    exact_seconds, spline_seconds : float
        Estimated processor time of an iteration by both.
    """

    method: str
    order: int
    grid: tuple[int, int, int]
    exact_seconds: float
    spline_seconds: float

    def in_words(self) -> str:
        """Return the method with the costs of both."""
        splines = f"splines of order {self.order} on {times(self.grid)} points"
        exact, other = (f"{one:.2g} s" for one in (self.exact_seconds, self.spline_seconds))
        if self.method == "exact":
            return f"exact, about {exact} an iteration; {splines} would take {other}"
        return f"{splines}, about {other} an iteration; exact would take {exact}"


def choose_nonlocal(
    given: AbInitioInput,
    structure: Structure,
    species: dict[str, Pseudopotential],
    waves: Waves,
    bands: int,
) -> IonMethod:
    """Return the method of the nonlocal part; what is wrong goes to the problems of `given`."""
    electrons = given.model.electrons
    order = electrons.spline_order
    a, b, c = (
        good_size(max(order, ceil(electrons.spline_grid * (2 * most + 1))))
        for most in waves.orbitals.largest
    )
    rows = sum(species[symbol].projectors for symbol in structure.symbols)
    exact = 8.0 * rows * bands * waves.orbitals.half / _products_per_second
    points = a * b * c
    line = _line_seconds if points <= _points_of_caches else _line_seconds_past_caches
    splines = 0.0
    for element, pseudo in species.items():
        ions = structure.symbols.count(element)
        one = line * points * log2(points) + _point_seconds * ions * order**3
        splines += pseudo.projectors * bands * one  # pairs of orbitals, there and back
    method = electrons.nonlocal_part
    if method == "auto":
        method = "splines" if splines < exact else "exact"
    return IonMethod(method, order, (a, b, c), exact, splines)
