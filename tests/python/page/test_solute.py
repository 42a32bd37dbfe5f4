# SPDX-License-Identifier: BSD-3-Clause
"""Which atoms are the solute, and how it is drawn."""

import json
import re
from html import unescape
from pathlib import Path

import h5py
import numpy as np
import pytest

from finegrain import Trajectory
from finegrain.observables.solute import solute_atoms, solute_charts, solute_of
from finegrain.observables.structure import view_of_frame

WATERS, FRAMES, EDGE = 12, 5, 2.0  # nm


def write(path: Path, waters: int = WATERS) -> None:
    """Write waters, an ion, and a chain of five carbons that lies across a face of the box."""
    random = np.random.default_rng(9)
    middles = np.repeat(random.uniform(0.2, 1.8, (waters, 3)), 3, axis=0)
    chain = np.stack([1.8 + 0.15 * np.arange(5), *np.full((2, 5), 1.0)], axis=1)
    chain[1::2, 1] += 0.1
    places = np.concatenate([middles, [[0.5, 0.5, 0.5]], chain])
    frames = places + random.normal(size=(FRAMES, len(places), 3)) * 0.01
    images = np.floor(frames / EDGE).astype(np.int32)
    elements = ["O", "H", "H"] * waters + ["Na"] + ["C"] * 5
    first = 3 * waters + 1
    bonds = [(3 * one, 3 * one + k) for one in range(waters) for k in (1, 2)]
    bonds += [(first + k, first + k + 1) for k in range(4)]
    with h5py.File(path, "w") as file:
        file.create_group("h5md").attrs["version"] = np.array([1, 1], np.int32)
        atoms = file.create_group("particles/all")
        box = atoms.create_group("box")
        box.attrs["boundary"] = np.array(["periodic"] * 3, dtype="S8")
        box["edges/value"] = np.full((FRAMES, 3), EDGE)
        atoms["position/value"] = (frames - EDGE * images).astype(np.float32)
        atoms["position/step"], atoms["position/time"] = np.arange(FRAMES), np.arange(FRAMES) * 0.1
        atoms["image/value"] = images
        atoms["mass"] = np.ones(len(places))
        atoms["id"] = np.arange(1, len(places) + 1)
        atoms.create_dataset("element", data=elements, dtype=h5py.string_dtype())
        file["connectivity/bonds"] = np.array(bonds) + 1


def test_the_solute_is_neither_ions_nor_many_alike(tmp_path: Path) -> None:
    write(tmp_path / "t.h5")
    with Trajectory(tmp_path / "t.h5") as trajectory:
        assert solute_atoms(trajectory).tolist() == list(range(37, 42))
        found = solute_of(trajectory)
    assert found is not None
    steps = np.linalg.norm(np.diff(found.positions, axis=1), axis=2)
    # Bonds of 1.8 Å, and 0.1 Å of noise in each coordinate of both ends: whole, across the face.
    assert np.abs(steps - 1.8).max() < 1
    distance, size, fluctuation = solute_charts(found)
    assert distance.curves[0].label == "atoms but hydrogen"
    assert distance.curves[0].y[0] == pytest.approx(0, abs=1e-6)
    assert size.curves[0].y == pytest.approx(2.15, abs=0.15)  # of a zigzag of 6 Å
    assert len(fluctuation.curves[0].y) == 5
    assert (fluctuation.curves[0].y < 0.4).all()


def test_a_view_has_the_whole_solute_with_its_bonds(tmp_path: Path) -> None:
    write(tmp_path / "t.h5")
    with Trajectory(tmp_path / "t.h5") as trajectory:
        canvas, words = view_of_frame(trajectory)
    found = re.search(r'data-structure="([^"]*)"', canvas)
    assert found is not None
    data = json.loads(unescape(found[1]))
    assert data["elements"] == ["C"] * 5
    assert data["bonds"] == [[0, 1], [1, 2], [2, 3], [3, 4]]
    assert np.ptp(np.array(data["places"])[:, 0]) == pytest.approx(6, abs=0.6)
    assert len(data["frame"]) == 12
    assert "5 of 42 atoms" in words


def test_without_a_solute_there_are_no_charts(tmp_path: Path) -> None:
    write(tmp_path / "t.h5", waters=2)
    with h5py.File(tmp_path / "t.h5", "r+") as file:
        del file["connectivity"]
    with Trajectory(tmp_path / "t.h5") as trajectory:
        assert solute_of(trajectory) is None
        assert "All atoms at 0.4 ps" in view_of_frame(trajectory)[1]
