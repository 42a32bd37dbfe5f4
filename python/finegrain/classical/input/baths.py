# SPDX-License-Identifier: BSD-3-Clause
"""The heat bath and the pressure bath of [dynamics]: what a job has of them, and what they need.

Units: Hartree atomic units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain import units
from finegrain.errors import Problem
from finegrain.toml_input.key_effects import attributes, useless_keys, value_of

if TYPE_CHECKING:
    from finegrain.classical.input.sections.dynamics import DynamicsSection
    from finegrain.toml_input.source import TomlSource

# At least as many steps as this between two trials of a volume, in whole rebuild intervals.
_usual_interval = 50
# The box moves once in an interval. A period of ten intervals works. With 25 the pressure just
# after a move has hardly more scatter than at constant volume (docs/explanation/ensembles.md).
_fewest_moves, _smooth_moves = 10, 25
# What a job has of keys whose bath is not there. With a barostat it has all keys of barostats.
_no_thermostat = {"friction": 0.0, "thermostat_time": 0.0}
_no_barostat = {"compressibility": 0.0, "barostat_time": 0.0, "piston_period": 0.0}
# A smaller box needs fewer patches; with this room it hardly ever gets so small.
room_for_scaling = 1.03


def thermostat(dynamics: DynamicsSection | None) -> str | None:
    """Return the name of the thermostat; None at constant energy."""
    return None if dynamics is None else value_of(dynamics, "thermostat")


def barostat(dynamics: DynamicsSection | None) -> str | None:
    """Return the name of the barostat; None at constant volume."""
    return None if dynamics is None else value_of(dynamics, "barostat")


def dynamics_values(dynamics: DynamicsSection | None, rebuild_interval: int) -> dict[str, Any]:
    """Return the attributes of a job's /dynamics that [dynamics] decides.

    A thermostat acts beside the integrator of Verlet, or is an integrator of the same name.
    """
    heat, pressure = thermostat(dynamics), barostat(dynamics)
    integrator = "verlet" if heat in (None, "velocity-rescaling") else heat
    values: dict[str, Any] = {"integrator": integrator, **_no_thermostat}
    if dynamics is None:
        return values
    if pressure is not None:
        values |= {"coupling": "isotropic", **_no_barostat}
    values |= attributes(dynamics, "/dynamics")
    if pressure == "langevin-piston" and dynamics.piston_period is None:
        smooth = _smooth_moves * rebuild_interval * dynamics.timestep.value
        values["piston_period"] = max(values["piston_period"], smooth)
        if dynamics.barostat_time is None:
            values["barostat_time"] = max(values["barostat_time"], smooth / 2)
    if pressure == "monte-carlo":
        usual = -(-_usual_interval // rebuild_interval) * rebuild_interval
        values.setdefault("barostat_interval", usual)
    return values


def baths_in_words(dynamics: DynamicsSection, rebuild_interval: int) -> dict[str, str]:
    """Return thermostat and barostat with their values, for a reader."""
    words = {}
    values = dynamics_values(dynamics, rebuild_interval)
    heat, pressure = thermostat(dynamics), barostat(dynamics)
    if heat is not None:
        parts = [heat]
        if value_of(dynamics, "friction") is not None:
            parts.append(f"friction {values['friction'] / units.time_in_ps:.4g} 1/ps")
        if values["thermostat_time"]:
            parts.append(_in_ps(values["thermostat_time"]))
        words["thermostat"] = ", ".join(parts)
    if pressure is not None:
        in_bar = units.pressure_in_bar
        parts = [pressure, values["coupling"], f"{values['pressure'] * in_bar:.4g} bar"]
        if values["compressibility"]:
            parts.append(f"compressibility {values['compressibility'] / in_bar:.3g} 1/bar")
        if values["piston_period"]:
            parts.append(f"period {_in_ps(values['piston_period'])}")
        if values["barostat_time"]:
            parts.append(_in_ps(values["barostat_time"]))
        if pressure == "monte-carlo":
            parts.append(f"every {values['barostat_interval']} steps")
        words["barostat"] = ", ".join(parts)
    return words


def note_of_piston(dynamics: DynamicsSection | None, rebuild_interval: int) -> list[str]:
    """Return a note if a piston moves the box in few large steps."""
    if dynamics is None or barostat(dynamics) != "langevin-piston":
        return []
    period = float(dynamics_values(dynamics, rebuild_interval)["piston_period"])
    interval = rebuild_interval * dynamics.timestep.value
    if period >= _smooth_moves * interval * (1 - 1e-12):
        return []
    return [
        f"the piston moves the box once in {rebuild_interval} steps, "
        f"{period / interval:.0f} times in its period of {_in_ps(period)}: the pressure jumps at "
        "each move, and so has more scatter than its mean over some moves; for smooth moves take "
        f'piston_period = "{_in_ps(_smooth_moves * interval)}", or a smaller [forces] '
        "rebuild_interval"
    ]


def _in_ps(time: float) -> str:
    return f"{time * units.time_in_ps:.4g} ps"


def lacks_temperature(source: TomlSource, dynamics: DynamicsSection) -> bool:
    """Return whether no temperature is given; a wrong one is given, and reported elsewhere."""
    return dynamics.temperature is None and not source.written("dynamics.temperature")


def bath_problems(source: TomlSource, dynamics: DynamicsSection) -> list[Problem]:
    """Find keys that the chosen baths do not have, and what they lack."""
    found: list[Problem] = []

    def refuse(key: str, what: str, hint: str) -> None:
        found.append(source.problem(f"dynamics.{key}", what, hint=hint))

    heat, pressure = thermostat(dynamics), barostat(dynamics)
    if heat is not None and lacks_temperature(source, dynamics):
        refuse("ensemble", "needs a temperature", 'add temperature = "300 K"')
    if isinstance(dynamics.temperature, units.Ramp) and heat != "langevin":
        hint = 'use thermostat = "langevin"' if heat else 'use ensemble = "nvt"'
        refuse("temperature", "a ramp needs Langevin dynamics", f"{hint}, or one temperature")
    elif isinstance(dynamics.temperature, units.Ramp) and pressure is not None:
        hint = 'give one temperature, or use ensemble = "nvt" for the ramp'
        refuse("temperature", "a barostat needs one temperature", hint)
    for key, clash in useless_keys(dynamics):
        if source.has_wrong(f"dynamics.{clash.other}", clash.word):
            continue  # what the user means to have is not known
        if clash.other == "ensemble":
            wanted = " or ".join(f'"{word}"' for word in clash.wanted)
            refuse(
                key, f"has no use in {clash.word}", f"take {key} out, or use ensemble = {wanted}"
            )
        elif (key, dynamics.pressure_coupling) != ("pressure_coupling", "isotropic"):
            wanted = f'{clash.other} = "{clash.wanted[0]}"'
            refuse(key, f"has no use with {clash}", f"take {key} out, or use {wanted}")
    return found


def box_problems(
    source: TomlSource, dynamics: DynamicsSection | None, periodic: bool, interval: int
) -> list[Problem]:
    """Find what a barostat needs of the box, and of the interval between two rebuilds of lists."""
    name = barostat(dynamics)
    if name is None or dynamics is None:
        return []
    if not periodic:
        what = "a barostat needs a periodic box"
        hint = 'use ensemble = "nvt" for a molecule in vacuum'
        return [source.problem("dynamics.ensemble", what, hint=hint)]
    trials = dynamics.barostat_interval
    if name == "monte-carlo" and trials is not None and trials % interval:
        what = "the volume is tried at steps on which lists are rebuilt"
        limit = f"a multiple of rebuild_interval = {interval}"
        hint = f"take {-(-trials // interval) * interval}"
        return [source.problem("dynamics.barostat_interval", what, limit=limit, hint=hint)]
    period = float(dynamics_values(dynamics, interval)["piston_period"])
    time = interval * dynamics.timestep.value
    # The limit may itself be written, in another unit, with another rounding.
    if name != "langevin-piston" or period >= _fewest_moves * time * (1 - 1e-12):
        return []
    in_fs = units.time_in_fs
    what = "the piston is too fast for the steps between two lists, on which the box moves"
    limit = f"at least {_fewest_moves * time * in_fs:g} fs, ten times {interval} steps"
    hint = "take a longer period, or a smaller [forces] rebuild_interval"
    where = "dynamics.piston_period" if dynamics.piston_period else "dynamics.barostat"
    value = f"{period * in_fs:g} fs"
    return [source.problem(where, f"{what}: {value}", limit=limit, hint=hint)]
