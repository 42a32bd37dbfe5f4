# SPDX-License-Identifier: BSD-3-Clause
"""The division of a job with some keys of its input changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from finegrain.classical.division.division import Division
from finegrain.classical.input.load import Input
from finegrain.classical.preparation.prepare import Prepared
from finegrain.classical.preparation.usual_division import choose_division
from finegrain.errors import Problem

Keys = dict[str, Any]  # of the input, such as {"patches.grid": [2, 2, 4]}


def keys_of(prepared: Prepared) -> Keys:
    """Return the keys that give an input the division of `prepared`, in the order of the page."""
    division = prepared.division
    keys: Keys = {}
    if prepared.settings.has_lists:
        keys["forces.rebuild_interval"] = division.rebuild_interval
        keys["forces.prune_interval"] = division.prune_interval
    keys["patches.grid"] = list(division.patch_grid)
    keys["patches.pair_computes"] = division.pair_computes
    if prepared.settings.electrostatics == "pme":
        keys["mesh.pencils"] = list(division.pencil_grid)
    return keys


def with_keys(prepared: Prepared, changed: Mapping[str, Any]) -> Division | None:
    """Return the division with some keys of it changed; None if the input cannot have it."""
    other = prepared_with(prepared, changed)
    if other is None:
        return None
    return replace(other.division, most_patches=prepared.division.most_patches)


def prepared_with(prepared: Prepared, changed: Mapping[str, Any]) -> Prepared | None:
    """Return the run with some keys of its division changed; None if the input cannot have it."""
    # With a longer reach longer lists would always fit.
    reach = {"patches.reach": max(prepared.division.reach)}
    given = input_with(prepared.given, keys_of(prepared) | reach | dict(changed))
    division, problems = division_of(prepared, given)
    return None if problems else replace(prepared, given=given, division=division)


def input_with(given: Input, keys: Keys) -> Input:
    """Return an input with other values of some keys."""
    model = given.model
    for key, value in keys.items():
        section, _, name = key.partition(".")
        table = getattr(model, section).model_copy(update={name: value})
        model = model.model_copy(update={section: table})
    return replace(given, model=model)


def division_of(prepared: Prepared, given: Input) -> tuple[Division, list[Problem]]:
    """Return the division that another input would give the same system, and what is wrong."""
    return choose_division(
        given,
        prepared.system,
        prepared.fragments,
        prepared.kinds,
        prepared.settings,
        prepared.frame,
        prepared.division.temperature,
        len(prepared.far) > 0,
    )
