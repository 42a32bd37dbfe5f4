# SPDX-License-Identifier: BSD-3-Clause
"""What keys of a moving cell need of each other, and what cannot move."""

from __future__ import annotations

from finegrain.ab_initio.input.model import AbInitioModel
from finegrain.ab_initio.input.sections.dynamics import DynamicsSection
from finegrain.errors import Problem
from finegrain.toml_input.source import TomlSource


def moving_cell_problems(source: TomlSource, model: AbInitioModel) -> list[Problem]:
    """Find keys of a moving cell that contradict each other or lack another, and what cannot be."""
    dynamics = model.dynamics
    if dynamics.cell == "fixed":
        return []
    found = []
    if model.system.boundary == "isolated":
        what = "cannot move: a molecule without images has no pressure"
        hint = 'cell = "fixed", or boundary = "periodic"'
        found.append(source.problem("dynamics.cell", what, hint=hint))
    if dynamics.ions == "rest":
        what = "moves with its ions only"
        hint = 'cell = "fixed", or ions = "move"'
        found.append(source.problem("dynamics.cell", what, hint=hint))
    return found + _of_mass(source, dynamics)


def _of_mass(source: TomlSource, dynamics: DynamicsSection) -> list[Problem]:
    given = dynamics.model_fields_set
    if "cell_mass" in given:
        return [
            source.problem(f"dynamics.{key}", "has no use with cell_mass", hint="take it out")
            for key in ("cell_period", "bulk_modulus")
            if key in given
        ]
    pair = (("cell_period", "bulk_modulus", '"100 GPa"'), ("bulk_modulus", "cell_period", '"1 ps"'))
    return [
        source.problem(f"dynamics.{key}", f"needs {other}", hint=f"add {other} = {example}")
        for key, other, example in pair
        if key in given and other not in given
    ]
