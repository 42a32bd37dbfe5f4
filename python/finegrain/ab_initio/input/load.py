# SPDX-License-Identifier: BSD-3-Clause
"""From a text file to a checked model of an ab initio run."""

from __future__ import annotations

from typing import TypeAlias

from finegrain.ab_initio.input.dynamics_keys import dynamics_problems
from finegrain.ab_initio.input.effective_cutoff import effective_cutoff_problems
from finegrain.ab_initio.input.functional import functional_problem
from finegrain.ab_initio.input.model import AbInitioModel, sections
from finegrain.ab_initio.input.unknown_keys import ABSENT
from finegrain.errors import Problem
from finegrain.toml_input.given import GivenInput, checked_source
from finegrain.toml_input.problems import InputKeys
from finegrain.toml_input.source import InputFile, TomlSource, read_toml

AbInitioInput: TypeAlias = GivenInput[AbInitioModel]

_keys = InputKeys(
    AbInitioModel,
    sections,
    paths=("structure", "start", "pseudopotentials", "pseudopotential_folders", "directory"),
    absent=ABSENT,
)


def load_input(path: str | InputFile, *, strict: bool = True) -> AbInitioInput:
    """Read an input; `strict` is that of `checked_source`.

    Raises
    ------
    InputError
        With all problems of the file, each with line, value, limit and remedy.
    """
    return load_source(read_toml(path), strict=strict)


def load_source(source: TomlSource, *, strict: bool = True) -> AbInitioInput:
    """Check a parsed input, as `load_input` does."""
    return checked_source(source, _keys, _contradictions, AbInitioInput, strict=strict)


def _contradictions(source: TomlSource, model: AbInitioModel) -> list[Problem]:
    """Find keys that have no effect beside others, or that others lack."""
    found: list[Problem] = []
    electrons, objects = model.electrons, model.objects
    if problem := functional_problem(source, electrons.functional):
        found.append(problem)
    found += effective_cutoff_problems(source, electrons)
    found += dynamics_problems(source, model)
    if electrons.pseudopotential_folders and electrons.pseudopotentials != "auto":
        what = "has no use beside a table of files"
        hint = 'take it out, or write pseudopotentials = "auto"'
        found.append(source.problem("electrons.pseudopotential_folders", what, hint=hint))
    if electrons.nonlocal_part == electrons.local_part == "exact":
        what, hint = 'has no use with nonlocal_part and local_part = "exact"', "take it out"
        found += [
            source.problem(f"electrons.{key}", what, hint=hint)
            for key in ("spline_order", "spline_grid")
            if key in electrons.model_fields_set
        ]
    waves, densities = objects.wave_parts, objects.density_parts
    if waves is not None and densities is not None and densities % waves:
        limit = f"a multiple of wave_parts, {waves}"
        hint = f"such as {waves * max(1, round(densities / waves))}"
        what = "cannot be divided by wave_parts"
        found.append(source.problem("objects.density_parts", what, limit=limit, hint=hint))
    return found
