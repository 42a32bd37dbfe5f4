# SPDX-License-Identifier: BSD-3-Clause
"""Notes on settings that are allowed but may not be what was meant; they appear in the report.

Units: Hartree atomic units.
"""

from __future__ import annotations

import numpy as np

from finegrain.classical.input.baths import note_of_piston
from finegrain.classical.input.impulses import mesh_interval
from finegrain.classical.preparation.prepare import Prepared
from finegrain.classical.preparation.restraints import note_of_restraints
from finegrain.classical.system.chemical_bonds import chemical_bonds
from finegrain.classical.system.fast_bonds import fast_bonds
from finegrain.classical.system.molecules import waters_of
from finegrain.classical.system.near_images import near_images
from finegrain.classical.system.system import ClassicalSystem
from finegrain.units import (
    bohr_in_angstrom,
    electron_mass_in_dalton,
    hartree_in_kelvin,
    time_in_fs,
)

_a_handful = 5
_least_charge = 5e-3  # e; sums of rounded charges have smaller errors
_plain_hydrogen = 1.5  # Da; heavier hydrogens have taken mass from their neighbours
# A C-H or O-H bond vibrates once in 9 to 11 fs; a step should be a tenth of that. Without these
# bonds angles of light hydrogens are fastest, once in 20 to 25 fs. Rigid waters turn more slowly
# (Feenstra, Hess, Berendsen, J. Comput. Chem. 20, 786 (1999)).
_free_step = 1.0 / time_in_fs
_held_step = 2.5 / time_in_fs
_water_step = 4.0 / time_in_fs
# Impulses of the mesh may be as far apart as usual practice has them. Resonances with the fastest
# motions begin at a third of their period (Ma, Izaguirre, Skeel, SIAM J. Sci. Comput. 24, 1951
# (2003)). Hydrogens of 3 Da move at about half the speed.
_free_impulses = 3.0 / time_in_fs
_light_impulses = 4.0 / time_in_fs
_heavy_impulses = 8.0 / time_in_fs
# Pair forces vary faster than those of the mesh. Every 3 fs they heat free bonds to hydrogen.
_free_pairs = 2.0 / time_in_fs
_held_pairs = 4.0 / time_in_fs
_rounding = 1 + 1e-9


def notes_of(prepared: Prepared) -> list[str]:
    """Return the notes; those of the readers come first."""
    notes = [*prepared.given.notes, *prepared.system.notes]
    notes += _net_charge(prepared)
    notes += _water_without_a_box(prepared.system)
    notes += near_images(prepared.system, prepared.settings.cutoff)
    notes += _velocities_left_out(prepared)
    notes += note_of_restraints(prepared.system)
    notes += _long_steps(prepared)
    notes += _far_pairs(prepared)
    notes += _far_impulses(prepared)
    notes += _half_the_heat(prepared)
    notes += note_of_piston(prepared.given.model.dynamics, prepared.division.rebuild_interval)
    return list(dict.fromkeys(notes))  # a file may be read twice


def what_run_refuses(prepared: Prepared) -> list[str]:
    """Return a note if the input can be evaluated but not run."""
    if prepared.given.model.dynamics is not None:
        return []
    return [
        "no [dynamics] section: `finegrain energy` evaluates this input, `finegrain run` refuses "
        'it; for a run add [dynamics] with a timestep, such as "2 fs"'
    ]


def start_of_velocities(prepared: Prepared) -> str:
    """Return in words the origin of the first velocities; nothing without dynamics."""
    dynamics = prepared.given.model.dynamics
    if dynamics is None:
        return ""
    if prepared.given.carries_velocities:
        return "of the stage before"
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


def _net_charge(prepared: Prepared) -> list[str]:
    charge = float(prepared.system.charge.sum()) * prepared.system.copies
    if abs(charge) < _least_charge:
        return []
    words = f"the net charge is {charge:+.3f} e"
    if abs(charge - round(charge)) > _least_charge:
        words += ", which is not a whole number: are all charges right?"
    elif prepared.settings.electrostatics == "pme":
        words += "; PME adds an even background of the opposite charge; ions would neutralise it"
    elif prepared.settings.periodic:
        words += "; ions would neutralise it"
    return [words]


