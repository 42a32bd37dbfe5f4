# SPDX-License-Identifier: BSD-3-Clause
"""From an input to everything that a job contains, with all problems found on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from finegrain.base import cells
from finegrain.classical.division.thermal import kinetic_temperature
from finegrain.classical.input.load import Input, load_input
from finegrain.classical.input.readers.own_results import other_atoms
from finegrain.classical.input.settings import Settings, resolve
from finegrain.classical.input.source import Source
from finegrain.classical.openmm.translate import translate
from finegrain.classical.preparation.cut import Cut, choose_cut, room_temperature
from finegrain.classical.preparation.far_pairs import far_exceptions
from finegrain.classical.preparation.read import read_source
from finegrain.classical.preparation.restraints import set_restraints
from finegrain.classical.preparation.sanity import (
    constraint_problems,
    count_problems,
    mesh_problems,
)
from finegrain.classical.preparation.vacuum import place_in_frame
from finegrain.classical.system.dependent_constraints import dependent_constraints
from finegrain.classical.system.fragments import Fragments, find_fragments, torn_constraints
from finegrain.classical.system.heavy_hydrogens import make_hydrogens_heavy
from finegrain.classical.system.limits import (
    number_problems,
    place_problems,
    table_problems,
)
from finegrain.classical.system.long_bonds import long_bonds
from finegrain.classical.system.overlaps import overlaps
from finegrain.classical.system.site_checks import moved_sites, plane_problems
from finegrain.classical.system.system import ClassicalSystem, Floats, Ints
from finegrain.errors import InputError, Problem
from finegrain.units import Ramp, bohr_in_nm, speed_in_nm_per_ps

_flattest = 1e-6  # volume of a cell over the cube of its largest number


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
    far: Ints  # exceptions that may get beyond the cutoff
    why: dict[str, str] = field(default_factory=dict)  # the division is as it is, in words


def prepare(path: str | Path, *, allow_scripts: bool = False) -> Prepared:
    """Read, check and complete everything that an input asks for.

    Parameters
    ----------
    allow_scripts : bool
        Whether a force field of the user's may execute Python.

    Raises
    ------
    InputError
        With all problems that could be found; nothing has been written.
    """
    given = load_input(path, strict=False)
    given.allow_scripts = allow_scripts
    return prepare_input(given)


def prepare_input(given: Input) -> Prepared:
    """Complete an input that has been parsed; its problems so far are raised with the others."""
    try:
        source = read_source(given)
    except InputError as error:
        given.problems += error.problems
        given.raise_problems()
        raise
    _add(given, "system.coordinates", count_problems(given, source))
    given_box, wrong_box = _box(given, source)
    _add(given, "system.topology", wrong_box)
    if len(source.position) != len(source.names.atom):
        given.raise_problems()
    position = source.position / bohr_in_nm
    system, found = translate(source.system_xml, source.names, position, given_box)
    _add(given, "system.topology", found)
    if wrong_box or any("virtual sites" in problem.value for problem in found):
        given.raise_problems()  # overlaps, masses and cutoffs would be reported for the same cause
    if source.velocity is not None:
        system.velocity = source.velocity / speed_in_nm_per_ps
    # What comes after counts on tables that go together, then on numbers within bounds.
    if tables := table_problems(system):
        _add(given, "system.topology", tables)
        given.raise_problems()
    places, numbers = place_problems(system), number_problems(system)
    _add(given, "system.coordinates", places)
    _add(given, "system.topology", numbers)
    _add(given, "system.coordinates", other_atoms(given, source.names, system.mass))
    if places or numbers:
        given.raise_problems()
    _add(given, "dynamics.hydrogen_mass", _heavy_hydrogens(given, system))
    _add(given, "forces.constraints", constraint_problems(given, source, system))
    fragments, found = find_fragments(system)
    _add(given, "forces.constraints", found)
    if not found:
        found = dependent_constraints(system, fragments)
        _add(given, "system.topology", found)
    tied = bool(found)  # fragments too large, or that cannot be held
    _add(given, "system.coordinates", plane_problems(system))
    given.problems += set_restraints(given, source, system)
    given.notes += moved_sites(system, fragments.moved_sites)
    if system.velocity is not None:
        system.velocity[system.sites.site] = 0.0
    torn = [] if found else torn_constraints(system)
    _add(given, "system.coordinates", torn)
    if not torn:  # atoms in another order overlap, too
        moves = given.model.dynamics is not None and given.model.minimise.method == "none"
        moves = moves and not given.follows  # then it starts elsewhere
        found, notes = overlaps(system, set_free=moves)
        _add(given, "system.coordinates", found)
        given.notes += notes
        given.notes += long_bonds(system)
    settings, found = resolve(given, source, system)
    found += mesh_problems(given, settings)
    given.problems += found
    if found or tied:
        given.raise_problems()
    frame = system.box if system.box is not None else place_in_frame(system, settings)
    temperature = _temperature(given)
    velocity, start = _velocities(given, system)
    warmest = max(
        temperature,
        _last_temperature(given),
        _temperature_of_start(given, system, velocity),
        given.temperature_before if given.carries_velocities else 0.0,
    )
    far = far_exceptions(system, settings)
    cut, found = choose_cut(given, system, fragments, settings, frame, warmest, len(far) > 0)
    given.problems += found + start
    given.raise_problems()
    return Prepared(
        given, source, system, fragments, settings, cut, frame, velocity, temperature, far
    )


def _add(given: Input, key: str, found: list[Problem]) -> None:
    """Give problems of the system the place of the key that caused them."""
    for problem in found:
        where = problem.where or given.source.place(key)
        given.problems.append(
            Problem(problem.what, where, problem.value or key, problem.limit, problem.hint)
        )


def _box(given: Input, source: Source) -> tuple[Floats | None, list[Problem]]:
    """Return the box in bohr; the input's own has priority over that of the files.

    If its vectors lie otherwise than the engine's, the positions and velocities turn with them.
    """
    own = given.model.system.box
    if own is None and source.box is None:
        return None, []
    vectors, unit = (source.box, bohr_in_nm) if own is None else (np.array(own.vectors), 1.0)
    assert vectors is not None
    size = np.abs(vectors).max()
    if not (np.isfinite(vectors).all() and abs(np.linalg.det(vectors)) > _flattest * size**3):
        rows = vectors * (10 if own is None else 10 * bohr_in_nm)
        value = "; ".join("(" + ", ".join(f"{x:.3f}" for x in row) + ")" for row in rows)
        hint = 'give [system] box = ["60 Å", "60 Å", "60 Å"]'
        what = "is not a box: its vectors span no volume"
        return None, [Problem(what, value=f"box vectors {value} Å", hint=hint)]
    box, turn = cells.upright(vectors)
    if turn is not None:
        source.position = source.position @ turn.T
        if source.velocity is not None:
            source.velocity = source.velocity @ turn.T
        given.notes.append(
            "the cell and all atoms are turned, so that the vector a lies along x and b in the "
            "plane of x and y; results have this orientation"
        )
    return box / unit, []


def _heavy_hydrogens(given: Input, system: ClassicalSystem) -> list[Problem]:
    dynamics = given.model.dynamics
    if dynamics is None or dynamics.hydrogen_mass is None:
        return []
    return make_hydrogens_heavy(system, dynamics.hydrogen_mass.value)


def _temperature(given: Input) -> float:
    """Return the temperature (hartree) of the bath, or an initial one."""
    dynamics = given.model.dynamics
    if dynamics is None or dynamics.temperature is None:
        return room_temperature
    return dynamics.temperature.value


def _last_temperature(given: Input) -> float:
    """Return the temperature (hartree) at the end of a ramp; 0 without one."""
    dynamics = given.model.dynamics
    ramp = dynamics.temperature if dynamics is not None else None
    return ramp.end.value if isinstance(ramp, Ramp) else 0.0


def _temperature_of_start(given: Input, system: ClassicalSystem, velocity: Floats | None) -> float:
    """Return the temperature of the velocities (hartree), which may differ from the bath's."""
    if velocity is None or not np.isfinite(velocity).all():
        return 0.0
    dynamics = given.model.dynamics
    held = 3 if dynamics is not None and dynamics.remove_com_motion else 0
    return kinetic_temperature(system, velocity, system.degrees_of_freedom - held)


