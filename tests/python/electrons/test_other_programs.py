# SPDX-License-Identifier: BSD-3-Clause
"""The plain Kohn-Sham program against Quantum ESPRESSO's pw.x and ABINIT.

The figures are in pw_figures.json (made by measure_pw.py) and abinit_figures.json (made by
measure_abinit.py). What remains of differences, as far as it is known:

* pw.x ends its Ewald sum at an error of 1e-7 Ry, up to 7e-8 hartree here.
* pw.x interpolates projectors between points 0.01/bohr apart, about 1e-9 hartree.
* pw.x removes the mean force, which is not zero because exchange-correlation is summed on a grid
  that does not move with the atoms; so the mean is taken out here too.
* pw.x leaves the gradient's part of the functional out at low densities; `pw_rules` does the same.
  It makes 2e-6 hartree in the molecule of water with BLYP.
* pw.x counts negative densities, which the hard model core of "Si2 NLCC LDA" has around it at its
  low cut-off; `pw_rules` does the same. It makes 4.6e-5 hartree there.
* The correlation of electrons in PBE uses 0.031091 in pw.x 6.7 where libxc has 0.0310906908696549,
  the value of the authors' own program; a test below computes what follows from it.
* In pw.x 6.7 the stress of .gth files with p or d projectors is wrong; "Ge2 GTH BLYP" is given to
  it as tables, which also tests the formulas of GTH against their shapes in space.
* Without images the difference is that of the outermost electrons, beyond the middle half of the
  cell, and falls with its size: the energy of "H2O GTH LDA isolated" differs by 2e-7 hartree and
  its orbital energies by 1e-6; in a cell of 22 x 19 x 17 bohr they differ by 8e-7 and 7e-6.
* ABINIT interpolates its tables of the local potential and the core.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from plain_kohn_sham import GroundState, ground_state, isolated, libxc
from reference_systems import FOR_ABINIT, FOR_PW

from finegrain.units import pressure_in_bar

here = Path(__file__).parent
PW = json.loads((here / "pw_figures.json").read_text())
ABINIT = json.loads((here / "abinit_figures.json").read_text())
KILOBAR = pressure_in_bar / 1000


@cache
def computed(name: str) -> GroundState:
    system = (FOR_PW | FOR_ABINIT)[name]()
    # With pw_rules the energy has small steps, and the residual stays at about 1e-6 hartree.
    return ground_state(system, 1e-8, settled=1e-11 if system.pw_rules else 0.0)


def compare(name: str, figures: dict, energy: float) -> None:
    """Compare energy (to `energy` hartree per atom), forces and stress."""
    ground, atoms = computed(name), len(figures["forces"])
    assert ground.total / atoms == pytest.approx(figures["total"] / atoms, abs=energy)
    forces = ground.forces - ground.forces.mean(axis=0)
    # 1e-5 is the aim; found are 3e-7 (ABINIT) and 7e-8 (pw.x).
    np.testing.assert_allclose(forces, figures["forces"], rtol=0, atol=1e-6)
    if ground.state.system.isolated:
        return
    # 0.1 kbar is the aim; found is 0.0012 kbar.
    difference = (ground.stress - figures["stress"]) * KILOBAR
    assert np.abs(difference).max() < 0.005


# Found differences are 5e-9 and, of the Ewald sum, 3.5e-8 hartree per atom, without images 6.4e-8;
# PBE has its own test.
@pytest.mark.parametrize("name", [name for name in FOR_PW if "PBE" not in name])
def test_pw_x_finds_the_same_energy_forces_and_stress(name: str) -> None:
    isolated = "isolated" in name
    compare(name, PW[name], 1e-7 if isolated else 5e-8)
    atol = 2e-6 if isolated else 1e-7
    np.testing.assert_allclose(computed(name).eigenvalues, PW[name]["eigenvalues"], atol=atol)


def test_without_images_the_energy_does_not_depend_on_the_splitting() -> None:
    basis = computed("H2O GTH LDA isolated").state.system.basis
    first, second = (isolated.correction(basis, splitting) for splitting in (0.45, 0.6))
    # Both end at 1e-15 of numbers up to 1e3 bohr^2.
    np.testing.assert_allclose(first, second, rtol=0, atol=1e-10)


def test_pw_x_finds_the_same_parts_of_the_energy() -> None:
    parts, terms = PW["Si2 ONCV NLCC LDA"]["parts"], computed("Si2 ONCV NLCC LDA").terms
    one = terms["kinetic"] + terms["local"] + terms["alpha"] + terms["nonlocal"]
    # They are printed with 8 digits after the point, in Ry, and are not variational.
    assert one == pytest.approx(parts["one-electron"], abs=1e-7)
    assert terms["hartree"] == pytest.approx(parts["hartree"], abs=1e-7)
    assert terms["exchange_correlation"] == pytest.approx(parts["xc"], abs=1e-7)
    assert terms["ewald"] == pytest.approx(parts["ewald"], abs=1e-7)


@pytest.mark.parametrize("name", [name for name in FOR_PW if "PBE" in name])
def test_pw_x_and_pbe_differ_by_a_constant(name: str) -> None:
    compare(name, PW[name], 1e-6)
    ground = computed(name)
    basis, rho = ground.state.system.basis, ground.state.rho
    field = basis.density_on_grid(rho).ravel()
    g = basis.density.g
    sigma = sum(basis.density_on_grid(1j * g[:, i] * rho).ravel() ** 2 for i in range(3))
    inside = (field > 1e-6) & (sigma > 1e-10)
    n, s = field[inside], sigma[inside]
    digits = [libxc.evaluate(fit, n, None)[0] / n for fit in ("PW92", "PW92 modified")]
    old, new = (n * (uniform + _pbe_gradient(uniform, n, s)) for uniform in _correlation(digits, n))
    # To first order the energy changes by the change of the functional at the same density.
    change = float(np.sum(old - new)) * basis.volume / basis.points
    assert ground.total + change == pytest.approx(PW[name]["total"], abs=5e-8)
    assert abs(change) > 1e-7


def _correlation(energies: list[np.ndarray], n: np.ndarray) -> list[np.ndarray]:
    """Return energies per electron without exchange."""
    exchange = -0.75 * (3 / np.pi) ** (1 / 3) * n ** (1 / 3)
    return [energy - exchange for energy in energies]


def _pbe_gradient(uniform: np.ndarray, n: np.ndarray, sigma: np.ndarray) -> np.ndarray:
    """Return H of J. P. Perdew, K. Burke and M. Ernzerhof, Phys. Rev. Lett. 77, 3865 (1996)."""
    gamma, beta = (1 - np.log(2)) / np.pi**2, 0.06672455060314922
    wave = np.sqrt(4 * (3 * np.pi**2 * n) ** (1 / 3) / np.pi)
    t2 = sigma / (2 * wave * n) ** 2
    a = beta / gamma / np.expm1(-uniform / gamma)
    return gamma * np.log1p(beta / gamma * t2 * (1 + a * t2) / (1 + a * t2 + (a * t2) ** 2))


def test_quantum_espressos_own_test_has_the_same_energy() -> None:
    # Test pw_scf/scf-gamma.in of its test suite, -14.51875980 Ry.
    assert 2 * computed("Si2 VBC LDA").total == pytest.approx(-14.51875980, abs=3e-8)


# Found differences are 6e-9 and 4e-8 hartree per atom.
@pytest.mark.parametrize("name", FOR_ABINIT)
def test_abinit_finds_the_same_energy_forces_and_stress(name: str) -> None:
    compare(name, ABINIT[name], 6e-8)


def test_abinits_tutorial_has_the_same_parts_of_the_energy() -> None:
    # tests/tutorial/Refs/tbase1_1.abo of ABINIT; its minimisation ends at 1e-6 in the density, so
    # that parts differ by 1e-5 and the total by less than 1e-7.
    terms = computed("H2 ONCV LDA").terms
    printed = {
        "kinetic": 1.01705426532942,
        "hartree": 0.726359620833802,
        "exchange_correlation": -0.639065298290642,
        "ewald": 0.151051118525613,
        "alpha": 0.00141966018330111,
        "local": -2.21187993697862,
        "nonlocal": -0.162123775947203,
    }
    for name, value in printed.items():
        assert terms[name] == pytest.approx(value, abs=1e-5), name
    assert terms["ewald"] == pytest.approx(printed["ewald"], abs=1e-11)
    assert terms["alpha"] == pytest.approx(printed["alpha"], abs=1e-8)
    assert computed("H2 ONCV LDA").total == pytest.approx(-1.11718434634432, abs=1e-7)
