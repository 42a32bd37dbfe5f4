# SPDX-License-Identifier: BSD-3-Clause
"""The memory that an ab initio run takes, and whether this machine has it."""

from __future__ import annotations

from math import prod

from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.engine.memory import allowed_memory
from finegrain.errors import ResourceError
from finegrain.words.report import file_size

_program = 50e6
# As in engine/ab_initio/job/job.cpp. Orbitals, H psi, the gradient before, the direction, trial
# orbitals; four pairs of remembered steps in single precision; what is in messages. Runs of 8, 16
# and 32 waters, and dynamics of 16, took 4 to 8 % less.
_sets_of_search = 14
# Velocities and the gradient; free orbitals and their forces.
_sets_of_orthonormality = {"constrained": 2, "free": 4}
# An orbital on the grid is kept as its lines along z that are not zero. Their circle has a radius
# of a quarter of the grid (pi/16 of all lines). Lines on their way through a transform are added.
_orbitals_on_grid = 0.22
# Density, potential and their gradients, real and as waves, and copies in messages.
_fields = 30
_fields_of_spins = 65
_spline_point = 48.0  # work of a transform, its points, and those that wait
_remedies = {
    "orbitals": "use fewer atoms, a smaller cell or a lower cutoff",
    "orbitals on the grid": "use fewer atoms, a smaller cell or a lower cutoff",
    "projectors": "use fewer atoms, a smaller cell or a lower cutoff",
    "splines": 'nonlocal_part = "exact", or a smaller spline_grid',
    "grid": "use a smaller cell or a lower cutoff",
}


def memory_of_search(bands: int, waves: float, points: float) -> float:
    """Return bytes of a search for the ground state of one spin, without its projectors.

    Parameters
    ----------
    bands : int
        Orbitals.
    waves, points : float
        Waves of half the sphere of one orbital, and points of the grid.
    """
    orbitals = 16.0 * _sets_of_search * bands * waves
    return _program + orbitals + 8.0 * (_orbitals_on_grid * bands + _fields) * points


def memory_of(prepared: Prepared) -> dict[str, float]:
    """Return bytes: orbitals as waves and on the grid, projectors, fields on the grid.

    Empty orbitals are found by objects of their own, beside those of the ground state.
    """
    parts = _memory_of(prepared, prepared.bands)
    if any(prepared.empty):
        more = _memory_of(prepared, prepared.bands + sum(prepared.empty))
        parts = {name: size + more[name] for name, size in parts.items()}
    return {"program": _program, **parts}


def _memory_of(prepared: Prepared, bands: int) -> dict[str, float]:
    waves = prepared.waves
    fields = _fields if prepared.spins.count == 1 else _fields_of_spins
    rows = sum(prepared.species[symbol].projectors for symbol in prepared.structure.symbols)
    # By splines: transforms of each block on their way, instead of the projectors of each ion.
    ions, transforms = 16.0 * rows * waves.orbitals.half, 0.0
    if prepared.nonlocal_part.method == "splines":
        ions = 0.0
        transforms = float(prod(prepared.nonlocal_part.grid)) * prepared.division.blocks(bands)
    if prepared.local_part.method == "splines":
        transforms += prod(prepared.local_part.grid)
    sets = _sets_of_search + _sets_of_dynamics(prepared)
    return {
        "orbitals": 16.0 * sets * bands * waves.orbitals.half,
        "orbitals on the grid": 8.0 * _orbitals_on_grid * bands * waves.points,
        "projectors": ions,
        "splines": _spline_point * transforms,
        "grid": 8.0 * fields * waves.points,
    }


def _sets_of_dynamics(prepared: Prepared) -> int:
    dynamics = prepared.given.model.dynamics
    if dynamics.kind == "car-parrinello":
        return _sets_of_orthonormality[dynamics.orthonormality]
    return dynamics.predictor_order + 2 if dynamics.kind == "born-oppenheimer" else 0


def refuse_what_does_not_fit(prepared: Prepared) -> None:
    """Raise a `ResourceError` if a run takes more memory than the machine has."""
    parts, (most, whose) = memory_of(prepared), allowed_memory()
    needed = sum(parts.values())
    if needed <= most:
        return
    largest = max(parts, key=lambda name: parts[name])
    source = prepared.given.source
    limit = f"{file_size(most)}; it takes about {file_size(needed)}"
    limit += f", {file_size(parts[largest])} of it for {largest}"
    hint = _remedies.get(largest, "take a machine with more memory")
    problem = source.problem(
        "electrons.cutoff", f"takes more memory than {whose}", limit=limit, hint=hint
    )
    raise ResourceError([problem], source=source.name)
