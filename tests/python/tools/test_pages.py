# SPDX-License-Identifier: BSD-3-Clause
"""Pages that scripts make are up to date."""

import importlib
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "name",
    ["figures_page", "input_reference", pytest.param("support_page", marks=pytest.mark.nightly)],
)
def test_a_page_says_what_its_script_says(tools, name):
    command = [sys.executable, str(tools / f"{name}.py"), "--check"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "" or name == "support_page"  # libraries may warn on its way


def test_the_lists_of_what_runs_are_those_of_the_readers(tools, monkeypatch):
    """The force fields are tried every night."""
    monkeypatch.syspath_prepend(str(tools))
    made = importlib.import_module("support_page")
    page = made.PAGE.read_text("utf-8")
    parts = [made.HEAD, made.of_systems(), made.of_gromacs(), made.of_charmm(), made.of_amber()]
    for part in (*parts, made.of_owners(), made.of_inputs()):
        assert part.strip("\n") in page
    for name in (*made.FORCE_FIELDS, *made.WATERS):
        assert f"| `{name}` |" in page
