# SPDX-License-Identifier: BSD-3-Clause
"""From a text file to a checked model; every problem in words that a user can act on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from finegrain.classical.input.baths import bath_problems, lacks_temperature
from finegrain.classical.input.impulses import interval_problems
from finegrain.classical.input.model import InputModel, sections
from finegrain.errors import InputError, Problem
from finegrain.toml_input.given import GivenInput, checked_source
from finegrain.toml_input.key_effects import useless_keys
from finegrain.toml_input.problems import InputKeys
from finegrain.toml_input.source import InputFile, TomlSource, read_toml

_files = ("topology", "coordinates", "parameters", "forcefield", "reference")
_keys = InputKeys(
    InputModel,
    sections,
    paths=(*_files, "directory", "include"),
    lists={
        "restraints": "start each group with a line [[restraints]]; "
        'restraints = "none" takes all out'
    },
)


@dataclass
class Input(GivenInput[InputModel]):
    """A parsed input for classical dynamics."""

    allow_scripts: bool = False  # whether a force field may execute Python
    # of a stage: whether another stage is before it, whose positions it gets; whether it also gets
    # the velocities; the highest temperature there (hartree)
    follows: bool = False
    carries_velocities: bool = False
    temperature_before: float = 0.0

    @property
    def without_restraints(self) -> bool:
        """Whether the user wants none, not even those of the topology."""
        return self.source.data.get("restraints") == "none"


def load_input(path: str | InputFile, *, strict: bool = True) -> Input:
    """Read an input; `strict` is that of `checked_source`.

    Raises
    ------
    InputError
        With all problems of the file, each with line, value, limit and remedy.
    """
    source = read_toml(path)
    if "stages" in source.data:
        what = "has stages, each of which is a job"
        hint = "`finegrain run` runs them one after the other, `finegrain check` checks them"
        raise InputError([Problem(what, source.place("stages.0"), hint=hint)], source=source.name)
    return load_source(source, strict=strict)


def load_source(source: TomlSource, *, strict: bool = True) -> Input:
    """Check a parsed input, as `load_input` does."""
    return checked_source(
        source, _keys, _contradictions, Input, strict=strict, left_out=[("restraints", "none")]
    )


def _contradictions(source: TomlSource, model: InputModel) -> list[Problem]:
    """Find keys that exclude or need each other."""
    found: list[Problem] = []
    forces = model.forces
    for one, other in (("mesh", "mesh_spacing"), ("ewald_coefficient", "ewald_tolerance")):
        if getattr(forces, one) is not None and getattr(forces, other) is not None:
            what = f"given beside forces.{one}"
            found.append(source.problem(f"forces.{other}", what, hint="keep one of the two"))
    found += _unused(source, model)
    found += _restraints(source, model)
    if forces.cutoff and forces.switch and forces.switch.value >= forces.cutoff.value:
        limit = f"less than the cutoff, {forces.cutoff}"
        hint = 'switch = "off" cuts sharply'
        found.append(
            source.problem("forces.switch", "starts beyond the cutoff", limit=limit, hint=hint)
        )
    if (dynamics := model.dynamics) is not None:
        found += bath_problems(source, dynamics)
        found += interval_problems(source, model)
        if dynamics.velocities == "from-temperature" and lacks_temperature(source, dynamics):
            hint = 'add temperature = "300 K"'
            found.append(source.problem("dynamics.velocities", "needs a temperature", hint=hint))
    return found


def _restraints(source: TomlSource, model: InputModel) -> list[Problem]:
    """Find restraints without a force constant, or with one that holds nothing."""
    found: list[Problem] = []
    for number, wanted in enumerate(model.restraints):
        key, constants = f"restraints.{number}.force_constant", wanted.force_constant
        if wanted.atoms == [of_topology]:
            if constants is not None:
                what, hint = "is that of the topology", "take it out, or name other atoms"
                found.append(source.problem(key, what, hint=hint))
        elif constants is None:
            hint = 'such as force_constant = "1000 kJ/mol/nm^2"'
            found.append(Problem("missing key", source.place(key), key, hint=hint))
        elif len(constants) not in (1, 3):
            what, hint = f"holds {len(constants)} values", "one, or three: along x, y and z"
            found.append(source.problem(key, what, hint=hint))
        elif not any(constant.value for constant in constants):
            hint = "take the table out, or give a number above 0"
            found.append(source.problem(key, "holds no atom", hint=hint))
    return found


of_topology = "topology"  # [[restraints]] atoms = "topology": those that the topology restrains

# The keys for each kind of topology, in addition to those for all kinds.
_goes_with = {
    "openmmtools:NAME": ("coordinates",),
    ".prmtop": ("coordinates",),
    ".parm7": ("coordinates",),
    ".psf": ("coordinates", "parameters"),
    ".top": ("coordinates", "include", "define"),
    ".pdb": ("coordinates", "forcefield"),
    ".cif": ("coordinates", "forcefield"),
    ".pdbx": ("coordinates", "forcefield"),
    ".xml": ("coordinates",),
}


def _unused(source: TomlSource, model: InputModel) -> list[Problem]:
    """Find keys that have no effect beside another choice; silence would hide a mistake."""
    system, forces = model.system, model.forces
    kind = Path(system.topology).suffix.lower()
    if system.topology.startswith("openmmtools:"):
        kind = "openmmtools:NAME"
    used = _goes_with.get(kind)
    found: list[Problem] = []
    for key in ("coordinates", "parameters", "forcefield", "include", "define"):
        if used is not None and key not in used and getattr(system, key):
            kinds = ", ".join(name for name, keys in _goes_with.items() if key in keys)
            hint = f"take it out; it goes with {kinds}"
            what = f"has no use with a topology {kind}"
            found.append(source.problem(f"system.{key}", what, hint=hint))
    if system.frame is not None and not (system.coordinates or "").lower().endswith(".h5"):
        hint = 'take it out; it goes with coordinates = "runs/…/trajectory.h5"'
        found.append(source.problem("system.frame", "has no use without a trajectory", hint=hint))
    return found + [
        source.problem(
            f"forces.{key}",
            f"has no use with {clash}",
            hint=f"take it out, or change forces.{clash.other}",
        )
        for key, clash in useless_keys(forces)
        if not source.has_wrong(f"forces.{clash.other}", clash.word)
    ]
