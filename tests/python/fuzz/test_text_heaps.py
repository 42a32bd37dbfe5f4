# SPDX-License-Identifier: BSD-3-Clause
"""Texts in HDF5 files whose sizes are damaged: refused before the library follows them."""

import struct
from pathlib import Path

import h5py
import numpy as np
import pytest
from oracle import text_faults
from test_hostile_folders import status_of

from finegrain.errors import InputError
from finegrain.files.seal import is_whole, seal
from finegrain.files.text_heaps import first_damaged, refuse_damaged_texts

# Sizes of a text: beyond its heap, beyond all memory, one that wraps, one with the next text.
SIZES = [5000, 2**31 + 1, 2**64 - 1, 2**64 - 20, 40]


def damaged(contents: bytes, size: int | None) -> bytes:
    """Give the third text of the first heap another size, or end it by zeros without end."""
    at = contents.index(b"GCOL") + 16
    for _ in range(2):
        at += 16 + (struct.unpack_from("<Q", contents, at + 8)[0] + 7) // 8 * 8
    new = bytes(512) if size is None else struct.pack("<Q", size)
    at += 0 if size is None else 8
    return contents[:at] + new + contents[at + len(new) :]


@pytest.mark.parametrize("size", [*SIZES, None])
@pytest.mark.parametrize("name", ["job.h5", "trajectory.h5", "checkpoint.h5"])
def test_damaged_sizes_are_refused_in_words(
    folder: Path, name: str, size: int | None, capfd: pytest.CaptureFixture[str]
) -> None:
    path = folder / name
    was_sealed = is_whole(path)
    path.write_bytes(damaged(path.read_bytes(), size))
    if was_sealed:
        seal(path)
    resume = ["resume", str(folder), "--pes", "1"]
    convert = ["convert", str(folder), "--to", "pdb", "--out", str(folder / "x.pdb")]
    run = ["run", str(path), "--out", str(folder.parent / "new")]
    commands = {
        "job.h5": [convert, ["show", str(folder)], run, resume],
        "trajectory.h5": [convert],
        "checkpoint.h5": [resume],
    }[name]
    for words in commands:
        assert status_of(*words) == 1, words
        assert "damaged" in capfd.readouterr().err


def test_bytes_that_nobody_reads_hide_no_damage(stopped_run: Path) -> None:
    contents = bytearray(damaged((stopped_run / "job.h5").read_bytes(), 5000))
    at = contents.index(b"GCOL")
    contents[at + 6] = 195
    assert first_damaged(bytes(contents)) == at


def test_texts_of_a_run_are_sound(stopped_run: Path) -> None:
    for path in stopped_run.glob("*.h5"):
        refuse_damaged_texts(path)


def test_a_heap_at_the_end_of_what_is_looked_at_may_go_on(stopped_run: Path) -> None:
    contents = (stopped_run / "job.h5").read_bytes()
    at = contents.index(b"GCOL")
    for left in (9, 20, 2000):
        assert first_damaged(contents[: at + left], whole=False) is None
        assert first_damaged(contents[: at + left]) == at


def test_the_complaint_names_the_file(stopped_run: Path, tmp_path: Path) -> None:
    path = tmp_path / "job.h5"
    path.write_bytes(damaged((stopped_run / "job.h5").read_bytes(), 5000))
    with pytest.raises(InputError, match=r"job\.h5"):
        refuse_damaged_texts(path)


@pytest.mark.parametrize("value", [np.bytes_(b"\xf7\xff"), np.array([b"x"] * 64)])
@pytest.mark.parametrize("name", ["settings/electrostatics", "dynamics/integrator", "/kind"])
def test_texts_that_are_none_are_refused_in_words(
    folder: Path, name: str, value: np.ndarray, capfd: pytest.CaptureFixture[str]
) -> None:
    group, _, attribute = name.rpartition("/")
    with h5py.File(folder / "job.h5", "r+") as file:
        file[group or "/"].attrs[attribute] = value
    seal(folder / "job.h5")
    new = str(folder.parent / "new")
    for words in (["run", str(folder / "job.h5"), "--out", new], ["resume", str(folder)]):
        assert status_of(*words, "--pes", "1", "--quiet") == 1
        assert text_faults(1, capfd.readouterr().err) == []
