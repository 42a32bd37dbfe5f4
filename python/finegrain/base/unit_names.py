# SPDX-License-Identifier: BSD-3-Clause
"""Names of units: their size in SI, and what they measure.

Pint knows all names, in the singular and the plural. It takes a tenth of a second to start, so the
names that nearly all inputs use have their sizes here. A test compares them with pint's, bit by
bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from finegrain.base.constants import avogadro, bohr_in_nm, hartree_in_joule

if TYPE_CHECKING:
    import pint

_bases = ("meter", "kilogram", "second", "kelvin", "degree", "byte")


@dataclass(frozen=True)
class UnitSize:
    """The size of a unit in SI, and the powers of m, kg, s, K, degrees and bytes in it."""

    in_si: float
    powers: tuple[int, ...]

    def __mul__(self, other: UnitSize) -> UnitSize:
        """Return the product of two units."""
        powers = tuple(a + b for a, b in zip(self.powers, other.powers, strict=True))
        return UnitSize(self.in_si * other.in_si, powers)

    def __pow__(self, power: int) -> UnitSize:
        """Return a whole power of a unit; OverflowError if it is too large."""
        return UnitSize(self.in_si**power, tuple(one * power for one in self.powers))


ONE = UnitSize(1.0, (0, 0, 0, 0, 0, 0))

_length, _mass, _time = (1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0)
_temperature, _angle, _data = (0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 0, 0, 0, 0, 1)
_energy, _pressure = (2, 1, -2, 0, 0, 0), (-1, 1, -2, 0, 0, 0)
_number = ONE.powers

FREQUENT = {
    "m": UnitSize(1.0, _length),
    "Å": UnitSize(1e-10, _length),
    "angstrom": UnitSize(1e-10, _length),
    "nm": UnitSize(1e-9, _length),
    "bohr": UnitSize(0.0529177210903e-9, _length),
    "s": UnitSize(1.0, _time),
    "fs": UnitSize(1e-15, _time),
    "ps": UnitSize(1e-12, _time),
    "ns": UnitSize(1e-9, _time),
    "us": UnitSize(1e-6, _time),
    "min": UnitSize(60.0, _time),
    "h": UnitSize(3600.0, _time),
    "kg": UnitSize(1.0, _mass),
    "Da": UnitSize(0.001 / 6.02214076e23, _mass),
    "J": UnitSize(1.0, _energy),
    "kJ": UnitSize(1000.0, _energy),
    "kcal": UnitSize(4184.0, _energy),
    "eV": UnitSize(1.602176634e-19, _energy),
    "hartree": UnitSize(4.3597447222071e-18, _energy),
    "Ry": UnitSize(4.3597447222071e-18 / 2, _energy),
    "mol": UnitSize(6.02214076e23, _number),
    "Pa": UnitSize(1.0, _pressure),
    "bar": UnitSize(1e5, _pressure),
    "K": UnitSize(1.0, _temperature),
    "degree": UnitSize(1.0, _angle),
    "degrees": UnitSize(1.0, _angle),
    "B": UnitSize(1.0, _data),
    "MB": UnitSize(1e6, _data),
    "GB": UnitSize(1e9, _data),
    "Gb": UnitSize(125e6, _data),
}


def size_of(name: str) -> UnitSize:
    """Return what a name means; LookupError if nothing, ValueError if it is no name."""
    return FREQUENT.get(name) or size_by_pint(name)


@cache
def size_by_pint(name: str) -> UnitSize:
    """Do the same for all names."""
    import pint

    try:
        quantity = _registry().Quantity(1.0, name).to_base_units()
    except pint.UndefinedUnitError:
        raise LookupError(name) from None
    except Exception:
        raise ValueError(name) from None
    found: dict[str, Any] = dict(quantity.unit_items())
    return UnitSize(float(quantity.magnitude), tuple(int(found.pop(base, 0)) for base in _bases))


# The units of molecular simulation and no others: a letter that means an ampere elsewhere is an
# error here. A mole is a number, so that kJ/mol is an energy of one molecule.
_definitions = """
meter = [length] = m = metre
second = [time] = s
kilogram = [mass] = kg
kelvin = [temperature] = K
angstrom = 1e-10 * meter = Å = Angstrom = ångström
nanometer = 1e-9 * meter = nm
picometer = 1e-12 * meter = pm
bohr = {bohr!r}e-9 * meter = a0
femtosecond = 1e-15 * second = fs
picosecond = 1e-12 * second = ps
nanosecond = 1e-9 * second = ns
microsecond = 1e-6 * second = µs = us
millisecond = 1e-3 * second = ms
minute = 60 * second = min
hour = 3600 * second = h
day = 86400 * second = d
joule = kilogram * meter ** 2 / second ** 2 = J
kilojoule = 1000 * joule = kJ
calorie = 4.184 * joule = cal
kilocalorie = 4184 * joule = kcal
electronvolt = 1.602176634e-19 * joule = eV
hartree = {hartree!r} * joule = Ha
rydberg = {rydberg!r} * joule = Ry
pascal = joule / meter ** 3 = Pa
kilopascal = 1000 * pascal = kPa
megapascal = 1e6 * pascal = MPa
gigapascal = 1e9 * pascal = GPa
bar = 1e5 * pascal
atmosphere = 101325 * pascal = atm
mole = {avogadro!r} = mol
degree = [angle] = deg
dalton = {dalton!r} * kilogram = Da = amu
byte = [data] = B
kilobyte = 1000 * byte = kB
megabyte = 1e6 * byte = MB
gigabyte = 1e9 * byte = GB
terabyte = 1e12 * byte = TB
mebibyte = 1048576 * byte = MiB
gibibyte = 1073741824 * byte = GiB
bit = 0.125 * byte
megabit = 125e3 * byte = Mb = Mbit
gigabit = 125e6 * byte = Gb = Gbit
"""


@cache
def _registry() -> pint.UnitRegistry[Any]:
    import pint

    registry: pint.UnitRegistry[Any] = pint.UnitRegistry(None)
    constants = {
        "bohr": bohr_in_nm,
        "hartree": hartree_in_joule,
        "rydberg": hartree_in_joule / 2,
        "avogadro": avogadro,
        "dalton": 0.001 / avogadro,
    }
    for line in _definitions.strip().splitlines():
        registry.define(line.format(**constants))
    return registry
