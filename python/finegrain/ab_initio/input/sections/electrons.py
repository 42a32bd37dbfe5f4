# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [electrons]: plane waves, functional and pseudopotentials."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from finegrain import units
from finegrain.toml_input.fields import Count, Section, key, quantity_reader, shown_as
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


class ElectronsSection(Section):
    """Plane waves, functional and pseudopotentials."""

    cutoff: Cutoff = key(
        "largest kinetic energy of a wave of the orbitals; that of the density is four times as "
        "high",
        examples=["70 Ry"],
        to="/electrons/cutoff",
    )
    functional: str = key(
        "`PBE`, `BLYP`, `revPBE`, `LDA` (numbers of PZ81; pseudopotentials of any fit to the "
        "electron gas), `PZ81`, `PW92`, or names of libxc: `GGA_X_PBE_SOL+GGA_C_PBE_SOL`",
        examples=["BLYP"],
    )
    pseudopotentials: Files = key(
        '`{ O = "O.UPF", H = "H.UPF" }`, a file for each element, beside the input or installed; '
        "or `auto`, which [finds them](pseudopotentials.md#where-they-are-looked-for)",
        examples=["auto"],
    )
    pseudopotential_folders: list[str] = key(
        "searched first by `auto`", [], examples=[["pseudopotentials"]]
    )
    effective_cutoff: Cutoff | None = key(
        "a step in the kinetic energy makes waves above it useless, in a [cell of any "
        "size](../how-to/ab-initio-dynamics.md#choices); below `cutoff`. Needs the next two",
        None,
        examples=["60 Ry"],
        to="/electrons/effective_cutoff",
    )
    effective_cutoff_height: StepHeight | None = key(
        "half of what the step adds to the kinetic energy (`qcutz` of Quantum ESPRESSO)",
        None,
        examples=["100 Ry"],
        to="/electrons/effective_cutoff_height",
    )
    effective_cutoff_width: StepWidth | None = key(
        "width of the step (`q2sigma` of Quantum ESPRESSO)",
        None,
        examples=["4 Ry"],
        to="/electrons/effective_cutoff_width",
    )
    allow_low_cutoff: bool = key("accept a cutoff below the one that a file recommends", False)
    allow_other_functional: bool = key(
        "accept pseudopotentials made with another functional", False
    )
    bands: Count | None = key(
        "number of orbitals, with spin of each spin; those above the occupied ones are found "
        "after the ground state, with [the gap](../how-to/ab-initio.md#empty-orbitals)",
        None,
        hint="half of the electrons; leave it out",
        by_default="half of the electrons",
    )
    spin: Literal["none", "collinear"] = key(
        "`collinear`: each orbital holds one electron, up or down; their numbers are fixed. "
        "`none`: each holds two",
        "none",
    )
    multiplicity: Annotated[int, Field(ge=1, le=10**6)] | None = key(
        "with spin: 2S + 1, the number of unpaired electrons plus one; 3 for the triplet of O2",
        None,
        hint="1, 2, 3: unpaired electrons plus one",
        by_default="needed with spin, if no other key or moments give it",
    )
    magnetization: Annotated[int, Field(ge=0, le=10**6)] | None = key(
        "the same as the number of unpaired electrons, instead of the multiplicity",
        None,
        hint="0, 1, 2: unpaired electrons",
    )
    starting_moments: list[Annotated[float, Field(strict=False)]] | None = key(
        "unpaired electrons of each atom at the start, negative for spin down; by default ASE's "
        "initial magnetic moments, or none. Their sum gives the magnetization if no other key "
        "does",
        None,
        hint="one for each atom: [1, 1] for O2",
    )
    gradient_thresholds: Literal["quantum-espresso", "off"] = key(
        "where the gradient of the density counts: everywhere, or as in Quantum ESPRESSO where "
        "density (1/bohr³) and squared gradient are above 1e-6 and 1e-10 (with spin: 1e-6 for "
        "correlation, 1e-10 for exchange)",
        "quantum-espresso",
    )
    negative_density: Literal["none", "mirrored"] = key(
        "exchange and correlation where the density with its model core is negative (by too low a "
        "cutoff): none, or that of the absolute value with the other sign, as in Quantum ESPRESSO",
        "none",
    )
    net_force: Literal["keep", "remove"] = key(
        "the [sum of the forces](../how-to/ab-initio.md#choices): kept, so that forces are "
        "derivatives of the energy, or removed in equal parts from all ions, as pw.x does; not "
        "with dynamics",
        "keep",
    )
    dispersion: Literal["none", "d3zero", "d3bj"] = key(
        "dispersion between atoms by DFT-D3, with the damping of Becke and Johnson (`d3bj`) or "
        "the original one (`d3zero`); for PBE, revPBE, BLYP and PBEsol",
        "none",
    )
    three_body: bool = key(
        "whether the dispersion has terms of three atoms (Axilrod, Teller and Muto)", False
    )
    nonlocal_part: Literal["auto", "exact", "splines"] = key(
        "products of orbitals with projectors: exact, by [splines](../explanation/splines.md), or "
        "by the faster of the two (an estimate)",
        "auto",
    )
    local_part: Literal["auto", "exact", "splines"] = key(
        "the same for local potential and cores", "auto"
    )
    spline_order: Annotated[int, Field(ge=4, le=10)] = key(
        "order of the splines; two more make errors about ten times smaller", 10
    )
    spline_grid: Annotated[float, Field(ge=1.1, le=4, strict=False)] = key(
        "points of the grid of splines along each vector, over the fewest that hold the waves", 1.4
    )
    grid: list[GridPoints] | None = key(
        "points along the vectors of the cell, products of 2, 3, 5, 7; by default the fewest "
        "without aliasing, as in pw.x. [A denser "
        "one](../explanation/accuracy.md#the-grid-of-the-density) makes errors smaller",
        None,
        min_length=3,
        max_length=3,
        hint="such as [100, 100, 100]",
        by_default="chosen",
    )
