# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of waves, the grid, and the division into objects."""

import numpy as np
import pytest
from plain_kohn_sham.basis import half_sphere

from finegrain.ab_initio.division.fineness import state_grain, tile_grain
from finegrain.ab_initio.division.waves import (
    good_size,
    is_good_size,
    sphere_sizes,
    usual_size,
    waves_of,
)
from finegrain.ab_initio.preparation.division import Division


def cells(count: int) -> list[np.ndarray]:
    """Random cells, right- and left-handed, from flat to long."""
    rng = np.random.default_rng(20261123)
    found = []
    while len(found) < count:
        vectors = rng.uniform(-6, 6, (3, 3))
        if abs(np.linalg.det(vectors)) > 20:
            found.append(vectors)
    return found


@pytest.mark.parametrize("vectors", [np.diag([5.0, 7.0, 9.0]), *cells(8)])
def test_spheres_are_counted_as_the_plain_program_lists_them(vectors: np.ndarray) -> None:
    longest = 5.0
    half = half_sphere(vectors, longest**2)
    whole = np.unique(np.concatenate([half, -half]), axis=0)
    sizes = sphere_sizes(vectors, longest)
    assert sizes.waves == len(whole)
    assert sizes.half == len(half)
    assert sizes.columns == len(np.unique(whole[:, :2], axis=0))
    assert sizes.largest == tuple(np.abs(whole).max(axis=0))


def test_a_wave_on_the_surface_is_in_the_sphere() -> None:
    """Six waves of length 3 * 2 pi/L, for an L that is no exact number."""
    edge = 7.3
    sizes = sphere_sizes(np.eye(3) * edge, 3 * 2 * np.pi / edge)
    # The points of the integer lattice within 3 of the origin.
    axis = np.arange(-3, 4)
    squares = sum(np.meshgrid(axis**2, axis**2, axis**2))
    assert sizes.waves == np.count_nonzero(squares <= 9)
    assert sizes.largest == (3, 3, 3)


@pytest.mark.parametrize("vectors", cells(4))
def test_the_grid_is_the_smallest_for_all_products_of_two_orbitals(vectors: np.ndarray) -> None:
    waves = waves_of(vectors, 3.0)
    for points, largest in zip(waves.grid, waves.densities.largest, strict=True):
        sizes = range(2 * largest + 1, points + 1)
        assert [size for size in sizes if 30**12 % size == 0] == [points]
    orbital = half_sphere(vectors, 2 * 3.0)
    orbital = np.unique(np.concatenate([orbital, -orbital]), axis=0)
    # No two products of waves meet at the same point of the reciprocal grid by folding.
    sums = np.unique((orbital[:, None] + orbital[None]).reshape(-1, 3), axis=0)
    folded = np.unique(sums % waves.grid, axis=0)
    assert len(folded) == len(sums)


def test_sizes_are_products_of_small_primes() -> None:
    expected = [n for n in range(1, 200) if all(n % p or p in (2, 3, 5, 7) for p in primes(n))]
    assert [n for n in range(1, 200) if is_good_size(n)] == expected
    assert (good_size(97), good_size(121), good_size(1)) == (98, 125, 1)
    assert (usual_size(97), usual_size(121), usual_size(1)) == (100, 125, 1)


def primes(n: int) -> list[int]:
    return [p for p in range(2, n + 1) if n % p == 0 and all(p % q for q in range(2, p))]


def test_thirty_two_waters_at_70_rydberg_has_the_known_sizes() -> None:
    """32 waters in 18.619 bohr: the published figures are 100 points and about 64,000 waves."""
    waves = waves_of(np.eye(3) * 18.619, 35.0)
    assert waves.orbitals.waves == pytest.approx(64000, rel=1e-3)
    assert waves.orbitals.half == len(half_sphere(np.eye(3) * 18.619, 70.0))
    assert waves.orbitals.largest == (24, 24, 24)
    # Twice the radius reaches index 49, not 48: the sphere ends between two planes.
    assert waves.densities.largest == (49, 49, 49)
    assert waves.grid == (100, 100, 100)


@pytest.mark.parametrize("bands", [1, 2, 3, 4, 16, 32, 128, 512, 1024])
def test_blocks_of_orbitals_are_even_and_many(bands: int) -> None:
    block = state_grain(bands)
    assert 1 <= block <= min(bands, 32)
    assert block % 2 == 0 or bands == 1
    assert Division(block, 1, 1, 1, bands).blocks(bands) >= min(4, (bands + 1) // 2)


@pytest.mark.parametrize(
    ("bands", "side"), [(1, 1), (256, 256), (257, 129), (512, 256), (768, 256), (1000, 250)]
)
def test_tiles_are_of_nearly_the_same_size(bands: int, side: int) -> None:
    assert tile_grain(bands) == side
