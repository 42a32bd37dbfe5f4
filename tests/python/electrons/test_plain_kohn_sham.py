# SPDX-License-Identifier: BSD-3-Clause
"""The plain Kohn-Sham program: derivatives against differences of energies, and identities."""

from collections.abc import Callable

import numpy as np
import pytest
from installed import gth, psp8, upf
from plain_kohn_sham import GroundState, System, ground_state
from plain_kohn_sham.ewald import ewald
from plain_kohn_sham.harmonics import solid_harmonics
from plain_kohn_sham.libxc import evaluate

# Bohr, and of strain. The central difference of fourth order has an error of about 1e-9.
STEP, STRAIN = 2e-3, 5e-4
OFFSETS = ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12))


def water(functional: str = "PBE") -> System:
    """A bent water molecule in a small triclinic cell."""
    vectors = np.array([[6.6, 0.0, 0.0], [-1.1, 6.3, 0.0], [0.7, 1.2, 6.0]])
    positions = np.array([[0.1, 0.2, 0.3], [1.9, 0.3, 0.1], [-0.5, 1.7, 0.9]])
    pseudos = {element: gth(element, functional) for element in "OH"}
    return System(vectors, ("O", "H", "H"), positions, pseudos, functional, 5.0, (15, 15, 15))


def silicon() -> System:
    """Two silicon atoms with d projectors and model cores, displaced, in a skewed cell."""
    vectors = np.array([[0.1, 5.0, 5.2], [5.1, 0.0, 5.0], [5.0, 5.3, 0.0]])
    positions = np.array([[0.0, 0.1, -0.1], [2.6, 2.4, 2.7]])
    return System(vectors, ("Si", "Si"), positions, {"Si": psp8("Si.psp8")}, "PW92", 4.0, (15,) * 3)


def molecule() -> System:
    """H2 with a purely local pseudopotential from a table, BLYP."""
    vectors = np.diag([5.5, 6.0, 5.0])
    positions = np.array([[0.0, 0.0, 0.0], [1.0, 0.9, 0.4]])
    pseudos = {"H": upf("H.blyp-vbc.UPF")}
    return System(vectors, ("H", "H"), positions, pseudos, "BLYP", 6.0, (15,) * 3)


SYSTEMS = {"water": water, "silicon": silicon, "molecule": molecule}


@pytest.fixture(scope="module", params=SYSTEMS)
def ground(request: pytest.FixtureRequest) -> GroundState:
    # Forces and stress have an error of the first order: ten times the residual and more.
    return ground_state(SYSTEMS[request.param](), 1e-10)


def slope(ground: GroundState, change: Callable[[float], System], step: float) -> float:
    """Return the derivative of the ground state's energy by a central difference."""
    # The error of an energy is about the square of the residual, times the number of waves.
    energies = [
        weight * ground_state(change(k * step), 5e-9, start=ground.state.c).total
        for k, weight in OFFSETS
    ]
    return sum(energies) / step


def test_forces_are_minus_the_slopes_of_the_energy(ground: GroundState) -> None:
    system = ground.state.system
    rng = np.random.default_rng(8)
    for _ in range(2):
        along = rng.uniform(-1, 1, system.positions.shape)
        difference = -slope(ground, lambda by, d=along: system.moved(by * d), STEP)
        assert np.sum(ground.forces * along) == pytest.approx(difference, abs=1e-8)
        assert abs(difference) > 1e-4  # or the comparison would say little


def test_the_stress_is_the_slope_of_the_energy_by_strain(ground: GroundState) -> None:
    system = ground.state.system
    rng = np.random.default_rng(9)
    along = rng.uniform(-1, 1, (3, 3))  # not symmetric: the cell also turns
    difference = slope(ground, lambda by: system.strained(by * along), STRAIN)
    found = np.sum(ground.stress * along) * system.basis.volume
    assert found == pytest.approx(difference, abs=5e-9)
    assert np.abs(ground.stress - ground.stress.T).max() < 1e-9
    assert np.abs(ground.stress).max() > 1e-4


def test_the_sum_of_the_forces_is_that_of_the_grid(ground: GroundState) -> None:
    # Only exchange-correlation is summed on a grid that does not move with the atoms.
    limit = 0.03
    assert np.abs(ground.forces.sum(axis=0)).max() < limit


def test_the_energy_does_not_change_when_all_atoms_move_by_points_of_the_grid() -> None:
    system = water()
    shift = np.array([2, -1, 3]) @ (system.vectors / np.array(system.grid)[:, None])
    moved = System(**{**vars_of(system), "positions": system.positions + shift})
    start = ground_state(system, 1e-7)
    assert ground_state(moved, 1e-7).total == pytest.approx(start.total, abs=1e-11)


def test_the_energy_does_not_change_when_the_crystal_is_turned() -> None:
    system = silicon()
    turn, _ = np.linalg.qr(np.random.default_rng(3).standard_normal((3, 3)))
    turned = System(
        **{
            **vars_of(system),
            "vectors": system.vectors @ turn,
            "positions": system.positions @ turn,
        }
    )
    one, other = ground_state(system, 1e-9), ground_state(turned, 1e-9)
    assert other.total == pytest.approx(one.total, abs=1e-11)
    np.testing.assert_allclose(other.forces, one.forces @ turn, atol=1e-8)
    np.testing.assert_allclose(other.stress, turn.T @ one.stress @ turn, atol=1e-9)


