# SPDX-License-Identifier: BSD-3-Clause
"""A free pseudo-atom in waves: its zeros and energies, and what the engine loses at low cutoffs."""

from dataclasses import replace

import numpy as np
import pytest
from installed import gth, psp8, upf
from plain_kohn_sham import System, ground_state
from scipy.special import spherical_jn

from finegrain.pseudopotentials import Pseudopotential
from finegrain.pseudopotentials.atom_in_waves import AtomInWaves, _lowest, _zeros, occupied_shells

RYDBERG = 0.5


@pytest.mark.parametrize("l", range(4))
def test_waves_vanish_at_the_surface_and_none_is_missing(l: int) -> None:  # noqa: E741
    zeros = _zeros(l, 60.0)
    np.testing.assert_allclose(spherical_jn(l, zeros), 0, atol=1e-13)
    # Changes of sign on a fine grid.
    x = np.linspace(0.5, 60.0, 100_000)
    values = spherical_jn(l, x)
    assert len(zeros) == np.count_nonzero(values[1:] * values[:-1] < 0)


# Sums of the energies of valence orbitals in the local-density approximation: S. Kotochigova et
# al., Phys. Rev. A 55, 191 (1997), whose tables NIST has.
@pytest.mark.parametrize(
    ("element", "energy"),
    [
        ("H", -0.233471),
        ("C", 2 * -0.500866 + 2 * -0.199186),
        ("N", 2 * -0.676151 + 3 * -0.266297),
        ("O", 2 * -0.871362 + 4 * -0.338381),
        ("Si", 2 * -0.398139 + 2 * -0.153293),
    ],
)
def test_energies_are_those_of_published_atoms(element: str, energy: float) -> None:
    atom = AtomInWaves(gth(element, "PADE"))
    # Another fit of correlation, a pseudopotential, and for silicon the sphere.
    assert atom._energy(300.0) == pytest.approx(energy, abs=8e-3)


def test_the_lowest_vectors_are_those_of_the_whole_matrix() -> None:
    atom = AtomInWaves(gth("Ti", "PBE"))
    for matrix in atom._matrices.values():
        energies, vectors = np.linalg.eigh(matrix)
        for place, found in enumerate(_lowest(matrix, 3)):
            same = np.sign(found @ vectors[:, place]) * vectors[:, place]
            # Rounding of the matrix, 300 hartree at most, over the distance of its eigenvalues.
            limit = 1e-16 * 300 / np.diff(energies[:4]).min()
            np.testing.assert_allclose(found, same, atol=10 * limit)


def test_more_waves_lose_less() -> None:
    atom = AtomInWaves(gth("O", "BLYP"))
    lost = [atom.lost(cutoff) for cutoff in (5, 10, 20, 35, 50, 80, 120, 200)]
    assert (np.diff(lost) < 0).all()
    assert atom.lost(300.0) == 0
    for most in (0.1, 0.02, 1e-3):
        enough = atom.cutoff_for(most)
        assert atom.lost(enough) <= most < atom.lost(enough - 1.0)


def silicon(pseudo: Pseudopotential) -> System:
    """Two silicon atoms."""
    vectors = 5.1 * np.array([[-1.0, 0, 1], [0, 1, 1], [-1, 1, 0]])
    positions = 10.2 * np.array([[0.0] * 3, [0.24, 0.26, 0.27]])
    return System(vectors, ("Si", "Si"), positions, {"Si": pseudo}, "PW92", 5.0, (12,) * 3)


def hydrogen() -> System:
    """A hydrogen molecule."""
    positions = np.array([[0.1, 0.2, 0.3], [1.3, 0.8, 0.7]])
    return System(
        6.0 * np.eye(3), ("H", "H"), positions, {"H": gth("H", "PADE")}, "PZ", 5.0, (12,) * 3
    )


@pytest.mark.parametrize(
    ("system", "low", "high", "grids"),
    [
        (hydrogen(), 10, 60, (15, 36)),
        (silicon(upf("Si.pz-vbc.UPF")), 10, 40, (16, 32)),
        (silicon(psp8("Si.psp8")), 10, 40, (16, 32)),
    ],
    ids=["H2 GTH", "Si2 UPF", "Si2 psp8"],
)
def test_a_system_loses_about_what_its_atoms_lose(
    system: System, low: float, high: float, grids: tuple[int, int]
) -> None:
    energies = [
        ground_state(replace(system, cutoff=cutoff * RYDBERG, grid=(points,) * 3), 1e-5).total
        for cutoff, points in zip((low, high), grids, strict=True)
    ]
    estimate = sum(
        AtomInWaves(system.pseudopotentials[element]).lost(low * RYDBERG)
        for element in system.elements
    )
    lost = energies[0] - energies[1]
    assert lost > 4e-3
    # Found by the engine for eleven systems and nine cutoffs: 0.4 to 1.4 where it counts.
    assert 0.4 < estimate / lost < 1.5


def test_electrons_of_an_atom_are_those_of_the_file_or_of_whole_shells() -> None:
    assert occupied_shells(gth("Zn", "PBE")) == [(2, 10.0), (0, 2.0)]
    assert sum(n for _, n in occupied_shells(upf("O.blyp-mt.UPF"))) == pytest.approx(6)
    odd = replace(gth("Zn", "PBE"), charge=11.0)
    assert occupied_shells(odd) == []
    with pytest.raises(ValueError, match="orbitals of Zn are not known"):
        AtomInWaves(odd)


def test_an_atom_is_made_once_for_each_pseudopotential() -> None:
    atom = AtomInWaves.of(gth("O", "BLYP"))
    assert AtomInWaves.of(gth("O", "BLYP")) is atom
    others = [AtomInWaves.of(one) for one in (gth("O", "PADE"), gth("H", "BLYP"))]
    assert len({id(one) for one in (atom, *others)}) == 3
    assert atom.lost(20.0) == AtomInWaves(gth("O", "BLYP")).lost(20.0)
