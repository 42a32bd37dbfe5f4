# SPDX-License-Identifier: BSD-3-Clause
"""`convert` with some of the atoms and frames, centred, and turned onto the first frame."""

import shutil
import warnings
from pathlib import Path

import h5py
import MDAnalysis
import numpy as np
import pytest
from cut_molecules import BEADS, BONDS, read_all, written_system
from MDAnalysis.analysis.rms import rmsd

import finegrain as fg
from finegrain.base import cells
from finegrain.formats.images import Images
from finegrain.formats.selection import ChosenAtoms
from finegrain.formats.structure import Structure
from finegrain.formats.whole_molecules import WholeMolecules

CHAIN = list(range(BEADS))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> fg.Run:
    """Five frames of a tilted cell, every 50 steps."""
    folder = tmp_path_factory.mktemp("chosen")
    path = written_system(folder, "tilted")
    path.write_text(path.read_text().replace("interval = 100", "interval = 50"))
    return fg.run(path, folder / "out", pes=1)


def read(run: fg.Run, folder: Path, **how: object) -> tuple[np.ndarray, np.ndarray]:
    return read_all(fg.convert(run, "xyz", folder / "x.xyz", overwrite=True, **how), folder)


@pytest.fixture(scope="module")
def every(run: fg.Run, tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    place, _ = read(run, tmp_path_factory.mktemp("every"))
    assert len(place) == 5
    return place


@pytest.mark.parametrize(
    ("how", "kept"),
    [
        ({"stride": 2}, [0, 2, 4]),
        ({"first": 1, "last": 3}, [1, 2, 3]),
        ({"first": -3, "stride": 2}, [2, 4]),
        ({"last": -2}, [0, 1, 2, 3]),
        ({"first": 2, "last": 2}, [2]),
        ({"stride": 9}, [0]),
    ],
)
def test_frames_are_chosen(
    run: fg.Run, every: np.ndarray, tmp_path: Path, how: dict[str, int], kept: list[int]
) -> None:
    place, _ = read(run, tmp_path, **how)
    assert np.array_equal(place, every[kept])
    text = (tmp_path / "x.xyz").read_text()
    assert [f"step={50 * frame} " in text for frame in range(5)] == [n in kept for n in range(5)]


@pytest.mark.parametrize(
    "words", ["resname CHN", "name O", "element H and resid 3:5", "around 5 resname NA"]
)
def test_atoms_are_those_that_mdanalysis_chooses_from_the_pdb(
    run: fg.Run, every: np.ndarray, tmp_path: Path, words: str
) -> None:
    whole = fg.convert(run, "pdb", tmp_path / "whole.pdb", frame=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = MDAnalysis.Universe(str(whole)).select_atoms(words)
    place, _ = read(run, tmp_path, select=words)
    assert np.array_equal(place, every[:, chosen.indices])
    some = fg.convert(run, "pdb", tmp_path / "some.pdb", select=words, frame=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        back = MDAnalysis.Universe(str(some)).atoms
    assert list(back.names) == list(chosen.names)
    assert list(back.resids) == list(chosen.resids)
    assert back.positions == pytest.approx(chosen.positions, abs=1e-3)


def test_chosen_atoms_keep_the_bonds_between_them(run: fg.Run) -> None:
    some = ChosenAtoms(run.job, np.arange(3, 9))
    assert some.names == ["C4", "C5", "C6", "C7", "C8", "C9"]
    assert sorted(some.bonds().tolist()) == [[i, i + 1] for i in range(5)]


@pytest.mark.parametrize("to", ["xtc", "dcd", "gro", "rst7"])
def test_every_format_has_the_chosen_atoms(run: fg.Run, tmp_path: Path, to: str) -> None:
    top = fg.convert(run, "pdb", tmp_path / "top.pdb", select="name O H1", frame=0)
    path = fg.convert(run, to, tmp_path / f"x.{to}", select="name O H1")
    place, _ = read_all(path, top)
    assert place.shape == (1 if to in ("gro", "rst7") else 5, 12, 3)


def test_chosen_atoms_are_in_the_middle_and_molecules_around_them(
    run: fg.Run, every: np.ndarray, tmp_path: Path
) -> None:
    place, vectors = read(run, tmp_path, center="resname CHN")
    one, other = np.array(BONDS).T
    for mine, theirs, box in zip(place, every, vectors, strict=True):
        assert mine[CHAIN].mean(axis=0) == pytest.approx(box.sum(axis=0) / 2, abs=1e-6)
        moved = (mine - theirs - (mine - theirs)[0]) @ np.linalg.inv(box)
        assert moved == pytest.approx(np.round(moved), abs=1e-5)
        assert np.linalg.norm(mine[one] - mine[other], axis=1).max() < 0.2
        for water in range(6):
            middle = mine[BEADS + 4 * water : BEADS + 4 * water + 4].mean(axis=0)
            inside = cells.fractional(middle, box)
            assert ((inside > -1e-5) & (inside < 1 + 1e-5)).all()


def test_molecules_of_a_group_stay_together(run: fg.Run, tmp_path: Path) -> None:
    """The two ions are at their nearest images, and their middle is that of the box."""
    place, vectors = read(run, tmp_path, center="resname NA")
    for mine, box in zip(place, vectors, strict=True):
        one, other = mine[-2:]
        assert (one + other) / 2 == pytest.approx(box.sum(axis=0) / 2, abs=1e-6)
        apart = one - other
        assert apart - cells.nearest_shift(apart, box) == pytest.approx(apart, abs=1e-9)


def test_frames_are_turned_as_near_as_possible(
    run: fg.Run, every: np.ndarray, tmp_path: Path
) -> None:
    """The distance left is that of MDAnalysis; all distances and speeds stay."""
    place, _ = read(run, tmp_path, fit="resname CHN")
    for frame, (mine, theirs) in enumerate(zip(place, every, strict=True)):
        left = np.sqrt(((mine - place[0])[CHAIN] ** 2).sum(axis=1).mean())
        wanted = rmsd(theirs[CHAIN], every[0][CHAIN], superposition=True)
        assert left == pytest.approx(wanted, abs=1e-4 if frame == 0 else 2e-6)
        assert left < 1e-9 if frame == 0 else left > 1e-3
        chains = mine[CHAIN], theirs[CHAIN]
        apart, before = (np.linalg.norm(one[:, None] - one, axis=2) for one in chains)
        assert apart == pytest.approx(before, abs=1e-6)
    turned, plain = (
        np.loadtxt(
            fg.convert(run, "xyz", tmp_path / f"{n}.xyz", frame=-1, first=None, **how),
            skiprows=2, usecols=(4, 5, 6),
        )
        for n, how in enumerate(({"fit": "resname CHN"}, {}))
    )  # fmt: skip
    assert turned == pytest.approx(plain, abs=1e-5)  # one frame is the first one


def test_two_molecules_that_drift_through_a_face_stay_together() -> None:
    """A rigid pair is where it was in the first frame, whichever faces cut it."""
    pair = np.array([[0.3, 0.2, 0.2], [0.4, 0.2, 0.2], [0.7, 0.25, 0.2], [0.8, 0.3, 0.2]])
    molecules = WholeMolecules(4, np.array([[0, 1], [2, 3]]))
    images = Images(molecules, unwrap=False, fit=np.arange(4))
    box = np.array([2.0, 2.0, 2.0])
    for drift in (0.0, 0.9, 1.2, 1.45):
        at = (pair + np.array([drift, 0.1 * drift, 0])) % box
        found = images.of(Structure(0, 0.0, at, None, box)).positions
        assert found == pytest.approx(pair, abs=1e-9)


def test_dcd_needs_frames_that_are_evenly_spaced_in_time(run: fg.Run, tmp_path: Path) -> None:
    """Stages with other time steps have the same steps between frames, and other times."""
    with h5py.File(shutil.copytree(run.path, tmp_path / "odd") / "trajectory.h5", "a") as file:
        (times,) = (
            group["position/time"]
            for group in file["particles"].values()
            if "position/time" in group
        )
        times[-1] += 0.01
    with pytest.raises(fg.InputError, match="not evenly spaced in time"):
        fg.convert(tmp_path / "odd", "dcd")


def test_velocities_turn_with_the_atoms(run: fg.Run, tmp_path: Path) -> None:
    def last(**how: object) -> np.ndarray:
        path = fg.convert(run, "xyz", tmp_path / "v.xyz", overwrite=True, **how)
        lines = path.read_text().splitlines()
        return np.array([[float(x) for x in line.split()[1:]] for line in lines[-int(lines[0]) :]])

    plain, turned = last(), last(fit="resname CHN")
    assert np.abs(turned[:, 3:] - plain[:, 3:]).max() > 1e-3

    def relative(rows: np.ndarray) -> np.ndarray:
        """Velocities along the bonds of the chain."""
        bond = np.diff(rows[CHAIN, :3], axis=0)
        return (bond * np.diff(rows[CHAIN, 3:], axis=0)).sum(axis=1)

    assert relative(turned) == pytest.approx(relative(plain), abs=1e-4)


@pytest.mark.parametrize(
    ("to", "how", "where", "what"),
    [
        ("xyz", {"select": "nam O"}, "--select", "no selection of atoms: Unknown selection token"),
        ("xyz", {"select": "name"}, "--select", "no selection of atoms"),
        ("xyz", {"select": ""}, "--select", "is no selection of atoms"),
        ("xyz", {"select": 7}, "--select", "is no selection of atoms"),
        ("xyz", {"center": "resname XYZ"}, "--center", "chooses no atom"),
        ("xyz", {"fit": "resname XYZ"}, "--fit", "chooses no atom"),
        ("xyz", {"first": 5}, "--first", "there is no such frame"),
        ("xyz", {"last": -6}, "--last", "there is no such frame"),
        ("xyz", {"first": 3, "last": 1}, "--first", "is behind the last frame"),
        ("xyz", {"stride": 0}, "--stride", "is too small"),
        ("xyz", {"stride": 1.5}, "--stride", "is not a whole number"),
        ("xyz", {"frame": 1, "stride": 2}, "--stride", "no use beside --frame"),
        ("gro", {"last": 1}, "--last", "only the last state"),
        ("xyz", {"wrap": True, "fit": "name O"}, "--fit", "needs whole molecules"),
        ("xyz", {"orbital": 1}, "--orbital", "has no orbitals"),
    ],
)
def test_wrong_choices_are_refused(
    run: fg.Run, tmp_path: Path, to: str, how: dict[str, object], where: str, what: str
) -> None:
    with pytest.raises(fg.InputError) as caught:
        fg.convert(run, to, tmp_path / f"x.{to}", **how)
    assert caught.value.where == where
    assert what in caught.value.what
    assert not list(tmp_path.iterdir())
