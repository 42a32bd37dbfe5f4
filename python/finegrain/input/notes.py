# SPDX-License-Identifier: BSD-3-Clause
"""What an input may be right in, and still not what was meant: told with the report, not refused.

Units: Hartree atomic units.
"""

from __future__ import annotations

import numpy as np

from finegrain.input.fragments import connected
from finegrain.input.prepare import Prepared
from finegrain.input.system import ClassicalSystem
from finegrain.units import (
    bohr_in_angstrom,
    electron_mass_in_dalton,
    hartree_in_kelvin,
    time_in_fs,
)

_a_handful = 5
_plain_hydrogen = 1.5  # Da; heavier ones have been given mass of their neighbours
_any_hydrogen = 4.5
# A C-H or O-H bond vibrates once in 9 to 11 fs; a step should be a tenth of that. Without these
# bonds the fastest motions, angles of light hydrogens among them, bear 2 fs, and hardly 4.
_free_step = 1.0 / time_in_fs
_held_step = 4.0 / time_in_fs
_rounding = 1 + 1e-9


def notes_of(prepared: Prepared) -> list[str]:
    """Return the notes, the readers' first."""
    notes = [*prepared.source.notes]
    notes += _water_without_a_box(prepared.system)
    notes += _velocities_left_out(prepared)
    notes += _long_steps(prepared)
    return notes


def start_of_velocities(prepared: Prepared) -> str:
    """Return in words where the first velocities come from; nothing without dynamics."""
    dynamics = prepared.given.model.dynamics
    if dynamics is None:
        return ""
    origin = "default" if dynamics.velocities is None else "input"
    if prepared.velocity is None:
        kelvin = prepared.temperature * hartree_in_kelvin
        return f"drawn at {kelvin:g} K with seed {dynamics.seed}  [{origin}]"
    if dynamics.velocities == "zero":
        return f"zero, all atoms at rest  [{origin}]"
    return f"from {_file(prepared)}  [{origin}]"


def _file(prepared: Prepared) -> str:
    section = prepared.given.model.system
    return section.coordinates or section.topology


def _velocities_left_out(prepared: Prepared) -> list[str]:
    dynamics, held = prepared.given.model.dynamics, prepared.system.velocity
    if dynamics is None or held is None or not held.any():
        return []
    if prepared.velocity is not None and dynamics.velocities != "zero":
        return []
    return [
        f"the velocities in {_file(prepared)} are not used; "
        'to go on from them: [dynamics] velocities = "from-file"'
    ]


def waters_of(system: ClassicalSystem) -> int:
    """Count the molecules of three atoms, one heavy and two hydrogens, rigid or not."""
    pairs = np.concatenate([system.bond_atoms, system.constraint_atoms])
    label = connected(system.atoms, pairs)
    size = np.bincount(label, minlength=system.atoms)
    mass = system.mass * electron_mass_in_dalton
    light = np.bincount(label, weights=mass < _any_hydrogen, minlength=system.atoms)
    return int(np.count_nonzero((size == 3) & (light == 2)))


def _water_without_a_box(system: ClassicalSystem) -> list[str]:
    if system.box is not None or (waters := waters_of(system)) <= _a_handful:
        return []
    span = (system.position.max(axis=0) - system.position.min(axis=0)) * bohr_in_angstrom
    wide = " x ".join(f"{edge:.1f}" for edge in span)
    return [
        f"no box: {waters:,} waters are a droplet in vacuum, with every pair computed; "
        f'the atoms span {wide} Å; for a periodic box give [system] box = ["… Å", "… Å", "… Å"] '
        "or files that hold one (CRYST1 in a PDB)"
    ]


def _long_steps(prepared: Prepared) -> list[str]:
    system, dynamics = prepared.system, prepared.given.model.dynamics
    if dynamics is None:
        return []
    step, text = dynamics.timestep.value, dynamics.timestep.text
    mass = system.mass * electron_mass_in_dalton
    plain = mass < _plain_hydrogen
    tied = {tuple(sorted(pair)) for pair in system.constraint_atoms.tolist()}
    light = system.bond_atoms[plain[system.bond_atoms].any(axis=1)]
    free = [pair for pair in light.tolist() if tuple(sorted(pair)) not in tied]
    if free and step > _free_step * _rounding:
        return [
            f"{len(free):,} bonds to hydrogen are free, and vibrate once in about 10 fs: steps of "
            f'{text} are long for them; take 1 fs or less, or constraints = "h-bonds"'
        ]
    if plain.any() and step > _held_step * _rounding:
        return [
            f"steps of {text} are long for hydrogens of their natural mass, even with fixed bonds: "
            "2 fs is usual, 4 fs takes heavier hydrogens (HMR)"
        ]
    return []
