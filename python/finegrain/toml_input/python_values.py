# SPDX-License-Identifier: BSD-3-Clause
"""Values of an input in Python as those that TOML has: text, numbers, truth values, lists, tables.

Quantities of pint and of OpenMM become text with their unit. No library is imported for that.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from finegrain.errors import Problem

_symbols = {
    **{"femtosecond": "fs", "picosecond": "ps", "nanosecond": "ns", "second": "s"},
    **{"nanometer": "nm", "angstrom": "Å", "kelvin": "K", "dalton": "Da", "rydberg": "Ry"},
    **{"kilojoule": "kJ", "kilocalorie": "kcal", "mole": "mol", "electron_volt": "eV"},
}
_limit = "text, a number, True or False, a quantity, or a list or a dict of these"


def plain_table(table: Mapping[Any, Any], problems: list[Problem], key: str = "") -> dict[str, Any]:
    """Return a table with values as TOML has them, without keys whose value is None.

    Parameters
    ----------
    problems : list of Problem
        Gets a problem for each value that is none of an input.
    key : str
        The key of the table, with a point behind it.
    """
    found = {}
    for name, value in table.items():
        if not isinstance(name, str):
            hint = "names of sections and keys are text"
            problems.append(Problem("is no key of an input", "", f"{key}{name!r}", hint=hint))
        elif value is not None:
            found[str(name)] = _plain(value, f"{key}{name}", problems)
    return found


def _plain(value: Any, key: str, problems: list[Problem]) -> Any:
    match value:
        case bool() | np.bool_():
            return bool(value)
        case str():
            return str(value)
        case int() | np.integer():
            return int(value)
        case float() | np.floating():
            return float(value)
        case os.PathLike():
            return os.fspath(value)
        case Mapping():
            return plain_table(value, problems, f"{key}.")
        case list() | tuple():
            return [_plain(one, f"{key}.{place}", problems) for place, one in enumerate(value)]
    if getattr(value, "_is_multiplicative", True) is False:  # pint
        shown, limit = f"{key} = {value}", "a unit whose zero is none of the quantity"
        hint = 'such as "300 K"; pint converts it: value.to("kelvin")'
        problems.append(Problem("has a unit with an offset", "", shown, limit, hint))
        return ""
    if (quantity := _quantity(value)) is not None:
        return _with_unit(*quantity, key, problems)
    if hasattr(value, "__array__"):
        return _plain(np.asarray(value).tolist(), key, problems)
    what, shown = "is no value of an input", f"{key} = {kind_in_words(value)}"
    hint = 'such as "2 fs", 1000, True or ["30 Å", "30 Å", "30 Å"]'
    problems.append(Problem(what, "", shown, _limit, hint))
    return ""


def kind_in_words(value: Any) -> str:
    """Return for example "a list", or "an object openmm.openmm.System"."""
    kind = type(value)
    if value is None:
        return "None"
    if kind.__module__ == "builtins":
        return f"a {kind.__name__}" if kind is not object else "an object"
    return f"an object {kind.__module__}.{kind.__qualname__}"


def is_quantity(value: Any) -> bool:
    """Return whether a value is a quantity of pint or of OpenMM."""
    return _quantity(value) is not None


def _quantity(value: Any) -> tuple[Any, list[tuple[str, float]]] | None:
    """Return number or numbers, and the names in the unit with their powers."""
    if hasattr(value, "magnitude") and hasattr(value, "unit_items"):  # pint
        return value.magnitude, [(str(name), float(power)) for name, power in value.unit_items()]
    if hasattr(value, "value_in_unit") and hasattr(value, "unit"):  # OpenMM
        units = value.unit.iter_base_or_scaled_units()
        return value.value_in_unit(value.unit), [(one.name, float(power)) for one, power in units]
    return None


def _with_unit(
    numbers: Any, units: Iterable[tuple[str, float]], key: str, problems: list[Problem]
) -> Any:
    """Return "2 femtosecond", or a list of such texts."""
    above: list[str] = []
    below: list[str] = []
    for name, power in units:
        if power != int(power):
            shown, hint = f"{key}: {name}^{power:g}", 'give text, such as "2 fs"'
            problems.append(Problem("has a root of a unit", "", shown, hint=hint))
            return ""
        name = _symbols.get(name, name)
        one = name if abs(power) == 1 else f"{name}^{abs(int(power))}"
        (above if power > 0 else below).append(one)
    unit = " ".join(above) or ("1" if below else "")
    return _texts(numbers, "/".join([unit, *below]), key, problems)


def _texts(numbers: Any, unit: str, key: str, problems: list[Problem]) -> Any:
    plain = _plain(numbers, key, problems)
    if isinstance(plain, list):
        return [_texts(one, unit, key, problems) for one in plain]
    if not unit or isinstance(plain, str):
        return plain
    return f"{plain!r} {unit}"
