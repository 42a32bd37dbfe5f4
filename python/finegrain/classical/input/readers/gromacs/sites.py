# SPDX-License-Identifier: BSD-3-Clause
"""The virtual sites of a GROMACS topology, in the form that a System has them.

The formulas are those of the GROMACS reference manual, "Virtual interaction sites". Sites at a
fixed distance (2fd, 3fd, 3fad, 4fd, 4fdn) are steps in a frame that the atoms carry with them.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finegrain.classical.input.readers.gromacs import sections
from finegrain.classical.input.readers.gromacs.molecules import Molecule, Term, Topology
from finegrain.classical.input.readers.gromacs.parameters import Resolved
from finegrain.classical.input.readers.gromacs.site_geometry import Geometry
from finegrain.classical.system.sites import most_parents

Weights = Sequence[float]
_averages = {2: "TwoParticleAverageSite", 3: "ThreeParticleAverageSite"}


@dataclass(frozen=True)
class Site:
    """A site of a molecule; atoms are counted from 1.

    Attributes
    ----------
    weights, x, y : sequence of float
        The weights of the atoms that it follows: in its origin, and in the two directions of its
        frame.
    offset : tuple of float, nm
        In the frame; without directions the third is the factor of the cross product, 1/nm.
    """

    atom: int
    parents: tuple[int, ...]
    weights: Weights
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    x: Weights = ()
    y: Weights = ()

    def element(self, first: int) -> ET.Element:
        """Return the element of a System's particle; `first` is that of the molecule, from -1."""
        values = {f"p{place}": str(first + atom) for place, atom in enumerate(self.parents, 1)}
        if not self.x and self.offset[2]:
            numbers = (*self.weights[1:], self.offset[2])
            values |= _written(zip(("w12", "w13", "wc"), numbers, strict=True))
            return ET.Element("OutOfPlaneSite", values)
        if not self.x and len(self.parents) in _averages:
            values |= _written((f"w{place}", w) for place, w in enumerate(self.weights, 1))
            return ET.Element(_averages[len(self.parents)], values)
        nothing = [0.0] * len(self.parents)
        for name, weights in (("wo", self.weights), ("wx", self.x), ("wy", self.y)):
            values |= _written((f"{name}{i}", w) for i, w in enumerate(weights or nothing, 1))
        values |= _written((f"pos{axis}", step) for axis, step in enumerate(self.offset, 1))
        return ET.Element("LocalCoordinatesSite", values)


def _written(pairs: Iterable[tuple[str, float]]) -> dict[str, str]:
    return {name: repr(float(number)) for name, number in pairs}


def sites_of(topology: Topology, molecule: Molecule, resolved: list[Resolved]) -> list[Site]:
    """Return the sites of a molecule; what cannot be placed is found."""
    terms = molecule.of(*sections.sites)
    if not terms:
        return []
    geometry = Geometry(molecule, resolved)
    sites = []
    for term in terms:
        numbers = [float(number) for number in term.numbers]
        if not numbers and term.section in ("virtual_sites3", "virtual_sites4"):
            found = geometry.parameters(term)
            if found is None:
                what = "has no parameters, and the geometry does not give them"
                value = f"[ {term.section} ] {term.line.text}"
                hint = "bonds and angles between the site and its atoms must have lengths and sizes"
                topology.found.add(term.line.file, term.line.number, what, value, hint=hint)
                continue
            numbers = found
        if (site := _site(topology, molecule, term, numbers)) is not None:
            sites.append(site)
    return sites


def _site(topology: Topology, molecule: Molecule, term: Term, numbers: list[float]) -> Site | None:
    atom, parents, kind = term.atoms[0], term.atoms[1:], term.section
    function = term.function.lstrip("-")
    if kind == "virtual_sitesn":
        return _centre(topology, molecule, term, numbers)
    if kind == "virtual_sites1":
        return Site(atom, parents, (1.0,))
    if kind == "virtual_sites2":
        (a,) = numbers
        if function == "1":
            return Site(atom, parents, (1 - a, a))
        return Site(atom, parents, (1.0, 0.0), (a, 0.0, 0.0), (-1.0, 1.0))
    first = (1.0, *[0.0] * (len(parents) - 1))
    if kind == "virtual_sites4":
        a, b, c = numbers
        if function == "1":
            return Site(atom, parents, first, (c, 0.0, 0.0), (-1.0, 1 - a - b, a, b))
        return Site(
            atom, parents, first, (0.0, 0.0, c), (1 - a, -1.0, a, 0.0), (1 - b, -1.0, 0.0, b)
        )
    a, b = numbers[:2]
    if function == "1":
        return Site(atom, parents, (1 - a - b, a, b))
    if function == "2":
        return Site(atom, parents, first, (b, 0.0, 0.0), (-1.0, 1 - a, a))
    if function == "3":
        angle = math.radians(a)
        step = (b * math.cos(angle), b * math.sin(angle), 0.0)
        return Site(atom, parents, first, step, (-1.0, 1.0, 0.0), (0.0, -1.0, 1.0))
    return Site(atom, parents, (1 - a - b, a, b), (0.0, 0.0, numbers[2]))


def _centre(
    topology: Topology, molecule: Molecule, term: Term, numbers: list[float]
) -> Site | None:
    """Return the centre of some atoms, by their places, their masses, or weights of its own."""
    atom, parents, line = term.atoms[0], term.atoms[1:], term.line
    value = f"[ {term.section} ] {line.text}"
    if len(parents) > most_parents:
        what = f"is not supported: a virtual site of {len(parents)} atoms"
        hint = "describe it with fewer atoms"
        topology.found.add(line.file, line.number, what, value, f"{most_parents} atoms", hint)
        return None
    weights = numbers
    if term.function == "1":
        weights = [1.0] * len(parents)
    elif term.function == "2":
        weights = [_mass(topology, molecule, parent) for parent in parents]
    if min(weights) < 0 or sum(weights) <= 0:
        what = "has weights that make no centre"
        limit = "0 or more each, and more than 0 together"
        topology.found.add(line.file, line.number, what, value, limit)
        return None
    total = sum(weights)
    return Site(atom, parents, [weight / total for weight in weights])


def _mass(topology: Topology, molecule: Molecule, atom: int) -> float:
    row = molecule.rows[atom - 1]
    return float(row[7] if len(row) > 7 else topology.atom_types[row[1]].mass)
