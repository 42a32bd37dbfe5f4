# SPDX-License-Identifier: BSD-3-Clause
"""Observables of a trajectory file, and their picture."""

from pathlib import Path

import h5py
import numpy as np
import pytest

from finegrain import InputError, Trajectory, observables
from finegrain.observables.picture import charts_of_frames

pytestmark = pytest.mark.pictures

FRAMES, STEP = 200, 0.001  # ps
EDGE = 1.0  # nm


def write(path: Path, *, velocities: bool = True, periodic: bool = True) -> None:
    """Write water-like atoms as the engine does: O flies through the box, each H swings along y."""
    times = STEP * np.arange(FRAMES)
    unwrapped = np.zeros((FRAMES, 3, 3))
    unwrapped[:, 0, 0] = 0.9 + 2.0 * times  # leaves the box on the way
    swing = 2 * np.pi * 100 * times  # 100/ps: 3336 1/cm
    unwrapped[:, 1:, 0] = 0.3
    unwrapped[:, 1, 1] = 0.25 + 0.01 * np.sin(swing)
    unwrapped[:, 2, 1] = 0.75 + 0.01 * np.cos(swing)
    images = np.floor(unwrapped / EDGE).astype(np.int32) if periodic else np.zeros((FRAMES, 3, 3))
    with h5py.File(path, "w") as file:
        file.create_group("h5md").attrs["version"] = np.array([1, 1], np.int32)
        atoms = file.create_group("particles/all")
        box = atoms.create_group("box")
        box.attrs["boundary"] = np.array(["periodic" if periodic else "none"] * 3, dtype="S8")
        position = atoms.create_group("position")
        position["value"] = (unwrapped - EDGE * images).astype(np.float32)
        position["step"], position["time"] = np.arange(FRAMES), times
        atoms["image/value"] = images.astype(np.int32)
        if periodic:
            box["edges/value"] = np.full((FRAMES, 3), EDGE)
        if velocities:
            speed = np.zeros((FRAMES, 3, 3))
            speed[:, 1, 1] = 2 * np.pi * np.cos(swing)
            speed[:, 2, 1] = -2 * np.pi * np.sin(swing)
            atoms["velocity/value"] = speed.astype(np.float32)
        atoms["mass"] = np.array([15.999, 1.008, 1.008])
        text = h5py.string_dtype()
        atoms.create_dataset("element", data=["O", "H", "H"], dtype=text)


@pytest.fixture
def trajectory(tmp_path: Path) -> Trajectory:
    write(tmp_path / "t.h5")
    return Trajectory(tmp_path / "t.h5")


def test_distances_are_by_pairs_of_elements(trajectory: Trajectory) -> None:
    found = observables.radial_distributions(trajectory, slice(0, 1), bins=50)
    assert list(found) == [("O", "H"), ("H", "H")]  # one O makes no pair
    # In the first frame H and H are 0.51 apart, by the nearest image 0.49; O and H 0.4717 and
    # 0.4665.
    near = found["H", "H"].r[found["H", "H"].g > 0]
    assert near == pytest.approx([0.495])
    near = found["O", "H"].r[found["O", "H"].g > 0]
    assert near == pytest.approx([0.465, 0.475])


def test_displacements_have_no_jumps_and_no_drift_of_all(trajectory: Trajectory) -> None:
    found = observables.displacements(trajectory)
    # O flies with 2 nm/ps, the centre of mass with 15.999 / 18.015 of it but for the swings, whose
    # part of the centre of mass is below 0.01 nm x 2 / 18.
    speed = 2.0 * (1 - 15.999 / 18.015)
    assert np.sqrt(found["O"].square) == pytest.approx(speed * found["O"].time, abs=2.5e-3)
    assert found["O"].time[-1] == pytest.approx(STEP * (FRAMES - 1))
    assert found["H"].square[-1] == pytest.approx((2.0 * 15.999 / 18.015 * 0.199) ** 2, rel=0.01)


def test_vibrations_have_the_line_of_the_swing(trajectory: Trajectory) -> None:
    found = observables.vibrations(trajectory)
    line = found.wavenumber[found.density.argmax()]
    # 100/ps over the speed of light, to a tenth of the width of 1 / (c 2 x 0.0995 ps) = 168 1/cm.
    assert line == pytest.approx(100 / 2.99792458e-2, abs=17)


