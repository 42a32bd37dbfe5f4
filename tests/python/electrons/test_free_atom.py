# SPDX-License-Identifier: BSD-3-Clause
"""Orbitals of free atoms for pseudopotentials that bring none."""

from dataclasses import replace

import numpy as np
import pytest
from made_up import analytic, linear_mesh, tabulated

from finegrain.pseudopotentials.free_atom import exponent, shells_of, valence_shells, with_free_atom
from finegrain.pseudopotentials.transforms import atomic_density, orbital


def words(shells: list) -> str:
    return " ".join(f"{shell.label}{shell.electrons}" for shell in shells)


@pytest.mark.parametrize(
    ("element", "charge", "expected"),
    [
        ("H", 1, "1S1"),
        ("O", 6, "2S2 2P4"),
        ("Na", 1, "3S1"),
        ("Na", 9, "2S2 2P6 3S1"),
        ("Si", 4, "3S2 3P2"),
        ("Fe", 16, "3S2 3P6 3D6 4S2"),
        ("Ga", 3, "4S2 4P1"),
        ("Ga", 13, "3D10 4S2 4P1"),
        ("Cs", 9, "5S2 5P6 6S1"),
        ("Ce", 12, "4F2 5S2 5P6 6S2"),
        ("Hg", 12, "5D10 6S2"),
        ("O", 5, ""),  # a core of three electrons is none
        ("H", 2, ""),
        ("O", 5.5, ""),
    ],
)
def test_valence_shells_are_outside_the_core(element: str, charge: float, expected: str) -> None:
    assert words(valence_shells(element, charge)) == expected


def test_all_atoms_are_neutral() -> None:
    for number, element in ((1, "H"), (26, "Fe"), (58, "Ce"), (92, "U"), (118, "Og")):
        assert sum(shell.electrons for shell in shells_of(element)) == number


@pytest.mark.parametrize(
    ("element", "label", "expected"),
    [
        # Worked out by Slater's rules: (Z - s)/n*.
        ("H", "1S", 1.0),
        ("He", "1S", 1.7),
        ("C", "2P", (6 - 3 * 0.35 - 2 * 0.85) / 2),
        ("O", "2S", (8 - 5 * 0.35 - 2 * 0.85) / 2),
        ("Si", "3P", (14 - 3 * 0.35 - 8 * 0.85 - 2) / 3),
        ("Fe", "3D", (26 - 5 * 0.35 - 18) / 3),
        ("Fe", "4S", (26 - 0.35 - 14 * 0.85 - 10) / 3.7),
    ],
)
def test_exponents_are_those_of_slaters_rules(element: str, label: str, expected: float) -> None:
    (shell,) = [one for one in shells_of(element) if one.label == label]
    assert exponent(element, shell) == pytest.approx(expected, rel=1e-12)


def test_hydrogen_has_its_known_orbital() -> None:
    """The transform of 2 exp(-r) is 16 pi/(1 + G^2)^2; what is beyond 10 bohr is missing."""
    pseudo = with_free_atom(replace(analytic(), element="H", charge=1.0))
    (one,) = pseudo.orbitals
    g = np.linspace(0, 8, 50)
    expected = 16 * np.pi / (1 + g**2) ** 2
    # 4 pi times the integral of 2 r^2 exp(-r) beyond 10 bohr is 8 pi 122 exp(-10) = 0.139.
    beyond = 8 * np.pi * 122 * np.exp(-10)
    found = orbital(pseudo, one, g).values
    assert expected[0] - found[0] == pytest.approx(beyond, rel=0.01)
    assert found[5:] == pytest.approx(expected[5:], abs=0.1 * beyond)


@pytest.mark.parametrize("mesh", [None, linear_mesh()], ids=["formulas", "mesh"])
def test_the_density_holds_the_valence_electrons(mesh: object) -> None:
    pseudo = with_free_atom(replace(analytic(), element="Si", charge=4.0, mesh=mesh))
    assert [one.label for one in pseudo.orbitals] == ["3S", "3P"]
    assert [one.occupation for one in pseudo.orbitals] == [2.0, 2.0]
    # The integral of each orbital is 1 by Simpson's rule on the same mesh.
    assert atomic_density(pseudo, [0.0]).values[0] == pytest.approx(4.0, rel=1e-10)


def test_what_a_file_brings_stays() -> None:
    given = tabulated()
    assert with_free_atom(given) is given
    without = replace(given, orbitals=())
    found = with_free_atom(without)
    assert found.atomic_density is given.atomic_density
    assert [one.label for one in found.orbitals] == ["2S", "2P"]
    odd = replace(analytic(), charge=5.5)
    assert with_free_atom(odd) is odd
