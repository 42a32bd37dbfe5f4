# SPDX-License-Identifier: BSD-3-Clause
"""The choice of how waves meet ions, by estimates of the time: exactly, or by splines on a grid.

The exact nonlocal part takes products of matrices of projectors and orbitals. Its cost grows with
the third power of the size. By splines (engine/electrons/splines) it takes two transforms on a
small grid, for each orbital and each projector of an element. That cost grows with the square.
Local potential and cores take a sum over ions for each wave of the density, or a few transforms.
The choice is part of the job, so that results do not depend on the machine.
"""

from __future__ import annotations

from math import ceil, log2

from finegrain.ab_initio.division.waves import SphereSizes, Waves, good_size
from finegrain.ab_initio.input.ion_method import IonMethod
from finegrain.ab_initio.input.load import AbInitioInput
from finegrain.ab_initio.ions.structure import Structure
from finegrain.pseudopotentials import Pseudopotential

# Processor time, fitted to bench/results/ion_splines.json (within a factor of 1.5).
products_per_second = 3.0e10  # floating-point operations
_line_seconds = 2.0e-10  # of a transform by splines, times points and the logarithm of points
_line_seconds_past_caches = 2.9e-10  # of one with more points than these
_points_of_caches = 2**19
_point_seconds = 1.45e-9  # for each point that an ion touches
wave_seconds = 3.3e-9  # of the exact local part, for each ion and wave
# The time of a whole run of 16 waters over that of these transforms alone: orbitals travel between
# objects.
_of_run = 1.5
# Splines have errors; so they must save more than this share of an iteration.
_worth = 0.05

# One core of 2024, to an order of magnitude: the estimate serves to tell minutes from days.
_transforms_per_second = 4e9  # floating-point operations
_matrices_per_second = 2e10
_share_of_lines = 0.56  # of a transform of a whole grid: most lines of a sphere are empty


def seconds_of_rest(waves: Waves, bands: int) -> float:
    """Return three transforms of each pair of orbitals and three overlaps of an iteration."""
    one = 5 * waves.points * log2(waves.points) * _share_of_lines
    transforms = (3 * (bands + 1) / 2 + 8) * one
    products = 3 * 4.0 * bands**2 * waves.orbitals.half
    return transforms / _transforms_per_second + products / _matrices_per_second


def choose_nonlocal(
    given: AbInitioInput,
    structure: Structure,
    species: dict[str, Pseudopotential],
    waves: Waves,
    bands: int,
) -> IonMethod:
    """Return the method of the nonlocal part."""
    electrons = given.model.electrons
    grid = _grid(waves.orbitals, electrons.spline_grid, electrons.spline_order)
    rows = sum(species[symbol].projectors for symbol in structure.symbols)
    exact = 8.0 * rows * bands * waves.orbitals.half / products_per_second
    splines = 0.0
    for element, pseudo in species.items():
        ions = structure.symbols.count(element)
        # Pairs of orbitals, there and back.
        one = transform_seconds(grid) + ion_seconds(ions, electrons.spline_order)
        splines += _of_run * pseudo.projectors * bands * one
    method = _chosen(electrons.nonlocal_part, exact, splines, seconds_of_rest(waves, bands))
    return IonMethod(method, electrons.spline_order, grid, exact, splines)


def choose_local(
    given: AbInitioInput,
    structure: Structure,
    species: dict[str, Pseudopotential],
    waves: Waves,
    bands: int,
) -> IonMethod:
    """Return the method of local potential and cores."""
    electrons = given.model.electrons
    grid = _grid(waves.densities, electrons.spline_grid, electrons.spline_order)
    exact = splines = 0.0
    cored = {element for element, pseudo in species.items() if pseudo.core_corrected}
    for elements in (set(species), cored):
        ions = sum(symbol in elements for symbol in structure.symbols)
        exact += wave_seconds * ions * waves.densities.half
        # Two elements share a transform; field, forces, stress.
        pairs = ceil(len(elements) / 2)
        splines += 3 * pairs * transform_seconds(grid)
        splines += 3 * ion_seconds(ions, electrons.spline_order)
    method = _chosen(electrons.local_part, exact, splines, seconds_of_rest(waves, bands))
    return IonMethod(method, electrons.spline_order, grid, exact, splines)


def _grid(sphere: SphereSizes, factor: float, order: int) -> tuple[int, int, int]:
    a, b, c = (good_size(max(order, ceil(factor * (2 * most + 1)))) for most in sphere.largest)
    return a, b, c


def transform_seconds(grid: tuple[int, int, int]) -> float:
    """Return the time of a transform of a pair of orbitals, or of two elements."""
    points = grid[0] * grid[1] * grid[2]
    past = points > _points_of_caches
    return (_line_seconds_past_caches if past else _line_seconds) * points * log2(points)


def ion_seconds(ions: int, order: int) -> float:
    """Return the time of meeting these ions once on a grid."""
    return _point_seconds * ions * order**3


def _chosen(asked: str, exact: float, splines: float, rest: float) -> str:
    if asked != "auto":
        return asked
    return "splines" if exact - splines > _worth * (rest + splines) else "exact"
