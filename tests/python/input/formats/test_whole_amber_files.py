# SPDX-License-Identifier: BSD-3-Clause
"""AMBER coordinates that are read as a whole: their bits are those that OpenMM reads."""

from pathlib import Path

import numpy as np
import pytest
from openmm import app

from finegrain.classical.input.readers.amber_text import read_amber_text
from finegrain.classical.input.source import box_in_nm, in_nm


def text_of(atoms: int, *, velocities: bool, box: bool) -> str:
    random = np.random.default_rng(atoms)
    blocks = [random.uniform(-99, 99, 3 * atoms) for _ in range(1 + velocities)]
    if box:
        blocks.append(np.array([61.5, 62.25, 63.1, 90.0, 100.5, 110.25]))
    lines = ["title", f"{atoms:6d}"]
    for block in blocks:
        rows = [block[at : at + 6] for at in range(0, len(block), 6)]
        lines += ["".join(f"{value:12.7f}" for value in row) for row in rows]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("atoms", [3, 4, 101])
@pytest.mark.parametrize("velocities", [False, True])
@pytest.mark.parametrize("box", [False, True])
def test_numbers_have_the_bits_of_openmm(tmp_path: Path, atoms, velocities, box) -> None:
    path = tmp_path / "x.inpcrd"
    path.write_text(text_of(atoms, velocities=velocities, box=box))
    ours, theirs = read_amber_text(path), app.AmberInpcrdFile(str(path))
    assert ours is not None
    assert np.array_equal(ours.position, in_nm(theirs.positions))
    assert (ours.velocity is None) == (not velocities)
    assert (ours.box is None) == (not box)
    if ours.velocity is not None:
        assert np.array_equal(ours.velocity, in_nm(theirs.velocities))
    if ours.box is not None:
        assert np.array_equal(ours.box, box_in_nm(theirs.boxVectors))


def test_other_files_are_left_to_openmm(tmp_path: Path) -> None:
    path = tmp_path / "x.inpcrd"
    whole = text_of(5, velocities=False, box=False)
    few = text_of(2, velocities=False, box=False)
    for text in ("", "title\n", "title\nmany\n", few, whole + whole[-37:] * 4, b"CDF\1"):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        assert read_amber_text(path) is None
