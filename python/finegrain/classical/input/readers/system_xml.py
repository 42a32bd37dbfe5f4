# SPDX-License-Identifier: BSD-3-Clause
"""Checks of serialised Systems and States: OpenMM's parser stops at the first odd character.

So it reads ``eps=".nan"`` as 0 and ``mass="1_5.9"`` as 1; it ignores what it does not know.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from finegrain.classical.input.load import Input
from finegrain.classical.input.readers.cmap_tables import other_size
from finegrain.classical.input.readers.findings import Findings, shortened
from finegrain.classical.input.readers.plain_numbers import is_whole
from finegrain.classical.input.readers.xml_text import look_through
from finegrain.classical.openmm.custom_external import is_restraint
from finegrain.classical.openmm.custom_pairs import (
    is_lennard_jones,
    is_pair_of_lennard_jones,
)
from finegrain.classical.openmm.site_elements import attributes_of, known
from finegrain.classical.system.cmap_maps import least_size, most_size, sizes_allowed
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
    "CustomBondForce": {
        "PerBondParameters": "Parameter",
        "GlobalParameters": "Parameter",
        "EnergyParameterDerivatives": "Parameter",
        "Bonds": "Bond",
    },
}
_members_of_custom = ("Torsion", "Particle", "Bond")  # with a value of each parameter
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
        + [column.attribute for column in kind.columns]
        for kind in kinds
    },
    ("NonbondedForce", "Particle"): ["q", "sig", "eps"],
    ("NonbondedForce", "Exception"): ["p1", "p2", "q", "sig", "eps"],
    ("CustomTorsionForce", "Torsion"): _atoms,  # and one for each parameter, as the next
    ("CustomNonbondedForce", "Particle"): [],
    ("CustomBondForce", "Bond"): ["p1", "p2"],
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
_names_particle = {*_atoms, *_atoms_of_cmap, "index"}
_whole = {
    *_names_particle,
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
    look.finish()
    found.raise_them(given)
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
        self.particles = 0  # in the System
        self.has_site = False  # the last particle
        self.charges = 0  # particles of the NonbondedForce
        self.charges_line = 0
        self.pairs: set[tuple[str, ...]] = set()  # of exceptions
        self.beyond: list[tuple[int, str, int]] = []  # line, what, index
        self.seen: set[tuple[str, ...]] = set()
        self.parameters = 0  # of each member of a custom force
        self.maps = _Maps(file, found)
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
            self.particles += tag == "Particle"
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
            self.maps.end()
            if self.force in _forces:
                self._attributes(self.force, _without_texts(attributes), [], line, also=_of_force)
        elif self.force not in _forces:
            return  # refused by its name later
        elif depth == 4:
            self._once((self.force, tag), line)
            if tag not in _forces[self.force]:
                what = f"is no part of {self.force}"
                self.found.unknown(self.file, line, what, tag, list(_forces[self.force]))
            elif tag == "Particles" and self.force == "NonbondedForce":
                self.charges, self.charges_line = 0, line
            elif tag == "Exceptions":
                self.pairs = set()
        elif depth == 5 and tags[3] in _forces[self.force]:
            wanted = _forces[self.force][tags[3]]
            if tag != wanted:
                self.found.unknown(self.file, line, f"is no part of {tags[3]}", tag, [wanted])
            elif (self.force, tag) in _terms:
                self.charges += tag == "Particle" and self.force == "NonbondedForce"
                needed = _terms[self.force, tag]
                if self.force.startswith("Custom") and tag in _members_of_custom:
                    needed = [*needed, *(f"param{i + 1}" for i in range(self.parameters))]
                self._attributes(tag, _without_texts(attributes), needed, line, also=["version"])
                if tag == "Exception":
                    self._exception(attributes, line)
                elif self.force == "CMAPTorsionForce":
                    self.maps.element(tag, attributes, line)
            elif tag == "Parameter":
                self.parameters += tags[3].startswith("Per")
                needed = ["default"] if tags[3] == "GlobalParameters" else []
                self._attributes(tag, _without_texts(attributes), needed, line)
        elif depth == 7 and tags[3:6] == ["Functions", "Function", "Values"]:
            self._attributes(tag, attributes, ["v"], line)
        elif depth == 6 and tags[3:5] == ["Maps", "Map"]:
            if tag == "Energy":
                self._attributes(tag, attributes, ["e"], line)
                self.maps.held += 1
            else:
                self.found.unknown(self.file, line, "is no part of Map", tag, ["Energy"])

    def _exception(self, attributes: dict[str, str], line: int) -> None:
        pair = tuple(sorted(attributes.get(name, "") for name in ("p1", "p2")))
        if pair in self.pairs:
            hint = "keep one exception for each pair"
            self.found.add(
                self.file, line, "is given twice", f"Exception {' '.join(pair)}", hint=hint
            )
        self.pairs.add(pair)

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
            elif not self.found.number(
                self.file, line, text, f"{tag} {name} =", whole=name in _whole
            ):
                continue
            elif name in _names_particle and not 0 <= int(text) < self.particles:
                self.beyond.append((line, f"{tag} {name} = {text}", int(text)))

    def finish(self) -> None:
        """Compare counts and indices with the number of particles, which is only known now."""
        self.maps.end()
        for line, value, index in self.beyond:
            if not 0 <= index < self.particles:
                limit = f"0 to {self.particles - 1:,}"
                hint = "particles count from 0; make the System again"
                self.found.add(self.file, line, "is no particle of the System", value, limit, hint)
        if self.charges_line and self.charges != self.particles:
            what = f"holds {self.charges:,} particles, but the System has {self.particles:,}"
            hint = "make the System again"
            self.found.add(self.file, self.charges_line, what, "NonbondedForce", hint=hint)


class _Maps:
    """The maps of a CMAPTorsionForce: their sizes, numbers of energies, and terms that use them."""

    def __init__(self, file: str, found: Findings) -> None:
        self.file, self.found = file, found
        self.count = 0
        self.size, self.held, self.line = 0, 0, 0  # of the last map
        self.used: list[tuple[int, int]] = []  # line and number of a map

    def element(self, tag: str, attributes: dict[str, str], line: int) -> None:
        """Look at the beginning of a map or at a term."""
        if tag == "Torsion":
            if is_whole(number := attributes.get("map", "")):
                self.used.append((line, int(number)))
            return
        self._end_of_map()
        size = attributes.get("size", "")
        self.count, self.held, self.line = self.count + 1, 0, line
        self.size = int(size) if is_whole(size) else 0
        if self.size and not least_size <= self.size <= most_size:
            what, value = "is a CMAP table of a size that cannot be used", f"Map size = {size}"
            self.found.add(self.file, line, what, value, sizes_allowed, other_size)
            self.size = 0

    def _end_of_map(self) -> None:
        if self.size and self.held != self.size**2:
            what = f"holds {self.held:,} of {self.size**2:,} energies"
            value, hint = f"Map size = {self.size}", "make the System again"
            self.found.add(self.file, self.line, what, value, hint=hint)
        self.size = 0

    def end(self) -> None:
        """Look at what a whole force shows."""
        self._end_of_map()
        for line, number in self.used:
            if not 0 <= number < self.count:
                limit = f"0 to {self.count - 1}" if self.count else "it has none"
                hint = "maps count from 0; make the System again"
                value = f"Torsion map = {number}"
                self.found.add(self.file, line, "is no map of the force", value, limit, hint)
        self.count, self.used = 0, []


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
    if kind == "CustomBondForce" and not is_pair_of_lennard_jones(force):
        return ""
    return kind


def _made_by(root: str) -> str:
    if root == "System":
        return "write it with openmm.XmlSerializer.serialize(system)"
    return "write it with simulation.saveState(file)"
