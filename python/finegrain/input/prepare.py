# SPDX-License-Identifier: BSD-3-Clause
"""From an input to everything that a job holds, with every problem found on the way."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from finegrain.errors import InputError, Problem
from finegrain.input.cut import Cut, choose_cut, room_temperature
from finegrain.input.fragments import Fragments, find_fragments, torn_constraints
from finegrain.input.load import Input, load_input
from finegrain.input.readers import Source, read_source
from finegrain.input.sanity import constraint_problems, count_problems, sanity_problems
from finegrain.input.settings import Settings, resolve
from finegrain.input.system import ClassicalSystem, Floats
from finegrain.input.translate import translate
from finegrain.input.vacuum import place_in_frame
from finegrain.units import bohr_in_nm, speed_in_nm_per_ps


@dataclass
class Prepared:
    """A checked run, ready to be written as a job; without velocities the engine draws them."""

    given: Input
    source: Source
    system: ClassicalSystem
    fragments: Fragments
    settings: Settings
    cut: Cut
    frame: Floats
    velocity: Floats | None
    temperature: float


def prepare(path: str | Path) -> Prepared:
    """Read, check and settle everything that an input asks for.

    Raises
    ------
    InputError
        With all problems that could be found; nothing has been written.
    """
    given = load_input(path, strict=False)
    try:
        source = read_source(given)
    except InputError as error:
        given.problems += error.problems
        given.raise_problems()
        raise
    _add(given, "system.coordinates", count_problems(given, source))
    given_box, found = _orthorhombic(given, source)
    _add(given, "system.topology", found)
    if len(source.position) != len(source.names.atom):
        given.raise_problems()
    position = source.position / bohr_in_nm
    system, found = translate(source.system_xml, source.names, position, given_box)
    _add(given, "system.topology", found)
    _add(given, "system.coordinates", sanity_problems(system))
    _add(given, "forces.constraints", constraint_problems(given, source, system))
    if source.velocity is not None:
        system.velocity = source.velocity / speed_in_nm_per_ps
    given_nonbonded = len(system.charge) == system.atoms and np.isfinite(position).all()
    if not given_nonbonded or (system.mass <= 0).any():
        given.raise_problems()
    fragments, found = find_fragments(system)
    _add(given, "forces.constraints", found)
    if not found:
        _add(given, "system.coordinates", torn_constraints(system))
    settings, found = resolve(given, source, system)
    given.problems += found
    if found:
        given.raise_problems()
    frame = system.box if system.box is not None else place_in_frame(system, settings)
    temperature = _temperature(given)
    cut, found = choose_cut(given, system, fragments, settings, frame, temperature)
    given.problems += found
    velocity, found = _velocities(given, system)
    given.problems += found
    given.raise_problems()
    return Prepared(given, source, system, fragments, settings, cut, frame, velocity, temperature)


def _add(given: Input, key: str, found: list[Problem]) -> None:
    """Give problems of the system the place of the key that brought them in."""
    for problem in found:
        where = problem.where or given.source.place(key)
        given.problems.append(
            Problem(problem.what, where, problem.value or key, problem.limit, problem.hint)
        )


def _orthorhombic(given: Input, source: Source) -> tuple[Floats | None, list[Problem]]:
    """Return the box edges in bohr; the input's own box outranks the files'."""
    if given.model.system.box is not None:
        return np.array([edge.value for edge in given.model.system.box]), []
    if source.box is None:
        return None, []
    edges = np.diag(source.box).copy()
    skew = np.abs(source.box - np.diag(edges)).max()
    if skew > 1e-5 * edges.max():
        vectors = "; ".join(
            "(" + ", ".join(f"{10 * x:.3f}" for x in row) + ")" for row in source.box
        )
        hint = "make the box rectangular; its edges are then three numbers"
        limit = "right angles between box vectors"
        value = f"a triclinic box, {vectors} Å"
        return edges / bohr_in_nm, [Problem("is not supported", "", value, limit, hint)]
    if not (np.isfinite(edges).all() and (edges > 0).all()):
        hint = 'give [system] box = ["60 Å", "60 Å", "60 Å"]'
        return None, [Problem("is not a box", value=f"box edges {10 * edges} Å", hint=hint)]
    return edges / bohr_in_nm, []


def _temperature(given: Input) -> float:
    """Return the temperature (hartree) that list buffers are made for."""
    dynamics = given.model.dynamics
    if dynamics is None or dynamics.temperature is None:
        return room_temperature
    return dynamics.temperature.value


def _velocities(given: Input, system: ClassicalSystem) -> tuple[Floats | None, list[Problem]]:
    """Return those of the files, or zeros, or None: drawn by the engine after it has minimised."""
    dynamics = given.model.dynamics
    rest = np.zeros((system.atoms, 3))
    if dynamics is None:
        return rest if system.velocity is None else system.velocity, []
    choice = dynamics.velocities
    if choice is None:
        choice = "from-temperature" if dynamics.temperature is not None else "from-file"
        if choice == "from-file" and system.velocity is None:
            if any("dynamics." in problem.value for problem in given.problems):
                return rest, []  # a mistyped temperature has been told already
            hint = 'add temperature = "300 K", or velocities = "zero"'
            what = "no temperature, and no velocities in the files"
            return rest, [given.source.problem("dynamics.velocities", what, hint=hint)]
    if choice == "from-file":
        if system.velocity is None:
            hint = 'use velocities = "from-temperature"'
            what = "the files hold no velocities"
            return rest, [given.source.problem("dynamics.velocities", what, hint=hint)]
        return system.velocity, []
    return (rest if choice == "zero" else None), []
