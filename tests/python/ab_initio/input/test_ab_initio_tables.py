# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the job, interpolated, against transforms at the same |G|."""

import numpy as np
import pytest
from ab_initio_systems import gaussian, interpolated
from made_up import analytic, tabulated

from finegrain.ab_initio.preparation.tables import SPACING, table_points, tables_of
from finegrain.pseudopotentials import Pseudopotential, transforms

WAVE, DENSITY = 6.3, 12.6


def lengths(longest: float) -> np.ndarray:
    """Lengths between the points, near zero and at the end, where polynomials are worst."""
    random = np.random.default_rng(7).uniform(0, longest, 500)
    return np.concatenate([[0.0, 0.3 * SPACING, 2.5 * SPACING, longest], random])


def close(found: np.ndarray, expected: np.ndarray) -> None:
    # Relative to the largest value, because energies are sums over all G.
    assert np.abs(found - expected).max() < 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize(
    "pseudo", [tabulated(), analytic(), gaussian("Si", 4)], ids=["table", "formula", "s only"]
)
def test_interpolated_tables_are_the_transforms(pseudo: Pseudopotential) -> None:
    tables = tables_of(pseudo, WAVE, DENSITY)
    g, dense = lengths(WAVE), lengths(DENSITY)
    # The point G = 0 has another integral, see the next test, and polynomials near it use it.
    away = dense[dense >= 4 * SPACING]
    close(
        interpolated(tables.local, 0, away),
        transforms.short_range_local(pseudo, away, tables.width).values,
    )
    if pseudo.core_density is not None:
        close(interpolated(tables.core, 0, dense), transforms.core_density(pseudo, dense).values)
        expected = transforms.atomic_density(pseudo, dense).values
        close(interpolated(tables.density, 0, dense), expected)
    else:
        assert tables.core is None
        assert tables.density is None
    expected = [
        (channel.l, one.values)
        for channel in pseudo.channels
        for one in transforms.projectors(channel, pseudo.mesh, g)
    ]
    assert tables.projector_l.tolist() == [l for l, _ in expected]  # noqa: E741
    for row, (l, values) in zip(tables.projectors, expected, strict=True):  # noqa: E741
        close(interpolated(row, l, g), values)
    for row, one in zip(tables.orbitals, pseudo.orbitals, strict=True):
        close(interpolated(row, one.l, g), transforms.orbital(pseudo, one, g).values)


@pytest.mark.parametrize("pseudo", [tabulated(), analytic()], ids=["table", "formula"])
def test_the_smeared_charge_gives_the_local_potential_back(pseudo: Pseudopotential) -> None:
    """v(G) = short(G) - 4 pi Z exp(-G^2 w^2/4)/G^2, and alpha = short(0) + pi Z w^2."""
    tables = tables_of(pseudo, WAVE, DENSITY)
    assert tables.width > 0
    g = lengths(DENSITY)[1:]
    charge = 4 * np.pi * pseudo.charge * np.exp(-((g * tables.width) ** 2) / 4) / g**2
    found = interpolated(tables.local, 0, g) - charge
    expected = transforms.local(pseudo, g).values
    assert np.allclose(found, expected, rtol=1e-11, atol=1e-11)
    alpha = tables.local[0] + np.pi * pseudo.charge * tables.width**2
    assert alpha == pytest.approx(transforms.alpha(pseudo), rel=1e-13)


def test_couplings_are_blocks_of_one_angular_momentum() -> None:
    tables = tables_of(tabulated(), WAVE, DENSITY)
    l = tables.projector_l  # noqa: E741
    assert l.tolist() == [0] * 3 + [1] * 3 + [2] * 3 + [3] * 3
    assert (tables.coupling[l[:, None] != l[None, :]] == 0).all()
    assert np.array_equal(tables.coupling, np.eye(12))


def test_tables_reach_eight_points_beyond_the_last_wave() -> None:
    for longest in (1.0, 1.234, 2.0001):
        points = table_points(longest)
        assert points[0] == 0
        assert np.allclose(np.diff(points), SPACING)
        assert np.count_nonzero(points > longest - 1e-12) in (8, 9)