@pytest.mark.parametrize("periodic", [True, False])
@pytest.mark.parametrize("velocities", [True, False])
def test_the_picture_has_what_there_is(tmp_path: Path, periodic: bool, velocities: bool) -> None:
    write(tmp_path / "t.h5", periodic=periodic, velocities=velocities)
    with Trajectory(tmp_path / "t.h5") as trajectory:
        assert observables.draw_observables(trajectory, tmp_path / "a.png", "water")
        if not velocities:
            with pytest.raises(InputError, match="no velocities"):
                observables.vibrations(trajectory)
        if not periodic:
            with pytest.raises(InputError, match="no periodic box"):
                observables.radial_distributions(trajectory)
    if periodic and velocities:
        with h5py.File(tmp_path / "t.h5", "r+") as file:
            file["particles/all/position/time"][-1] = 17.0
        with Trajectory(tmp_path / "t.h5") as trajectory:
            assert observables.draw_observables(trajectory, tmp_path / "b.png")
        assert int.from_bytes((tmp_path / "b.png").read_bytes()[16:20], "big") == 540
    head = (tmp_path / "a.png").read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    panels = 1 + periodic + velocities
    assert int.from_bytes(head[16:20], "big") == pytest.approx(540 * panels, abs=2)


def test_molecules_are_those_of_bonds_or_of_short_distances(tmp_path: Path) -> None:
    write(tmp_path / "t.h5")
    with h5py.File(tmp_path / "t.h5", "r+") as file:  # O at 0.9 0 0; 0.24 nm to H is no bond
        file["particles/all/position/value"][0] = [[0.9, 0, 0], [0.99, 0, 0], [0.05, 0.2, 0]]
    with Trajectory(tmp_path / "t.h5") as trajectory:
        assert list(observables.molecules_of(trajectory)) == [0, 0, 2]
        assert len(trajectory.bonds()) == 0
    with h5py.File(tmp_path / "t.h5", "r+") as file:
        file["particles/all/id"] = np.array([1, 2, 3])  # as in files of finegrain
        file["connectivity/bonds"] = np.array([[2, 3]])
    with Trajectory(tmp_path / "t.h5") as trajectory:
        assert trajectory.bonds().tolist() == [[1, 2]]
        assert list(observables.molecules_of(trajectory)) == [0, 1, 1]
        charts = charts_of_frames(trajectory)
        assert charts[0].y == "g(r), between\nmolecules"
        assert [curve.label for curve in charts[0].curves] == ["O-H"]
    with h5py.File(tmp_path / "t.h5", "r+") as file:
        file["connectivity/bonds"][0] = [1, 7]
    with Trajectory(tmp_path / "t.h5") as trajectory, pytest.raises(InputError):
        trajectory.bonds()


def test_atoms_of_a_crystal_are_no_molecule(tmp_path: Path) -> None:
    write(tmp_path / "t.h5")
    with h5py.File(tmp_path / "t.h5", "r+") as file:  # a chain along x, through the box
        file["particles/all/position/value"][0] = [[0.1, 0, 0], [0.4, 0, 0], [0.7, 0, 0]]
        file["connectivity/bonds"] = np.array([[0, 1], [1, 2], [2, 0]])
    with Trajectory(tmp_path / "t.h5") as trajectory:
        assert list(observables.molecules_of(trajectory)) == [0, 1, 2]
        assert charts_of_frames(trajectory)[0].y == "g(r), all pairs,\nbonded ones too"


def test_a_spectrum_ends_where_nothing_is_left(tmp_path: Path) -> None:
    write(tmp_path / "t.h5")
    with h5py.File(tmp_path / "t.h5", "r+") as file:
        file["particles/all/position/time"][...] /= 2  # twice the frequency: 6671 1/cm
    with Trajectory(tmp_path / "t.h5") as trajectory:
        spectrum = charts_of_frames(trajectory)[-1].curves[0]
    assert spectrum.x[spectrum.y.argmax()] == pytest.approx(6671, rel=0.01)
    assert 6671 * 1.05 < spectrum.x[-1] < 1.5 * 6671


@pytest.mark.parametrize("shape", [(FRAMES, 3, 3), (FRAMES, 2, 3), (FRAMES,)])
@pytest.mark.parametrize("table", ["image", "velocity"])
def test_other_tables_are_damaged(tmp_path: Path, table: str, shape: tuple[int, ...]) -> None:
    write(tmp_path / "t.h5")
    kind = np.dtype("f4" if shape != (FRAMES, 3, 3) else [("a", "f8"), ("b", "i4")])
    with h5py.File(tmp_path / "t.h5", "r+") as file:
        del file[f"particles/all/{table}/value"]
        file[f"particles/all/{table}/value"] = np.zeros(shape, kind)
    trajectory = Trajectory(tmp_path / "t.h5")
    reads = {"image": lambda: trajectory.positions(unwrap=True), "velocity": trajectory.velocities}
    with pytest.raises(InputError, match=r"is damaged"):
        reads[table]()
