# SPDX-License-Identifier: BSD-3-Clause
"""Messages of readers: sentences for the user, without words of Python or escape codes."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from input_systems import Waters, water_input

import finegrain as fg
from finegrain.base.visible import visible
from finegrain.errors import InputError, Problem
from finegrain.words.library_errors import said
from finegrain.words.report import error_text


def caught(work: Callable[[], Any]) -> str:
    try:
        work()
    except Exception as error:
        return said(error)
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (lambda: [][3], "it ends too early, or names something that it does not hold"),
        (lambda: float("0.8x"), "'0.8x' is not a number"),
        (lambda: int("CA"), "'CA' is not a whole number"),
        (lambda: {}["CT1"], "it names CT1, which is not there"),
        (lambda: {}["CT1", "X"], "it names CT1 X, which is not there"),
        (lambda: b"ab\xff".decode(), "byte 2 is not text (UTF-8)"),
        (lambda: None.foo, "it does not have the form that such a file has"),
        (lambda: sum((lambda a, b: a)(*[1])), "it does not have the form that such a file has"),
        (lambda: 1 / 0, "a number in it is out of all bounds"),
    ],
)
def test_what_python_says_is_put_into_words(work: Callable[[], Any], words: str) -> None:
    assert caught(work) == words


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ValueError("the list of atoms\n is empty"), "the list of atoms is empty"),
        (RuntimeError("no array, argument, module or str"), "no array, argument, module or str"),
        (IndexError("residue 7 is out of range"), "residue 7 is out of range"),
        (KeyError("no atom H1 in the dict"), "no atom H1 in the dict"),
        (ValueError(f"could not convert k to {float}"), "could not convert k to a number"),
        (ValueError(f"no mass of {object()!r}"), "no mass of object"),
        (ValueError("Unknown molecule type: SOL"), "Unknown molecule type: SOL"),
        (ValueError(f"Could not convert q to {float}"), "Could not convert q to a number"),
    ],
)
def test_what_a_library_says_is_passed_on(error: Exception, words: str) -> None:
    def work() -> None:
        raise error

    assert caught(work) == words


def test_what_a_library_raises_again_is_still_what_python_said() -> None:
    def work() -> None:
        try:
            float("0.8x")
        except ValueError:
            raise

    assert caught(work) == "'0.8x' is not a number"


def test_too_few_values_are_put_into_words() -> None:
    def work() -> None:
        one, two = [1]
        print(one, two)

    assert caught(work) == "a line of it holds too few or too many values"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("water \x1b[31mred\x07", "water \\x1b[31mred\\x07"),
        ("\x9b2J", "\\x9b2J"),
        ("a\u202eb", "a\\u202eb"),
        ("\udcff", "\\udcff"),
        ("Å and µ\nnext", "Å and µ\nnext"),
    ],
)
def test_control_characters_are_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_problem_holds_no_escape_codes() -> None:
    problem = Problem("\x1b]0;x\x07", "a\x1b", "b\x1b", "c\x1b", "d\x1b")
    text = error_text(InputError([problem], source="e\x1b"))
    assert "\x1b" not in text + json.dumps(problem.as_dict(), ensure_ascii=False)
    assert "\x07" not in text


def test_escape_codes_of_titles_and_names_reach_neither_terminal_nor_log(tmp_path: Path) -> None:
    Waters(side=6).write(tmp_path)
    pdb = tmp_path / "water.pdb"
    pdb.write_text(pdb.read_text().replace("HOH", "\x1b[m"))
    text = water_input.replace('kind = "classical"', 'kind = "classical"\ntitle = "\\u001b[31mx"')
    toml = tmp_path / "in.toml"
    toml.write_text(text.replace("steps = 100", "steps = 2"))
    command = [sys.executable, "-m", "finegrain"]
    for words in (["check", "in.toml"], ["run", "in.toml", "--out", "r"], ["show", "r"]):
        done = subprocess.run(
            [*command, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "\x1b" not in done.stdout + done.stderr
    assert fg.load(toml, tmp_path / "job.h5").title == "\\x1b[31mx"
    assert "\x1b" not in (tmp_path / "r" / "run.log").read_text()
    bad = tmp_path / "bad\x1b[31m.toml"
    bad.write_text("[system]\n")
    done = subprocess.run(
        [*command, "check", bad.name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "\x1b" not in done.stdout + done.stderr
    assert "bad\\x1b[31m.toml" in done.stderr
