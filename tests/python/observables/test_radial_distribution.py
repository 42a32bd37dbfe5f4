# SPDX-License-Identifier: BSD-3-Clause
"""Radial distribution functions of a lattice, of an ideal gas, and beside MDAnalysis."""

import numpy as np
import pytest

from finegrain import InputError
from finegrain.observables import radial_distribution

EDGE = 0.4  # nm, of a simple cubic lattice


def lattice(count: int) -> np.ndarray:
    places = np.arange(count) * EDGE + 0.1
    return np.stack(np.meshgrid(places, places, places), axis=-1).reshape(-1, 3)


# The same lattice in a cube, and in a cell whose vectors b and c are tilted.
CUBE = 6 * EDGE * np.eye(3)
TILTED = CUBE + EDGE * np.array([[0, 0, 0], [2, 0, 0], [-1, 3, 0]])


@pytest.mark.parametrize("box", [np.diag(CUBE), CUBE, TILTED])
def test_a_lattice_has_its_numbers_of_neighbours(box: np.ndarray) -> None:
    atoms = np.arange(6**3)
    found = radial_distribution(lattice(6)[None], box[None], atoms, atoms, bins=60)
    # 6 neighbours at the edge, 12 at its root 2, 8 at its root 3.
    for distance, number in ((0.9, 0), (1.1, 6), (1.5, 18), (1.8, 26)):
        assert found.neighbours[found.r < distance * EDGE][-1] == pytest.approx(number)
    # The integral of density g over shells is that number; the density is that of other atoms.
    width = found.r[1] - found.r[0]
    shells = 4 / 3 * np.pi * ((found.r + width / 2) ** 3 - (found.r - width / 2) ** 3)
    density = (6**3 - 1) / (6 * EDGE) ** 3
    assert np.cumsum(density * shells * found.g) == pytest.approx(found.neighbours)


def test_an_ideal_gas_has_no_structure() -> None:
    random = np.random.default_rng(3)
    frames, atoms, bins = 40, 120, 10
    positions = random.uniform(-5, 5, (frames, atoms, 3))  # not wrapped
    boxes = np.tile([1.0, 1.2, 1.4], (frames, 1))
    a, b = np.arange(50), np.arange(50, atoms)
    for first, second, pairs in ((a, b, 50 * 70), (a, a, 50 * 49)):
        found = radial_distribution(positions * boxes[:, None], boxes, first, second, bins=bins)
        edges = np.linspace(0, 0.5, bins + 1)
        mean = frames * pairs * 4 / 3 * np.pi * np.diff(edges**3) / (1.0 * 1.2 * 1.4)
        independent = mean if first is not second else mean / 2  # each pair counts twice
        # Counts have the distribution of Poisson; 4.5 of its widths in ten bins: once in 7000 runs.
        assert (np.abs(found.g - 1) < 4.5 / np.sqrt(independent)).all()


def test_mdanalysis_gives_the_same() -> None:
    mda = pytest.importorskip("MDAnalysis")
    from MDAnalysis.analysis.rdf import InterRDF

    random = np.random.default_rng(4)
    frames, atoms = 5, 60
    positions = random.uniform(0, 12, (frames, atoms, 3)).astype(np.float32)  # Å
    universe = mda.Universe.empty(atoms, trajectory=True)
    universe.load_new(positions, dimensions=np.tile([12.0, 13, 14, 90, 90, 90], (frames, 1)))
    first, second = universe.atoms[:20], universe.atoms[20:]
    theirs = InterRDF(first, second, nbins=30, range=(0.0, 6.0)).run().results
    mine = radial_distribution(
        positions,
        np.tile([12.0, 13, 14], (frames, 1)),
        first.indices,
        second.indices,
        longest=6.0,
        bins=30,
    )
    assert mine.r == pytest.approx(theirs.bins)
    # It finds distances in single precision, so that a pair in 7000 may be in the next bin.
    volume = 12.0 * 13 * 14 / (frames * 20 * 40 * 4 * np.pi * mine.r**2 * 0.2)
    assert (np.abs(mine.g - theirs.rdf) <= 1.5 * volume).all()
    assert (np.abs(mine.g - theirs.rdf) < 1e-6 * volume).mean() > 0.9


def test_what_has_no_radial_distribution_is_refused() -> None:
    one = np.zeros((1, 4, 3))
    box = np.ones((1, 3))
    with pytest.raises(InputError, match="no pair of atoms"):
        radial_distribution(one, box, [0], [0])
    with pytest.raises(InputError, match="no pair of atoms"):
        radial_distribution(one[:0], box[:0], [0, 1], [2])
    with pytest.raises(InputError, match="some atoms, but not all"):
        radial_distribution(one, box, [0, 1], [1, 2])
    with pytest.raises(InputError, match="no periodic box"):
        radial_distribution(one, 0 * box, [0, 1], [2])
    with pytest.raises(InputError, match="largest distance"):
        radial_distribution(one, box, [0, 1], [2], longest=0.51)


def test_pairs_in_a_molecule_are_left_out() -> None:
    random = np.random.default_rng(8)
    frames, pairs, bins = 30, 60, 8
    one = random.uniform(0, 1, (frames, pairs, 3))
    positions = np.stack([one, one + 0.03], axis=2).reshape(frames, 2 * pairs, 3)
    boxes, atoms = np.ones((frames, 3)), np.arange(2 * pairs)
    bonded = radial_distribution(positions, boxes, atoms[::2], atoms[1::2], bins=bins)
    assert bonded.g[0] > 10  # bonds of 0.052
    for first, second in ((atoms[::2], atoms[1::2]), (atoms, atoms)):
        found = radial_distribution(
            positions, boxes, first, second, bins=bins, molecules=atoms // 2
        )
        count = frames * pairs * (pairs - 1) * (4 if first is second else 1)
        mean = count * 4 / 3 * np.pi * np.diff(np.linspace(0, 0.5, bins + 1) ** 3)
        # Distances to both atoms of a molecule are alike: as if a fourth of the pairs counted,
        # and each counts twice. 4.5 widths of Poisson in 16 bins: once in 4000 runs.
        assert (np.abs(found.g - 1) < 4.5 / np.sqrt(mean / 8)).all()
    assert found.neighbours[-1] == pytest.approx(2 * (pairs - 1) * 4 / 3 * np.pi / 8, rel=0.05)
    with pytest.raises(InputError, match="no pair"):
        radial_distribution(positions, boxes, atoms, atoms, molecules=0 * atoms)
