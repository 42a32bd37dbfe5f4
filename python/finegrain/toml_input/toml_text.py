# SPDX-License-Identifier: BSD-3-Clause
"""Tables of an input as TOML text, which reads back as the same tables."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

_bare = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


def toml_text(data: Mapping[str, Any], comments: Mapping[str, str]) -> str:
    """Return tables as TOML.

    Parameters
    ----------
    data : mapping
        Text, numbers, truth values, lists and tables of these.
    comments : mapping
        What is said behind a value, by its key such as ``system.topology``.
    """
    lines: list[str] = []
    _put(lines, "", "", data, comments)
    return "\n".join(lines).lstrip("\n") + "\n"


def _put(
    lines: list[str], head: str, key: str, table: Mapping[str, Any], comments: Mapping[str, str]
) -> None:
    """Write a table below its head; first what belongs to it, then the tables in it."""
    deeper = []
    for name, value in table.items():
        if isinstance(value, Mapping) or _are_tables(value):
            deeper.append((name, value))
            continue
        comment = comments.get(f"{key}{name}", "")
        lines.append(f"{_name(name)} = {_value(value)}" + (f"  # {comment}" if comment else ""))
    for name, value in deeper:
        below = f"{head}.{_name(name)}" if head else _name(name)
        if isinstance(value, Mapping):
            lines += ["", f"[{below}]"]
            _put(lines, below, f"{key}{name}.", value, comments)
            continue
        for place, one in enumerate(value):
            lines += ["", f"[[{below}]]"]
            _put(lines, below, f"{key}{name}.{place}.", one, comments)


def _are_tables(value: Any) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(one, Mapping) for one in value)


def _name(name: str) -> str:
    return name if _bare.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float() if not math.isfinite(value):
            return "nan" if math.isnan(value) else f"{value:+}"
        case int() | float():
            return repr(value)
        case str():
            return _text(value)
        case Mapping():
            return "{ " + ", ".join(f"{_name(k)} = {_value(v)}" for k, v in value.items()) + " }"
    return "[" + ", ".join(_value(one) for one in value) + "]"
