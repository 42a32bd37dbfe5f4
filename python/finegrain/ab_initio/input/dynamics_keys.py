# SPDX-License-Identifier: BSD-3-Clause
"""What keys of a dynamics need of each other: one that has no effect beside another is an error."""

from __future__ import annotations

from collections.abc import Iterable

from finegrain.ab_initio.input.model import AbInitioModel
from finegrain.ab_initio.input.moving_cell_keys import moving_cell_problems
from finegrain.ab_initio.input.sections.dynamics import DynamicsSection
from finegrain.errors import Problem
from finegrain.toml_input.key_effects import useless_keys
from finegrain.toml_input.source import TomlSource

_of_output = ("energy_interval", "trajectory_interval")


def dynamics_problems(source: TomlSource, model: AbInitioModel) -> list[Problem]:
    """Find keys of a dynamics that contradict each other, lack another, or have no effect."""
    dynamics = model.dynamics
    if "kind" not in dynamics.model_fields_set and _is_written(source, "dynamics.kind"):
        return []  # a wrong one has been reported; which keys belong to it is not known
    if dynamics.kind == "ground-state":
        return _of_a_ground_state(source, model)
    found = [
        Problem(
            "missing key",
            source.place("dynamics.kind"),
            f"dynamics.{key}",
            hint=f"{dynamics.kind} dynamics needs it: {key} = {example}",
        )
        for key, example in (("timestep", _usual_timestep(dynamics)), ("steps", "1000"))
        if getattr(dynamics, key) is None and not _is_written(source, f"dynamics.{key}")
    ]
    for key, clash in useless_keys(dynamics):
        if source.has_wrong(f"dynamics.{clash.other}", clash.word):
            continue  # what the user means to have is not known
        found += _refuse(source, [f"dynamics.{key}"], str(clash))
    found += _of_ions(source, model)
    found += _of_forces(source, model)
    found += _of_electrons(source, dynamics)
    found += moving_cell_problems(source, model)
    return found


def _usual_timestep(dynamics: DynamicsSection) -> str:
    return '"0.1 fs"' if dynamics.kind == "car-parrinello" else '"0.5 fs"'


def _is_written(source: TomlSource, key: str) -> bool:
    """Return whether the input has the key; its value may be wrong, and reported as such."""
    return bool(source.written(key))


def _refuse(source: TomlSource, keys: Iterable[str], beside: str) -> list[Problem]:
    what = f"has no use with {beside}"
    return [source.problem(key, what, hint="take it out") for key in keys]


def _of_a_ground_state(source: TomlSource, model: AbInitioModel) -> list[Problem]:
    given = model.dynamics.model_fields_set
    keys = [f"dynamics.{key}" for key in DynamicsSection.model_fields if key in given - {"kind"}]
    keys += [f"output.{key}" for key in _of_output if key in model.output.model_fields_set]
    keys += ["system.masses"] if model.system.masses is not None else []
    return _refuse(source, keys, 'kind = "ground-state"')


def _of_ions(source: TomlSource, model: AbInitioModel) -> list[Problem]:
    """Find what ions lack, and what has no form for them."""
    dynamics = model.dynamics
    if dynamics.ions == "rest":
        if dynamics.kind == "born-oppenheimer":
            hint = 'kind = "ground-state" finds the ground state once'
            what = "leaves nothing to move: the electrons are in their ground state"
            return [source.problem("dynamics.ions", what, hint=hint)]
        keys = ["system.masses"] if model.system.masses is not None else []
        if "trajectory_interval" in model.output.model_fields_set:
            keys.append("output.trajectory_interval")
        return _refuse(source, keys, 'dynamics.ions = "rest"')
    found = []
    warm = dynamics.temperature is not None and dynamics.temperature.value > 0
    is_wrong = dynamics.temperature is None and _is_written(source, "dynamics.temperature")
    bath = dynamics.thermostat != "none"
    hint = 'add temperature = "300 K"'
    if bath and not warm and not is_wrong:
        found.append(source.problem("dynamics.thermostat", "needs a temperature", hint=hint))
    elif dynamics.velocities == "from-temperature" and dynamics.temperature is None:
        if not is_wrong:
            found.append(source.problem("dynamics.velocities", "needs a temperature", hint=hint))
    elif (
        dynamics.velocities in ("from-file", "zero")
        and not bath
        and dynamics.temperature is not None
    ):
        beside = f'velocities = "{dynamics.velocities}" and no thermostat'
        found += _refuse(source, ["dynamics.temperature"], beside)
    drawn = dynamics.temperature is not None and dynamics.velocities in (None, "from-temperature")
    if "seed" in dynamics.model_fields_set and not drawn and not _is_random(dynamics):
        beside = "neither velocities from a temperature nor a random thermostat"
        found += _refuse(source, ["dynamics.seed"], beside)
    return found


def _is_random(dynamics: DynamicsSection) -> bool:
    return dynamics.thermostat in ("velocity-rescaling", "langevin")


def _of_forces(source: TomlSource, model: AbInitioModel) -> list[Problem]:
    if model.electrons.net_force == "keep" or model.dynamics.kind == "ground-state":
        return []
    what = "is for ground states: without the net force a dynamics would not conserve its energy"
    return [source.problem("electrons.net_force", what, hint="take it out")]


def _of_electrons(source: TomlSource, dynamics: DynamicsSection) -> list[Problem]:
    if dynamics.electron_thermostat == "none" or dynamics.kind != "car-parrinello":
        return []
    if dynamics.electron_kinetic_energy is not None:
        return []
    if _is_written(source, "dynamics.electron_kinetic_energy"):
        return []  # a wrong one has been reported already
    what = "needs electron_kinetic_energy"
    hint = (
        "run some hundred steps without this bath, and take the mean fictitious kinetic energy: "
        'electron_kinetic_energy = "0.02 hartree"'
    )
    return [source.problem("dynamics.electron_thermostat", what, hint=hint)]
