# SPDX-License-Identifier: BSD-3-Clause
"""The keys of an input for ab initio runs: one class per section, one field per key.

A key that is not given is None if its default depends on the system or on the files. All other
defaults are here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from finegrain import units
from finegrain.ab_initio.division.fineness import usual_pes
from finegrain.ab_initio.input.constraint_keys import Constraints
from finegrain.toml_input.fields import Box, Section, quantity_reader, shown_as, sizes
from finegrain.units import Quantity

_lowest = "1 Ry"  # below it a cell of usual size has one wave
_cutoff_hint = "cutoffs are energies, in Ry, hartree or eV; 70 Ry is usual"

Cutoff = Annotated[
    Quantity,
    quantity_reader(units.energy, least=_lowest, most="2000 Ry", hint=_cutoff_hint),
    *shown_as("70 Ry"),
]
StepHeight = Annotated[
    Quantity,
    quantity_reader(units.energy, least="0.1 Ry", most="1e5 Ry", hint='such as "100 Ry"'),
    *shown_as("100 Ry"),
]
StepWidth = Annotated[
    Quantity,
    quantity_reader(units.energy, least="0.01 Ry", most="1000 Ry", hint='such as "4 Ry"'),
    *shown_as("4 Ry"),
]
_small = {"least": "1e-14 hartree", "most": "1 hartree"}
Residual = Annotated[
    Quantity,
    quantity_reader(units.energy, **_small, hint='such as "1e-7 hartree"'),
    *shown_as("1e-7 hartree"),
]
EnergyChange = Annotated[
    Quantity,
    quantity_reader(units.energy, **_small, hint='such as "1e-11 hartree"'),
    *shown_as("1e-11 hartree"),
]
_usual_steps = "0.1 fs is usual for car-parrinello, 0.5 fs for born-oppenheimer"
Time = Annotated[
    Quantity,
    quantity_reader(units.time, least="1e-4 fs", most="20 fs", hint=_usual_steps),
    *shown_as("0.1 fs"),
]
WallTime = Annotated[
    Quantity, quantity_reader(units.wall_time, zero=True, most="1e9 s"), *shown_as("15 min")
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
_read_mass: Any = quantity_reader(units.mass, least="0.5 Da", most="400 Da").func


def _masses(value: Any) -> Any:
    """Read a table from element to mass."""
    if not isinstance(value, dict) or not value:
        what, hint = "is not a table of masses", 'such as { H = "2.014 Da" }'
        raise PydanticCustomError("quantity", "{what}", {"what": what, "hint": hint, "limit": ""})
    return {element: _mass_of(element, mass) for element, mass in value.items()}


def _mass_of(element: str, mass: Any) -> Any:
    """Read one mass; an error names the element."""
    try:
        return _read_mass(mass)
    except PydanticCustomError as error:
        context = dict(error.context or {})
        context["what"] = f"the mass of {element}, {mass}: {context['what']}"
        raise PydanticCustomError("quantity", "{what}", context) from None


Masses = Annotated[
    Any,
    PlainValidator(_masses),
    WithJsonSchema({"type": "string", "examples": ['{ H = "2.014 Da" }']}),
]

LeastDistance = Annotated[
    Quantity,
    quantity_reader(units.length, **sizes, hint='such as "0.3 Å"'),
    *shown_as("0.3 Å"),
]
Interval = Annotated[int, Field(ge=0, le=10**9)]
Count = Annotated[int, Field(ge=1, le=10**6)]
GridPoints = Annotated[int, Field(ge=1, le=2048)]

_files_hint = 'such as {O = "O.UPF", H = "H.UPF"}, or "auto"'


def _files(value: Any) -> Any:
    """Read "auto", or a table from element to file."""
    if value == "auto":
        return value
    if not isinstance(value, dict):
        what = "is neither a table of files nor the word auto"
    elif not value:
        what = "names no file"
    elif any(not isinstance(name, str) or not name.strip() for name in value.values()):
        what = "has an element without the name of a file"
    else:
        return value
    raise PydanticCustomError(
        "quantity", "{what}", {"what": what, "hint": _files_hint, "limit": ""}
    )


Files = Annotated[
    Any,
    PlainValidator(_files),
    WithJsonSchema({"type": "string", "examples": ["auto"]}),
]


class SystemSection(Section):
    """The atoms and their cell."""

    kind: Literal["ab-initio"] = Field(examples=["ab-initio"])
    title: str = ""
    structure: str = Field(examples=["water32.xyz"])
    frame: Annotated[int, Field(ge=-(10**9), le=10**9)] = -1
    cell: Box | None = Field(None, examples=[["10 Å", "10 Å", "10 Å"]])
    boundary: Literal["periodic", "isolated"] = "periodic"
    least_distance: LeastDistance | None = Field(None, examples=["0.3 Å"])
    masses: Masses | None = None


class ElectronsSection(Section):
    """Plane waves, functional and pseudopotentials."""

    cutoff: Cutoff = Field(examples=["70 Ry"])
    functional: str = Field(examples=["BLYP"])
    pseudopotentials: Files = Field(examples=["auto"])
    pseudopotential_folders: list[str] = Field([], examples=[["pseudopotentials"]])
    effective_cutoff: Cutoff | None = Field(None, examples=["60 Ry"])
    effective_cutoff_height: StepHeight | None = Field(None, examples=["100 Ry"])
    effective_cutoff_width: StepWidth | None = Field(None, examples=["4 Ry"])
    allow_low_cutoff: bool = False
    allow_other_functional: bool = False
    bands: Count | None = None
    spin: Literal["none", "collinear"] = "none"
    multiplicity: Annotated[int, Field(ge=1, le=10**6)] | None = None
    magnetization: Annotated[int, Field(ge=0, le=10**6)] | None = None
    starting_moments: list[Annotated[float, Field(strict=False)]] | None = None
    gradient_thresholds: Literal["quantum-espresso", "off"] = "quantum-espresso"
    negative_density: Literal["none", "mirrored"] = "none"
    net_force: Literal["keep", "remove"] = "keep"
    dispersion: Literal["none", "d3zero", "d3bj"] = "none"
    three_body: bool = False
    nonlocal_part: Literal["auto", "exact", "splines"] = "auto"
    local_part: Literal["auto", "exact", "splines"] = "auto"
    spline_order: Annotated[int, Field(ge=4, le=10)] = 10
    spline_grid: Annotated[float, Field(ge=1.1, le=4, strict=False)] = 1.4
    grid: list[GridPoints] | None = Field(None, min_length=3, max_length=3)


class DynamicsSection(Section):
    """What is done: the ground state at the given positions, or steps in time that begin there."""

    kind: Literal["ground-state", "car-parrinello", "born-oppenheimer"] = "ground-state"
    timestep: Time | None = Field(None, examples=["0.1 fs"])
    steps: Annotated[int, Field(ge=0, le=10**15)] | None = None
    ions: Literal["move", "rest"] = "move"
    temperature: Temperature | None = Field(None, examples=["300 K"])
    velocities: Literal["from-temperature", "from-file", "zero"] | None = None
    thermostat: Literal["none", "nose-hoover", "velocity-rescaling", "langevin"] = "none"
    thermostat_time: BathTime = Quantity(0.1 / units.time_in_ps, "0.1 ps")
    friction: Rate = Quantity(10.0 * units.time_in_ps, "10 1/ps")
    chain_length: Annotated[int, Field(ge=1, le=20)] = 4
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 1
    constraints: Constraints | None = Field(
        None, examples=['[{ atoms = [1, 2], distance = "0.96 Å" }]']
    )
    fictitious_mass: FictitiousMass = 400.0
    fictitious_mass_cutoff: MassCutoff = Quantity(1.5, "3 Ry")
    orthonormality: Literal["constrained", "free"] = "constrained"
    constraint_tolerance: Annotated[float, Field(ge=1e-14, le=1e-3, strict=False)] = 1e-9
    reset_above: Annotated[float, Field(ge=1e-9, le=0.5, strict=False)] = 2e-4
    electron_thermostat: Literal["none", "nose-hoover"] = "none"
    electron_kinetic_energy: FictitiousEnergy | None = Field(None, examples=["0.02 hartree"])
    electron_thermostat_time: BathTime = Quantity(1.0 / units.time_in_fs, "1 fs")
    predictor_order: Annotated[int, Field(ge=-1, le=8)] = 2
    cell: Literal["fixed", "isotropic", "lengths", "full"] = "fixed"
    pressure: Pressure = Quantity(1 / units.pressure_in_bar, "1 bar")
    cell_mass: CellMass | None = Field(None, examples=["20 Da"])
    cell_period: CellPeriod | None = Field(None, examples=["0.5 ps"])
    bulk_modulus: BulkModulus | None = Field(None, examples=["100 GPa"])
    cell_friction: Rate | None = Field(None, examples=["10 1/ps"])


class GroundStateSection(Section):
    """How the ground state is found."""

    minimiser: Literal["l-bfgs", "conjugate-gradient", "steepest-descent"] = "l-bfgs"
    tolerance: Residual = Quantity(1e-7, "1e-7 hartree")
    energy_tolerance: EnergyChange = Quantity(1e-11, "1e-11 hartree")
    iterations: Count = 200
    start: str | None = Field(None, min_length=1, examples=["atomic"])
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 1


class ObjectsSection(Section):
    """The division into objects; a good one is chosen from the sizes if it is not given."""

    pes: Count = usual_pes
    state_grain: Count | None = None
    wave_parts: Count | None = None
    density_parts: Count | None = None
    pair_groups: Count = 1
    tile_grain: Count | None = None
    pair_chunks: Count = 1
    plane_pieces: Count = 1


class OutputSection(Section):
    """The output files."""

    directory: str | None = Field(None, min_length=1, examples=["runs/water"])
    energy_interval: Interval = 1
    trajectory_interval: Interval = 10
    density: bool = False
    orbitals: bool = True
    checkpoint_interval: WallTime = Quantity(900.0, "15 min")


class AbInitioModel(Section):
    """A whole input for an ab initio run."""

    system: SystemSection
    electrons: ElectronsSection
    dynamics: DynamicsSection = DynamicsSection()
    ground_state: GroundStateSection = GroundStateSection()
    objects: ObjectsSection = ObjectsSection()
    output: OutputSection = OutputSection()


sections: dict[str, type[Section]] = {
    "system": SystemSection,
    "electrons": ElectronsSection,
    "dynamics": DynamicsSection,
    "ground_state": GroundStateSection,
    "objects": ObjectsSection,
    "output": OutputSection,
}
