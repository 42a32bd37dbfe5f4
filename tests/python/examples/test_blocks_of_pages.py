# SPDX-License-Identifier: BSD-3-Clause
"""Blocks of code in the manual: each can be read, and each command has the options that it shows.

What the tutorials show is also executed, by test_tutorials.py and its neighbours.
"""

import re
import shlex
import tomllib
from pathlib import Path

import pytest
import typer

from finegrain.terminal.cli import app

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted([*ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md"), *ROOT.glob("examples/**/*.md")])
COMMANDS = typer.main.get_command(app)
SHELL = ("", "sh", "bash")
# What follows is another command, or a file for the output.
ENDS = re.compile(r"\s(?:\||>|&&|\|\||;)(?:\s|$).*")


def blocks(language: str) -> list[tuple[str, str]]:
    """Return page and line with the text of each block of a language."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            if block[1] == language:
                line = text.count("\n", 0, block.start()) + 1
                found.append((f"{page.relative_to(ROOT)}:{line}", block[2]))
    return found


def commands() -> list[tuple[str, str]]:
    """Return page and line with each command of finegrain in a block."""
    found = []
    for language in SHELL:
        for place, text in blocks(language):
            for line in text.replace("\\\n", " ").splitlines():
                words = line.strip().removeprefix("$ ")
                if words.startswith("finegrain "):
                    found.append((place, words))
    return found


@pytest.mark.parametrize(("place", "text"), blocks("python"), ids=lambda one: one[:60])
def test_python_can_be_compiled(place: str, text: str) -> None:
    compile(text, place, "exec")


@pytest.mark.parametrize(("place", "text"), blocks("toml"), ids=lambda one: one[:60])
def test_inputs_can_be_read(place: str, text: str) -> None:
    tomllib.loads(text)


@pytest.mark.parametrize(("place", "line"), commands(), ids=lambda one: one[:60])
def test_commands_have_these_options(place: str, line: str) -> None:
    """The parser of the command takes the words; nothing is run."""
    words = shlex.split(ENDS.sub("", line.split("  #")[0]), comments=True)[1:]
    group = COMMANDS
    assert hasattr(group, "commands")
    assert words[0] in group.commands or words[0].startswith("--"), (place, line)
    if words[0] in group.commands:
        group.commands[words[0]].make_context(words[0], [w for w in words[1:] if w != "..."])


def test_there_are_enough_of_each() -> None:
    """A pattern that fits nothing would check nothing."""
    assert len(blocks("python")) > 20
    assert len(blocks("toml")) > 20
    assert len(commands()) > 60
