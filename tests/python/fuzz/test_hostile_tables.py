# SPDX-License-Identifier: BSD-3-Clause
"""Small files that claim much: tables, chunks, lists and headings without end, refused in words."""

import json
import os
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import results
from oracle import text_faults
from test_hostile_folders import status_of

import finegrain as fg
from finegrain.errors import InputError
from finegrain.files.hdf5 import open_hdf5
from finegrain.files.seal import is_damaged, is_whole, seal

pytestmark = pytest.mark.pictures

MOST_KIB = 1 << 20  # more than a command takes by itself; a bomb takes gigabytes


Command = Callable[..., tuple[int, str]]


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Command:
    """Do a command, soon; return its status and all that it wrote."""

    def do(*words: str) -> tuple[int, str]:
        capfd.readouterr()
        status = status_of(*words)
        return status, "".join(capfd.readouterr())

    return do


@pytest.fixture
def refused(command: Command) -> Callable[..., str]:
    """Return what a command says that refuses its files in our words."""

    def do(*words: str) -> str:
        status, text = command(*words)
        assert status == 1
        assert not text_faults(1, text if "--json" not in words else f"error  1 problem {text}")
        return " ".join(text.split())

    return do


Refused = Callable[..., str]


@pytest.mark.parametrize("file", ["job.h5", "checkpoint.h5", "trajectory.h5"])
@pytest.mark.parametrize("bomb", list(results.bombs))
def test_oversized_tables_are_refused(folder: Path, file: str, bomb: str, refused: Refused) -> None:
    path = folder / file
    table = {"job.h5": "atoms/position", "checkpoint.h5": "position"}.get(file)
    with h5py.File(path, "r+") as opened:
        results.bombs[bomb](opened, table or "particles/all/position/value")
    if file != "trajectory.h5":
        seal(path)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(InputError, match="claims to hold more"):
        open_hdf5(path)
    if file == "job.h5":
        for words in (["check", str(path)], ["run", str(path), "--out", str(folder.parent / "o")]):
            assert "claims to hold more" in refused(*words)
    elif file == "trajectory.h5":
        out = str(folder.parent / "out.xtc")
        assert "claims to hold" in refused("convert", str(folder), "--to", "xtc", "--out", out)
    else:
        refused("convert", str(folder), "--to", "gro", "--out", str(folder.parent / "out.gro"))
    refused("resume", str(folder), "--pes", "1", "--quiet")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + MOST_KIB


@pytest.mark.parametrize("bomb", list(results.bombs))
def test_holes_in_a_file_do_not_count_as_its_size(folder: Path, bomb: str) -> None:
    path = folder / "trajectory.h5"
    with h5py.File(path, "r+") as opened:
        results.bombs[bomb](opened, "particles/all/position/value")
    os.truncate(path, 1 << 40)
    with pytest.raises(InputError, match="claims to hold more"):
        open_hdf5(path)


@pytest.mark.parametrize("file", ["job.h5", "checkpoint.h5", "trajectory.h5"])
def test_groups_in_groups_for_ever_are_refused(folder: Path, file: str, refused: Refused) -> None:
    with h5py.File(folder / file, "r+") as opened:
        group = opened["/"]
        for _ in range(2000):
            group = group.create_group("g")
    if file != "trajectory.h5":
        seal(folder / file)
    out = str(folder.parent / "out")
    if file == "job.h5":
        assert "50 deep" in refused("check", str(folder / file))
        assert "50 deep" in refused("run", str(folder / file), "--out", out)
    if file == "trajectory.h5":
        refused("convert", str(folder), "--to", "xtc", "--out", f"{out}.xtc")
    assert "50 deep" in refused("resume", str(folder), "--pes", "1")


def test_a_large_table_in_a_file_of_its_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.h5"
    with h5py.File(path, "w") as file:
        file["numbers"] = np.zeros(9 << 20)
    with open_hdf5(path) as file:
        assert file["numbers"].shape == (9 << 20,)


