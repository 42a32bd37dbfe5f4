# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [dynamics]."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from finegrain import units
from finegrain.toml_input.fields import (
    Count,
    Interval,
    Section,
    Seed,
    key,
    quantity_reader,
    shown_as,
)
from finegrain.units import Quantity, Ramp

_steady = 'bonds to hydrogen held fixed allow "2 fs", hydrogens made heavier (HMR) "4 fs"'
Time = Annotated[
    Quantity, quantity_reader(units.time, most="20 fs", hint=_steady), *shown_as("2 fs")
]
Rate = Annotated[
    Quantity, quantity_reader(units.rate, zero=True, most="1e4 1/fs"), *shown_as("1 1/ps")
]
_read_temperature: Any = quantity_reader(units.temperature, zero=True, most="1e5 K").func


def _ramp(value: Any) -> Any:
    """Read one temperature, or two between which it changes."""
    if not isinstance(value, list):
        return _read_temperature(value)
    if len(value) != 2:
        hint = 'one, or two: temperature = ["100 K", "300 K"] goes from one to the other'
        context = {"what": f"holds {len(value)} values", "hint": hint, "limit": ""}
        raise PydanticCustomError("quantity", "{what}", context)
    first, last = (_read_temperature(item) for item in value)
    return Ramp(first.value, f"{first} to {last}", last)


Temperatures = Annotated[Quantity, BeforeValidator(_ramp), *shown_as("300 K")]
Mass = Annotated[
    Quantity, quantity_reader(units.mass, least="0.5 Da", most="12 Da"), *shown_as("3 Da")
]
BathTime = Annotated[
    Quantity,
    quantity_reader(units.time, least="1 fs", most="1 us", hint='such as "2 ps"'),
    *shown_as("2 ps"),
]
Pressure = Annotated[
    Quantity,
    quantity_reader(units.pressure, negative=True, least="-1e5 bar", most="1e6 bar"),
    *shown_as("1 bar"),
]
Compressibility = Annotated[
    Quantity,
    quantity_reader(units.compressibility, least="1e-9 1/bar", most="1 1/bar"),
    *shown_as("4.6e-5 1/bar"),
]
Steps = Annotated[int, Field(ge=0, le=10**15)]
ImpulseInterval = Annotated[int, Field(ge=1, le=4)]


class DynamicsSection(Section):
    """Settings of the dynamics."""

    ensemble: Literal["nve", "nvt", "npt"] = key(
        "constant energy, constant temperature, or constant temperature and pressure", "nve"
    )
    timestep: Time = key(
        "length of a step, at most 20 fs", examples=["2 fs"], to="/dynamics/timestep"
    )
    steps: Steps = key("number of steps", examples=[1000], to="/dynamics/steps")
    pair_interval: ImpulseInterval = key(
        "steps between two evaluations of the pair forces, which then count this many times "
        "(r-RESPA); bonded terms and restraints are evaluated on every step",
        1,
        to="/dynamics/pair_interval",
    )
    long_range_interval: ImpulseInterval | None = key(
        "steps between two evaluations of the forces of the mesh, which then count this many "
        "times (r-RESPA), a multiple of `pair_interval`; `steps` and other intervals are multiples",
        None,
        examples=[2],
        by_default="that of the pair forces",
    )
    temperature: Temperatures | None = key(
        'temperature of the heat bath and of initial velocities; `["100 K", "300 K"]` goes '
        "linearly from one to the other over the steps (Langevin)",
        None,
        examples=["300 K"],
    )
    thermostat: Literal["langevin", "velocity-rescaling"] | None = key(
        "Langevin dynamics of each atom, or one factor for all velocities",
        None,
        only_with={"ensemble": ("nvt", "npt")},
        usual="langevin",
    )
    friction: Rate | None = key(
        "friction of Langevin dynamics",
        None,
        examples=["1 1/ps"],
        only_with={"thermostat": "langevin"},
        usual="1 1/ps",
        to="/dynamics/friction",
    )
    thermostat_time: BathTime | None = key(
        "time in which velocity rescaling corrects the kinetic energy",
        None,
        examples=["0.5 ps"],
        only_with={"thermostat": "velocity-rescaling"},
        usual="0.5 ps",
        to="/dynamics/thermostat_time",
    )
    barostat: Literal["stochastic-rescaling", "langevin-piston", "monte-carlo"] | None = key(
        "random scaling by the pressure, a box with mass and friction, or trials of the volume",
        None,
        only_with={"ensemble": "npt"},
        usual="stochastic-rescaling",
        to="/dynamics/barostat",
    )
    pressure: Pressure | None = key(
        "pressure of the bath, in all directions",
        None,
        examples=["1 bar"],
        only_with={"ensemble": "npt"},
        usual="1 bar",
        to="/dynamics/pressure",
    )
    pressure_coupling: Literal["isotropic", "semi-isotropic", "anisotropic"] | None = key(
        "edges scaled alike: all, x and y, or none; with a piston all",
        None,
        only_with={"barostat": "stochastic-rescaling"},
        usual="isotropic",
        to="/dynamics/coupling",
        by_default="`isotropic`, in `npt`",
    )
    compressibility: Compressibility | None = key(
        "an estimate; it sets how fast the box changes, not its mean",
        None,
        examples=["4.6e-5 1/bar"],
        only_with={"barostat": ("stochastic-rescaling", "langevin-piston")},
        usual="4.6e-5 1/bar",
        to="/dynamics/compressibility",
        by_default="`4.6e-5 1/bar`, in `npt`: that of water",
    )
    barostat_time: BathTime | None = key(
        "time in which stochastic rescaling corrects the volume; decay time of a piston",
        None,
        examples=["2 ps"],
        only_with={"barostat": ("stochastic-rescaling", "langevin-piston")},
        usual={"stochastic-rescaling": "2 ps", "langevin-piston": "0.5 ps"},
        to="/dynamics/barostat_time",
        by_default="`2 ps`; with `langevin-piston` `0.5 ps`, or half of that period",
    )
    piston_period: BathTime | None = key(
        "period of a piston's oscillation",
        None,
        examples=["1 ps"],
        only_with={"barostat": "langevin-piston"},
        usual="1 ps",
        to="/dynamics/piston_period",
        by_default="with `langevin-piston`: `1 ps`, or 25 rebuild intervals if longer",
    )
    barostat_interval: Count | None = key(
        "steps between two trials of a Monte Carlo barostat, a multiple of `rebuild_interval`",
        None,
        examples=[50],
        only_with={"barostat": "monte-carlo"},
        to="/dynamics/barostat_interval",
        by_default="`50`, or the next multiple, with `monte-carlo`",
    )
    seed: Seed = key("seed of all random numbers", 1, to="/dynamics/seed")
    velocities: Literal["from-temperature", "from-file", "zero"] | None = key(
        "origin of the initial velocities; those of files only on request",
        None,
        by_default="`from-temperature` if there is a temperature, else `from-file`",
    )
    hydrogen_mass: Mass | None = key(
        "mass of hydrogens, taken from their neighbours; not in rigid waters",
        None,
        examples=["3 Da"],
    )
    remove_com_motion: Interval = key(
        "steps between removals of the total momentum; 0: never", 100, to="/dynamics/com_interval"
    )
    constraint_tolerance: Annotated[float, Field(ge=1e-15, lt=1e-2, strict=False)] = key(
        "relative error of constrained lengths", 1e-8, to="/dynamics/constraint_tolerance"
    )
