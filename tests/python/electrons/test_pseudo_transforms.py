# SPDX-License-Identifier: BSD-3-Clause
"""Fourier transforms of pseudopotentials against formulas, finite differences and each other."""

from math import pi, sqrt

import numpy as np
import pytest
from installed import upf
from made_up import CHARGE, analytic, tabulated
from scipy.special import spherical_jn

from finegrain.errors import InputError
from finegrain.pseudopotentials import (
    Channel,
    GaussianProjector,
    Mesh,
    Pseudopotential,
    RadialIntegration,
)
from finegrain.pseudopotentials.bessel import spherical_bessel, spherical_bessel_slope
from finegrain.pseudopotentials.radial import simpson_weights
from finegrain.pseudopotentials.transforms import (
    alpha,
    atomic_density,
    core_density,
    local,
    orbital,
    projectors,
    shells,
    short_range_local,
)

LENGTHS = np.array([0.0, 1e-6, 1e-3, 0.02, 0.3, 1.1, 2.7, 5.9, 11.0])


@pytest.mark.parametrize("l", range(5))
def test_bessel_functions_are_those_of_scipy(l: int) -> None:  # noqa: E741
    x = np.concatenate([[0.0], np.logspace(-8, 2.5, 4000), l + 1 + np.array([-1e-9, 0, 1e-9])])
    # Rounding errors; those of SciPy's derivatives at small x are the largest.
    np.testing.assert_allclose(spherical_bessel(l, x), spherical_jn(l, x), rtol=0, atol=2e-15)
    if l < 4:
        np.testing.assert_allclose(
            spherical_bessel_slope(l, x), spherical_jn(l, x, derivative=True), rtol=0, atol=2e-14
        )
    # SciPy's recurrence has a relative error of a few 1e-14 there.
    small = x[(x > 0) & (x < 0.5)]
    np.testing.assert_allclose(spherical_bessel(l, small), spherical_jn(l, small), rtol=1e-13)


def test_simpson_integrates_cubics_exactly_and_needs_an_odd_number_of_points() -> None:
    r = np.linspace(0, 3, 31)
    weights = simpson_weights(np.full(31, 0.1), 31)
    assert np.sum(weights * r**3) == pytest.approx(81 / 4, rel=1e-14)
    assert len(simpson_weights(np.full(31, 0.1), 30)) == 29


def test_integrals_end_with_the_first_point_beyond_ten_bohr() -> None:
    points = Mesh(np.linspace(0, 20, 201), np.full(201, 0.1))
    # 10.0 is point 101; the first one beyond is point 102, and 101 is the odd number below.
    assert len(RadialIntegration().weights(points)) == 101
    assert len(RadialIntegration(10.05).weights(points)) == 101
    assert len(RadialIntegration(10.15).weights(points)) == 103
    assert len(RadialIntegration(99).weights(points)) == 201
    with pytest.raises(InputError, match="not positive"):
        RadialIntegration(0)


