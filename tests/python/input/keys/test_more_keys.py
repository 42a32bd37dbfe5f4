# SPDX-License-Identifier: BSD-3-Clause
"""Keys that a program puts into an input: in their section, and everything else as it was."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from finegrain.errors import InputError
from finegrain.toml_input.more_keys import with_more_keys
from finegrain.toml_input.source import read_toml

KEYS: dict[str, Any] = {
    "forces.rebuild_interval": 16,
    "patches.grid": [2, 2, 4],
    "patches.pair_computes": 8,
}


def changed(folder: Path, text: str, keys: dict[str, Any] = KEYS) -> str:
    path = folder / "water.toml"
    path.write_text(text)
    return with_more_keys(read_toml(path), keys)


def test_sections_that_are_there_get_them_and_others_are_added(tmp_path: Path) -> None:
    text = '# a box\n[forces]  # of water\ncutoff = "9 Å"  # usual\n\n[dynamics]\nsteps = 5'
    assert changed(tmp_path, text) == (
        "# a box\n[forces]  # of water\nrebuild_interval = 16\n"
        'cutoff = "9 Å"  # usual\n\n[dynamics]\nsteps = 5\n\n'
        "[patches]\ngrid = [2, 2, 4]\npair_computes = 8\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[forces]\n[patches]\npes = 4\n[[restraints]]\natoms = 'all'\n",
        "[patches]\npes = 4\n[forces]\nnote = '''\n[patches]\n'''\n",
        "[[restraints]]\natoms = [\n 'a',\n 'b' ]\n[forces]\n",
    ],
)
def test_nothing_else_changes(tmp_path: Path, text: str) -> None:
    before, after = tomllib.loads(text), tomllib.loads(changed(tmp_path, text))
    for key, value in KEYS.items():
        section, _, name = key.partition(".")
        assert after[section].pop(name) == value
    for section in ("forces", "patches"):
        assert after.pop(section) == before.pop(section, {})
    assert after == before


@pytest.mark.parametrize("text", ["patches = { pes = 4 }\n", "patches.pes = 4\n[forces]\n"])
def test_a_section_in_braces_or_with_dots_is_left_to_the_user(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError) as caught:
        changed(tmp_path, text)
    (problem,) = caught.value.problems
    assert "water.toml" in problem.where
    assert "patches.grid" in problem.hint
