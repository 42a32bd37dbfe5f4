# SPDX-License-Identifier: BSD-3-Clause
"""The settings of a run: from the input, else from the System, else the default.

Units: Hartree atomic units.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeVar

from finegrain import units
from finegrain.base import cells
from finegrain.classical.division import electrostatics as ewald
from finegrain.classical.input.load import Input
from finegrain.classical.input.source import Source
from finegrain.classical.system.system import ClassicalSystem
from finegrain.errors import Problem
from finegrain.units import bohr_in_angstrom, in_angstrom, parse_quantity

T = TypeVar("T")


@dataclass
class Settings:
    """Settings of the forces that need more than a key; `origin` says where each comes from."""

    cutoff: float = 0.0
    switch_distance: float = 0.0
    electrostatics: str = "pme"
    dielectric: float = 78.3
    ewald_coefficient: float = 0.0
    mesh: tuple[int, int, int] = (0, 0, 0)
    spline_order: int = 4
    dispersion_coefficient: float = 0.0
    dispersion_virial: float = 0.0
    periodic: bool = True
    origin: dict[str, str] = field(default_factory=dict)

    @property
    def has_lists(self) -> bool:
        """Whether pairs are kept in lists; otherwise every pair counts, however far apart."""
        return self.periodic or self.electrostatics != "plain"


# Usual practice for each family of force fields. AMBER and GROMACS's OPLS use a plain cutoff and
# add the tail. CHARMM was fitted with switching and without a tail.
_default_cutoff = {"charmm": "12 Å"}
_default_switch = {"charmm": "10 Å"}
_default_tail = {"charmm": False}
_default_tolerance = 1e-5
_default_spacing = "1 Å"
_largest_tail = 1e12  # hartree bohr^3, times the square of the number of copies
_largest_whole_tail = 1e18  # the engine's bound on the dispersion coefficient

_own_electrostatics = {
    "NoCutoff": "plain",
    "CutoffNonPeriodic": "reaction-field",
    "CutoffPeriodic": "reaction-field",
    "Ewald": "pme",
    "PME": "pme",
}


def resolve(
    given: Input, source: Source, system: ClassicalSystem
) -> tuple[Settings, list[Problem]]:
    """Decide every setting of the forces.

    Returns
    -------
    Settings
        In engine units; in vacuum without a cutoff, `cutoff` is zero until the frame is made.
    list of Problem
        Settings that contradict the system.
    """
    forces, own = given.model.forces, system.nonbonded
    settings = Settings(periodic=system.box is not None)
    problems: list[Problem] = []
    _choose_electrostatics(given, source, system, settings, problems)
    _choose_cutoff(given, source, system, settings, problems)
    if settings.electrostatics == "pme" and system.box is not None and not problems:
        _choose_mesh(given, source, system, settings, problems)
    if settings.electrostatics == "reaction-field":
        settings.dielectric = _first(
            settings,
            "reaction_field_dielectric",
            forces.reaction_field_dielectric,
            own.dielectric if source.own_settings else None,
            78.3,
        )
    tail = _first(
        settings,
        "dispersion_correction",
        forces.dispersion_correction,
        own.dispersion_correction if source.own_settings else None,
        _default_tail.get(source.family, True),
    )
    if forces.switching == "force" and not problems:
        problems += _force_switch_problems(given, settings, tail)
    if tail and settings.periodic and settings.cutoff > 0:
        settings.dispersion_coefficient, settings.dispersion_virial = ewald.dispersion_coefficients(
            system.lennard_jones, settings.cutoff, settings.switch_distance, system.copies
        )
        largest = min(_largest_tail * float(system.copies) ** 2, _largest_whole_tail)
        if not abs(settings.dispersion_coefficient) <= largest:
            limit = f"about the size of the atoms, {in_angstrom(system.lennard_jones.largest())}"
            what, hint = "is shorter than atoms are wide", 'try cutoff = "9 Å"'
            problem = Problem(what, limit=limit, hint=hint)
            shown = in_angstrom(settings.cutoff)
            problems.append(_placed(given, "forces.cutoff", shown, settings, problem))
    return settings, problems


def _force_switch_problems(given: Input, settings: Settings, tail: bool) -> list[Problem]:
    if settings.switch_distance == 0:
        what, hint = "has no switch to apply to", 'add switch = "10 Å", where switching starts'
    elif tail and settings.periodic:
        what = "has no correction for the dispersion beyond the cutoff"
        hint = "add dispersion_correction = false; force fields with this switch have none"
    else:
        return []
    return [given.source.problem("forces.switching", what, hint=hint)]


def _first(settings: Settings, key: str, user: T | None, own: T | None, default: T) -> T:
    """Return the first that is given, and store its origin."""
    for value, origin in ((user, "input"), (own, "the System")):
        if value is not None:
            settings.origin[key] = origin
            return value
    settings.origin[key] = "default"
    return default


def _choose_electrostatics(
    given: Input,
    source: Source,
    system: ClassicalSystem,
    settings: Settings,
    problems: list[Problem],
) -> None:
    user, own = given.model.forces.electrostatics, None
    if source.own_settings:
        own = _own_electrostatics.get(system.nonbonded.method)
        if system.nonbonded.method == "Ewald" and user is None:
            given.notes.append("the System's Ewald sum is computed by particle-mesh Ewald")
    default = "pme"
    if system.box is None:
        default = "plain" if given.model.forces.cutoff is None else "reaction-field"
    settings.electrostatics = _first(settings, "electrostatics", user, own, default)
    key = "forces.electrostatics"
    if settings.electrostatics == "pme" and system.box is None:
        hint = 'give [system] box = ["60 Å", "60 Å", "60 Å"], or electrostatics = "plain"'
        problems.append(given.source.problem(key, "pme needs a periodic box", hint=hint))
    if settings.electrostatics == "plain" and system.box is not None and system.charge.any():
        hint = 'use "pme" or "reaction-field"'
        what = "plain charges in a periodic box have no limit"
        problems.append(given.source.problem(key, what, hint=hint))


def _choose_cutoff(
    given: Input,
    source: Source,
    system: ClassicalSystem,
    settings: Settings,
    problems: list[Problem],
) -> None:
    forces, own = given.model.forces, system.nonbonded
    vacuum = system.box is None and settings.electrostatics == "plain"
    if vacuum:
        if forces.cutoff is not None:
            hint = 'take it out, or use electrostatics = "reaction-field"'
            what = "has no use without a box: every pair is computed"
            problems.append(given.source.problem("forces.cutoff", what, hint=hint))
        return
    user = forces.cutoff.value if forces.cutoff else None
    has_own = source.own_settings and own.method != "NoCutoff"
    default = parse_quantity(_default_cutoff.get(source.family, "9 Å"), units.length).value
    settings.cutoff = _first(settings, "cutoff", user, own.cutoff if has_own else None, default)
    user = forces.switch.value if forces.switch else None
    default = 0.0
    if user is None and not has_own and source.family in _default_switch and forces.cutoff is None:
        default = parse_quantity(_default_switch[source.family], units.length).value
    mine = own.switch_distance if has_own else None
    settings.switch_distance = _first(settings, "switch", user, mine, default)
    if settings.switch_distance >= settings.cutoff and user is None:
        what = "is shorter than the System's own switching distance"
        limit = in_angstrom(settings.switch_distance)
        hint = 'add switch = "off", or the distance where switching starts'
        problems.append(given.source.problem("forces.cutoff", what, limit=limit, hint=hint))
    if system.box is not None:
        half = float(cells.widths(cells.repeated(system.box, system.repeat)).min()) / 2
        if settings.cutoff > half:
            problems.append(_too_long(given, settings, half))


def _too_long(given: Input, settings: Settings, half: float) -> Problem:
    shortest = 2 * half * bohr_in_angstrom
    limit = f"{in_angstrom(half)}, half the shortest box height ({shortest:.4g} Å)"
    shorter = int(half * bohr_in_angstrom * 2) / 2
    needed = math.ceil(20 * settings.cutoff * bohr_in_angstrom + 0.5) / 10
    hint = f"try a cutoff of {shorter:g} Å, or a box of at least {needed:g} Å"
    problem = Problem("too long for this box", limit=limit, hint=hint)
    return _placed(given, "forces.cutoff", in_angstrom(settings.cutoff), settings, problem)


def _choose_mesh(
    given: Input,
    source: Source,
    system: ClassicalSystem,
    settings: Settings,
    problems: list[Problem],
) -> None:
    forces, own, box = given.model.forces, system.nonbonded, system.whole_box
    assert box is not None
    has_own = source.own_settings and own.method in ("PME", "Ewald")
    tolerance = _first(
        settings,
        "ewald_tolerance",
        forces.ewald_tolerance,
        own.ewald_tolerance if has_own else None,
        _default_tolerance,
    )
    if not 0 < tolerance < 0.5:  # the input's own has been checked
        what, limit = "is no tolerance", "between 0 and 0.5"
        problem = Problem(what, limit=limit, hint="add ewald_tolerance = 5e-4, OpenMM's default")
        problems.append(
            _placed(given, "forces.ewald_tolerance", f"{tolerance:g}", settings, problem)
        )
        return
    # An explicit tolerance has priority over a coefficient of the System.
    mine = own.ewald_coefficient if has_own and forces.ewald_tolerance is None else 0.0
    if forces.ewald_coefficient is not None:
        settings.ewald_coefficient = forces.ewald_coefficient.value
        settings.origin["ewald_coefficient"] = "input"
    elif mine > 0:
        settings.ewald_coefficient = mine
        settings.origin["ewald_coefficient"] = "the System"
    else:
        settings.ewald_coefficient = ewald.ewald_coefficient(tolerance, settings.cutoff)
        origin = f"tolerance {tolerance:g} ({settings.origin['ewald_tolerance']})"
        settings.origin["ewald_coefficient"] = origin
    if found := _ewald_problems(given, settings, tolerance):
        problems += found
        return
    if forces.mesh is not None:
        x, y, z = forces.mesh
        settings.mesh, settings.origin["mesh"] = (x, y, z), "input"
    elif forces.mesh_spacing is not None:
        settings.mesh = ewald.mesh_for_spacing(forces.mesh_spacing.value, box)
        settings.origin["mesh"] = "input (mesh_spacing)"
    elif has_own and min(own.mesh) > 0 and forces.ewald_tolerance is None:
        x, y, z = (int(n) * k for n, k in zip(own.mesh, system.repeat, strict=True))
        settings.mesh, settings.origin["mesh"] = (x, y, z), "the System"
    elif has_own or forces.ewald_tolerance is not None:
        alpha = settings.ewald_coefficient
        settings.mesh = ewald.mesh_for_tolerance(tolerance, alpha, box)
        settings.origin["mesh"] = f"tolerance {tolerance:g} ({settings.origin['ewald_tolerance']})"
    else:
        spacing = parse_quantity(_default_spacing, units.length).value
        settings.mesh = ewald.mesh_for_spacing(spacing, box)
        settings.origin["mesh"] = f"default (mesh_spacing {_default_spacing})"
    by_tolerance = settings.origin["mesh"].startswith("tolerance")
    mine_order = 5 if by_tolerance or settings.origin["mesh"] == "the System" else None
    settings.spline_order = _first(settings, "spline_order", forces.spline_order, mine_order, 4)
    problems += _mesh_problems(given, settings)


def _ewald_problems(given: Input, settings: Settings, tolerance: float) -> list[Problem]:
    """Check the coefficient against the range of the kernels' fit, and against the cutoff error."""
    alpha, cutoff = settings.ewald_coefficient, settings.cutoff

    def shown(value: float) -> str:
        return f"{value / bohr_in_angstrom:.4g} 1/Å"

    product, least, most = alpha * cutoff, ewald.least_product(), ewald.largest_product
    if least <= product <= most:
        return []
    rest = f"{100 * math.erfc(product):.2g}%"
    if product > most:
        what = f"too large for a cutoff of {in_angstrom(cutoff)}"
        limit = f"coefficient times cutoff at most {most:g}, so {shown(most / cutoff)}"
        good = _default_tolerance
    else:
        what = f"too small: {rest} of a charge's field is left at a cutoff of {in_angstrom(cutoff)}"
        limit = f"{100 * ewald.largest_rest:g}%, so at least {shown(least / cutoff)}"
        good = 5e-4
    # The suggested value is rounded, but must not fall below what the tolerance needs.
    better = math.ceil(1e3 * ewald.ewald_coefficient(good, cutoff) / bohr_in_angstrom) / 1e3
    hint = f'try ewald_coefficient = "{better:g} 1/Å" (tolerance {good:g})'
    key, value = "forces.ewald_coefficient", shown(alpha)
    if settings.origin["ewald_coefficient"].startswith("tolerance"):
        # A smaller tolerance means a larger coefficient; report the problem in terms of the
        # tolerance.
        key, value = "forces.ewald_tolerance", f"{tolerance:g}"
        asked = f"a coefficient of {shown(alpha)} for a cutoff of {in_angstrom(cutoff)}"
        if product > most:
            what = f"too small: asks for {asked}"
            limit = f"at least {ewald.tolerance_of(most):.2g}"
        else:
            what = f"too large: asks for {asked}, which leaves {rest} of a charge's field"
            limit = f"at most {ewald.tolerance_of(least):.2g}"
        hint = f"try ewald_tolerance = {good:g}"
    return [_placed(given, key, value, settings, Problem(what, limit=limit, hint=hint))]


