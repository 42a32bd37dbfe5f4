# SPDX-License-Identifier: BSD-3-Clause
"""Plain .xyz files are read as ASE reads them, and near pairs are those of ASE."""

from pathlib import Path

import numpy as np
import pytest
from ase.io import read, write
from ase.neighborlist import primitive_neighbor_list

from finegrain.ab_initio.ions.built_in import built_in
from finegrain.ab_initio.ions.near_pairs import near_pairs
from finegrain.ab_initio.ions.plain_xyz import read_plain_xyz

LATTICE = 'Lattice="6 0 0 1.5 7.25 0 0 0 8e0"'
ATOMS = "O 3.0 3.0 3.0\nH 3.757 3.0 3.586\nH 2.243 -3.0 3.586\n"
PLAIN = f'3\n{LATTICE} Properties=species:S:1:pos:R:3 pbc="T T T"\n{ATOMS}'


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN + "\n",
        PLAIN.replace("T T T", "T T F"),
        PLAIN.replace("T T T", "F F F"),
        PLAIN.replace(' pbc="T T T"', ""),
        f"3\n\n{ATOMS}",
        f" 3 \n{LATTICE}\n{ATOMS.replace(' ', '   ')}",
    ],
)
def test_plain_files_give_what_ase_gives(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.xyz"
    path.write_text(text)
    mine, theirs = read_plain_xyz(path), read(path)
    assert mine is not None
    assert mine.get_chemical_symbols() == theirs.get_chemical_symbols()
    assert np.array_equal(mine.get_positions(), theirs.get_positions())
    assert np.array_equal(mine.get_cell().array, theirs.get_cell().array)
    assert np.array_equal(mine.get_masses(), theirs.get_masses())
    assert np.array_equal(mine.pbc, theirs.pbc)


def test_a_file_that_ase_writes_is_plain(tmp_path: Path) -> None:
    path = tmp_path / "ice.xyz"
    write(path, built_in("ice"))
    mine = read_plain_xyz(path)
    assert mine is not None
    assert np.array_equal(mine.get_positions(), read(path).get_positions())


@pytest.mark.parametrize(
    "text",
    [
        PLAIN + PLAIN,  # two frames
        PLAIN.replace("3\n", "4\n", 1),
        PLAIN.replace("pos:R:3", "pos:R:3:forces:R:3"),
        PLAIN.replace("3.757", "3.757 1.0"),
        PLAIN.replace("3.757", "nothing"),
        PLAIN.replace("O 3.0", "Xx 3.0"),
        PLAIN.replace("O 3.0", "8 3.0"),
        PLAIN.replace("8e0", "eight"),
        PLAIN.replace("8e0", "8 9"),
        PLAIN.replace("pbc", 'Origin="1 1 1" pbc'),
        PLAIN.replace("pbc", "lattice"),
        PLAIN.replace("T T T", "yes yes no"),
        PLAIN.replace("T T T", "T"),
        PLAIN.replace("pbc", LATTICE + " pbc"),
        PLAIN.replace("3\n", "three\n", 1),
        "0\n\n",
        "3",
        "",
    ],
)
def test_anything_unusual_is_left_to_ase(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.xyz"
    path.write_text(text)
    assert read_plain_xyz(path) is None


def test_files_of_other_names_and_bytes_that_are_no_text_are_left_to_ase(tmp_path: Path) -> None:
    (tmp_path / "a.cif").write_text(PLAIN)
    assert read_plain_xyz(tmp_path / "a.cif") is None
    (tmp_path / "a.xyz").write_bytes(b"3\n\xff\n")
    assert read_plain_xyz(tmp_path / "a.xyz") is None


# The cells: a cube, an oblique one, and one so flat that ASE's own list has to be used.
@pytest.mark.parametrize(
    "vectors",
    [
        np.eye(3) * 7.0,
        np.array([[6.0, 0, 0], [2.0, 6.5, 0], [-1.0, 1.5, 7.0]]),
        np.diag([7.0, 7.0, 1.5]),
    ],
)
def test_near_pairs_are_those_of_ase(vectors: np.ndarray) -> None:
    place = np.random.default_rng(1).uniform(-5, 15, (60, 3))
    for reach in (0.8, 2.4):
        found = sorted(zip(*near_pairs(vectors, place, reach), strict=True))
        right = sorted(
            zip(*primitive_neighbor_list("ijd", [True] * 3, vectors, place, reach), strict=True)
        )
        assert [pair[:2] for pair in found] == [pair[:2] for pair in right]
        assert len(found) > 10
        # Both round distances of up to 2.4 to about 1e-15.
        assert np.allclose([pair[2] for pair in found], [pair[2] for pair in right], atol=1e-13)
