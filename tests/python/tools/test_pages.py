# SPDX-License-Identifier: BSD-3-Clause
"""Pages that scripts make are up to date."""

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
