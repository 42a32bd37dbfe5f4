# SPDX-License-Identifier: BSD-3-Clause
"""The page of the job file has the keys that the engine reads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).resolve().parents[3] / "tools"))

from job_keys_page import PAGE, with_keys

TOOL = "tools/job_keys_page.py"
FIRST = f"<!-- keys of classical; made by {TOOL} from the engine's table, do not edit -->"
LAST = "<!-- end of keys -->"
KEY: dict[str, Any] = {
    "name": "range",
    "type": "number",
    "unit": "bohr",
    "least": 0.5,
    "most": 1e7,
    "words": [],
    "given": "optional",
    "with": "",
    "default": "3",
    "in_digest": True,
    "meaning": "largest |r|",
}
UNBOUND = {"least": -sys.float_info.max, "most": sys.float_info.max}


def test_the_page_is_up_to_date() -> None:
    command = [sys.executable, str(PAGE.parents[2] / TOOL), "--check"]
    subprocess.run(command, check=True)


@pytest.mark.parametrize(
    ("changed", "row"),
    [
        ({}, r"| `range` | largest \|r\| | number | bohr | 0.5 to 1e7 | `3` |"),
        ({"given": "always"}, "| 0.5 to 1e7 | required |"),
        ({"given": "always", "with": "bath"}, "| required with `bath` |"),
        ({"given": "where used", **UNBOUND}, "| bohr |  | required where it has an effect |"),
        ({"words": ["near", "far"]}, "| `near`, `far` |"),
        ({"in_digest": False}, "| `range` * | largest"),
    ],
)
def test_a_new_key_has_a_row(changed: dict[str, Any], row: str) -> None:
    page = with_keys(
        f"before\n{FIRST}\nold\n{LAST}\nafter\n", {"classical": {"/new": [KEY | changed]}}
    )
    assert "### Keys of `/new`" in page
    assert row in page
    assert "old" not in page
    assert page.startswith(f"before\n{FIRST}\n")
    assert page.endswith(f"{LAST}\nafter\n")


def test_a_kind_without_a_place_on_the_page_is_told() -> None:
    with pytest.raises(SystemExit, match="no lines for the keys of classical"):
        with_keys("nothing\n", {"classical": {"/new": [KEY]}})
