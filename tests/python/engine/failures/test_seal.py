# SPDX-License-Identifier: BSD-3-Clause
"""The seal of jobs: HDF5 ignores it, and damage breaks it."""

from pathlib import Path

import h5py
import pytest

from finegrain.files.seal import is_whole, seal


@pytest.fixture
def sealed(tmp_path: Path) -> Path:
    path = tmp_path / "some.h5"
    with h5py.File(path, "w") as file:
        file["numbers"] = [1.0, 2.0, 3.0]
    seal(path)
    return path


def test_hdf5_reads_a_sealed_file(sealed: Path) -> None:
    assert is_whole(sealed)
    with h5py.File(sealed) as file:
        assert list(file["numbers"][...]) == [1.0, 2.0, 3.0]


def test_sealing_again_changes_nothing(sealed: Path) -> None:
    before = sealed.read_bytes()
    seal(sealed)
    assert sealed.read_bytes() == before


def test_every_flipped_byte_breaks_it(sealed: Path) -> None:
    whole = sealed.read_bytes()
    for place in range(0, len(whole), 7):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        sealed.write_bytes(damaged)
        assert not is_whole(sealed)


def test_a_change_through_hdf5_needs_a_new_seal(sealed: Path) -> None:
    with h5py.File(sealed, "r+") as file:
        file["numbers"][0] = 5.0
        file.attrs["more"] = 1
    assert not is_whole(sealed)
    seal(sealed)
    assert is_whole(sealed)
