# SPDX-License-Identifier: BSD-3-Clause
"""Blocks of the pages that show one task each, and a small input on which they are executed."""

import re
from pathlib import Path

from shown_commands import execute

PAGES = Path(__file__).resolve().parents[3] / "docs/how-to"

INPUT = """\
[system]
kind = "classical"
topology = "openmmtools:WaterBox"

[forces]
cutoff = "9 Å"
electrostatics = "pme"

[dynamics]
ensemble = "nvt"
timestep = "2 fs"
steps = {steps}
temperature = "300 K"
friction = "1 1/ps"

[output]
checkpoint_interval = "1 s"
"""


def blocks(page: str, *languages: str) -> list[str]:
    """Return the blocks of a page in these languages; "" is a block of commands."""
    text = (PAGES / page).read_text(encoding="utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [code for language, code in found if language in languages]


def shell(folder: Path, code: str) -> str:
    """Run a block of commands in a folder, up to the first that fails; return what it prints."""
    return execute(folder, "bash", "-euc", code)
