# SPDX-License-Identifier: BSD-3-Clause
"""The keys of an input file: one class per section, one field per key.

A key that is not given is None if the topology may have a value of its own (see
`finegrain.classical.input.settings`). All other defaults are here. The bounds are those of the
engine (`engine/records/job/job_check.cpp`) or narrower, so that an accepted input can be run.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from finegrain import units
from finegrain.classical.division.electrostatics import largest_mesh
from finegrain.classical.division.fineness import usual_pes
from finegrain.toml_input.fields import Box, Length, Section, quantity_reader, shown_as, sizes
from finegrain.units import Quantity, Ramp

_steady = 'bonds to hydrogen held fixed allow "2 fs", hydrogens made heavier (HMR) "4 fs"'

SwitchLength = Annotated[
    Quantity, quantity_reader(units.length, off=True, **sizes), *shown_as("7.5 Å")
]
InverseLength = Annotated[Quantity, quantity_reader(units.inverse_length), *shown_as("0.35 1/Å")]
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
Force = Annotated[
    Quantity, quantity_reader(units.force, most="1e10 kJ/mol/nm"), *shown_as("10 kJ/mol/nm")
]
Mass = Annotated[
    Quantity, quantity_reader(units.mass, least="0.5 Da", most="12 Da"), *shown_as("3 Da")
]
ForceConstant = Annotated[
    Quantity,
    quantity_reader(units.stiffness, zero=True, most="1e8 kJ/mol/nm^2"),
    *shown_as("1000 kJ/mol/nm^2"),
]
Drift = Annotated[Quantity, quantity_reader(units.drift), *shown_as("2e-5 kJ/mol/ps")]
WallTime = Annotated[
    Quantity, quantity_reader(units.wall_time, zero=True, most="1e9 s"), *shown_as("15 min")
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


def _one_or_more(value: Any) -> Any:
    """Read one item or a list of them as a list."""
    return value if isinstance(value, list) else [value]


ForceConstants = Annotated[
    list[ForceConstant],
    BeforeValidator(_one_or_more),
    WithJsonSchema({"type": "string", "examples": ["1000 kJ/mol/nm^2"]}),
]


def _atoms(value: Any) -> Any:
    """Read a selection of atoms: text, a number, or a list of both."""
    parts = _one_or_more(value)
    if parts and all(isinstance(part, str | int) and part is not True for part in parts):
        return parts
    hint = 'such as "backbone", "1-340", or ["protein heavy atoms", 2490, "2500-2510"]'
    context = {"what": "is no selection of atoms", "hint": hint, "limit": ""}
    raise PydanticCustomError("quantity", "{what}", context)


Atoms = Annotated[
    list[Any],
    BeforeValidator(_atoms),
    WithJsonSchema({"type": "string", "examples": ["protein heavy atoms"]}),
]

Steps = Annotated[int, Field(ge=0, le=10**15)]
Interval = Annotated[int, Field(ge=0, le=10**9)]
ListInterval = Annotated[int, Field(ge=1, le=10**6)]
MeshPoints = Annotated[int, Field(ge=1, le=largest_mesh)]
Patches = Annotated[int, Field(ge=1, le=1024)]
Copies = Annotated[int, Field(ge=1, le=2**20)]
Pes = Annotated[int, Field(ge=1, le=10**6)]
PairComputes = Annotated[int, Field(ge=1, le=14)]
Pencils = Annotated[int, Field(ge=1, le=4096)]
LongRangeInterval = Annotated[int, Field(ge=1, le=4)]
Fraction = Annotated[float, Field(gt=0, lt=0.5, strict=False)]


class SystemSection(Section):
    """The system: the user's own files."""

    kind: Literal["classical"] = Field(examples=["classical"])
    title: str = ""
    topology: str = Field(examples=["JAC.prmtop"])
    coordinates: str | None = Field(None, examples=["JAC.inpcrd"])
    frame: int | None = Field(None, ge=-(10**9), le=10**9, examples=[-1])
    parameters: list[str] = Field([], examples=[["par_all36.prm"]])
    forcefield: list[str] = Field([], examples=[["amber14-all.xml", "amber14/tip3p.xml"]])
    include: list[str] = Field([], examples=[["/usr/share/gromacs/top"]])
    define: list[str] = Field([], examples=[["POSRES", "POSRES_FC_BB=400"]])
    box: Box | None = Field(None, examples=[["30 Å"] * 3])
    repeat: list[Copies] | None = Field(None, min_length=3, max_length=3, examples=[[2, 2, 2]])


