# SPDX-License-Identifier: BSD-3-Clause
"""Make the tables of keys in docs/reference/job-file.md, from the engine's own description.

The page has two lines for each kind of run, between which the tables of its objects lie:
    <!-- keys of KIND; made by tools/job_keys_page.py from the engine's table, do not edit -->
    <!-- end of keys -->

Usage: job_keys_page.py [--check]     --check only checks whether the page is up to date
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from finegrain.engine.engine import load_engine
from made_page import write_or_check

PAGE = Path(__file__).resolve().parent.parent / "docs/reference/job-file.md"

BLOCK = re.compile(
    r"(<!-- keys of ([\w-]+); made by tools/job_keys_page\.py from the engine's table, "
    r"do not edit -->\n).*?(<!-- end of keys -->\n)",
    re.DOTALL,
)

Keys = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]  # of each object of each kind


def number(value: float) -> str:
    """Return a limit such as 0.001, 50 or 1e7."""
    return re.sub(r"e([+-])0*", lambda sign: "e" + sign[1].strip("+"), f"{value:g}")


def limits(key: Mapping[str, Any]) -> str:
    """Return the words or the numbers that a key may be; empty if all."""
    if key["words"]:
        return ", ".join(f"`{word}`" for word in key["words"])
    if key["most"] == sys.float_info.max:
        return "" if key["least"] == -sys.float_info.max else f"at least {number(key['least'])}"
    return f"{number(key['least'])} to {number(key['most'])}"


def default(key: Mapping[str, Any]) -> str:
    """Return what counts in a file without the key, or where a file must have it."""
    if key["given"] == "optional":
        return "" if "without it" in key["meaning"] else f"`{key['default']}`"
    required = "required" if key["given"] == "always" else "required where it has an effect"
    return f"{required} with `{key['with']}`" if key["with"] else required


def table(name: str, keys: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the keys of an object, a line each."""
    lines = [f"### Keys of `{name}`", ""]
    lines += ["| key | meaning | type | unit | limits | default |", "|---|---|---|---|---|---|"]
    for key in keys:
        name = f"`{key['name']}`" + ("" if key["in_digest"] else " *")
        words = (name, key["meaning"], key["type"], key["unit"], limits(key), default(key))
        lines.append(f"| {' | '.join(word.replace('|', chr(92) + '|') for word in words)} |")
    return [*lines, ""]


def with_keys(text: str, keys: Keys) -> str:
    """Return a page with the tables of each kind that it has a place for."""

    def made(block: re.Match[str]) -> str:
        lines = [""]
        for name, of_object in keys.get(block[2], {}).items():
            lines += table(name, of_object)
        return block[1] + "\n".join(lines) + "\n" + block[3]

    if lacking := set(keys) - {block[2] for block in BLOCK.finditer(text)}:
        raise SystemExit(f"{PAGE.name} has no lines for the keys of {', '.join(sorted(lacking))}")
    return BLOCK.sub(made, text)


if __name__ == "__main__":
    wanted = with_keys(PAGE.read_text(encoding="utf-8"), load_engine().job_keys())
    complaint = f"{PAGE.name} is not up to date: run tools/job_keys_page.py"
    sys.exit(write_or_check(PAGE, wanted, complaint))
