# SPDX-License-Identifier: BSD-3-Clause
"""`convert` writes whole molecules in every format, and each frame has its box.

A chain longer than half the box, waters with a virtual site and single ions lie across the faces of
an upright and of a tilted cell. Lengths are measured in the files without looking for images.
"""

from pathlib import Path

import numpy as np
import pytest
from cut_molecules import BEADS, BONDS, STEP, read_all, written_system

import finegrain as fg
from finegrain.base import cells
from finegrain.formats.whole_molecules import WholeMolecules


@pytest.fixture(scope="module", params=["upright", "tilted"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> fg.Run:
    """A run whose start has every atom in the cell, so that molecules are cut."""
    folder = tmp_path_factory.mktemp(request.param)
    return fg.run(written_system(folder, request.param), folder / "out", pes=1)


FORMATS = ("pdb", "xtc", "dcd", "xyz", "gro", "rst7")


@pytest.mark.parametrize("unwrap", [False, True])
@pytest.mark.parametrize("to", FORMATS)
def test_molecules_are_whole_everywhere(run: fg.Run, tmp_path: Path, to: str, unwrap: bool) -> None:
    top = fg.convert(run, "pdb", tmp_path / "top.pdb", frame=0)
    place, _ = read_all(fg.convert(run, to, tmp_path / f"x.{to}", unwrap=unwrap), top)
    one, other = np.array(BONDS).T
    # The longest bond is the chain's, and a hot one is stretched by less than 0.05 nm.
    assert np.linalg.norm(place[:, one] - place[:, other], axis=2).max() < STEP + 0.05


@pytest.mark.parametrize("to", FORMATS)
def test_atoms_are_images_of_those_of_the_run(run: fg.Run, tmp_path: Path, to: str) -> None:
    top = fg.convert(run, "pdb", tmp_path / "top.pdb", frame=0)
    place, vectors = read_all(fg.convert(run, to, tmp_path / f"x.{to}"), top)
    with run.trajectory() as trajectory:
        ours, boxes = trajectory.positions(), trajectory.boxes
    if to in ("gro", "rst7"):
        ours, boxes = ours[-1:], boxes[-1:]
    assert len(place) == len(ours)
    for mine, theirs, box, cell in zip(ours, place, boxes, vectors, strict=True):
        # PDB has three decimals in Å and two in angles, others have more.
        assert cell == pytest.approx(cells.vectors_of(box), abs=1e-3)
        apart = (theirs - mine) @ np.linalg.inv(cells.vectors_of(box))
        assert apart == pytest.approx(np.round(apart), abs=1e-3)


def test_the_middles_of_molecules_are_in_the_box(run: fg.Run, tmp_path: Path) -> None:
    place, vectors = read_all(fg.convert(run, "xyz", tmp_path / "x.xyz"), tmp_path)
    for molecule in (range(BEADS), *(range(BEADS + 4 * w, BEADS + 4 * w + 4) for w in range(6))):
        middle = place[:, list(molecule)].mean(axis=1)
        inside = np.einsum("fi,fij->fj", middle, np.linalg.inv(vectors))
        # five decimals of the file
        assert ((inside > -1e-5) & (inside < 1 + 1e-5)).all()


def test_wrapped_files_have_every_atom_in_the_box(run: fg.Run, tmp_path: Path) -> None:
    place, _ = read_all(fg.convert(run, "xyz", tmp_path / "x.xyz", wrap=True), tmp_path)
    with run.trajectory() as trajectory:
        assert place == pytest.approx(trajectory.positions(), abs=1e-6)
    one, other = np.array(BONDS).T
    assert np.linalg.norm(place[:, one] - place[:, other], axis=2).max() > 1.0  # they are cut


def test_wrap_and_unwrap_together_are_refused(run: fg.Run, tmp_path: Path) -> None:
    with pytest.raises(fg.InputError, match="opposite of unwrap=True"):
        fg.convert(run, "xyz", tmp_path / "x.xyz", wrap=True, unwrap=True)


def test_the_box_of_a_run_at_constant_pressure_changes(run: fg.Run) -> None:
    with run.trajectory() as trajectory:
        assert len(np.unique(trajectory.boxes.reshape(3, -1)[:, 0])) > 1


def test_a_chain_through_the_box_to_its_own_image_stays_where_it_is() -> None:
    place = np.array([[0.1, 0, 0], [0.6, 0, 0], [0.9, 0.5, 0], [0.05, 0.5, 0]])
    molecules = WholeMolecules(4, np.array([[0, 1], [1, 0], [0, 1], [2, 3]]))
    assert molecules.whole(place, np.ones(3), inside=True)[2:, 0].max() < 1.1
    ring = WholeMolecules(3, np.array([[0, 1], [1, 2], [2, 0]]))
    endless = np.array([[0.1, 0.5, 0.5], [0.45, 0.5, 0.5], [0.8, 0.5, 0.5]])
    assert ring.whole(endless, np.ones(3), inside=True) == pytest.approx(endless)


def test_residues_that_an_insertion_code_tells_apart_are_read_back(tmp_path: Path) -> None:
    lines = [
        f"HETATM{3 * w + k + 1:5d}  {name:<4}HOH A   1{code}   "
        + "".join(f"{x:8.3f}" for x in (4.0 * w + at[0], at[1], at[2]))
        + f"  1.00  0.00           {name[0]}"
        for w, code in enumerate(" AB")
        for k, (name, at) in enumerate(
            (("O", (0, 0, 0)), ("H1", (0.957, 0, 0)), ("H2", (-0.24, 0.927, 0)))
        )
    ]
    (tmp_path / "x.pdb").write_text("\n".join([*lines, "END"]) + "\n")
    text = (
        '[system]\nkind = "classical"\ntopology = "x.pdb"\nforcefield = ["tip3p.xml"]\n'
        '[dynamics]\nensemble = "nve"\ntimestep = "0.5 fs"\nsteps = 2\nvelocities = "zero"\n'
        "[output]\ntrajectory_interval = 2\n"
    )
    (tmp_path / "in.toml").write_text(text)
    run = fg.run(tmp_path / "in.toml", out=tmp_path / "out", pes=1)
    fg.convert(run, "pdb", tmp_path / "back.pdb", frame=0)
    (tmp_path / "back.toml").write_text(text.replace("x.pdb", "back.pdb"))
    start = fg.energy(tmp_path / "in.toml", pes=1).total
    assert fg.energy(tmp_path / "back.toml", pes=1).total == pytest.approx(start, abs=0.05)
