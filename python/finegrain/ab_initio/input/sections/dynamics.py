# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [dynamics]."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from finegrain import units
from finegrain.ab_initio.input.constraint_keys import Constraints
from finegrain.toml_input.fields import Section, Seed, key, quantity_reader, shown_as
from finegrain.units import Quantity

_usual_steps = "0.1 fs is usual for car-parrinello, 0.5 fs for born-oppenheimer"
Time = Annotated[
    Quantity,
    quantity_reader(units.time, least="1e-4 fs", most="20 fs", hint=_usual_steps),
    *shown_as("0.1 fs"),
]
FictitiousMass = Annotated[float, Field(ge=1, le=1e6, strict=False)]
MassCutoff = Annotated[
    Quantity,
    quantity_reader(units.energy, least="0.1 Ry", most="2000 Ry", hint='such as "3 Ry"'),
    *shown_as("3 Ry"),
]
FictitiousEnergy = Annotated[
    Quantity,
    quantity_reader(
        units.energy,
        least="1e-9 hartree",
        most="1e5 hartree",
        hint="the mean fictitious kinetic energy of a run without this bath",
    ),
    *shown_as("0.02 hartree"),
]
Temperature = Annotated[
    Quantity, quantity_reader(units.temperature, zero=True, most="1e5 K"), *shown_as("300 K")
]
BathTime = Annotated[
    Quantity,
    quantity_reader(units.time, least="0.1 fs", most="1 ns", hint='such as "0.1 ps"'),
    *shown_as("0.1 ps"),
]
Rate = Annotated[
    Quantity, quantity_reader(units.rate, least="1e-3 1/ps", most="1e4 1/ps"), *shown_as("10 1/ps")
]
_of_pressures = {"most": "1e7 bar", "hint": 'such as "1 bar" or "10 GPa"'}
Pressure = Annotated[
    Quantity,
    quantity_reader(units.pressure, negative=True, least="-1e6 bar", **_of_pressures),
    *shown_as("1 bar"),
]
BulkModulus = Annotated[
    Quantity, quantity_reader(units.pressure, least="1 bar", **_of_pressures), *shown_as("100 GPa")
]
CellMass = Annotated[
    Quantity, quantity_reader(units.mass, least="0.1 Da", most="1e8 Da"), *shown_as("20 Da")
]
CellPeriod = Annotated[
    Quantity, quantity_reader(units.time, least="1 fs", most="1 ns"), *shown_as("0.5 ps")
]
_moving = ("isotropic", "lengths", "full")


