# SPDX-License-Identifier: BSD-3-Clause
"""Quantities with units."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from finegrain import units
from finegrain.base import unit_names
from finegrain.units import UnitError, parse_quantity

repository = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("5.29177210903 Å", units.length, 10.0),
        ("5.29177210903 \N{ANGSTROM SIGN}", units.length, 10.0),
        ("0.529177210903 nm", units.length, 10.0),
        ("1 bohr", units.length, 1.0),
        ("1 1/bohr", units.inverse_length, 1.0),
        ("1e1 1/nm", units.inverse_length, 10 * units.bohr_in_nm),
        ("2 fs", units.time, 2 / units.time_in_fs),
        ("0.002ps", units.time, 2 / units.time_in_fs),
        ("1 1/ps", units.rate, units.time_in_ps),
        ("1 1 / ps", units.rate, units.time_in_ps),
        ("1 ps^-1", units.rate, units.time_in_ps),
        ("1 ps**-1", units.rate, units.time_in_ps),
        ("10 kJ mol^-1 nm^-1", units.force, 10 / units.force_in_kj_per_mol_nm),
        ("10 kJ / mol*nm^-1", units.force, 10 / units.force_in_kj_per_mol_nm),
        ("1 a0", units.length, 1.0),
        ("1.5e-1nm", units.length, 0.15 / units.bohr_in_nm),
        ("300 K", units.temperature, 300 / units.hartree_in_kelvin),
        ("10 kJ/mol/nm", units.force, 10 / units.force_in_kj_per_mol_nm),
        ("1 kcal/mol/Å", units.force, 41.84 / units.force_in_kj_per_mol_nm),
        ("1 hartree/bohr", units.force, 1.0),
        ("15 min", units.wall_time, 900.0),
        ("2 h", units.wall_time, 7200.0),
    ],
)
def test_quantities_get_engine_units(text: str, dimension: units.Dimension, value: float) -> None:
    # A few roundings of a product of constants.
    assert parse_quantity(text, dimension).value == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("name", unit_names.FREQUENT)
def test_sizes_of_frequent_units_are_those_of_pint(name: str) -> None:
    assert unit_names.FREQUENT[name] == unit_names.size_by_pint(name)


@pytest.mark.parametrize(
    ("text", "frequent", "dimension"),
    [
        ("7 picoseconds", "7 ps", units.time),
        ("7 kilocalorie/mole/angstroms", "7 kcal/mol/Å", units.force),
        ("7 electronvolts", "7 eV", units.energy),
        ("7 1/femtosecond", "7 1/fs", units.rate),
    ],
)
def test_names_of_a_unit_are_equal(text: str, frequent: str, dimension: units.Dimension) -> None:
    assert parse_quantity(text, dimension).value == parse_quantity(frequent, dimension).value


def test_ordinary_inputs_are_read_without_pint() -> None:
    code = (
        "import sys, finegrain.ab_initio.input.model, finegrain.classical.input.model;"
        "sys.exit('pint' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("value", "what", "hint"),
    [
        (9, "has no unit", 'write "9 Å", with the unit you mean'),
        ("9.5", "has no unit", 'write "9.5 Å"'),
        ("9 fs", "fs is not the unit of a length", '"9 Å"'),
        ("9 A", "unknown unit A", '"Å"'),
        ("9 parsecs", "unknown unit parsecs", '"9 Å"'),
        ("9 Å Å", "Å Å is not the unit of a length", '"9 Å"'),
        ("nine Å", "not a length", '"9 Å"'),
        (True, "not a length", '"9 Å"'),
        ("9 )(", "cannot read the unit )(", '"9 Å"'),
        ("", "not a length", '"9 Å"'),
    ],
)
def test_a_wrong_unit_is_named_with_a_right_example(value: object, what: str, hint: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse_quantity(value, units.length)
    assert what in caught.value.what
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("2,5 fs", units.time),
        ("298,15 K", units.temperature),
        ("0,5 1/ps", units.rate),
        ("9,5 Å", units.length),
        ("1,000 fs", units.time),
    ],
)
def test_a_decimal_comma_is_refused(text: str, dimension: units.Dimension) -> None:
    with pytest.raises(UnitError) as caught:
        parse_quantity(text, dimension)
    assert "has a comma" in caught.value.what
    assert "decimals take a point" in caught.value.hint


@pytest.mark.parametrize(
    "text",
    [
        *("1.2.3 nm", "9 3 Å", "9 3Å", "9 Å 3", "9 3", "9 Å + 1 Å", "9 Å - 1 Å", "9 2*Å", "9 Å*2"),
        *("9 Å/2", "9 (Å)", "9 Å^2.0/Å", "9 Å^(1)", "9 *Å", "9 Å*", "9 Å//Å*Å", "9 Å**", "9 Å¹"),
        *("9 Å^2^1/Å", "9 1/1/Å", "9 Å;", "9 Å,", "1_0 Å", "٩ Å"),
    ],
)
def test_anything_but_one_number_and_a_unit_is_refused(text: str) -> None:
    with pytest.raises(UnitError) as caught:
        parse_quantity(text, units.length)
    assert '"9 Å"' in caught.value.hint


@pytest.mark.parametrize(
    "text", ["1e400 nm", "-1e400 nm", "1e308 h^9/h^8", "nan Å", "inf Å", "inf", "9 h^9*h^9*h^9"]
)
@pytest.mark.parametrize("dimension", [units.length, units.wall_time])
def test_numbers_that_are_not_finite_are_refused(text: str, dimension: units.Dimension) -> None:
    with pytest.raises(UnitError):
        parse_quantity(text, dimension)


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), -float("inf"), 10**400, pytest.param(16**9000, id="too long")],
)
def test_numbers_without_quotes_that_are_not_finite_are_refused(value: float) -> None:
    with pytest.raises(UnitError) as caught:
        parse_quantity(value, units.length)
    assert caught.value.what == "is not a finite number"
    assert '"9 Å"' in caught.value.hint


def test_the_engine_has_the_same_constants() -> None:
    header = (repository / "engine/base/units.hpp").read_text()
    found = dict(re.findall(r"constexpr double (\w+) = ([0-9.e+-]+);", header))
    both = found.keys() & vars(units).keys()  # each has some that the other does not need
    assert len(both) >= 8
    for name in both:
        assert getattr(units, name) == float(found[name]), name
