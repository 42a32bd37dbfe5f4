# SPDX-License-Identifier: BSD-3-Clause
"""The file that machine.coordinates names: a host and its coordinates in each line."""

from __future__ import annotations

import re
from pathlib import Path

from finegrain.errors import InputError, Problem
from finegrain.files.plain import plain_text
from finegrain.machines.host_lists import ListError, host_names
from finegrain.machines.networks import Torus
from finegrain.toml_input.source import TomlSource

_most_problems = 20
_number = re.compile(r"\d{1,9}\Z", re.ASCII)


def read_coordinates(
    source: TomlSource, path: Path, torus: Torus, problems: list[Problem]
) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the name of each node, and the nodes that have none: the holes.

    A line is a host and its coordinates, and the number of the node at its router if there are
    several. Text after "#" is a comment.
    """
    key = "machine.coordinates"
    try:
        text = plain_text(path)
    except InputError as error:
        found = error.problems[0]
        problems.append(source.problem(key, found.what, hint=found.hint))
        return (), ()
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or "it is not UTF-8 text"
        what = f"cannot be read: {said.lower()}"
        hint = "check the path; it begins at the folder of the machine file"
        problems.append(source.problem(key, what, hint=hint))
        return (), ()
    names = [""] * torus.nodes
    line_of: dict[str, int] = {}
    before = len(problems)
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        where = f"{path.name}:{number}"
        fault = _fault(words, torus)
        if fault is None:
            node = _node(words, torus)
            if words[0] in line_of:
                first = f"keep one of the two; the other is on line {line_of[words[0]]}"
                fault = Problem("is given twice", where, words[0], hint=first)
            elif names[node]:
                first = f"keep one of the two; the other is on line {line_of[names[node]]}"
                fault = Problem("are the coordinates of two nodes", where, line.strip(), hint=first)
            else:
                names[node] = words[0]
                line_of[words[0]] = number
        if fault is not None:
            problems.append(Problem(fault.what, where, fault.value, fault.limit, fault.hint))
            if len(problems) - before >= _most_problems:
                break
    if not line_of and len(problems) == before:
        hint = "a line is a host and its coordinates, such as nid00012 3 4 17"
        problems.append(Problem("names no node", path.name, hint=hint))
    return tuple(names), tuple(node for node, name in enumerate(names) if not name)


def _fault(words: list[str], torus: Torus) -> Problem | None:
    shown = " ".join(words)[:80]
    depth = len(torus.lengths)
    several = torus.nodes_per_router > 1
    if len(words) != 1 + depth + several:
        parts = f"a host, {depth} coordinates" + (", a node of the router" if several else "")
        hint = f"such as nid00012 {' '.join(['0'] * (depth + several))}"
        return Problem(
            f"has {len(words)} words", "", shown, f"{1 + depth + several}: {parts}", hint
        )
    try:
        if host_names(words[0]) != [words[0]]:
            raise ListError("names several hosts", shown, hint="give each host a line")
    except ListError as error:
        return Problem(error.what, "", shown, error.limit, error.hint)
    limits = (*torus.lengths, *([torus.nodes_per_router] * several))
    for word, length in zip(words[1:], limits, strict=True):
        if not _number.match(word):
            return Problem(f"{word[:20]} is no coordinate", "", shown, hint="give whole numbers")
        if int(word) >= length:
            limit = f"{word} is above {length - 1:,}"
            hint = "check the line, or machine.lengths"
            return Problem("is outside the machine", "", shown, limit, hint)
    return None


def _node(words: list[str], torus: Torus) -> int:
    numbers = [int(word) for word in words[1:]]
    depth = len(torus.lengths)
    return torus.node_at(numbers[:depth], numbers[depth] if len(numbers) > depth else 0)
