# SPDX-License-Identifier: BSD-3-Clause
"""The dynamics of a job: its settings for the engine, in words, and what its time step allows.

Units: Hartree atomic units.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from finegrain import units
from finegrain.ab_initio.input.load import AbInitioInput
from finegrain.ab_initio.input.model import AbInitioModel
from finegrain.ab_initio.ions.moving_cell import moving_cell_in_words, moving_cell_values
from finegrain.ab_initio.ions.spin import Spins
from finegrain.ab_initio.ions.structure import Structure
from finegrain.toml_input.key_effects import attributes

# The engine's names of the thermostats.
_baths = {"velocity-rescaling": "rescaling"}


def dynamics_values(model: AbInitioModel, structure: Structure) -> dict[str, Any] | None:
    """Return the attributes of a job's /dynamics; None for a ground state."""
    dynamics = model.dynamics
    if dynamics.kind == "ground-state":
        return None
    rest = dynamics.ions == "rest"
    values: dict[str, Any] = {
        **attributes(model, "/dynamics"),
        "ions_rest": int(rest),
        "seed": dynamics.seed,
        "trajectory_steps": 0 if rest else model.output.trajectory_interval,
    }
    if dynamics.constraints:
        values["kept_distances"] = len(dynamics.constraints)
    if dynamics.kind == "car-parrinello":  # both, whatever the orthonormality
        values["constraint_tolerance"] = dynamics.constraint_tolerance
        values["reset_above"] = dynamics.reset_above
    if "electron_kinetic" in values:
        values["electron_chain_length"] = dynamics.chain_length
    bath = dynamics.thermostat
    values["ion_bath"] = _baths.get(bath, bath)
    if bath != "none" and dynamics.temperature is not None:
        time = dynamics.thermostat_time.value
        values |= {
            "ion_temperature": dynamics.temperature.value,
            "ion_time_constant": 1 / dynamics.friction.value if bath == "langevin" else time,
            "ion_chain_length": dynamics.chain_length,
        }
    return values | moving_cell_values(model, structure)


def longest_timestep(
    cutoff: float, mass: float, mass_cutoff: float, *, occupation: int = 2
) -> float:
    """Return the time step beyond which orbitals surely run away.

    A coefficient of the wave G oscillates at least with omega^2 = f (G^2/2) / m(G), for f electrons
    in the orbital. This is by the kinetic energy alone. The method of Verlet is stable up to
    2/omega. The mass m(G) is constant up to `mass_cutoff` and grows with G^2 above, where omega
    stays the same.

    Parameters
    ----------
    cutoff, mass_cutoff : float
        Cutoffs of G^2/2, hartree.
    mass : float
        Electron masses.
    """
    return 2 * sqrt(mass / (occupation * min(cutoff, mass_cutoff)))


def check_timestep(given: AbInitioInput, spins: Spins) -> None:
    """Complain about a time step that makes orbitals run away."""
    dynamics, cutoff = given.model.dynamics, given.model.electrons.cutoff.value
    if dynamics.kind != "car-parrinello" or dynamics.timestep is None:
        return
    mass, mass_cutoff = dynamics.fictitious_mass, dynamics.fictitious_mass_cutoff.value
    most = longest_timestep(cutoff, mass, mass_cutoff, occupation=2 if spins.count == 1 else 1)
    if dynamics.timestep.value < most:
        return
    limit = f"below {most * units.time_in_fs:.3g} fs by the kinetic energy of the waves alone"
    hint = "a fifth of it is usual; a larger fictitious_mass allows a longer step"
    what = "is too long for the orbitals, which would run away"
    problem = given.source.problem("dynamics.timestep", what, limit=limit, hint=hint)
    given.problems.append(problem)


def iterations_of_step(values: Mapping[str, Any]) -> int:
    """Return the work of a step in iterations of a ground state, roughly.

    A step of Car-Parrinello dynamics computes energies and forces once. A search for a ground state
    that begins with predicted orbitals takes some eight iterations.
    """
    return 1 if values["kind"] == "car-parrinello" else 8


def in_words(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings of a job's /dynamics as lines of a report: name and text."""
    step = float(values["timestep"])
    steps = int(values["steps"])
    length = f"{steps:,} steps of {_in_fs(step)} ({step:.4g} au), {_length(steps * step)}"
    rows = {"dynamics": f"{values['kind']}, {length}"}
    if values["kind"] == "car-parrinello":
        above = f"{2 * float(values['mass_cutoff']):g} Ry"
        mass = f"{float(values['fictitious_mass']):g} electron masses, more above {above}"
        rows["orbitals"] = f"{mass}; {_orthonormality(values)}"
        if values["electron_bath"] != "none":
            kinetic = f"{float(values['electron_kinetic']):g} hartree"
            time = _in_fs(float(values["electron_time_constant"]))
            rows["electron bath"] = f"{values['electron_bath']}, {kinetic}, {time}"
    else:
        order = int(values["predictor_order"])
        words = f"predicted from {order + 2} steps" if order >= 0 else "those of the last step"
        rows["orbitals"] = words
    if "kept_distances" in values:
        rows["constraints"] = f"{int(values['kept_distances']):,} distances between atoms"
    if int(values["ions_rest"]):
        rows["ions"] = "rest"
    elif values["ion_bath"] != "none":
        warm = f"{float(values['ion_temperature']) * units.hartree_in_kelvin:g} K"
        time = _in_fs(float(values["ion_time_constant"]))
        rows["ion bath"] = f"{values['ion_bath']}, {warm}, {time}"
    rows |= moving_cell_in_words(values)
    energies, frames = int(values["energy_steps"]), int(values["trajectory_steps"])
    rows["written"] = f"energies {_every(energies)}, frames {_every(frames)}"
    return rows


def _orthonormality(values: Mapping[str, Any]) -> str:
    if values["orthonormality"] == "constrained":
        return f"constrained to {float(values['constraint_tolerance']):g}"
    return f"free, made orthonormal above {float(values['reset_above']):g}"


def _in_fs(time: float) -> str:
    return f"{time * units.time_in_fs:.4g} fs"


def _length(time: float) -> str:
    if time * units.time_in_ps >= 0.1:
        return f"{time * units.time_in_ps:.4g} ps"
    return _in_fs(time)


def _every(steps: int) -> str:
    if steps == 0:
        return "never"
    return "every step" if steps == 1 else f"every {steps:,} steps"
