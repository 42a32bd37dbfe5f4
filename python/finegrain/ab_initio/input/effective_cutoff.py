# SPDX-License-Identifier: BSD-3-Clause
"""A constant effective cutoff in cells that change: its keys, and what the job has of them.

Units: hartree. Formula and source: engine/electrons/waves/effective_cutoff.hpp.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from finegrain.ab_initio.input.sections.electrons import ElectronsSection
from finegrain.errors import Problem
from finegrain.toml_input.source import TomlSource
from finegrain.units import Quantity

_names = ("effective_cutoff", "effective_cutoff_height", "effective_cutoff_width")


def _values(electrons: ElectronsSection) -> dict[str, Quantity]:
    found = {name: getattr(electrons, name) for name in _names}
    return {name: value for name, value in found.items() if value is not None}


def effective_cutoff_problems(source: TomlSource, electrons: ElectronsSection) -> list[Problem]:
    """Find a step in the kinetic energy that lacks a part, or lies beyond the waves."""
    given = _values(electrons)
    missing = [
        name for name in _names if name not in given and not source.written(f"electrons.{name}")
    ]
    if given and missing:
        first = next(iter(given))
        hint = "add " + ", ".join(missing)
        return [source.problem(f"electrons.{first}", f"needs {missing[0]}", hint=hint)]
    if len(given) < len(_names) or "cutoff" not in electrons.model_fields_set:
        return []
    inner, outer = electrons.effective_cutoff, electrons.cutoff
    assert inner is not None
    if inner.value < outer.value:
        return []
    what = "is not below the cutoff, so no wave is beyond it"
    hint = "a cutoff that is a fifth higher leaves room for a cell that grows"
    key = "electrons.effective_cutoff"
    return [source.problem(key, what, limit=f"below {outer}", hint=hint)]


def effective_cutoff_of(attributes: Mapping[str, Any]) -> dict[str, float]:
    """Return what the attributes of a job say of it; nothing without an effective cutoff."""
    return {name: float(attributes[name]) for name in _names if name in attributes}


def in_words(values: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return a row of a report; none without an effective cutoff."""
    if not values:
        return []
    inner, height, width = (f"{2 * values[name]:g} Ry" for name in _names)
    return [("effective cutoff", f"{inner}, a step of {height} over a width of {width}")]