class DynamicsSection(Section):
    """What is done: the ground state at the given positions, or steps in time that begin there."""

    kind: Literal["ground-state", "car-parrinello", "born-oppenheimer"] = key(
        "`ground-state`: energy, forces and stress at the given positions; or "
        "[dynamics](../how-to/ab-initio-dynamics.md) that begin there",
        "ground-state",
        to="/dynamics/kind",
    )
    timestep: Time | None = key(
        "length of a step; needed for a dynamics. 0.1 fs is usual for `car-parrinello`, 0.5 fs "
        "for `born-oppenheimer`",
        None,
        examples=["0.1 fs"],
        to="/dynamics/timestep",
    )
    steps: Annotated[int, Field(ge=0, le=10**15)] | None = key(
        "number of steps; needed for a dynamics", None, examples=[1000], to="/dynamics/steps"
    )
    ions: Literal["move", "rest"] = key(
        "`rest`: only the orbitals of `car-parrinello` move", "move"
    )
    temperature: Temperature | None = key(
        "temperature of the velocities at the start, and of the thermostat",
        None,
        examples=["300 K"],
        only_with={"ions": "move"},
    )
    velocities: Literal["from-temperature", "from-file", "zero"] | None = key(
        "origin of the velocities at the start: drawn for the temperature, without motion of the "
        "centre of mass; those of the structure's file; or none",
        None,
        only_with={"ions": "move"},
        by_default="`from-temperature` if there is a temperature, else `from-file`",
    )
    thermostat: Literal["none", "nose-hoover", "velocity-rescaling", "langevin"] = key(
        "heat bath of the ions; `none` keeps the energy constant; `velocity-rescaling` is that of "
        "Bussi, Donadio and Parrinello (CSVR in CP2K)",
        "none",
        only_with={"ions": "move"},
    )
    thermostat_time: BathTime = key(
        "time in which `velocity-rescaling` corrects the kinetic energy; time scale of the chains "
        "of `nose-hoover`",
        Quantity(0.1 / units.time_in_ps, "0.1 ps"),
        only_with={"thermostat": ("nose-hoover", "velocity-rescaling")},
    )
    friction: Rate = key(
        "friction of `langevin`",
        Quantity(10.0 * units.time_in_ps, "10 1/ps"),
        only_with={"thermostat": "langevin"},
    )
    chain_length: Annotated[int, Field(ge=1, le=20)] = key(
        "thermostats in a chain of `nose-hoover`",
        4,
        hint="3 and 4 are usual",
        only_with={"thermostat": "nose-hoover", "electron_thermostat": "nose-hoover"},
    )
    seed: Seed = key(
        "seed of drawn velocities and of random thermostats", 1, only_with={"ions": "move"}
    )
    constraints: Constraints | None = key(
        "pairs of atoms, counted from 1, whose distance stays: that of the structure, or the "
        "given one. The force that keeps it is a column of energies.csv",
        None,
        examples=['[{ atoms = [1, 2], distance = "0.96 Å" }]'],
        only_with={"ions": "move"},
    )
    fictitious_mass: FictitiousMass = key(
        "mass of a coefficient of an orbital, in electron masses, as in CPMD and Quantum ESPRESSO",
        400.0,
        hint="such as fictitious_mass = 400, electron masses",
        only_with={"kind": "car-parrinello"},
        to="/dynamics/fictitious_mass",
    )
    fictitious_mass_cutoff: MassCutoff = key(
        "coefficients with a higher kinetic energy are heavier, in proportion to it, so that all "
        "oscillate alike",
        Quantity(1.5, "3 Ry"),
        only_with={"kind": "car-parrinello"},
        to="/dynamics/mass_cutoff",
    )
    orthonormality: Literal["constrained", "free"] = key(
        "`constrained`: forces keep the orbitals orthonormal; `free`: the energy is that of the "
        "orbitals made orthonormal, and nothing holds them",
        "constrained",
        only_with={"kind": "car-parrinello"},
        to="/dynamics/orthonormality",
    )
    constraint_tolerance: Annotated[float, Field(ge=1e-14, le=1e-3, strict=False)] = key(
        "with `constrained`: largest difference of an overlap of orbitals from 1 (or 0)",
        1e-9,
        hint="such as constraint_tolerance = 1e-9",
        only_with={"orthonormality": "constrained"},
    )
    reset_above: Annotated[float, Field(ge=1e-9, le=0.5, strict=False)] = key(
        "`free` orbitals are made orthonormal when an overlap differs from 1 (or 0) by more than "
        "this; the conserved energy does not jump then",
        2e-4,
        hint="such as reset_above = 0.0002",
        only_with={"orthonormality": "free"},
    )
    electron_thermostat: Literal["none", "nose-hoover"] = key(
        "bath that keeps the fictitious kinetic energy of `car-parrinello` at a value",
        "none",
        only_with={"kind": "car-parrinello"},
        to="/dynamics/electron_bath",
    )
    electron_kinetic_energy: FictitiousEnergy | None = key(
        "that value; needed for this bath. `check` notes or refuses one that is far above the "
        "usual",
        None,
        examples=["0.02 hartree"],
        only_with={"electron_thermostat": "nose-hoover"},
        to="/dynamics/electron_kinetic",
    )
    electron_thermostat_time: BathTime = key(
        "time scale of this bath",
        Quantity(1.0 / units.time_in_fs, "1 fs"),
        only_with={"electron_thermostat": "nose-hoover"},
        to="/dynamics/electron_time_constant",
    )
    predictor_order: Annotated[int, Field(ge=-1, le=8)] = key(
        "with `born-oppenheimer`: orbitals are predicted from this number of past steps and two "
        "more; -1: those of the last step are taken",
        2,
        hint="0 to 3 are usual; -1 takes the orbitals of the last step",
        only_with={"kind": "born-oppenheimer"},
        to="/dynamics/predictor_order",
    )
    cell: Literal["fixed", "isotropic", "lengths", "full"] = key(
        "what of the cell moves under the pressure: nothing, one factor for all vectors, one "
        "factor for each, or all nine components",
        "fixed",
    )
    pressure: Pressure = key(
        "pressure from outside on a cell that moves",
        Quantity(1 / units.pressure_in_bar, "1 bar"),
        only_with={"cell": _moving},
        to="/dynamics/pressure",
    )
    cell_mass: CellMass | None = key(
        "inertia of a cell that moves",
        None,
        examples=["20 Da"],
        only_with={"cell": _moving},
        by_default="three quarters of the mass of all ions over π²",
    )
    cell_period: CellPeriod | None = key(
        "period of a cell that moves, instead of its mass; needs `bulk_modulus`",
        None,
        examples=["0.5 ps"],
        only_with={"cell": _moving},
    )
    bulk_modulus: BulkModulus | None = key(
        "bulk modulus of the material, for `cell_period`",
        None,
        examples=["100 GPa"],
        only_with={"cell": _moving},
    )
    cell_friction: Rate | None = key(
        "friction that brings a moving cell to rest; none by default",
        None,
        examples=["10 1/ps"],
        only_with={"cell": _moving},
    )
