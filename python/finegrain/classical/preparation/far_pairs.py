# SPDX-License-Identifier: BSD-3-Clause
"""Exclusions and exceptions that may get beyond the cutoff.

Atoms joined by a few bonds stay near each other. Other excluded atoms, such as two ions, may move
apart to any distance. Beyond the cutoff the pair kernel does not see them, but the mesh does.
Units: bohr.
"""

from __future__ import annotations

import numpy as np

from finegrain.classical.input.settings import Settings
from finegrain.classical.system.system import ClassicalSystem, Ints

_bonds = 3  # as far as the exclusions of all usual force fields go
_stretch = 1.2  # of a path of bonds


def far_exceptions(system: ClassicalSystem, settings: Settings) -> Ints:
    """Return the exceptions that have to be computed at any distance, as indices.

    Returns
    -------
    int32, shape (far,), ascending
    """
    none = np.zeros(0, dtype=np.int32)
    exceptions = system.terms["exceptions"]
    pairs = exceptions.atoms
    if len(pairs) == 0 or not settings.has_lists:
        return none
    computed = (exceptions["charge_product"] != 0) | (exceptions["epsilon"] != 0)
    if settings.electrostatics == "pme":
        computed |= system.charge[pairs].prod(axis=1) != 0
    asked = np.flatnonzero(computed)
    near = _stay_within(system, pairs[asked], settings.cutoff)
    return np.asarray(asked[~near], dtype=np.int32)


def _stay_within(system: ClassicalSystem, pairs: Ints, cutoff: float) -> np.ndarray:
    """Return which pairs a path of a few bonds keeps within the cutoff; walks all such paths."""
    bonded, length = system.bonds()
    ends = np.concatenate([bonded, system.constraint_atoms])
    lengths = np.concatenate([length, system.constraint_distance])
    source, target = np.concatenate([ends, ends[:, ::-1]]).T
    order = np.argsort(source, kind="stable")
    target, long = target[order], np.concatenate([lengths, lengths])[order]
    degree = np.bincount(source, minlength=system.atoms)
    first = np.cumsum(degree) - degree

    near = np.zeros(len(pairs), dtype=bool)
    # A site stays beside its first parent.
    home, arm = np.arange(system.atoms), np.zeros(system.atoms)
    site, beside = system.sites.site, system.sites.parents[:, 0]
    home[site] = beside
    arm[site] = np.linalg.norm(system.position[site] - system.position[beside], axis=1)
    goal = home[pairs[:, 1]]
    pair, atom, way = np.arange(len(pairs)), home[pairs[:, 0]], arm[pairs].sum(axis=1)
    near |= (atom == goal) & (_stretch * way < cutoff)
    for _ in range(_bonds):
        count = degree[atom]
        walker = np.repeat(np.arange(len(atom)), count)
        bond = np.arange(len(walker)) + np.repeat(first[atom] - (np.cumsum(count) - count), count)
        pair, atom, way = pair[walker], target[bond], way[walker] + long[bond]
        near[pair[(atom == goal[pair]) & (_stretch * way < cutoff)]] = True
        left = ~near[pair]
        pair, atom, way = pair[left], atom[left], way[left]
    return near
