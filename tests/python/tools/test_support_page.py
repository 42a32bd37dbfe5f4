# SPDX-License-Identifier: BSD-3-Clause
"""The page on what runs is up to date."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.nightly
def test_the_page_says_what_runs() -> None:
    tools = Path(__file__).parents[3] / "tools"
    subprocess.run([sys.executable, str(tools / "support_page.py"), "--check"], check=True)
