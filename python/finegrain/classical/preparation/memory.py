# SPDX-License-Identifier: BSD-3-Clause
"""The memory that a run takes, and whether this machine has it."""

from __future__ import annotations

import math

from finegrain.base import cells
from finegrain.classical.preparation.prepare import Prepared
from finegrain.engine.memory import allowed_memory
from finegrain.errors import Problem, ResourceError
from finegrain.words.report import file_size


def refuse_what_does_not_fit(prepared: Prepared) -> None:
    """Raise a `ResourceError` if a run takes more memory than the machine has."""
    parts, (most, whose) = memory_of(prepared), allowed_memory()
    needed = sum(parts.values())
    if needed <= most:
        return
    forces = prepared.given.model.forces
    largest = max(parts, key=lambda name: parts[name])
    key = "system.topology"
    hint = "simulate fewer atoms, or take a machine with more memory"
    if largest != "mesh" and prepared.system.copies > 1:
        key, hint = "system.repeat", "repeat it less often, or take a machine with more memory"
    if key == "system.repeat":
        pass
    elif largest == "mesh":
        given = ("mesh", "mesh_spacing", "ewald_tolerance")
        key = next((f"forces.{name}" for name in given if getattr(forces, name) is not None), key)
        hint = 'use a coarser mesh, such as mesh_spacing = "1 Å"'
    elif largest == "pair lists" and not prepared.settings.periodic:
        hint = "give [system] box: without one every pair is computed"
    elif largest == "pair lists":
        key = "forces.cutoff" if forces.cutoff is not None else key
        hint = "use a shorter cutoff, or take a machine with more memory"
    source = prepared.given.source
    what = f"takes more memory than {whose}"
    limit = f"{file_size(most)}; it takes about {file_size(needed)}"
    limit += f", {file_size(parts[largest])} of it for its {largest}"
    problem = source.problem(key, what, limit=limit, hint=hint)
    if not prepared.given.given(key):
        problem = Problem(what, source.place(key), key, limit, hint)
    raise ResourceError([problem], source=source.name)


def pairs_within(prepared: Prepared, radius: float) -> float:
    """Return the number of pairs of atoms closer than a radius, at the mean density."""
    atoms = prepared.system.all_atoms
    density = atoms / cells.volume(prepared.frame)
    every = 0.5 * atoms * (atoms - 1)
    if not prepared.settings.periodic:
        return every
    return float(min(every, 0.5 * atoms * density * 4 / 3 * math.pi * radius**3))


def memory_of(prepared: Prepared) -> dict[str, float]:
    """Return bytes: atoms with their copies in messages and terms, cluster lists, meshes."""
    system, division = prepared.system, prepared.division
    # A pair of clusters, 4 by 8 atoms, takes 8 bytes in each of two lists; half its pairs count.
    clusters = (
        8.0
        * (
            pairs_within(prepared, division.list_cutoff)
            + pairs_within(prepared, division.inner_list_cutoff)
        )
        / 16
    )
    terms = 48.0 * (sum(map(len, system.terms.values())) + len(system.constraint_atoms))
    # Numbers that terms share, and what kernels make of them: four numbers for each.
    shared = [array for table in system.terms.values() for array in table.shared.values()]
    terms += 5.0 * sum(array.nbytes for array in shared)
    terms += 400.0 * len(system.sites)
    real = 8 if prepared.given.model.forces.precision == "double" else 4
    messages = system.all_atoms * 3 * real * 2 * 28.0
    mesh = math.prod(prepared.settings.mesh) * 64.0
    atoms = 40e6 + system.all_atoms * 400.0 + terms + messages
    return {"atoms": atoms, "pair lists": clusters, "mesh": mesh}
