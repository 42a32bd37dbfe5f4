# SPDX-License-Identifier: BSD-3-Clause
"""Checks of serialised Systems and States: OpenMM's parser stops at the first odd character.

So it reads ``eps=".nan"`` as 0 and ``mass="1_5.9"`` as 1; it ignores what it does not know. Which
particles and tables there are is checked later, by OpenMM or with the tables of the system.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.findings import Findings, shortened
from finegrain.classical.input.readers.xml_text import look_through
from finegrain.classical.openmm.custom_external import is_restraint
from finegrain.classical.openmm.custom_pairs import (
    is_lennard_jones,
    is_pair_of_lennard_jones,
)
from finegrain.classical.openmm.custom_terms import forces_with_formula, kind_of
from finegrain.classical.openmm.site_elements import attributes_of, known
from finegrain.classical.system.terms import kinds

_parts = {
    "System": ["PeriodicBoxVectors", "Particles", "Constraints", "Forces"],
    "State": [
        *("PeriodicBoxVectors", "Positions", "Velocities", "Forces", "Energies"),
        *("Parameters", "ParameterDerivs", "IntegratorParameters"),
    ],
}
_forces = {
    **{kind.force: {kind.children: kind.child} for kind in kinds if kind.force},
    **{
        kind.force: {
            f"Per{kind.child}Parameters": "Parameter",
            "GlobalParameters": "Parameter",
            "EnergyParameterDerivatives": "Parameter",
            kind.children: kind.child,
        }
        for kind in kinds
        if kind.energy
    },
    "NonbondedForce": {
        "Particles": "Particle",
        "Exceptions": "Exception",
        "GlobalParameters": "Parameter",
        "ParticleOffsets": "Offset",
        "ExceptionOffsets": "Offset",
    },
    "CMMotionRemover": {},
    "CustomTorsionForce": {
        "PerTorsionParameters": "Parameter",
        "GlobalParameters": "Parameter",
        "EnergyParameterDerivatives": "Parameter",
        "Torsions": "Torsion",
    },
    "CMAPTorsionForce": {"Maps": "Map", "Torsions": "Torsion"},
    "CustomNonbondedForce": {
        "PerParticleParameters": "Parameter",
        "GlobalParameters": "Parameter",
        "ComputedValues": "ComputedValue",
        "EnergyParameterDerivatives": "Parameter",
        "Particles": "Particle",
        "Exclusions": "Exclusion",
        "Functions": "Function",
        "InteractionGroups": "InteractionGroup",
    },
    "CustomExternalForce": {
        "PerParticleParameters": "Parameter",
        "GlobalParameters": "Parameter",
        "EnergyParameterDerivatives": "Parameter",
        "Particles": "Particle",
    },
}
_members_of_custom = ("Torsion", "Particle", "Bond", "Angle")  # with a value of each parameter
_atoms = ["p1", "p2", "p3", "p4"]
_atoms_of_cmap = [f"{which}{place}" for which in "ab" for place in range(1, 5)]
_numbers = {
    ("Particles", "Particle"): ["mass"],
    ("Constraints", "Constraint"): ["p1", "p2", "d"],
    ("PeriodicBoxVectors", "A"): ["x", "y", "z"],
    ("PeriodicBoxVectors", "B"): ["x", "y", "z"],
    ("PeriodicBoxVectors", "C"): ["x", "y", "z"],
    ("Positions", "Position"): ["x", "y", "z"],
    ("Velocities", "Velocity"): ["x", "y", "z"],
}
_terms = {
    **{
        (kind.force, kind.child): _atoms[: kind.atoms]
        + [column.attribute for column in kind.columns if not kind.energy]
        for kind in kinds
    },
    ("NonbondedForce", "Particle"): ["q", "sig", "eps"],
    ("NonbondedForce", "Exception"): ["p1", "p2", "q", "sig", "eps"],
    ("CustomTorsionForce", "Torsion"): _atoms,  # and one for each parameter, as all custom ones
    ("CustomNonbondedForce", "Particle"): [],
    ("CustomExternalForce", "Particle"): ["index"],
    ("CustomNonbondedForce", "Exclusion"): ["p1", "p2"],
    ("CustomNonbondedForce", "Function"): ["xsize", "ysize"],
    ("CMAPTorsionForce", "Map"): ["size"],
    ("CMAPTorsionForce", "Torsion"): ["map", *_atoms_of_cmap],
}
_of_force = ["forceGroup", "usesPeriodic", "version", "frequency", "alpha", "cutoff", "method"]
_of_force += ["dispersionCorrection", "ewaldTolerance", "exceptionsUsePeriodic", "ljAlpha", "nx"]
_of_force += ["includeDirectSpace", "ljnx", "ljny", "ljnz", "ny", "nz", "recipForceGroup"]
_of_force += ["rfDielectric", "switchingDistance", "useSwitchingFunction"]
_of_force += ["useLongRangeCorrection"]
_whole = {
    *(*_atoms, *_atoms_of_cmap, "index"),
    *(column.attribute for kind in kinds for column in kind.columns if column.whole),
    *("method", "nx", "ny", "nz", "frequency", "map", "size", "xsize", "ysize"),
}


def check_system_xml(given: Input, key: str, path: Path, root: str) -> None:
    """Raise every invalid number, and every element and attribute that is not read.

    Parameters
    ----------
    root : str
        "System" or "State".
    """
    found = Findings()
    look = _Look(path.name, found, root)
    look_through(given, key, path, found, look.element, f"OpenMM {root}")
    if look.context:
        given.notes.append(
            f"{path.name} holds values of parameters ({', '.join(look.context)}), which are not "
            "used: those of the System's forces are"
        )


class _Look:
    """What has been found so far in one file."""

    def __init__(self, file: str, found: Findings, root: str) -> None:
        self.file, self.found, self.root = file, found, root
        self.force = ""
        self.has_site = False  # the last particle
        self.seen: set[tuple[str, ...]] = set()
        self.parameters = 0  # of each member of a custom force
        self.context: list[str] = []  # names of parameters that a State holds

    def element(self, tags: list[str], attributes: dict[str, str], line: int) -> None:
        """Look at one element."""
        depth, tag = len(tags), tags[-1]
        if depth == 1:
            if tag != self.root:
                what, limit = f"is not a whole OpenMM {self.root}", f"it holds a {shortened(tag)}"
                self.found.add(self.file, line, what, f"<{tag}>", limit, _made_by(self.root))
            return
        if tags[0] != self.root:
            return
        if depth == 2:
            self._once((tag,), line)
            if tag not in _parts[self.root]:
                what = f"is no part of a {self.root}"
                self.found.unknown(self.file, line, what, tag, _parts[self.root])
            elif (self.root, tag) == ("State", "Parameters"):
                self.context = [shortened(name) for name in attributes]
            return
        if self.root == "System" and tags[1] == "Forces":
            self._force(tags, attributes, line)
            return
        columns = _numbers.get((tags[1], tag)) if depth == 3 else None
        if columns is not None:
            self.has_site = False
            self._attributes(tag, attributes, columns, line)
        elif depth == 4 and tags[1:3] == ["Particles", "Particle"]:
            self._virtual_site(tag, attributes, line)
        elif depth == 3 and tags[1] in ("Particles", "Constraints", "Positions", "Velocities"):
            known = [name for part, name in _numbers if part == tags[1]]
            self.found.unknown(self.file, line, f"is no part of {tags[1]}", tag, known)

    def _virtual_site(self, tag: str, attributes: dict[str, str], line: int) -> None:
        if self.has_site:
            hint = "keep one; only the first would be read"
            self.found.add(
                self.file, line, "is a second virtual site of a particle", tag, hint=hint
            )
        self.has_site = True
        if tag in known:  # others are refused by their name later
            needed = attributes_of(tag, list(attributes))
            self._attributes(tag, attributes, needed, line)

    def _force(self, tags: list[str], attributes: dict[str, str], line: int) -> None:
        tag, depth = tags[-1], len(tags)
        if depth == 3:
            self.force = _understood(attributes)
            self.seen = {part for part in self.seen if len(part) == 1}
            self.parameters = 0
            if self.force in _forces:
                self._attributes(self.force, _without_texts(attributes), [], line, also=_of_force)
        elif self.force not in _forces:
            return  # refused by its name later
        elif depth == 4:
            self._once((self.force, tag), line)
            if tag not in _forces[self.force]:
                what = f"is no part of {self.force}"
                self.found.unknown(self.file, line, what, tag, list(_forces[self.force]))
        elif depth == 5 and tags[3] in _forces[self.force]:
            wanted = _forces[self.force][tags[3]]
            if tag != wanted:
                self.found.unknown(self.file, line, f"is no part of {tags[3]}", tag, [wanted])
            elif (self.force, tag) in _terms:
                needed = _terms[self.force, tag]
                if self.force.startswith("Custom") and tag in _members_of_custom:
                    needed = [*needed, *(f"param{i + 1}" for i in range(self.parameters))]
                self._attributes(tag, _without_texts(attributes), needed, line, also=["version"])
            elif tag == "Parameter":
                self.parameters += tags[3].startswith("Per")
                needed = ["default"] if tags[3] == "GlobalParameters" else []
                self._attributes(tag, _without_texts(attributes), needed, line)
        elif depth == 7 and tags[3:6] == ["Functions", "Function", "Values"]:
            self._attributes(tag, attributes, ["v"], line)
        elif depth == 6 and tags[3:5] == ["Maps", "Map"]:
            if tag == "Energy":
                self._attributes(tag, attributes, ["e"], line)
            else:
                self.found.unknown(self.file, line, "is no part of Map", tag, ["Energy"])

    def _once(self, part: tuple[str, ...], line: int) -> None:
        if part in self.seen:
            hint = "keep one; only the first would be read"
            self.found.add(self.file, line, "stands twice", f"<{part[-1]}>", hint=hint)
        self.seen.add(part)

    def _attributes(
        self,
        tag: str,
        attributes: dict[str, str],
        needed: list[str],
        line: int,
        also: list[str] | None = None,
    ) -> None:
        known = needed + (also or [])
        for name in needed:
            if name not in attributes:
                hint = f"{tag} takes {', '.join(needed)}"
                self.found.add(self.file, line, "lacks an attribute", f"{tag} {name}", hint=hint)
        for name, text in attributes.items():
            if name not in known:
                what = f"is no attribute of {tag}"
                self.found.unknown(self.file, line, what, name, known)
            else:
                whole = name in _whole
                self.found.number(self.file, line, text, f"{tag} {name} =", whole=whole)


def _without_texts(attributes: dict[str, str]) -> dict[str, str]:
    texts = ("type", "name", "energy")
    return {name: value for name, value in attributes.items() if name not in texts}


def _understood(attributes: dict[str, str]) -> str:
    """Return the type of a force; nothing for one that is refused by its formula later."""
    kind, force = attributes.get("type", ""), ET.Element("Force", attributes)
    if kind == "CustomNonbondedForce" and not is_lennard_jones(force):
        return ""
    if kind == "CustomExternalForce" and not is_restraint(force):
        return ""
    if kind == "CustomBondForce" and is_pair_of_lennard_jones(force):
        return kind
    if kind in forces_with_formula and kind_of(force) is None:
        return ""
    return kind


def _made_by(root: str) -> str:
    if root == "System":
        return "write it with openmm.XmlSerializer.serialize(system)"
    return "write it with simulation.saveState(file)"
