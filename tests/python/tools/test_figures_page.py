# SPDX-License-Identifier: BSD-3-Clause
"""The page of figures says what the engine reports."""

import subprocess
import sys
from pathlib import Path


def test_the_page_has_every_figure_of_the_engine() -> None:
    tools = Path(__file__).parents[3] / "tools"
    subprocess.run([sys.executable, str(tools / "figures_page.py"), "--check"], check=True)
