# SPDX-License-Identifier: BSD-3-Clause
"""From an input to everything that a job contains, with all problems found on the way."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from finegrain.base import cells
from finegrain.classical.division.buffer import Kinds
from finegrain.classical.division.division import Division
from finegrain.classical.division.thermal import kinetic_temperature
from finegrain.classical.input.load import Input, load_input
from finegrain.classical.input.readers.own_results import other_atoms
from finegrain.classical.input.settings import Settings, resolve
from finegrain.classical.input.source import Source
from finegrain.classical.openmm.translate import translate
from finegrain.classical.preparation.far_pairs import far_exceptions
from finegrain.classical.preparation.read import read_source
from finegrain.classical.preparation.restraints import set_restraints
from finegrain.classical.preparation.sanity import (
    constraint_problems,
    count_problems,
    mesh_problems,
)
from finegrain.classical.preparation.usual_division import (
    choose_division,
    kinds_of_atoms,
    room_temperature,
)
from finegrain.classical.preparation.vacuum import place_in_frame
from finegrain.classical.system.dependent_constraints import dependent_constraints
from finegrain.classical.system.fragments import Fragments, find_fragments, torn_constraints
from finegrain.classical.system.heavy_hydrogens import make_hydrogens_heavy
from finegrain.classical.system.limits import (
    number_problems,
    position_problems,
    table_problems,
)
from finegrain.classical.system.long_bonds import long_bonds
from finegrain.classical.system.overlaps import overlaps
from finegrain.classical.system.repeated_terms import terms_too_long_to_repeat
from finegrain.classical.system.site_checks import moved_sites, plane_problems
from finegrain.classical.system.system import ClassicalSystem, Floats, Ints
from finegrain.errors import InputError, Problem
from finegrain.toml_input.source import InputFile
from finegrain.units import Ramp, bohr_in_nm, speed_in_nm_per_ps

most_atoms = (2**31 - 1) // 8  # the engine's limit
_flattest = 1e-6  # volume of a cell over the cube of its largest number


@dataclass
class Prepared:
    """A checked run, ready to be written as a job; without velocities the engine draws them."""

    given: Input
    source: Source
    system: ClassicalSystem
    fragments: Fragments
    kinds: Kinds
    settings: Settings
    division: Division
    frame: Floats
    velocity: Floats | None
    temperature: float
    far: Ints  # exceptions that may get beyond the cutoff
    why: dict[str, str] = field(default_factory=dict)  # the division is as it is, in words


def prepare(path: str | InputFile, *, allow_scripts: bool = False) -> Prepared:
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
    source = _source(given)
    system = _checked_system(given, source)
    fragments, tied = _checked_fragments(given, source, system)
    _check_positions(given, system, tied=tied)
    settings, wrong = resolve(given, source, system)
    wrong += mesh_problems(given, settings)
    given.problems += wrong
    if wrong or tied:
        given.raise_problems()
    box = system.whole_box
    frame = box if box is not None else place_in_frame(system, settings)
    velocity, start = _velocities(given, system)
    far = far_exceptions(system, settings)
    warmest = _warmest(given, system, velocity)
    kinds = kinds_of_atoms(system, fragments, frame)
    division, wrong = choose_division(
        given, system, fragments, kinds, settings, frame, warmest, len(far) > 0
    )
    given.problems += wrong + start
    given.raise_problems()
    temperature = _temperature(given)
    return Prepared(
        given=given,
        source=source,
        system=system,
        fragments=fragments,
        kinds=kinds,
        settings=settings,
        division=division,
        frame=frame,
        velocity=velocity,
        temperature=temperature,
        far=far,
    )


def _source(given: Input) -> Source:
    try:
        return read_source(given)
    except InputError as error:
        given.problems += error.problems
        given.raise_problems()
        raise


def _checked_system(given: Input, source: Source) -> ClassicalSystem:
    """Return the system, whose tables go together and whose numbers are within bounds."""
    _add(given, "system.coordinates", count_problems(given, source))
    given_box, wrong_box = _box(given, source)
    _add(given, "system.topology", wrong_box)
    if len(source.position) != len(source.names.atom):
        given.raise_problems()
    position = source.position / bohr_in_nm
    system, refused = translate(source.system_xml, source.names, position, given_box)
    _add(given, "system.topology", refused)
    if wrong_box or any("virtual sites" in problem.value for problem in refused):
        given.raise_problems()  # overlaps, masses and cutoffs would be reported for the same cause
    _repeat(given, system)
    if source.velocity is not None:
        system.velocity = source.velocity / speed_in_nm_per_ps
    # What comes after counts on tables that go together, then on numbers within bounds.
    if tables := table_problems(system):
        _add(given, "system.topology", tables)
        given.raise_problems()
    positions, numbers = position_problems(system), number_problems(system)
    _add(given, "system.coordinates", positions)
    _add(given, "system.topology", numbers)
    _add(given, "system.coordinates", other_atoms(given, source.names, system.mass))
    if positions or numbers:
        given.raise_problems()
    return system


def _checked_fragments(
    given: Input, source: Source, system: ClassicalSystem
) -> tuple[Fragments, bool]:
    """Return the fragments, and whether some are too large or cannot be held."""
    _add(given, "dynamics.hydrogen_mass", _heavy_hydrogens(given, system))
    _add(given, "forces.constraints", constraint_problems(given, source, system))
    fragments, large = find_fragments(system)
    _add(given, "forces.constraints", large)
    dependent = [] if large else dependent_constraints(system, fragments)
    _add(given, "system.topology", dependent)
    _add(given, "system.coordinates", plane_problems(system))
    given.problems += set_restraints(given, source, system)
    given.notes += moved_sites(system, fragments.moved_sites)
    if system.velocity is not None:
        system.velocity[system.sites.site] = 0.0
    return fragments, bool(large or dependent)


def _check_positions(given: Input, system: ClassicalSystem, *, tied: bool) -> None:
    """Find atoms that are too far from each other, or too near."""
    torn = [] if tied else torn_constraints(system)
    _add(given, "system.coordinates", torn)
    if torn:  # atoms in another order overlap, too
        return
    moves = given.model.dynamics is not None and given.model.minimise.method == "none"
    moves = moves and not given.follows  # then it starts elsewhere
    near, notes = overlaps(system, set_free=moves)
    _add(given, "system.coordinates", near)
    _add(given, "system.repeat", terms_too_long_to_repeat(system))
    given.notes += notes
    given.notes += long_bonds(system)


def _add(given: Input, key: str, found: list[Problem]) -> None:
    """Give problems of the system the place of the key that caused them."""
    for problem in found:
        where = problem.where or given.source.place(key)
        given.problems.append(
            Problem(problem.what, where, problem.value or key, problem.limit, problem.hint)
        )


def _box(given: Input, source: Source) -> tuple[Floats | None, list[Problem]]:
    """Return the box in bohr; the input's own has priority over that of the files.

    If its vectors have other directions than the engine's, positions and velocities turn with them.
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


