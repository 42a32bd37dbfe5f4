# SPDX-License-Identifier: BSD-3-Clause
"""Which keys of a dynamics belong together: one that has no effect beside another is an error."""

from __future__ import annotations

from collections.abc import Iterable

from finegrain.ab_initio.input.model import AbInitioModel, DynamicsSection
from finegrain.ab_initio.input.moving_cell_keys import (
    keys as keys_of_moving_cells,
    moving_cell_problems,
)
from finegrain.errors import Problem
from finegrain.toml_input.source import TomlSource

# The key that decides, and for each of its values the keys that have an effect.
_of_baths = {
    "none": (),
    "nose-hoover": ("thermostat_time", "chain_length"),
    "velocity-rescaling": ("thermostat_time",),
    "langevin": ("friction",),
}
_of_electron_baths = {
    "none": (),
    "nose-hoover": ("electron_kinetic_energy", "electron_thermostat_time", "chain_length"),
}
_of_orthonormality = {"constrained": ("constraint_tolerance",), "free": ("reset_above",)}
_of_kinds = {
    "car-parrinello": (
        "fictitious_mass",
        "fictitious_mass_cutoff",
        "orthonormality",
        "electron_thermostat",
    ),
    "born-oppenheimer": ("predictor_order",),
}
_of_moving_ions = ("temperature", "velocities", "thermostat", "constraints")
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
    found += _useless(source, dynamics)
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
    keys = [f"dynamics.{key}" for key in _given(model.dynamics) if key != "kind"]
    keys += [f"output.{key}" for key in _of_output if key in model.output.model_fields_set]
    keys += ["system.masses"] if model.system.masses is not None else []
    return _refuse(source, keys, 'kind = "ground-state"')


def _given(dynamics: DynamicsSection) -> list[str]:
    """Return the keys that the input has, in the order of the model."""
    given = dynamics.model_fields_set
    return [key for key in DynamicsSection.model_fields if key in given]


def _useless(source: TomlSource, dynamics: DynamicsSection) -> list[Problem]:
    """Find keys that the choices of others leave without effect."""
    beside: dict[str, str] = {}  # why a key has no use

    def leave_out(keys: Iterable[str], why: str) -> None:
        for key in keys:
            beside.setdefault(key, why)

    for kind, keys in _of_kinds.items():
        if kind != dynamics.kind:
            leave_out(keys, f'kind = "{dynamics.kind}"')
    if dynamics.kind == "born-oppenheimer":
        of_others = {
            key
            for table in (_of_electron_baths, _of_orthonormality)
            for keys in table.values()
            for key in keys
        }
        leave_out(of_others - {"chain_length"}, 'kind = "born-oppenheimer"')
    if dynamics.cell == "fixed":
        leave_out(keys_of_moving_cells, 'cell = "fixed"')
    if dynamics.ions == "rest":
        leave_out((*_of_moving_ions, "thermostat_time", "friction", "seed"), 'ions = "rest"')
    choices = (
        ("thermostat", dynamics.thermostat, _of_baths),
        ("electron_thermostat", dynamics.electron_thermostat, _of_electron_baths),
        ("orthonormality", dynamics.orthonormality, _of_orthonormality),
    )
    in_use = {key for _name, choice, keys in choices for key in keys[choice]}
    for name, choice, table in choices:
        leave_out(
            (key for keys in table.values() for key in keys if key not in in_use),
            f'{name} = "{choice}"',
        )
    return [
        problem
        for key in _given(dynamics)
        if key in beside
        for problem in _refuse(source, [f"dynamics.{key}"], beside[key])
    ]


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
