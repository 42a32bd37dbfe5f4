# SPDX-License-Identifier: BSD-3-Clause
"""Units at the boundary: text with a unit in, Hartree atomic units inside.

The constants of `finegrain.base.constants` are here, too.
"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from finegrain.base import unit_names
from finegrain.base.constants import (
    angstrom_per_nm as angstrom_per_nm,
    avogadro as avogadro,
    bohr_in_angstrom as bohr_in_angstrom,
    bohr_in_nm as bohr_in_nm,
    boltzmann_joule_per_kelvin as boltzmann_joule_per_kelvin,
    electron_mass_in_dalton as electron_mass_in_dalton,
    electron_mass_in_kg as electron_mass_in_kg,
    force_in_kj_per_mol_nm as force_in_kj_per_mol_nm,
    hartree_in_ev as hartree_in_ev,
    hartree_in_joule as hartree_in_joule,
    hartree_in_kelvin as hartree_in_kelvin,
    hartree_in_kj_per_mol as hartree_in_kj_per_mol,
    speed_in_nm_per_ps as speed_in_nm_per_ps,
    time_in_fs as time_in_fs,
    time_in_ps as time_in_ps,
)


@dataclass(frozen=True)
class Dimension:
    """A dimension: an example of it, and the size of the engine's unit in SI."""

    name: str
    example: str
    si: str
    engine_unit: float  # in SI


_metre = bohr_in_nm * 1e-9
_second = time_in_fs * 1e-15

length = Dimension("a length", "9 Å", "m", _metre)
energy = Dimension("an energy", "70 Ry", "J", hartree_in_joule)
inverse_length = Dimension("an inverse length", "0.35 1/Å", "1/m", 1 / _metre)
time = Dimension("a time", "2 fs", "s", _second)
rate = Dimension("an inverse time", "1 1/ps", "1/s", 1 / _second)
temperature = Dimension("a temperature", "300 K", "K", hartree_in_kelvin)
force = Dimension("a force", "10 kJ/mol/nm", "J/m", hartree_in_joule / _metre)
stiffness = Dimension(
    "a force constant", "1000 kJ/mol/nm^2", "J/m**2", hartree_in_joule / _metre**2
)
drift = Dimension("an energy per time", "2e-5 kJ/mol/ps", "J/s", hartree_in_joule / _second)
mass = Dimension("a mass", "3 Da", "kg", electron_mass_in_kg)
pressure_in_bar = hartree_in_joule / _metre**3 / 1e5
pressure = Dimension("a pressure", "1 bar", "Pa", hartree_in_joule / _metre**3)
compressibility = Dimension(
    "an inverse pressure", "4.6e-5 1/bar", "1/Pa", _metre**3 / hartree_in_joule
)
angle = Dimension("an angle", "109.47 degrees", "degree", 1.0)
wall_time = Dimension("a time", "15 min", "s", 1.0)
bandwidth = Dimension("a bandwidth", "25 GB/s", "B/s", 1e9)
latency = Dimension("a latency", "1.2 us", "s", 1e-6)


@dataclass(frozen=True)
class Quantity:
    """A number in engine units and its original text.

    Wall times are in seconds, angles in degrees, bandwidths in GB/s and latencies in us.
    """

    value: float
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Ramp(Quantity):
    """A quantity that changes linearly from `value` to the value of `end`."""

    end: Quantity


