# SPDX-License-Identifier: BSD-3-Clause
"""Titles and comments may be Latin-1, as programs and people wrote them before UTF-8."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from input_systems import write_alanine
from water_files import gro_input, write_charmm_water, write_gro

from finegrain.classical.preparation.prepare import prepare
from finegrain.errors import InputError

WORDS = "für 3 Å".encode("latin-1")


def change(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


@pytest.fixture
def amber(tmp_path: Path, openmmtools_data: Path) -> Path:
    return write_alanine(tmp_path, openmmtools_data)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("x.prmtop", b"%FORMAT(20a4)", b"%COMMENT " + WORDS + b"\n%FORMAT(20a4)"),
        ("x.prmtop", b"%VERSION", b"%VERSION " + WORDS),
        ("x.prmtop", b"ACE  ", b"ACE " + WORDS),
        ("x.crd", b"ACE", WORDS),
    ],
)
def test_amber_files(amber: Path, name: str, old: bytes, new: bytes) -> None:
    change(amber / name, old, new)
    assert prepare(amber / "in.toml").system.atoms == 22


def test_a_number_of_an_amber_topology_that_is_not_utf_8_is_told_with_its_line(amber: Path) -> None:
    line = (amber / "x.prmtop").read_text()[: (amber / "x.prmtop").read_text().index("FORMAT(5E")]
    change(amber / "x.prmtop", b"E+0", b"\xe9+0")
    with pytest.raises(InputError) as caught:
        prepare(amber / "in.toml")
    (problem,) = caught.value.problems
    assert problem.what == "is not text (byte 0xe9 is not UTF-8)"
    assert problem.where == f"x.prmtop:{line.count(chr(10)) + 2}"


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("w.psf", b"REMARKS two", b"REMARKS " + WORDS),
        ("w.prm", b"* two waters", b"* " + WORDS),
        ("w.prm", b"BONDS\n", b"! " + WORDS + b"\nBONDS ! " + WORDS + b"\n"),
        ("w.pdb", b"ATOM  ", b"REMARK " + WORDS + b"\nATOM  "),
    ],
)
def test_charmm_files(tmp_path: Path, name: str, old: bytes, new: bytes) -> None:
    write_charmm_water(tmp_path)
    change(tmp_path / name, old, new)
    assert prepare(tmp_path / "in.toml").system.atoms == 6


of_gromacs: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("w.top", lambda text: b"; " + WORDS + b"\n" + text),
    ("w.top", lambda text: text.replace(b"[ system ]\nwater", b"[ system ]\n" + WORDS)),
    ("w.gro", lambda text: WORDS + text[text.index(b"\n") :]),
]


@pytest.mark.parametrize(("name", "of"), of_gromacs)
def test_gromacs_files(tmp_path: Path, name: str, of: Callable[[bytes], bytes]) -> None:
    write_gro(tmp_path, 3, np.full((648, 3), 0.25))
    (tmp_path / "in.toml").write_text(gro_input)
    (tmp_path / name).write_bytes(of((tmp_path / name).read_bytes()))
    assert WORDS in (tmp_path / name).read_bytes()
    assert prepare(tmp_path / "in.toml").system.atoms == 648
