# SPDX-License-Identifier: BSD-3-Clause
"""How the radii of CHARMM's atom types mix: arithmetic, or geometric (GEOM), as in OPLS-AA.

OpenMM's reader ignores GEOM. It reads NBFIX, the parameters of single pairs of types, so each pair
of types gets such an entry.

References
----------
CHARMM documentation, "nbonds.doc", the keywords ARITH and GEOM.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from finegrain.input.load import Input
from finegrain.input.readers.findings import Findings


@dataclass
class Mixing:
    """The rules that files of parameters ask for.

    Attributes
    ----------
    places : by whether the rule is geometric, the file and line of the first such NONBONDED
    """

    places: dict[bool, tuple[str, int]] = field(default_factory=dict)

    @property
    def geometric(self) -> bool:
        """Whether radii mix by their geometric mean."""
        return True in self.places

    def options(self, file: str, line: int, words: Sequence[str]) -> None:
        """Note the options of a NONBONDED; without any it says nothing of the rule."""
        if words:
            self.places.setdefault(any(word[:4] == "GEOM" for word in words), (file, line))

    def refuse_two_rules(self, given: Input) -> None:
        """Raise if one file asks for geometric mixing and another does not."""
        if len(self.places) < 2:
            return
        file, line = self.places[False]
        other, other_line = self.places[True]
        found = Findings()
        found.add(
            file,
            line,
            "is another mixing rule",
            "NONBONDED without GEOM",
            f"GEOM at {other}:{other_line}",
            "radii mix by one rule: take parameters of one force field",
        )
        found.raise_them(given)


def mix_geometrically(psf: Any, parameters: Any) -> None:
    """Give each pair of types of an OpenMM topology its NBFIX, except those that have one."""
    names = {atom.attype for atom in psf.atom_list}
    known = {**parameters.atom_types_str, **parameters.atom_types_int}
    types = {id(known[name]): known[name] for name in names if name in known}
    for one, other in combinations(types.values(), 2):
        if other.name in one.nbfix or one.rmin is None or other.rmin is None:
            continue  # OpenMM says which type has no parameters
        pair = (
            2 * math.sqrt(one.rmin * other.rmin),
            math.sqrt(one.epsilon * other.epsilon),
            2 * math.sqrt(one.rmin_14 * other.rmin_14),
            math.sqrt(one.epsilon_14 * other.epsilon_14),
        )
        one.add_nbfix(other.name, *pair)
        other.add_nbfix(one.name, *pair)
