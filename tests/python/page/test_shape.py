# SPDX-License-Identifier: BSD-3-Clause
"""The shape of a molecule over time, beside MDAnalysis."""

import numpy as np
import pytest

from finegrain.observables.shape import radius_of_gyration, rmsd, rmsf, superposed

FRAMES, ATOMS = 8, 12


@pytest.fixture
def molecule() -> tuple[np.ndarray, np.ndarray]:
    """Frames of a molecule that turns, drifts and shakes, in Å, and its masses."""
    random = np.random.default_rng(5)
    shape = random.normal(size=(ATOMS, 3)) * 4
    frames = []
    for _ in range(FRAMES):
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        turn *= np.sign(np.linalg.det(turn))
        shaken = shape + random.normal(size=shape.shape) * 0.3
        frames.append(shaken @ turn + random.normal(size=3) * 10)
    return np.array(frames), random.uniform(1, 16, ATOMS)


def test_mdanalysis_gives_the_same(molecule: tuple[np.ndarray, np.ndarray]) -> None:
    mda = pytest.importorskip("MDAnalysis")
    from MDAnalysis.analysis import align, rms

    frames, masses = molecule
    universe = mda.Universe.empty(ATOMS, trajectory=True)
    universe.add_TopologyAttr("masses", masses)
    universe.load_new(frames.astype(np.float32))
    # It holds single precision: 6e-8 of coordinates up to 30 Å.
    distance = rms.RMSD(universe.atoms, weights="mass").run().results.rmsd[:, 2]
    assert rmsd(frames, frames[0], masses) == pytest.approx(distance, abs=2e-5)
    sizes = [universe.atoms.radius_of_gyration() for _ in universe.trajectory]
    assert radius_of_gyration(frames, masses) == pytest.approx(sizes, abs=1e-5)
    mean = align.AverageStructure(universe, weights="mass", ref_frame=0).run().results.positions
    align.AlignTraj(universe, _at(mda, mean, masses), weights="mass", in_memory=True).run()
    expected = rms.RMSF(universe.atoms).run().results.rmsf
    assert rmsf(frames, masses) == pytest.approx(expected, abs=2e-5)


def _at(mda, positions: np.ndarray, masses: np.ndarray):
    still = mda.Universe.empty(ATOMS, trajectory=True)
    still.add_TopologyAttr("masses", masses)
    still.load_new(positions.astype(np.float32)[None])
    return still


def test_a_mirror_image_is_not_superposed(molecule: tuple[np.ndarray, np.ndarray]) -> None:
    frames, masses = molecule
    assert rmsd(frames[:1] * [1, 1, -1], frames[0], masses)[0] > 1
    assert superposed(frames[:1] + 7, frames[0], masses)[0] == pytest.approx(frames[0])
