# SPDX-License-Identifier: BSD-3-Clause
"""What a shell is told when a command line is completed with the tabulator key."""

import subprocess
import sys

import pytest


def completions(line: str) -> list[str]:
    """Return the words that bash gets for the last word of a line, which may be empty."""
    words = line.split(" ")
    given = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    return _answer("complete_bash", given).split()


def _answer(instruction: str, given: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-c", "from finegrain.terminal.cli import main; main()"],
        env={"_FINEGRAIN_COMPLETE": instruction, **given},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("finegrain ch", ["check"]),
        ("finegrain res", ["resume"]),
        ("finegrain run --bal", ["--balance", "--balance-steps"]),
        ("finegrain run --balance r", ["refine", "random"]),
        ("finegrain run --mpi ", ["auto", "openmpi", "mpich"]),
        ("finegrain init car", ["car-parrinello"]),
        ("finegrain convert runs/x --to xt", ["xtc"]),
        ("finegrain help tra", ["trace"]),
        ("finegrain run wa", []),  # the shell itself completes the names of files
    ],
)
def test_a_shell_is_told_the_words_that_fit(line: str, words: list[str]) -> None:
    assert completions(line) == words


def test_a_shell_gets_the_lines_that_switch_it_on() -> None:
    script = _answer("source_bash", {})
    assert "complete -o default -F _finegrain_completion finegrain" in script
