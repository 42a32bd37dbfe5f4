# SPDX-License-Identifier: BSD-3-Clause
"""The keys of a classical input: its sections, whose keys are in `sections`.

A key that is not given is None if the topology may have a value of its own (see
`finegrain.classical.input.settings`), or if its default depends on other keys. The bounds are those
of the engine (`engine/records/job/job_check.cpp`) or narrower, so that an accepted input can be
run.
"""

from __future__ import annotations

from pydantic import Field

from finegrain.classical.input.sections.division import MeshSection, PatchesSection
from finegrain.classical.input.sections.dynamics import DynamicsSection
from finegrain.classical.input.sections.forces import ForcesSection
from finegrain.classical.input.sections.minimise import MinimiseSection
from finegrain.classical.input.sections.output import OutputSection
from finegrain.classical.input.sections.restraints import RestraintSection
from finegrain.classical.input.sections.system import SystemSection
from finegrain.toml_input.fields import Section


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