def vars_of(system: System) -> dict:
    names = ("vectors", "elements", "positions", "pseudopotentials", "functional", "cutoff", "grid")
    return {name: getattr(system, name) for name in names}


def test_no_other_start_gives_a_lower_energy() -> None:
    energies = [ground_state(water(), 1e-7, seed=seed).total for seed in (2, 3)]
    assert np.ptp(energies) < 1e-11


def test_a_minimisation_that_does_not_converge_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="after 3 iterations"):
        ground_state(water(), most=3)


def test_a_grid_that_is_too_coarse_is_an_error() -> None:
    system = System(**{**vars_of(water()), "grid": (9, 9, 9)})
    with pytest.raises(ValueError, match="too coarse"):
        ground_state(system)


# Energies of the ions per cell, hartree: Si2 of Quantum ESPRESSO's test pw_scf/scf-gamma.in
# (-16.89975858 Ry), the others of DFTK's test/ewald.jl and test/energy_nuclear.jl.
def test_ewald_energies_are_those_of_other_programs() -> None:
    cube = np.array([[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]])
    a = 10.20
    energy, _, _ = ewald(a * cube, np.array([[0, 0, 0], [0.25] * 3]) * a, np.array([4.0, 4.0]))
    assert 2 * energy == pytest.approx(-16.89975858, abs=2e-8)
    a = 10.263141334305942
    energy, _, _ = ewald(a * cube, np.array([[0.125] * 3, [-0.125] * 3]) * a, np.array([4.0, 4.0]))
    assert energy == pytest.approx(-8.39789357839024, abs=2e-10)  # by ABINIT, with its cut-offs
    for splitting in (0.7, 1.6):
        at = np.array([[0.125] * 3, [-0.125] * 3]) * a
        other, _, _ = ewald(a * cube, at, np.array([4.0, 4.0]), splitting)
        assert other == pytest.approx(energy, abs=1e-13)


def test_ewald_forces_and_strain_are_slopes() -> None:
    rng = np.random.default_rng(5)
    vectors = 5 * np.eye(3) + rng.uniform(-1, 1, (3, 3))
    at, z = rng.uniform(0, 5, (4, 3)), np.array([1.0, 4.0, 6.0, 3.0])
    _, force, strain = ewald(vectors, at, z)
    h = 1e-3
    for axis in range(3):
        step = np.zeros((4, 3))
        step[2, axis] = h
        change = sum(8 * w * ewald(vectors, at + k * step, z)[0] / 8 for k, w in OFFSETS) / h
        assert force[2, axis] == pytest.approx(-change, abs=1e-9)
        tensor = np.zeros((3, 3))
        tensor[axis, (axis + 1) % 3] = h
        change = 0.0
        for k, w in OFFSETS:
            turn = (np.eye(3) + k * tensor).T
            change += w * ewald(vectors @ turn, at @ turn, z)[0] / h
        assert strain[axis, (axis + 1) % 3] == pytest.approx(change, abs=1e-8)


@pytest.mark.parametrize("l", range(4))
def test_spherical_harmonics_are_orthonormal_and_their_gradients_are_slopes(l: int) -> None:  # noqa: E741
    # Gauss-Legendre in cos(theta) and equal steps in phi are exact for polynomials of degree 7.
    z, weights = np.polynomial.legendre.leggauss(8)
    phi = np.arange(16) * 2 * np.pi / 16
    s = np.sqrt(1 - z**2)
    grid = np.stack(
        [np.outer(s, np.cos(phi)), np.outer(s, np.sin(phi)), np.outer(z, np.ones(16))], axis=-1
    ).reshape(-1, 3)
    w = np.outer(weights, np.full(16, 2 * np.pi / 16)).ravel()
    values, _ = solid_harmonics(l, grid)
    np.testing.assert_allclose((values * w) @ values.T, np.eye(2 * l + 1), atol=1e-13)
    g = np.random.default_rng(1).standard_normal((7, 3))
    _, slopes = solid_harmonics(l, g)
    for axis in range(3):
        step = np.zeros(3)
        step[axis] = 1e-3
        change = sum(w * solid_harmonics(l, g + k * step)[0] for k, w in OFFSETS) / 1e-3
        np.testing.assert_allclose(slopes[:, :, axis], change, atol=1e-10)


@pytest.mark.parametrize("name", ["PZ", "PW92", "PADE", "PBE", "revPBE", "BLYP"])
def test_exchange_correlation_potentials_are_slopes_and_finite_at_any_density(name: str) -> None:
    rho = np.array([0.3, 0.02, 1e-3, 1e-7, 1e-16, 0.0, -1e-9])
    sigma = np.array([0.1, 1e-3, 1e-6, 1e-13, 1e-30, 0.0, 0.0])
    e, by_rho, by_sigma = evaluate(name, rho, sigma)
    assert np.isfinite(np.concatenate([e, by_rho, by_sigma])).all()
    some = slice(0, 3)
    h = 1e-3
    change = sum(w * evaluate(name, rho * (1 + k * h), sigma)[0] for k, w in OFFSETS) / h
    np.testing.assert_allclose((rho * by_rho)[some], change[some], rtol=1e-7)
    change = sum(w * evaluate(name, rho, sigma * (1 + k * h))[0] for k, w in OFFSETS) / h
    np.testing.assert_allclose((sigma * by_sigma)[some], change[some], rtol=1e-6, atol=1e-12)
