# SPDX-License-Identifier: BSD-3-Clause
"""Control characters in an input, and an input that can be evaluated but not run."""

from pathlib import Path

import pytest
from input_systems import Waters

import finegrain as fg

TEXT = """\
[system]
kind = "classical"
title = "{title}"
topology = "{topology}"
coordinates = "water.pdb"

[forces]
cutoff = "5 Å"

[output]
directory = "{directory}"
"""


def write(
    folder: Path, title: str = "a", topology: str = "water.xml", directory: str = "b"
) -> Path:
    Waters(side=2, edge=12.0).write(folder)
    path = folder / "in.toml"
    path.write_text(TEXT.format(title=title, topology=topology, directory=directory), "utf-8")
    return path


@pytest.mark.parametrize(
    ("key", "text", "line"),
    [
        ("title", "a\\u0000b", 3),
        ("topology", "wat\\u0000er.xml", 4),
        ("topology", "wat\\ner.xml", 4),
        ("directory", "b\\u001b[31m", 11),
    ],
)
def test_control_characters_are_refused(tmp_path: Path, key: str, text: str, line: int) -> None:
    with pytest.raises(fg.InputError) as raised:
        fg.check(write(tmp_path, **{key: text}))
    (problem,) = raised.value.problems
    assert problem.what == "holds a control character"
    assert problem.where == f"in.toml:{line}"
    assert problem.hint == "take it out"


def test_all_of_them_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(fg.InputError) as raised:
        fg.check(write(tmp_path, title="\\u0000", topology="\\u0007"))
    assert [problem.where for problem in raised.value.problems] == ["in.toml:3", "in.toml:4"]


def test_check_says_of_an_input_without_dynamics_that_run_refuses_it(tmp_path: Path) -> None:
    source = write(tmp_path)
    (note,) = [note for note in fg.check(source).notes if "[dynamics]" in note]
    assert "`finegrain energy` evaluates this input, `finegrain run` refuses it" in note
    fg.energy(source)
    with pytest.raises(fg.InputError, match="a run needs a time step"):
        fg.run(source, tmp_path / "run", steps=5)
