# SPDX-License-Identifier: BSD-3-Clause
"""The keys of an input file: one class per section, one field per key.

A key that is not given is None if the topology may have a value of its own (see
`finegrain.input.settings`); all other defaults are here. The bounds are those of the engine
(`engine/records/job_check.cpp`) or narrower, so that an accepted input can be run.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from finegrain import units
from finegrain.input.electrostatics import largest_mesh
from finegrain.input.given_box import GivenBox, box_reader
from finegrain.units import Quantity, UnitError


def _reader(
    dimension: units.Dimension,
    *,
    zero: bool = False,
    off: bool = False,
    least: str = "",
    most: str = "",
    hint: str = "",
) -> BeforeValidator:
    """Read a quantity; refuse it outside `least` to `most`, with `hint` or an example."""
    low = units.parse_quantity(least, dimension).value if least else 0.0
    high = units.parse_quantity(most, dimension).value if most else math.inf

    def refuse(what: str, hint: str, limit: str = "") -> PydanticCustomError:
        context = {"what": what, "hint": hint, "limit": limit}
        return PydanticCustomError("quantity", "{what}", context)

    def read(value: Any) -> Any:
        if off and value == "off":
            return Quantity(0.0, "off")
        try:
            quantity = units.parse_quantity(value, dimension)
        except UnitError as error:
            raise refuse(error.what, error.hint + (', or "off"' if off else "")) from None
        example = hint or f'such as "{dimension.example}"'
        if quantity.value < 0 or (quantity.value == 0 and not zero):
            raise refuse("must not be negative" if zero else "must be positive", example)
        # A limit may itself be written in another unit, with another rounding.
        if quantity.value > high * (1 + 1e-12):
            raise refuse("out of range", example, f"at most {most}")
        if quantity.value < low * (1 - 1e-12):
            raise refuse("out of range", example, f"at least {least}")
        return quantity

    return BeforeValidator(read)


def _text(example: str) -> tuple[PlainSerializer, WithJsonSchema]:
    schema = WithJsonSchema({"type": "string", "examples": [example]})
    return PlainSerializer(str, return_type=str), schema


_size = {"least": "0.01 Å", "most": "1e5 nm"}
_steady = 'bonds to hydrogen held fixed allow "2 fs", hydrogens made heavier (HMR) "4 fs"'

Length = Annotated[Quantity, _reader(units.length, **_size), *_text("9 Å")]
SwitchLength = Annotated[Quantity, _reader(units.length, off=True, **_size), *_text("7.5 Å")]
InverseLength = Annotated[Quantity, _reader(units.inverse_length), *_text("0.35 1/Å")]
Time = Annotated[Quantity, _reader(units.time, most="20 fs", hint=_steady), *_text("2 fs")]
Rate = Annotated[Quantity, _reader(units.rate, zero=True, most="1e4 1/fs"), *_text("1 1/ps")]
Temperature = Annotated[
    Quantity, _reader(units.temperature, zero=True, most="1e5 K"), *_text("300 K")
]
Force = Annotated[Quantity, _reader(units.force, most="1e10 kJ/mol/nm"), *_text("10 kJ/mol/nm")]
Mass = Annotated[Quantity, _reader(units.mass, least="0.5 Da", most="12 Da"), *_text("3 Da")]
Drift = Annotated[Quantity, _reader(units.drift), *_text("2e-5 kJ/mol/ps")]
WallTime = Annotated[Quantity, _reader(units.wall_time, zero=True, most="1e9 s"), *_text("15 min")]

Box = Annotated[
    GivenBox,
    PlainValidator(
        box_reader(
            _reader(units.length, **_size).func,
            _reader(units.angle, least="1 degree", most="179 degrees").func,
        )
    ),
    WithJsonSchema({"type": "array", "minItems": 3, "maxItems": 6}),
]

Steps = Annotated[int, Field(ge=0, le=10**15)]
Interval = Annotated[int, Field(ge=0, le=10**9)]
ListInterval = Annotated[int, Field(ge=1, le=10**6)]
MeshPoints = Annotated[int, Field(ge=1, le=largest_mesh)]
Patches = Annotated[int, Field(ge=1, le=1024)]
Pencils = Annotated[int, Field(ge=1, le=4096)]
Fraction = Annotated[float, Field(gt=0, lt=0.5, strict=False)]


class Section(BaseModel):
    """A table of the input; unknown keys and values of another type are errors."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, arbitrary_types_allowed=True, allow_inf_nan=False
    )


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
    box: Box | None = Field(None, examples=[["30 Å"] * 3])


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
    pair_list_tolerance: Drift | None = None
    rebuild_interval: ListInterval | None = None
    prune_interval: ListInterval | None = None


class DynamicsSection(Section):
    """Settings of the dynamics."""

    ensemble: Literal["nve", "nvt"] = "nve"
    timestep: Time = Field(examples=["2 fs"])
    steps: Steps = Field(examples=[1000])
    temperature: Temperature | None = Field(None, examples=["300 K"])
    friction: Rate | None = Field(None, examples=["1 1/ps"])
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


class PatchesSection(Section):
    """The division of the box; a good one is chosen if it is not given."""

    grid: list[Patches] | None = Field(None, min_length=3, max_length=3)


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
    patches: PatchesSection = PatchesSection()
    mesh: MeshSection = MeshSection()


sections: dict[str, type[Section]] = {
    "system": SystemSection,
    "forces": ForcesSection,
    "dynamics": DynamicsSection,
    "minimise": MinimiseSection,
    "output": OutputSection,
    "patches": PatchesSection,
    "mesh": MeshSection,
}