def _repeat(given: Input, system: ClassicalSystem) -> None:
    """Give the system its copies, if it can have them."""
    counts = given.model.system.repeat
    if counts is None:
        return
    x, y, z = counts
    atoms = x * y * z * system.atoms
    problem, key = given.source.problem, "system.repeat"
    if system.box is None:
        hint = 'give [system] box = ["60 Å", "60 Å", "60 Å"], or take repeat out'
        given.problems.append(problem(key, "needs a periodic box to repeat", hint=hint))
    elif atoms > most_atoms:
        hint = "repeat it less often"
        what, limit = f"makes {atoms:,} atoms", f"{most_atoms:,}, which their numbers allow"
        given.problems.append(problem(key, what, limit=limit, hint=hint))
    else:
        system.repeat = (x, y, z)


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


def _warmest(given: Input, system: ClassicalSystem, velocity: Floats | None) -> float:
    """Return the highest temperature (hartree) of the baths and of the start."""
    dynamics = given.model.dynamics
    ramp = dynamics.temperature if dynamics is not None else None
    return max(
        _temperature(given),
        ramp.end.value if isinstance(ramp, Ramp) else 0.0,
        _temperature_of_start(given, system, velocity),
        given.temperature_before if given.carries_velocities else 0.0,
    )


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