def _velocities_left_out(prepared: Prepared) -> list[str]:
    dynamics, held = prepared.given.model.dynamics, prepared.system.velocity
    if dynamics is None or held is None or not held.any() or prepared.given.follows:
        return []
    if prepared.velocity is not None and dynamics.velocities != "zero":
        return []
    return [
        f"the velocities in {_file(prepared)} are not used; "
        'to use them: [dynamics] velocities = "from-file"'
    ]


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
    plain = _plain_hydrogens(system)
    free = _free_bonds(system, plain)
    if len(free) and step > _free_step * _rounding:
        return [
            f"{len(free):,} bonds to hydrogen are free, and vibrate once in about 10 fs: steps of "
            f'{text} are long for them; take 1 fs or less, or constraints = "h-bonds"'
        ]
    outside = plain.copy()
    outside[prepared.fragments.water_atoms.ravel()] = False
    limit = _held_step if outside.any() else _water_step
    if plain.any() and step > limit * _rounding:
        return [
            f"steps of {text} are long for hydrogens of their natural mass, even with fixed bonds: "
            '2 fs is usual, 4 fs takes heavier ones (HMR): hydrogen_mass = "3 Da"'
        ]
    return fast_bonds(system, _plain_hydrogen / electron_mass_in_dalton, step)


def _plain_hydrogens(system: ClassicalSystem) -> np.ndarray:
    light = system.mass * electron_mass_in_dalton < _plain_hydrogen
    return np.asarray(light & ~system.sites.mask(system.atoms))


def _free_bonds(system: ClassicalSystem, plain: np.ndarray) -> np.ndarray:
    """Return the bonds to hydrogens of natural mass that no constraint holds."""
    bonded = chemical_bonds(system)
    light = bonded[plain[bonded].any(axis=1)]
    return light[~system.is_constrained(light)]


def _far_pairs(prepared: Prepared) -> list[str]:
    system, dynamics = prepared.system, prepared.given.model.dynamics
    if dynamics is None or dynamics.pair_interval == 1:
        return []
    apart = dynamics.pair_interval * dynamics.timestep.value
    free = _free_bonds(system, _plain_hydrogens(system))
    limit = _free_pairs if len(free) else _held_pairs
    if apart <= limit * _rounding:
        return []
    return [
        f"pair forces every {apart * time_in_fs:g} fs may feed the fastest motions: up to "
        f"{limit * time_in_fs:g} fs are usual with these bonds; take a smaller pair_interval, "
        "or watch energy_drift"
    ]


def _far_impulses(prepared: Prepared) -> list[str]:
    system, dynamics = prepared.system, prepared.given.model.dynamics
    if dynamics is None:
        return []
    every = mesh_interval(dynamics, prepared.settings.electrostatics)
    if every == 1:
        return []
    apart = every * dynamics.timestep.value
    plain = _plain_hydrogens(system)
    light = plain.copy()
    light[prepared.fragments.water_atoms.ravel()] = False  # rigid: only their turning counts
    limit = _light_impulses if light.any() else _heavy_impulses
    if len(_free_bonds(system, plain)):
        limit = _free_impulses
    if apart <= limit * _rounding:
        return []
    return [
        f"forces of the mesh every {apart * time_in_fs:g} fs may feed the fastest motions: up to "
        f"{limit * time_in_fs:g} fs are usual with these hydrogens; take a smaller "
        "long_range_interval, or watch energy_drift"
    ]


def _half_the_heat(prepared: Prepared) -> list[str]:
    model = prepared.given.model
    dynamics = model.dynamics
    if dynamics is None or dynamics.ensemble != "nve" or prepared.velocity is not None:
        return []
    if model.minimise.method == "none":
        return []
    kelvin = prepared.temperature * hartree_in_kelvin
    return [
        f"after minimising, about half of the heat of {kelvin:g} K becomes potential energy: at "
        f"constant energy the temperature will settle near {kelvin / 2:.0f} K; first warm it with "
        'ensemble = "nvt", and start from its checkpoint.h5'
    ]