def _placed(given: Input, key: str, value: str, settings: Settings, problem: Problem) -> Problem:
    """Give a problem its place, and the value's origin if that is not the input."""
    if given.given(key):
        return given.source.problem(key, problem.what, limit=problem.limit, hint=problem.hint)
    origin = settings.origin[key.partition(".")[2]]
    shown = f"{key} = {value} ({origin})"
    return Problem(problem.what, given.source.place(key), shown, problem.limit, problem.hint)


def _mesh_problems(given: Input, settings: Settings) -> list[Problem]:
    least = 2 * settings.spline_order
    better = [max(ewald.smooth_size(size), ewald.smooth_size(least)) for size in settings.mesh]
    hint = f"try mesh = {better}"
    if max(settings.mesh) > ewald.largest_mesh:
        limit = f"{ewald.largest_mesh} points an axis"
        what, hint = "too fine", "use a coarser mesh_spacing, or a larger ewald_tolerance"
    elif any(not ewald.is_smooth(size) or size % 2 for size in settings.mesh):
        limit = "even numbers without prime factors above 7"
        what = "a mesh that is slow to transform"
    elif min(settings.mesh) < least:
        limit = f"at least {least} points an axis for spline order {settings.spline_order}"
        what = "too coarse"
    else:
        return []
    keys = ("forces.mesh", "forces.mesh_spacing", "forces.ewald_tolerance")
    key = next((key for key in keys if given.given(key)), "forces.mesh")
    value = " x ".join(map(str, settings.mesh))
    problem = Problem(what, limit=limit, hint=hint)
    return [_placed(given, key, value, settings, problem)]
