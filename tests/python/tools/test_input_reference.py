# SPDX-License-Identifier: BSD-3-Clause
"""The manual's list of input keys agrees with the program."""

import subprocess
import sys


def test_the_page_of_input_keys_is_up_to_date(tools):
    command = [sys.executable, str(tools / "input_reference.py"), "--check"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
