# SPDX-License-Identifier: BSD-3-Clause
"""Nodes as a machine file names them: by number, by coordinates with ranges, or by host."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from finegrain.errors import Problem, nearest
from finegrain.machines.host_lists import MOST_NODES, ListError, host_names
from finegrain.machines.networks import Network, Torus
from finegrain.toml_input.source import TomlSource

_most_problems = 20  # of one key
_number_or_range = re.compile(r"(\d{1,12})?\s*(:)?\s*(\d{1,12})?\Z", re.ASCII)


@dataclass
class NamedNodes:
    """Reads the places of one key; each problem that it finds has the place's text.

    Attributes
    ----------
    network : Network
        Where nodes are.
    numbers : mapping
        The number of each host, if hosts have names.
    """

    source: TomlSource
    key: str
    network: Network
    numbers: Mapping[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def read(self, places: Sequence[int | str]) -> list[int]:
        """Return the numbers of the nodes, in order; each may be named once."""
        found: list[int] = []
        seen: set[int] = set()
        for place in places:
            if len(self.problems) >= _most_problems:
                break
            for node in self._of(place):
                if node in seen:
                    what = f"names {self._shown(node)} twice"
                    self._say(what, str(place), hint="name each node once")
                    break
                seen.add(node)
                found.append(node)
        return found

    def _of(self, place: int | str) -> Sequence[int]:
        if isinstance(place, str) and re.search(r"[^\d\s:,+-]", place):
            return self._hosts(place)
        text = str(place)
        parts = [part.strip() for part in text.split(",")]
        limits, names = self._limits(len(parts))
        if not limits:
            self._say("is no place of a node", text, self._forms())
            return ()
        ranges = []
        for part, length, name in zip(parts, limits, names, strict=True):
            one = _range_of(part, length)
            if one is None:
                hint = f"{self._forms()}; a range ends before its second number"
                self._say("is no place of a node", text, hint=hint)
            elif not one:
                limit = f"{name} 0 to {length - 1:,}"
                self._say("is outside the machine", text, limit, self._remedy(part, length))
            else:
                ranges.append(one)
        if len(ranges) < len(parts):
            return ()
        if math.prod(map(len, ranges)) > MOST_NODES:
            self._say("names too many nodes", text, f"at most {MOST_NODES:,}")
            return ()
        if len(parts) == 1:
            return ranges[0]
        torus = self.network
        assert isinstance(torus, Torus)
        depth = len(torus.lengths)
        slots = ranges[depth] if len(ranges) > depth else range(torus.nodes_per_router)
        routers = itertools.product(*ranges[:depth])
        return [torus.node_at(router, slot) for router in routers for slot in slots]

    def _limits(self, parts: int) -> tuple[Sequence[int], Sequence[str]]:
        """Return how many values each part may have, and what to call it."""
        if parts == 1:
            return [self.network.nodes], ["nodes are"]
        if not isinstance(self.network, Torus):
            return (), ()
        lengths, slots = self.network.lengths, self.network.nodes_per_router
        names = [f"coordinate {number} is" for number in range(len(lengths))]
        if parts == len(lengths):
            return lengths, names
        if parts == len(lengths) + 1:
            return (*lengths, slots), (*names, "nodes of a router are")
        return (), ()

    def _forms(self) -> str:
        forms = 'a number or a range of nodes such as "0:64"'
        if isinstance(self.network, Torus):
            count = len(self.network.lengths)
            forms += f', or {count} coordinates such as "{", ".join(["0"] * count)}"'
        return forms

    def _remedy(self, part: str, length: int) -> str:
        end = part.partition(":")[2].strip()
        if end.isdigit() and int(end) > length:
            return f'a range ends before its second number: ":" or "0:{length}" is all of them'
        return "check the number; the first is 0"

    def _hosts(self, text: str) -> Sequence[int]:
        try:
            names = host_names(text)
        except ListError as error:
            self._say(error.what, error.value, error.limit, error.hint)
            return ()
        if not self.numbers:
            hint = "add machine.hosts, or name nodes by number"
            self._say("names hosts, but the hosts of this machine have no names", text, hint=hint)
            return ()
        unknown = [name for name in names if name not in self.numbers]
        if unknown:
            more = f" and {len(unknown) - 1:,} more" if len(unknown) > 1 else ""
            close = nearest(unknown[0], itertools.islice(self.numbers, 4096))
            hint = f"did you mean {close}?" if close else "name hosts of machine.hosts"
            self._say(f"names no host of this machine: {unknown[0]}{more}", text, hint=hint)
        return [self.numbers[name] for name in names if name in self.numbers]

    def _shown(self, node: int) -> str:
        if isinstance(self.network, Torus):
            at = ", ".join(map(str, self.network.coordinates_of(node)))
            return f"node {node} at ({at})"
        return f"node {node}"

    def _say(self, what: str, text: str, limit: str = "", hint: str = "") -> None:
        shown = text if len(text) <= 80 else f"{text[:77]}..."
        place, value = self.source.place(self.key), f"{self.key} = {shown}"
        self.problems.append(Problem(what, place, value, limit, hint))


def _range_of(part: str, length: int) -> range | None:
    """Return what a part names: empty if outside, None if it is neither a number nor a range."""
    match = _number_or_range.match(part)
    if not match or not (match[1] or match[2]) or (match[3] and not match[2]):
        return None
    first = int(match[1] or 0)
    end = first + 1 if not match[2] else int(match[3]) if match[3] else length
    return range(first, end) if first < end <= length else range(0)