def test_seals_are_read_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for size in (0, 1, 80, 81, (1 << 20) - 1, 1 << 20, (2 << 20) + 5):
        path.write_bytes(bytes(size))
        assert not is_whole(path)
        assert not is_damaged(path)
        seal(path)
        assert is_whole(path)
        if size:
            contents = bytearray(path.read_bytes())
            contents[size // 2] ^= 1
            path.write_bytes(contents)
            assert is_damaged(path)


TABLES: dict[str, bytes] = {
    "one long line": b"step,time\n" + b"1," * 20_000_000 + b"\n",
    "no line": bytes(64 << 20),
    "a long cell": b'step,time\n1,"' + b"x\n" * 200_000 + b'"\n',
    "a carriage return": b"step,time\n1,2\r3,4\n",
    "NUL": b"step,time\0\n1,\0\n",
    "many columns": b",".join([b"volume"] * 20_000) + b"\n",
    "a short row": b"step,time\n1,2\n3\n",
}


@pytest.mark.parametrize("name", list(TABLES))
def test_energies_that_are_no_table_are_refused(folder: Path, name: str, refused: Refused) -> None:
    (folder / "energies.csv").write_bytes(TABLES[name])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "is not a table of numbers" in refused("show", str(folder))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + MOST_KIB


def test_a_row_that_a_killed_run_left_incomplete_is_left_out(folder: Path) -> None:
    path = folder / "energies.csv"
    whole = fg.read_energies(path)
    with path.open("a") as file:
        file.write("1,2")
    again = fg.read_energies(path)
    assert whole.keys() == again.keys()
    assert all(np.array_equal(again[name], values) for name, values in whole.items())


@pytest.mark.parametrize("depth", [25, 300, 900])
@pytest.mark.parametrize("words", [["show"], ["show", "--json"], ["resume", "--pes", "1"]])
def test_figures_in_lists_in_lists_are_refused(
    folder: Path, depth: int, words: list[str], refused: Refused
) -> None:
    path = folder / "result.json"
    text = json.dumps({**json.loads(path.read_text()), "more": 0})
    path.write_text(text.replace('"more": 0', f'"more": {"[" * depth}{"]" * depth}'))
    assert "brackets in brackets" in refused(words[0], str(folder), *words[1:])


ODD: list[Any] = [
    *(None, True, -1, 0, 2**62 + 1, 2**70, 1e308, float("nan"), float("inf"), "no", "\x1b[1m"),
    *([], {}, [[]], [None], [3], {"a": 1}, [{"name": 3}]),
    [{"name": "Patch", "shape": [2**40, 2**40]}],
    [{"pe": 0, "begin": 0, "end": 2**70, "lost": 2**70, "records": 0}],
]


@pytest.fixture(scope="module")
def traced(seeds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with a trace."""
    out = tmp_path_factory.mktemp("traced") / "run"
    fg.run(seeds / "amber" / "in.toml", out, pes=1, trace=True)
    return out


def change_heading(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "trace.0.bin"
    contents = path.read_bytes()
    end = 16 + int.from_bytes(contents[8:16], "little")
    head = json.loads(contents[16:end])
    change(head)
    text = json.dumps(head).encode()
    path.write_bytes(contents[:8] + len(text).to_bytes(8, "little") + text + contents[end:])


def test_odd_headings_of_traces_are_told_in_words(
    traced: Path, tmp_path: Path, command: Command, refused: Refused
) -> None:
    copy = tmp_path / "run"
    shutil.copytree(traced, copy)
    whole = (traced / "trace.0.bin").read_bytes()
    out = ["--out", str(tmp_path / "out.json.gz"), "--overwrite"]
    names = ("format", "process", "host", "byte_order", "seconds_per_tick", "start", "start_ticks")
    for name in (*names, "record_bytes", "fields", "entries", "arrays", "pes"):
        for value in ODD:
            (copy / "trace.0.bin").write_bytes(whole)
            change_heading(copy, lambda head, name=name, value=value: head.update({name: value}))
            status, text = command("trace", str(copy), *out)
            faults = text_faults(status, text)
            assert not faults, f"{name} = {value!r}: {faults}\n{text}"
    for text in ("[" * 100_000, "1" * 10_000, "\x00"):
        size = len(text).to_bytes(8, "little")
        (copy / "trace.0.bin").write_bytes(whole[:8] + size + text.encode())
        refused("trace", str(copy), *out)
