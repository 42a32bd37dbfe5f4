# SPDX-License-Identifier: BSD-3-Clause
"""What a user chooses for a liquid: copies, density or cell, temperature, seed; all are checked.

Units: Å, g/ml, K.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from finegrain import units
from finegrain.ab_initio.ions.read_structure import most_atoms
from finegrain.base.cells import Floats
from finegrain.errors import Problem
from finegrain.units import avogadro, bohr_in_angstrom, hartree_in_kelvin

# g/ml of a cell of one dalton in a cubic ångström
GRAMS_PER_ML = 1e24 / avogadro

_density = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*", re.ASCII)
_in_g_per_ml = {
    **dict.fromkeys(("g/ml", "g/mL", "g/cm^3", "g/cm3", "g/cm**3", "g/cc", "kg/l", "kg/L"), 1.0),
    **dict.fromkeys(("kg/m^3", "kg/m3", "kg/m**3", "g/l", "g/L"), 1e-3),
}
_least, _most = 1e-3, 25.0  # steam; osmium has 22.6
_coldest, _hottest = 1.0, 5000.0
_most_seed = 2**31 - 2


class LiquidWishes(TypedDict, total=False):
    """The choices as a user gives them; what is not given has the usual value."""

    density: Any
    cell: Any
    temperature: str
    seed: int


@dataclass(frozen=True)
class LiquidChoices:
    """What was chosen; edges are None if they follow from the density."""

    copies: int
    density: float | None
    edges: Floats | None
    temperature: float
    seed: int

    def edges_for(self, mass: float) -> Floats:
        """Return the edges for copies of a molecule with a mass in dalton."""
        if self.edges is not None:
            return self.edges
        assert self.density is not None
        volume = self.copies * mass * GRAMS_PER_ML / self.density
        return np.full(3, volume ** (1 / 3))


def checked_choices(
    copies: Any, wishes: LiquidWishes, atoms: int, problems: list[Problem]
) -> LiquidChoices | None:
    """Return the choices; None, with problems, if something is wrong with them.

    Parameters
    ----------
    atoms : int
        The number in one copy; 1 if that is not known.
    """
    before = len(problems)
    count = _whole(copies, "--liquid", 1, most_atoms, "64 waters are usual", problems)
    if count is not None and count * atoms > most_atoms:
        limit = f"{most_atoms:,} atoms, so {most_atoms // atoms:,} copies of {atoms:,}"
        problems.append(Problem("are too many copies", "--liquid", str(copies), limit))
    density, cell = wishes.get("density"), wishes.get("cell")
    dense = _checked_density(density, problems) if density is not None else None
    edges = _checked_cell(cell, problems) if cell is not None else None
    if density is None and cell is None:
        hint = 'such as --density "0.997 g/ml", or --cell "12.4 Å"'
        problems.append(Problem("a liquid needs a density or a cell", "--density", hint=hint))
    elif density is not None and cell is not None:
        what = "follows from the copies and --density"
        problems.append(Problem(what, "--cell", str(cell), hint="give one of the two"))
    temperature = _temperature(wishes.get("temperature", "300 K"), problems)
    seed = _whole(wishes.get("seed", 1), "--seed", 0, _most_seed, "1 is usual", problems)
    if len(problems) > before:
        return None
    assert count is not None
    assert seed is not None
    return LiquidChoices(count, dense, edges, temperature, seed)


def _whole(
    value: Any, where: str, least: int, most: int, hint: str, problems: list[Problem]
) -> int | None:
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is not None and least <= number <= most:
        return number
    limit = f"a whole number from {least} to {most:,}"
    problems.append(Problem("is no such number", where, str(value), limit, hint))
    return None


def _checked_density(value: Any, problems: list[Problem]) -> float | None:
    hint = 'write a density with its unit, such as "0.997 g/ml" or "997 kg/m^3"'
    match = _density.fullmatch(str(value))
    size = _in_g_per_ml.get(match[2]) if match else None
    if match is None or size is None:
        what = "has no unit" if match and not match[2] else "is not a density"
        problems.append(Problem(what, "--density", str(value), hint=hint))
        return None
    found = float(match[1]) * size
    if not _least <= found <= _most:
        limit = f"{_least:g} to {_most:g} g/ml"
        what, hint = "is no density of a liquid", "is the unit right? water has 0.997 g/ml"
        problems.append(Problem(what, "--density", str(value), limit, hint))
        return None
    return found


def _checked_cell(value: Any, problems: list[Problem]) -> Floats | None:
    words = [one.strip() for one in value.split(",")] if isinstance(value, str) else value
    hint = 'one length, or three: --cell "12.4 Å" or --cell "12 Å, 12 Å, 15 Å"'
    if not isinstance(words, Sequence) or len(words) not in (1, 3):
        problems.append(Problem("is no cell", "--cell", str(value), hint=hint))
        return None
    try:
        sizes = [units.parse_quantity(one, units.length).value for one in words]
    except units.UnitError as error:
        problems.append(Problem(error.what, "--cell", str(value), hint=hint))
        return None
    edges = np.array(sizes * (3 // len(sizes))) * bohr_in_angstrom
    if not ((edges >= 2.0) & (edges <= 1000.0)).all():
        limit = "edges from 2 Å to 1,000 Å"
        problems.append(Problem("is out of range", "--cell", str(value), limit, hint))
        return None
    return edges


def _temperature(value: Any, problems: list[Problem]) -> float:
    try:
        kelvin = units.parse_quantity(value, units.temperature).value * hartree_in_kelvin
    except units.UnitError as error:
        problems.append(Problem(error.what, "--temperature", str(value), hint=error.hint))
        return 300.0
    if not _coldest <= kelvin <= _hottest:
        limit = f"{_coldest:g} to {_hottest:g} K"
        problems.append(Problem("out of range", "--temperature", str(value), limit))
    return round(kelvin, 6)
