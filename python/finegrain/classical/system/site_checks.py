# SPDX-License-Identifier: BSD-3-Clause
"""Virtual sites that the engine cannot place: the bounds of `engine/records/job/job_check.cpp`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from finegrain.classical.system.sites import average, most_parents, out_of_plane
from finegrain.classical.system.system import ClassicalSystem
from finegrain.errors import Problem
from finegrain.units import bohr_in_angstrom, electron_mass_in_dalton, in_angstrom

_again = "make the topology again"
_rounding = 1e-5  # files give weights with at least six digits
_largest = 1e3
_worth_a_note = 0.5 / bohr_in_angstrom


def site_problems(system: ClassicalSystem) -> list[Problem]:
    """Find sites that name wrong atoms, or whose numbers make no position."""
    sites = system.sites
    if len(sites) == 0:
        return []
    is_there = sites.parents >= 0
    parents = is_there.sum(axis=1)
    named = np.column_stack([sites.site, sites.parents])
    beyond = (named >= system.atoms).any(axis=1) | (sites.site < 0)
    if beyond.any():
        row = int(beyond.argmax())
        value = ", ".join(f"{atom + 1}" for atom in named[row] if atom >= 0)
        limit = f"atoms 1 to {system.atoms:,}"
        what = "names an atom that does not exist"
        return [Problem(what, value=f"virtual site, atoms {value}", limit=limit, hint=_again)]
    ordered = np.sort(np.where(named < 0, -1 - np.arange(most_parents + 1), named), axis=1)
    twice = (np.diff(ordered, axis=1) == 0).any(axis=1)
    is_site = sites.mask(system.atoms)
    of_sites = (is_site[sites.parents] & is_there).any(axis=1)
    of_plane = sites.kind == out_of_plane
    sums = [sites.weights.sum(axis=1) - 1, sites.x_weights.sum(axis=1), sites.y_weights.sum(axis=1)]
    numbers = np.column_stack([sites.weights, sites.x_weights, sites.y_weights, sites.offset])
    unbalanced = ~(np.abs(np.stack(sums, axis=1)) <= _rounding).all(axis=1)
    checks = [
        (twice, "names an atom twice", "", _again),
        (
            of_sites,
            "depends on another virtual site",
            "parents that are atoms",
            "give it the parents of that site",
        ),
        (
            (parents < np.where(sites.kind == average, 1, 2)) | (of_plane & (parents != 3)),
            "has another number of parents than its kind",
            f"1 to {most_parents}, in a frame from 2, out of a plane 3",
            _again,
        ),
        (
            ~(np.abs(numbers) <= _largest).all(axis=1)
            | ((sites.kind == average) & sites.offset.any(axis=1)),
            "has a weight or an offset out of range",
            f"finite numbers, up to {_largest:g}",
            _again,
        ),
        (
            unbalanced,
            "has weights that do not add up: it would not move with its parents",
            "1 for the origin, 0 for an axis",
            "correct the weights of its model",
        ),
        (
            system.mass[sites.site] != 0,
            "is a virtual site with a mass",
            "0 Da",
            "set its mass to zero, or make it an atom",
        ),
    ]
    problems = [_problem(system, *check) for check in checks if check[0].any()]
    if len(np.unique(sites.site)) < len(sites):
        problems.append(Problem("an atom is a virtual site twice", hint=_again))
    return problems + _held(system, is_site)


def _problem(
    system: ClassicalSystem, wrong: NDArray[np.bool_], what: str, limit: str, hint: str
) -> Problem:
    first = int(system.sites.site[int(wrong.argmax())])
    value = f"virtual site, {system.names.describe(first)}"
    if (mass := system.mass[first]) and "mass" in what:
        value += f": {mass * electron_mass_in_dalton:g} Da"
    if (more := int(wrong.sum()) - 1) > 0:
        value += f", and {more:,} more"
    return Problem(what, value=value, limit=limit, hint=hint)


def _held(system: ClassicalSystem, is_site: NDArray[np.bool_]) -> list[Problem]:
    held = is_site[system.constraint_atoms].any(axis=1)
    if not held.any():
        return []
    pair = system.constraint_atoms[int(held.argmax())]
    value = " and ".join(system.names.describe(int(atom)) for atom in pair)
    hint = "take it out: the position of a site follows from its parents"
    return [Problem("a constraint holds a virtual site", value=value, hint=hint)]


def plane_problems(system: ClassicalSystem) -> list[Problem]:
    """Find sites whose parents are in a line, so that there is no plane; molecules are whole."""
    flat = system.sites.without_a_plane(system.position)
    if not flat.any():
        return []
    what = "has parents in one line, which define no plane"
    hint = "correct the coordinates of its parents"
    return [_problem(system, flat, what, "three directions in space", hint)]


def moved_sites(system: ClassicalSystem, moved: NDArray[np.float64]) -> list[str]:
    """Return a note on sites that were elsewhere in the coordinates.

    Parameters
    ----------
    moved : float64, shape (sites,), bohr
    """
    far = np.flatnonzero(moved > _worth_a_note)
    if len(far) == 0:
        return []
    first = system.names.describe(int(system.sites.site[far[0]]))
    return [
        f"{len(far):,} of {len(moved):,} virtual sites are not where their parents put them and "
        f"are moved there, first {first}, by {in_angstrom(float(moved[far[0]]))}"
    ]
