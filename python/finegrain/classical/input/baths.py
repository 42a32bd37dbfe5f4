# SPDX-License-Identifier: BSD-3-Clause
"""The heat bath and the pressure bath of [dynamics]: which keys belong to which, their defaults.

Units: Hartree atomic units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain import units
from finegrain.errors import Problem

if TYPE_CHECKING:
    from finegrain.classical.input.model import DynamicsSection
    from finegrain.toml_input.source import TomlSource

# The keys of each bath with their defaults. The compressibility is that of water.
_thermostats = {
    "langevin": {"friction": "1 1/ps"},
    "velocity-rescaling": {"thermostat_time": "0.5 ps"},
}
_of_all_barostats = {"pressure": "1 bar"}
_water = "4.6e-5 1/bar"
_barostats = {
    "stochastic-rescaling": {
        "pressure_coupling": "isotropic",
        "compressibility": _water,
        "barostat_time": "2 ps",
    },
    "langevin-piston": {
        "compressibility": _water,
        "piston_period": "1 ps",
        "barostat_time": "0.5 ps",
    },
    "monte-carlo": {"barostat_interval": "50"},
}
# At least as many steps as this between two trials of a volume, in whole rebuild intervals.
_usual_interval = 50
# The box moves once in an interval. A period of ten intervals works. With 25 the pressure just
# after a move has hardly more scatter than at constant volume (docs/explanation/ensembles.md).
_fewest_moves, _smooth_moves = 10, 25
_dimensions = {
    "friction": units.rate,
    "thermostat_time": units.time,
    "pressure": units.pressure,
    "compressibility": units.compressibility,
    "barostat_time": units.time,
    "piston_period": units.time,
}
# A smaller box needs fewer patches; with this room it hardly ever gets so small.
room_for_scaling = 1.03


def thermostat(dynamics: DynamicsSection | None) -> str | None:
    """Return the name of the thermostat; None at constant energy."""
    if dynamics is None or dynamics.ensemble == "nve":
        return None
    return dynamics.thermostat or "langevin"


def barostat(dynamics: DynamicsSection | None) -> str | None:
    """Return the name of the barostat; None at constant volume."""
    if dynamics is None or dynamics.ensemble != "npt":
        return None
    return dynamics.barostat or "stochastic-rescaling"


def bath_values(dynamics: DynamicsSection | None, rebuild_interval: int) -> dict[str, Any]:
    """Return the attributes of a job's /dynamics that say which baths there are."""
    heat, pressure = thermostat(dynamics), barostat(dynamics)
    values: dict[str, Any] = {
        "integrator": "langevin" if heat == "langevin" else "verlet",
        "friction": _value(dynamics, "friction", _thermostats, heat),
        "thermostat_time": _value(dynamics, "thermostat_time", _thermostats, heat),
    }
    if pressure is None or dynamics is None:
        return values
    values |= {
        "barostat": pressure,
        "coupling": dynamics.pressure_coupling or "isotropic",
        **{key: _given(dynamics, key, default) for key, default in _of_all_barostats.items()},
        **{
            key: _value(dynamics, key, _barostats, pressure)
            for key in ("compressibility", "barostat_time", "piston_period")
        },
    }
    if pressure == "langevin-piston" and dynamics.piston_period is None:
        smooth = _smooth_moves * rebuild_interval * dynamics.timestep.value
        values["piston_period"] = max(values["piston_period"], smooth)
        if dynamics.barostat_time is None:
            values["barostat_time"] = max(values["barostat_time"], smooth / 2)
    if pressure == "monte-carlo":
        usual = -(-_usual_interval // rebuild_interval) * rebuild_interval
        values["barostat_interval"] = dynamics.barostat_interval or usual
    return values


def baths_in_words(dynamics: DynamicsSection, rebuild_interval: int) -> dict[str, str]:
    """Return thermostat and barostat with their values, for a reader."""
    words = {}
    values = bath_values(dynamics, rebuild_interval)
    heat, pressure = thermostat(dynamics), barostat(dynamics)
    if heat == "langevin":
        friction = values["friction"] / units.time_in_ps
        words["thermostat"] = f"{heat}, friction {friction:.4g} 1/ps"
    elif heat is not None:
        words["thermostat"] = f"{heat}, {_in_ps(values['thermostat_time'])}"
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
    period = float(bath_values(dynamics, rebuild_interval)["piston_period"])
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


def _value(
    dynamics: DynamicsSection | None, key: str, baths: dict[str, dict[str, str]], name: str | None
) -> float:
    """Return the value of a key that only some baths have; 0 for the others."""
    if dynamics is None or name is None or key not in baths[name]:
        return 0.0
    return _given(dynamics, key, baths[name][key])


def _given(dynamics: DynamicsSection, key: str, default: str) -> float:
    given = getattr(dynamics, key)
    return float((given or units.parse_quantity(default, _dimensions[key])).value)


def bath_problems(source: TomlSource, dynamics: DynamicsSection) -> list[Problem]:
    """Find keys that the chosen baths do not have, and what they lack."""
    found: list[Problem] = []

    def refuse(key: str, what: str, hint: str) -> None:
        found.append(source.problem(f"dynamics.{key}", what, hint=hint))

    heat, pressure = thermostat(dynamics), barostat(dynamics)
    if heat is not None and dynamics.temperature is None:
        refuse("ensemble", "needs a temperature", 'add temperature = "300 K"')
    if isinstance(dynamics.temperature, units.Ramp) and heat != "langevin":
        hint = 'use thermostat = "langevin"' if heat else 'use ensemble = "nvt"'
        refuse("temperature", "a ramp needs Langevin dynamics", f"{hint}, or one temperature")
    elif isinstance(dynamics.temperature, units.Ramp) and pressure is not None:
        hint = 'give one temperature, or use ensemble = "nvt" for the ramp'
        refuse("temperature", "a barostat needs one temperature", hint)
    of_heat = {key for keys in _thermostats.values() for key in keys} | {"thermostat"}
    of_pressure = {key for keys in _barostats.values() for key in keys}
    of_pressure |= set(_of_all_barostats) | {"barostat"}
    for key in sorted(of_heat | of_pressure):
        if getattr(dynamics, key) is None:
            continue
        if key in of_heat:
            if heat is None:
                refuse(
                    key, "has no use in nve", f'take {key} out, or use ensemble = "nvt" or "npt"'
                )
            elif key != "thermostat" and key not in _thermostats[heat]:
                owner = next(name for name, keys in _thermostats.items() if key in keys)
                refuse(
                    key,
                    f'has no use with thermostat = "{heat}"',
                    f'take {key} out, or use thermostat = "{owner}"',
                )
        elif pressure is None:
            refuse(
                key,
                f"has no use in {dynamics.ensemble}",
                f'take {key} out, or use ensemble = "npt"',
            )
        elif key not in _barostats[pressure] and key not in (*_of_all_barostats, "barostat"):
            if key == "pressure_coupling" and dynamics.pressure_coupling == "isotropic":
                continue
            owner = next(name for name, keys in _barostats.items() if key in keys)
            refuse(
                key,
                f'has no use with barostat = "{pressure}"',
                f'take {key} out, or use barostat = "{owner}"',
            )
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
    period = float(bath_values(dynamics, interval)["piston_period"])
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
