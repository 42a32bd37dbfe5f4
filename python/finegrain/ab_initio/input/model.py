# SPDX-License-Identifier: BSD-3-Clause
"""The keys of an input for ab initio runs: its sections, whose keys are in `sections`.

A key that is not given is None if its default depends on the system or on the files.
"""

from __future__ import annotations

from finegrain.ab_initio.input.sections.dynamics import DynamicsSection
from finegrain.ab_initio.input.sections.electrons import ElectronsSection
from finegrain.ab_initio.input.sections.ground_state import GroundStateSection
from finegrain.ab_initio.input.sections.objects import ObjectsSection
from finegrain.ab_initio.input.sections.output import OutputSection
from finegrain.ab_initio.input.sections.system import SystemSection
from finegrain.toml_input.fields import Section


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
