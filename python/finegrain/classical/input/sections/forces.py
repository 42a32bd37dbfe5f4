# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [forces]."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from finegrain import units
from finegrain.classical.division.electrostatics import largest_mesh
from finegrain.toml_input.fields import (
    Count,
    Length,
    Section,
    key,
    quantity_reader,
    shown_as,
    sizes,
)
from finegrain.units import Quantity

SwitchLength = Annotated[
    Quantity, quantity_reader(units.length, off=True, **sizes), *shown_as("7.5 Å")
]
InverseLength = Annotated[Quantity, quantity_reader(units.inverse_length), *shown_as("0.35 1/Å")]
Drift = Annotated[Quantity, quantity_reader(units.drift), *shown_as("2e-5 kJ/mol/ps")]
MeshPoints = Annotated[int, Field(ge=1, le=largest_mesh)]
Fraction = Annotated[float, Field(gt=0, lt=0.5, strict=False)]


class ForcesSection(Section):
    """Settings of the forces."""

    cutoff: Length | None = key(
        "cutoff of Lennard-Jones and direct electrostatics (9 Å; CHARMM 12 Å)", None
    )
    switch: SwitchLength | None = key(
        'start of the Lennard-Jones switch, or `"off"` (off; CHARMM 10 Å)', None
    )
    switching: Literal["potential", "force"] = key(
        "what goes smoothly to zero: the energy (OpenMM), or the force (CHARMM)",
        "potential",
        to="/settings/switching",
    )
    electrostatics: Literal["pme", "reaction-field", "plain"] | None = key(
        "particle-mesh Ewald, reaction field, or plain Coulomb (pme)", None
    )
    reaction_field_dielectric: Annotated[float, Field(ge=1, le=1e12, strict=False)] | None = key(
        "dielectric constant beyond the cutoff (78.3)",
        None,
        only_with={"electrostatics": "reaction-field"},
    )
    mesh: list[MeshPoints] | None = key(
        "points per axis, even, without prime factors above 7",
        None,
        min_length=3,
        max_length=3,
        hint="such as [64, 64, 64]",
        only_with={"electrostatics": "pme"},
    )
    mesh_spacing: Length | None = key(
        "largest spacing of the mesh, instead of its points (1 Å)",
        None,
        examples=["1 Å"],
        only_with={"electrostatics": "pme"},
    )
    spline_order: Literal[4, 5, 6, 8] | None = key(
        "order of the B-splines (4; 5 with the tolerance's mesh)",
        None,
        hint="one of 4, 5, 6, 8",
        only_with={"electrostatics": "pme"},
    )
    influence_function: Literal["smooth", "optimal"] = key(
        "of the mesh: that of smooth PME, or the one with the least error of forces (P3M)",
        "smooth",
        only_with={"electrostatics": "pme"},
        to="/settings/influence_function",
    )
    ewald_coefficient: InverseLength | None = key(
        "inverse width of the screening charges; 1.82 to 6 over cutoff",
        None,
        only_with={"electrostatics": "pme"},
    )
    ewald_tolerance: Fraction | None = key(
        "chooses coefficient and mesh as OpenMM does (1e-5)",
        None,
        only_with={"electrostatics": "pme"},
    )
    dispersion_correction: bool | None = key(
        "energy of Lennard-Jones beyond the cutoff (yes; CHARMM no)", None
    )
    constraints: Literal["none", "h-bonds", "all-bonds"] | None = key(
        "bonds with fixed length", None
    )
    rigid_water: bool | None = key("three constraints in each water", None)
    precision: Literal["mixed", "double"] = key(
        "precision of forces; sums and motion are always in double or fixed point",
        "mixed",
        to="/settings/precision",
    )
    bits: Literal["fast", "portable"] = key(
        "the fastest kernels of the processor, or kernels with the same bits on every processor, "
        "which are slower",
        "fast",
        to="/settings/bits",
    )
    pair_list_tolerance: Drift | None = key(
        "largest energy drift per atom that the pair lists may cause", None, by_default="chosen"
    )
    rebuild_interval: Count | None = key(
        "steps between rebuilds of the pair lists", None, by_default="chosen"
    )
    prune_interval: Count | None = key(
        "steps between prunings of the inner pair list, a shorter one that is valid for fewer "
        "steps",
        None,
        by_default="chosen",
    )