def test_formulas_and_integrals_over_tables_agree() -> None:
    one, other = tabulated(), analytic()
    # Simpson's rule on 1401 logarithmic points has an error of about 1e-9 of the values.
    scale = np.abs(local(other, LENGTHS[4:]).values).max()
    np.testing.assert_allclose(
        local(one, LENGTHS[3:]).values, local(other, LENGTHS[3:]).values, rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(
        local(one, LENGTHS[3:]).slopes, local(other, LENGTHS[3:]).slopes, rtol=1e-9, atol=1e-8
    )
    assert scale > 10
    assert alpha(one) == pytest.approx(alpha(other), abs=1e-8)
    for l in range(4):  # noqa: E741
        tables = projectors(one.channels[l], one.mesh, LENGTHS)
        formulas = projectors(other.channels[l], None, LENGTHS)
        for table, formula in zip(tables, formulas, strict=True):
            np.testing.assert_allclose(table.values, formula.values, rtol=1e-8, atol=2e-8)
            np.testing.assert_allclose(table.slopes, formula.slopes, rtol=1e-8, atol=2e-8)


def test_projectors_of_gth_are_those_of_the_published_table() -> None:
    # Hartwigsen, Goedecker and Hutter (1998), times the square root of the volume.
    r, g = 0.37, LENGTHS[3:]
    y, decay, pre = g * r, np.exp(-((g * r) ** 2) / 2), pi**1.25
    printed = {
        (0, 1): 4 * sqrt(2) * r**1.5 * pre * decay,
        (0, 2): 8 * sqrt(2 / 15) * r**1.5 * pre * (3 - y**2) * decay,
        (0, 3): 16 / 3 * sqrt(2 / 105) * r**1.5 * pre * (15 - 10 * y**2 + y**4) * decay,
        (1, 1): 8 / sqrt(3) * r**2.5 * pre * g * decay,
        (1, 2): 16 / sqrt(105) * r**2.5 * pre * g * (5 - y**2) * decay,
        (1, 3): 32 / (3 * sqrt(1155)) * r**2.5 * pre * g * (35 - 14 * y**2 + y**4) * decay,
        (2, 1): 8 * sqrt(2 / 15) * r**3.5 * pre * g**2 * decay,
        (2, 2): 16 / 3 * sqrt(2 / 105) * r**3.5 * pre * g**2 * (7 - y**2) * decay,
        (3, 1): 16 / sqrt(105) * r**4.5 * pre * g**3 * decay,
    }
    for (l, i), values in printed.items():  # noqa: E741
        channel = Channel(l, (GaussianProjector(r, i),), np.eye(1))
        np.testing.assert_allclose(projectors(channel, None, g)[0].values, values, rtol=1e-13)


@pytest.mark.parametrize("pseudo", [tabulated(), analytic()], ids=["tables", "formulas"])
def test_slopes_are_the_derivatives_of_the_values(pseudo: Pseudopotential) -> None:
    g, step = LENGTHS[4:], 1e-3

    def check(function) -> None:
        # Central differences of fourth order: the error is about step^4 of the function.
        values = {k: function(g + k * step).values for k in (-2, -1, 1, 2)}
        slope = (8 * (values[1] - values[-1]) - (values[2] - values[-2])) / (12 * step)
        found = function(g).slopes
        np.testing.assert_allclose(found, slope, rtol=2e-9, atol=2e-9 * np.abs(found).max())

    check(lambda x: local(pseudo, x))
    check(lambda x: short_range_local(pseudo, x, 0.8))
    for channel in pseudo.channels:
        for i in range(3):
            check(lambda x, c=channel, i=i: projectors(c, pseudo.mesh, x)[i])
    if pseudo.core_corrected:
        check(lambda x: core_density(pseudo, x))
        check(lambda x: atomic_density(pseudo, x))


@pytest.mark.parametrize("pseudo", [tabulated(), analytic()], ids=["tables", "formulas"])
def test_the_short_range_part_is_smooth_at_zero_and_adds_up(pseudo: Pseudopotential) -> None:
    for width in (0.3, 1.0, 2.0):
        short = short_range_local(pseudo, LENGTHS, width)
        g = LENGTHS[3:]
        tail = 4 * pi * CHARGE * np.exp(-((g * width) ** 2) / 4) / g**2
        np.testing.assert_allclose(
            short.values[3:] - tail, local(pseudo, g).values, rtol=1e-10, atol=1e-9
        )
        whole = short.values[0] + pi * CHARGE * width**2
        assert whole == pytest.approx(alpha(pseudo), abs=1e-8)
        assert short.slopes[0] == 0
        # It is even in G: between 0 and 1e-3 it changes by the second order, about 1e-6 of 100.
        assert np.ptp(short.values[:3]) < 1e-4


def test_densities_of_gaussians_have_their_formulas() -> None:
    pseudo = tabulated()
    decay = np.exp(-(LENGTHS**2) / 2)
    np.testing.assert_allclose(core_density(pseudo, LENGTHS).values, 2 * decay, atol=1e-9)
    np.testing.assert_allclose(atomic_density(pseudo, LENGTHS).values, CHARGE * decay, atol=3e-9)


def test_a_missing_core_density_is_an_error() -> None:
    with pytest.raises(InputError, match="no nonlinear core correction"):
        core_density(analytic(), [1.0])
    with pytest.raises(InputError, match="no density of the atom"):
        atomic_density(analytic(), [1.0])


@pytest.mark.parametrize("bad", [[-1.0], [np.nan], [[1.0]]])
def test_lengths_that_are_none_are_an_error(bad: list) -> None:
    with pytest.raises(InputError, match="not negative"):
        local(analytic(), bad)


def test_lengths_that_differ_by_rounding_are_one_shell() -> None:
    exact = np.array([0.0, 1.0, sqrt(2), 1.0, 3.0])
    g = exact * (1 + 1e-15 * np.array([0, 1, -2, -1, 3]))
    lengths, index = shells(g)
    assert len(lengths) == 4
    np.testing.assert_allclose(lengths[index], g, rtol=1e-14)
    assert list(index) == [0, 1, 2, 1, 3]


def test_a_value_has_the_same_bits_whatever_other_lengths_are_asked_for() -> None:
    pseudo = tabulated()
    g = np.linspace(0.01, 9, 37)
    together = [local(pseudo, g), *projectors(pseudo.channels[2], pseudo.mesh, g)]
    for k in range(len(g)):
        some = g[[k]] if k % 2 else g[k : k + 3]
        apart = [local(pseudo, some), *projectors(pseudo.channels[2], pseudo.mesh, some)]
        for one, other in zip(together, apart, strict=True):
            assert one.values[k] == other.values[0]
            assert one.slopes[k] == other.slopes[0]


def test_an_orbital_has_its_formula() -> None:
    # chi = 2 exp(-r), that of the hydrogen atom; beyond 50 bohr nothing is left of it.
    pseudo = tabulated()
    g = LENGTHS[4:]
    found = orbital(pseudo, pseudo.orbitals[0], g, RadialIntegration(50))
    np.testing.assert_allclose(found.values, 16 * pi / (1 + g**2) ** 2, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found.slopes, -64 * pi * g / (1 + g**2) ** 3, rtol=1e-8, atol=1e-8)


def test_the_end_of_integrals_matters_only_where_the_tail_of_a_file_is_not_exact() -> None:
    # What the docstring of finegrain.pseudopotentials.radial says.
    far = RadialIntegration(1000)
    for name in ("Si.pz-vbc.UPF", "H.blyp-vbc.UPF", "C.UPF"):
        assert alpha(upf(name), far) == pytest.approx(alpha(upf(name)), abs=1e-7)
    oxygen = upf("O.blyp-mt.UPF")
    assert alpha(oxygen, far) - alpha(oxygen) == pytest.approx(0.027, abs=0.001)