def _velocities(given: Input, system: ClassicalSystem) -> tuple[Floats | None, list[Problem]]:
    """Return those of the files, or zeros, or None if the engine draws them after minimisation."""
    dynamics = given.model.dynamics
    rest = np.zeros((system.atoms, 3))
    if dynamics is None:
        return rest if system.velocity is None else system.velocity, []
    if given.carries_velocities:
        return rest, []  # until those of the stage before are known
    choice = dynamics.velocities
    if choice is None:
        choice = "from-temperature" if dynamics.temperature is not None else "from-file"
        if choice == "from-file" and system.velocity is None:
            if any("dynamics." in problem.value for problem in given.problems):
                return rest, []  # a wrong temperature has been reported already
            hint = 'add temperature = "300 K", or velocities = "zero"'
            what = "no temperature, and no velocities in the files"
            return rest, [given.source.problem("dynamics.velocities", what, hint=hint)]
    if choice == "from-file":
        if system.velocity is None:
            hint = 'use velocities = "from-temperature"'
            if (given.model.system.coordinates or "").lower().endswith(".h5"):
                hint += ", or take checkpoint.h5: frames hold velocities only where the run had "
                hint += "[output] velocities = true"
            what = "the files hold no velocities"
            return rest, [given.source.problem("dynamics.velocities", what, hint=hint)]
        return system.velocity, []
    return (rest if choice == "zero" else None), []