class ForcesSection(Section):
    """Settings of the forces."""

    cutoff: Length | None = None
    switch: SwitchLength | None = None
    switching: Literal["potential", "force"] = "potential"
    electrostatics: Literal["pme", "reaction-field", "plain"] | None = None
    reaction_field_dielectric: Annotated[float, Field(ge=1, le=1e12, strict=False)] | None = None
    mesh: list[MeshPoints] | None = Field(None, min_length=3, max_length=3)
    mesh_spacing: Length | None = Field(default=None, examples=["1 Å"])
    spline_order: Literal[4, 5, 6, 8] | None = None
    ewald_coefficient: InverseLength | None = None
    ewald_tolerance: Fraction | None = None
    dispersion_correction: bool | None = None
    constraints: Literal["none", "h-bonds", "all-bonds"] | None = None
    rigid_water: bool | None = None
    precision: Literal["mixed", "double"] = "mixed"
    bits: Literal["fast", "portable"] = "fast"
    pair_list_tolerance: Drift | None = None
    rebuild_interval: ListInterval | None = None
    prune_interval: ListInterval | None = None


class DynamicsSection(Section):
    """Settings of the dynamics."""

    ensemble: Literal["nve", "nvt", "npt"] = "nve"
    timestep: Time = Field(examples=["2 fs"])
    steps: Steps = Field(examples=[1000])
    long_range_interval: LongRangeInterval = 1
    temperature: Temperatures | None = Field(None, examples=["300 K"])
    thermostat: Literal["langevin", "velocity-rescaling"] | None = None
    friction: Rate | None = Field(None, examples=["1 1/ps"])
    thermostat_time: BathTime | None = Field(None, examples=["0.5 ps"])
    barostat: Literal["stochastic-rescaling", "langevin-piston", "monte-carlo"] | None = None
    pressure: Pressure | None = Field(None, examples=["1 bar"])
    pressure_coupling: Literal["isotropic", "semi-isotropic", "anisotropic"] | None = None
    compressibility: Compressibility | None = Field(None, examples=["4.6e-5 1/bar"])
    barostat_time: BathTime | None = Field(None, examples=["2 ps"])
    piston_period: BathTime | None = Field(None, examples=["1 ps"])
    barostat_interval: ListInterval | None = Field(None, examples=[50])
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 1
    velocities: Literal["from-temperature", "from-file", "zero"] | None = None
    hydrogen_mass: Mass | None = Field(None, examples=["3 Da"])
    remove_com_motion: Interval = 100
    constraint_tolerance: Annotated[float, Field(ge=1e-15, lt=1e-2, strict=False)] = 1e-8


class MinimiseSection(Section):
    """Minimisation of the energy before the first step."""

    method: Literal["none", "steepest-descent", "l-bfgs"] = "l-bfgs"
    tolerance: Force = Quantity(10.0 / units.force_in_kj_per_mol_nm, "10 kJ/mol/nm")
    steps: Interval = 500


class OutputSection(Section):
    """The output files, and how often they are written (in steps; 0: never)."""

    directory: str | None = Field(None, examples=["runs/dhfr"])
    trajectory_interval: Interval = 1000
    velocities: bool = False
    energy_interval: Interval = 100
    checkpoint_interval: WallTime = Quantity(900.0, "15 min")


class RestraintSection(Section):
    """Harmonic restraints of a group of atoms to positions; one such table for each group."""

    atoms: Atoms = Field(examples=["protein heavy atoms"])
    force_constant: ForceConstants | None = Field(None, examples=["1000 kJ/mol/nm^2"])
    reference: str | None = Field(None, examples=["crystal.gro"])
    reference_scaling: Literal["none", "all", "com"] = "none"


class PatchesSection(Section):
    """The division of the box; a good one is chosen if it is not given."""

    pes: Pes = usual_pes
    grid: list[Patches] | None = Field(None, min_length=3, max_length=3)
    pair_computes: PairComputes | None = None


class MeshSection(Section):
    """The division of the mesh into pencils."""

    pencils: list[Pencils] | None = Field(None, min_length=2, max_length=2)


class InputModel(Section):
    """A whole input for classical dynamics."""

    system: SystemSection
    forces: ForcesSection = ForcesSection()
    dynamics: DynamicsSection | None = None
    minimise: MinimiseSection = MinimiseSection(method="none")
    output: OutputSection = OutputSection()
    restraints: list[RestraintSection] = Field([])
    patches: PatchesSection = PatchesSection()
    mesh: MeshSection = MeshSection()


sections: dict[str, type[Section]] = {
    "system": SystemSection,
    "forces": ForcesSection,
    "dynamics": DynamicsSection,
    "minimise": MinimiseSection,
    "output": OutputSection,
    "restraints": RestraintSection,
    "patches": PatchesSection,
    "mesh": MeshSection,
}
