# SPDX-License-Identifier: BSD-3-Clause
"""The usual division of a job: list radii, patches, pencils. Independent of the machine.

Units: Hartree atomic units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from finegrain import units
from finegrain.base import cells
from finegrain.classical.division import fineness
from finegrain.classical.division.buffer import Kinds, PairPotential, find_kinds, list_buffer
from finegrain.classical.division.division import Division
from finegrain.classical.division.list_intervals import (
    divisor_near,
    divisors,
    rebuild_intervals,
)
from finegrain.classical.division.thermal import thermal_motion
from finegrain.classical.input.baths import barostat, box_problems, room_for_scaling
from finegrain.classical.input.impulses import pair_level, slowest_level
from finegrain.classical.input.load import Input
from finegrain.classical.input.settings import Settings
from finegrain.classical.preparation.midpoint_cells import cell_problems
from finegrain.classical.system.fragments import Fragments
from finegrain.classical.system.system import ClassicalSystem
from finegrain.errors import Problem
from finegrain.units import bohr_in_angstrom, hartree_in_kelvin, in_angstrom, parse_quantity

# The true drift is about a quarter of this bound (see the test of buffers). So dynamics drifts less
# than 2e-5 kJ/mol/ps per atom.
default_tolerance = "5e-5 kJ/mol/ps"
# The inner list's buffer is cheap, so it gets the small share of the allowed drift.
_inner_share = 0.1
room_temperature = 300.0 / hartree_in_kelvin
_least_with_drift = 3  # momentum is summed and removed between two rebuilds
_growth = 0.145  # of the cutoff: this gives half as many pairs again
_least_buffer = 1.0 / bohr_in_angstrom
# the time after which pruning costs less than the larger list
_pruned_after = 8.0 / units.time_in_fs
_rounding = (
    1e-3 / bohr_in_angstrom
)  # atoms on the edge of a patch, and the reach of single precision


def kinds_of_atoms(system: ClassicalSystem, fragments: Fragments, frame: np.ndarray) -> Kinds:
    """Return the kinds of atoms that the buffers of lists depend on."""
    volume = cells.volume(frame) / system.copies
    return find_kinds(system, thermal_motion(system, fragments), volume)


def choose_division(
    given: Input,
    system: ClassicalSystem,
    fragments: Fragments,
    kinds: Kinds,
    settings: Settings,
    frame: np.ndarray,
    temperature: float,
    far: bool,
) -> tuple[Division, list[Problem]]:
    """Choose the division.

    Parameters
    ----------
    kinds : Kinds
        The kinds of its atoms, by `kinds_of_atoms`.
    frame : float64, shape (3,) or (3, 3), bohr
        The box, or the empty frame around a molecule in vacuum.
    far : bool
        Whether pairs that are computed one by one may get as far apart as they like.
    temperature : float
        k_B T in hartree, which decides the list buffers.
    """
    forces = given.model.forces
    dynamics = given.model.dynamics
    timestep = dynamics.timestep.value if dynamics else 2.0 / units.time_in_fs
    allowed = forces.pair_list_tolerance or parse_quantity(default_tolerance, units.drift)
    potential = PairPotential(
        settings.cutoff,
        settings.switch_distance,
        forces.switching,
        settings.electrostatics,
        settings.ewald_coefficient,
        settings.dielectric,
    )
    warmth = max(temperature, 1.0 / hartree_in_kelvin)

    @cache
    def reach(interval: int, share: float) -> float:
        if not settings.has_lists:
            return settings.cutoff  # every pair is always inside
        drift = share * allowed.value
        return settings.cutoff + list_buffer(kinds, potential, warmth, timestep, interval, drift)

    every, pairs = slowest_level(dynamics).interval, pair_level(dynamics).interval
    rebuild = forces.rebuild_interval or _longest_interval(reach, settings.cutoff, every)
    prune = forces.prune_interval or divisor_near(rebuild, _pruned_after / timestep, pairs)
    problems: list[Problem] = []
    if rebuild % prune:
        limit = f"a divisor of rebuild_interval = {rebuild}"
        hint = f"try prune_interval = {divisor_near(rebuild, prune, pairs)}"
        what = "does not divide the rebuild interval"
        problems.append(given.source.problem("forces.prune_interval", what, limit=limit, hint=hint))
    if rebuild < _least_with_drift and dynamics is not None and dynamics.remove_com_motion:
        problems.append(
            given.source.problem(
                "forces.rebuild_interval",
                "the motion of the centre of mass cannot be removed with lists rebuilt so often",
                limit=f"at least {_least_with_drift}",
                hint="rebuild less often, or set remove_com_motion = 0 in [dynamics]",
            )
        )
    inner = reach(prune, _inner_share)
    outer = max(reach(rebuild, 1 - _inner_share), inner)
    least = outer + 2 * fragments.radius + _rounding
    problems += box_problems(given.source, dynamics, settings.periodic, rebuild)
    if barostat(dynamics):
        least *= room_for_scaling
    patches, most, found = _choose_patches(
        given, settings, frame, least, fragments.radius, system.all_atoms, far
    )
    problems += found
    pencils = _choose_pencils(given, settings, problems)
    pes = given.model.patches.pes
    keys = given.model.patches
    computes = keys.fixed_pair_computes or fineness.choose_pair_computes(patches, pes)
    if keys.pair_computes not in (None, computes):
        problems.append(
            given.source.problem(
                "patches.pair_computes",
                "pairs by midpoints have one object for each patch",
                limit="1",
                hint='take it out, or set pairs = "half-shell"',
            )
        )
    problems += cell_problems(given.source, keys)
    later = min((d for d in divisors(rebuild, pairs) if d > prune), default=None)
    division = Division(
        list_cutoff=outer,
        inner_list_cutoff=inner,
        rebuild_interval=rebuild,
        prune_interval=prune,
        patch_grid=patches,
        box_widths=_widths_for_reach(settings, frame),
        patch_width=least,
        pair_computes=computes,
        pencil_grid=pencils,
        tolerance=allowed.text,
        temperature=warmth,
        most_patches=most,
        later_prune=None if later is None else (later, reach(later, _inner_share)),
    )
    return division, problems


def _longest_interval(reach: Callable[[int, float], float], cutoff: float, every: int) -> int:
    """Return the longest multiple of `every` with an acceptable radius of the outer list."""
    longest = max(_growth * cutoff, _least_buffer)
    intervals = rebuild_intervals(every)
    low, high = 0, len(intervals) - 1
    while low < high:
        middle = (low + high + 1) // 2
        fits = reach(intervals[middle], 1 - _inner_share) <= cutoff + longest
        low, high = (middle, high) if fits else (low, middle - 1)
    return intervals[low]


def _choose_patches(
    given: Input,
    settings: Settings,
    frame: np.ndarray,
    least: float,
    radius: float,
    atoms: int,
    far: bool,
) -> tuple[fineness.Grid, fineness.Grid, list[Problem]]:
    """Return a division into patches, and the finest with the same reach.

    `least` is how far lists reach, and `radius` that of the largest fragment.
    """
    keys = given.model.patches
    every_pair = not settings.has_lists
    widths = cells.widths(frame)
    mosts = fineness.most_by_reach(
        widths.tolist(), least, 2 * radius + _rounding, every_pair=every_pair, far=far
    )
    reach = keys.reach or (len(mosts) if keys.grid else fineness.reach_for(mosts, keys.pes))
    most = mosts[min(reach, len(mosts)) - 1]
    chosen: Sequence[int] = [1, 1, 1]
    choice = not every_pair or atoms >= fineness.worth_a_division
    if choice:
        chosen = fineness.choose_patches(most, atoms, keys.pes)
    problems: list[Problem] = []
    shortest = float(widths.min())
    if settings.periodic and shortest < least:
        limit = f"{in_angstrom(shortest)}, the shortest box height"
        what = f"pair lists reach {in_angstrom(least)}, round the whole box"
        hint = "use a shorter cutoff, a smaller rebuild_interval, or a larger box"
        problems.append(given.source.problem("forces.cutoff", what, limit=limit, hint=hint))
    wanted = keys.grid
    if wanted is not None:
        if any(count > limit for count, limit in zip(wanted, most, strict=True)):
            hint = "take it out, and the largest that fits is used"
            what = "patches smaller than pair lists reach"
            if far:
                what = "more patches than exclusions beyond the cutoff allow"
            limit = (
                f"{list(most)}"
                if every_pair or far
                else f"{list(most)}, patches of at least {in_angstrom(least / reach)}"
            )
            problems.append(given.source.problem("patches.grid", what, limit=limit, hint=hint))
        chosen, choice = wanted, False
    patches = (chosen[0], chosen[1], chosen[2])
    return patches, most if choice else patches, problems


def _widths_for_reach(settings: Settings, frame: np.ndarray) -> tuple[float, float, float]:
    if not settings.has_lists:
        return math.inf, math.inf, math.inf  # all patches touch
    x, y, z = cells.widths(frame).tolist()
    return x, y, z


def _choose_pencils(given: Input, settings: Settings, problems: list[Problem]) -> tuple[int, int]:
    wanted = given.model.mesh.pencils
    if settings.electrostatics != "pme":
        return 1, 1
    x, y, z = settings.mesh
    # Pencils along z are divided in x and y, those along y in x and z, those along x in y and z.
    most = min(x, y), min(y, z)
    if wanted is not None:
        if wanted[0] > most[0] or wanted[1] > most[1]:
            limit = f"[{most[0]}, {most[1]}], one mesh line each"
            hint = "take it out, and a good one is chosen"
            what = "more pencils than mesh lines"
            problems.append(given.source.problem("mesh.pencils", what, limit=limit, hint=hint))
        return wanted[0], wanted[1]
    return fineness.choose_pencils(most, given.model.patches.pes)
