# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [ground_state]."""

from __future__ import annotations

from typing import Annotated, Literal

from finegrain import units
from finegrain.toml_input.fields import Count, Section, Seed, key, quantity_reader, shown_as
from finegrain.units import Quantity

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


class GroundStateSection(Section):
    """How the ground state is found."""

    minimiser: Literal["l-bfgs", "conjugate-gradient", "steepest-descent"] = key(
        "how the energy is minimised", "l-bfgs", to="/ground_state/minimiser"
    )
    tolerance: Residual = key(
        "largest residual of a coefficient of an orbital; errors of forces (hartree/bohr) are 5 "
        "to 50 times as large",
        Quantity(1e-7, "1e-7 hartree"),
        to="/ground_state/tolerance",
    )
    energy_tolerance: EnergyChange = key(
        "the ground state also counts as found when the energy has changed by less than this in "
        "two iterations",
        Quantity(1e-11, "1e-11 hartree"),
        to="/ground_state/energy_tolerance",
    )
    iterations: Count = key(
        "most iterations; a ground state that is not found by then is an error (exit status 3)",
        200,
        examples=[200],
        to="/ground_state/iterations",
    )
    start: str | None = key(
        "`atomic`: the lowest combinations of orbitals of atoms (of the pseudopotential files, or "
        "by Slater's rules); `random`; or the folder of a run whose orbitals are kept",
        None,
        min_length=1,
        examples=["atomic"],
        by_default="`atomic` if there are enough of them, else `random`",
    )
    seed: Seed = key("seed of random orbitals", 1, to="/ground_state/seed")
