# SPDX-License-Identifier: BSD-3-Clause
"""An input with more keys than before, everything else in it unchanged."""

from __future__ import annotations

import copy
import json
import tomllib
from collections.abc import Mapping
from typing import Any

from finegrain.errors import InputError
from finegrain.toml_input.source import TomlSource


def with_more_keys(source: TomlSource, keys: Mapping[str, Any]) -> str:
    """Return the text of an input with keys that it lacks: each below the head of its section.

    Parameters
    ----------
    keys : mapping of str to number, text or list of numbers
        By names such as ``forces.cutoff``.

    Raises
    ------
    InputError
        If the input is written in a way in which they have no place, such as a section in braces.
    """
    lines = source.text.splitlines()
    wanted = copy.deepcopy(source.data)
    sections: dict[str, list[str]] = {}
    for key, value in keys.items():
        section, _, name = key.partition(".")
        wanted.setdefault(section, {})[name] = value
        sections.setdefault(section, []).append(f"{name} = {json.dumps(value)}")
    # From the last section to the first, so that numbers of lines stay right.
    places = {section: source.lines.get(section) for section in sections}
    for section in sorted(sections, key=lambda one: places[one] or len(lines) + 1, reverse=True):
        place = places[section]
        if place is not None:
            lines[place:place] = sections[section]
    for section, place in places.items():
        if place is None:
            lines += ["", f"[{section}]", *sections[section]]
    text = "\n".join(lines) + "\n"
    if _parsed(text) != wanted:
        raise InputError(
            "is written in a way in which keys cannot be added by a program",
            where=source.name,
            hint="put these lines in by hand: " + ", ".join(keys),
        )
    return text


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
