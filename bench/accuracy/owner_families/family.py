# SPDX-License-Identifier: BSD-3-Clause
"""What a family of inputs brings to the comparison with the program that owns its format.

A module of this folder is a family if it has a variable `FAMILY`. It must be importable where the
owner is missing: only `version` and the inputs look for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path


class MissingOwnerError(Exception):
    """The owner or an input is not here; the message says how to get it."""


@dataclass(frozen=True)
class Limit:
    """How far a term may be from the owner's: the larger of the two.

    Attributes
    ----------
    absolute : float, in the unit of the family
    relative : float, times the owner's value
    """

    absolute: float
    relative: float = 0.0

    def of(self, owner: float) -> float:
        """Return the largest difference from a value of the owner."""
        return max(self.absolute, self.relative * abs(owner))


@dataclass(frozen=True)
class Term:
    """One term of one input, such as the energy of all bonds, in the unit of the family.

    Attributes
    ----------
    ours, owner, limit : float
        The two values, and how far apart they may be.
    unit : str, optional
        The one of this term, if it is not that of the family.
    """

    ours: float
    owner: float
    limit: float
    unit: str = ""

    @property
    def difference(self) -> float:
        return abs(self.ours - self.owner)

    @property
    def holds(self) -> bool:
        return self.difference <= self.limit  # not of NaN


@dataclass(frozen=True)
class Compared:
    """What came of one input: terms by name, or why finegrain refuses it."""

    atoms: int = 0
    terms: Mapping[str, Term] | None = None
    refused: str = ""


@dataclass(frozen=True)
class Family:
    """A family of inputs.

    Attributes
    ----------
    name : str, as in the table, such as "AMBER"
    owner : str, the program, such as "sander"
    unit : str, of all terms
    version : function that returns the owner's version, or raises MissingOwnerError
    inputs : functions by name
        Each gets an empty folder, makes or copies its input there, and evaluates it with both. It
        raises MissingOwnerError if its input is not here.
    """

    name: str
    owner: str
    unit: str
    version: Callable[[], str]
    inputs: Mapping[str, Callable[[Path], Compared]]


def terms_of(
    ours: Mapping[str, float], owner: Mapping[str, float], limits: Mapping[str, Limit]
) -> dict[str, Term]:
    """Pair the terms of both; one that only one of them has is 0 in the other.

    Each needs a limit; terms that are 0 in both are left out.
    """
    found = {}
    for name in (*owner, *(name for name in ours if name not in owner)):
        one, other = ours.get(name, 0.0), owner.get(name, 0.0)
        if one != 0 or other != 0:
            found[name] = Term(one, other, limits[name].of(other))
    return found
