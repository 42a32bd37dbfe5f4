# SPDX-License-Identifier: BSD-3-Clause
"""The keys of [minimise]."""

from __future__ import annotations

from typing import Annotated, Literal

from finegrain import units
from finegrain.toml_input.fields import Interval, Section, key, quantity_reader, shown_as
from finegrain.units import Quantity

Force = Annotated[
    Quantity, quantity_reader(units.force, most="1e10 kJ/mol/nm"), *shown_as("10 kJ/mol/nm")
]


class MinimiseSection(Section):
    """Minimisation of the energy before the first step."""

    method: Literal["none", "steepest-descent", "l-bfgs"] = key(
        "method of minimisation before the first step",
        "l-bfgs",
        by_default="without this section `none`, with it `l-bfgs`",
    )
    tolerance: Force = key(
        "largest remaining force",
        Quantity(10.0 / units.force_in_kj_per_mol_nm, "10 kJ/mol/nm"),
        to="/dynamics/minimise_tolerance",
    )
    steps: Interval = key("largest number of evaluations", 500, to="/dynamics/minimise_steps")