class UnitError(ValueError):
    """A quantity that cannot be read; `what` says why, `hint` shows a correct one."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint


_number = re.compile(
    r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*)\Z", re.DOTALL | re.ASCII
)
# A unit consists of names with whole powers, multiplied ("*" or a space) and divided, perhaps after
# "1/". An expression with numbers would be evaluated silently: "2,5 fs" was once read as 10 fs.
_power = re.compile(r"(\*|/|)\s*([^\W\d_]+[0-9]?)\s*(?:(?:\^|\*\*)\s*([+-]?[0-9]))?\s*")


# Larger than any quantity in any unit; whole numbers in TOML have no limit of their own.
_too_large = 1e300


def _powers(unit: str) -> list[tuple[str, int]] | None:
    """Split a unit into names and powers; None if it is something else."""
    found: list[tuple[str, int]] = []
    rest = re.sub(r"\A1\s*(?=/)", "", unit)
    inverse = rest != unit
    while rest:
        match = _power.match(rest)
        operator, name, power = match.groups() if match else ("", "", "")
        first = not found
        if match is None or (first and (operator == "/") != inverse) or (first and operator == "*"):
            return None
        if not name.rstrip("0123456789").isalpha():  # a superscript digit is not a letter
            return None
        found.append((name, int(power or 1) * (-1 if operator == "/" else 1)))
        rest = rest[match.end() :]
    return found or None


@cache
def _size_in_si(unit: str, dimension: Dimension) -> float:
    """Return the size of `unit` in SI, if it measures `dimension`."""
    powers = _powers(unit)
    if powers is None:
        raise UnitError(f"cannot read the unit {unit}", _example(dimension))
    product = unit_names.ONE
    for name, power in powers:
        try:
            product *= unit_names.size_of(name) ** power
        except LookupError:
            raise UnitError(f"unknown unit {name}", _likely(name, dimension)) from None
        except (ArithmeticError, ValueError):
            raise UnitError(f"cannot read the unit {unit}", _example(dimension)) from None
    wanted = unit_names.ONE
    for name, power in _powers(dimension.si) or []:
        wanted *= unit_names.size_of(name) ** power
    if product.powers != wanted.powers:
        raise UnitError(f"{unit} is not the unit of {dimension.name}", _example(dimension))
    return product.in_si / wanted.in_si


def _example(dimension: Dimension) -> str:
    return f'write {dimension.name} with its unit, such as "{dimension.example}"'


def _likely(unit: str, dimension: Dimension) -> str:
    if unit == "A":
        return 'an ångström is written "Å" or "angstrom"'
    return _example(dimension)


def parse_quantity(value: object, dimension: Dimension) -> Quantity:
    """Read text such as ``"9 Å"``.

    Parameters
    ----------
    value : object
        The value in the input; anything except text with a number and a unit is an error.
    dimension : Dimension
        The dimension that it must have.

    Returns
    -------
    Quantity
        In engine units.

    Raises
    ------
    UnitError
        Without a unit, with one that is unknown or measures something else, or with anything but
        one finite number and one unit.

    Examples
    --------
    >>> round(parse_quantity("5.29177210903 Å", length).value, 12)
    10.0
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise UnitError(f"not {dimension.name}", _example(dimension))
    if not isinstance(value, str) and not abs(value) < _too_large:
        raise UnitError("is not a finite number", _example(dimension))
    text = unicodedata.normalize("NFC", str(value)).strip()
    match = _number.match(text)
    if not match:
        raise UnitError(f"not {dimension.name}", _example(dimension))
    number, unit = match.group(1), match.group(2).strip()
    unit = "degree" if unit == "°" else unit
    if unit.startswith(","):
        hint = f"decimals take a point, and thousands no mark; {_example(dimension)}"
        raise UnitError(f"has a comma after {number}", hint)
    if re.match(r"[.0-9](?!\s*/)", unit):
        raise UnitError("has more than one number", _example(dimension))
    if not unit:
        unit_of_example = dimension.example.split(" ", 1)[1]
        raise UnitError(
            "has no unit", f'write "{number} {unit_of_example}", with the unit you mean'
        )
    size = float(number) * _size_in_si(unit, dimension) / dimension.engine_unit
    if not math.isfinite(size):
        raise UnitError("is not a finite number", _example(dimension))
    return Quantity(size, text)


def in_angstrom(value: float) -> str:
    """Return a length in bohr as text, to the last digit that matters to a person."""
    return f"{value * bohr_in_angstrom:.4g} Å"
