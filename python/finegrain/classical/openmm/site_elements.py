# SPDX-License-Identifier: BSD-3-Clause
"""The virtual sites of an OpenMM System: in its XML each is an element inside its particle."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np

from finegrain.classical.system.refusals import refused
from finegrain.classical.system.sites import (
    VirtualSites,
    average,
    local_frame,
    most_parents,
    out_of_plane,
)
from finegrain.classical.system.system import Names
from finegrain.errors import Problem
from finegrain.units import bohr_in_nm

# The attributes of each kind; those of a frame repeat for each of its parents.
known = {
    "TwoParticleAverageSite": ("p1", "p2", "w1", "w2"),
    "ThreeParticleAverageSite": ("p1", "p2", "p3", "w1", "w2", "w3"),
    "OutOfPlaneSite": ("p1", "p2", "p3", "w12", "w13", "wc"),
    "LocalCoordinatesSite": ("pos1", "pos2", "pos3"),
}
of_frame = ("p", "wo", "wx", "wy")


def attributes_of(kind: str, given: list[str]) -> list[str]:
    """Return the attributes that an element of this kind must have.

    Parameters
    ----------
    given : list of str
        The attributes that it has; the number of parents of a frame follows from them.
    """
    if kind != "LocalCoordinatesSite":
        return list(known[kind])
    parents = max(sum(name[:1] == "p" and name[1:].isdigit() for name in given), 2)
    frame = [f"{name}{number + 1}" for number in range(parents) for name in of_frame]
    return [*frame, *known[kind]]


def read_sites(particles: ET.Element | None, names: Names) -> tuple[VirtualSites, list[Problem]]:
    """Read the sites of all particles; kinds that the engine does not have are refused by name."""
    elements = [
        (index, particle[0])
        for index, particle in enumerate(particles if particles is not None else ())
        if len(particle)
    ]
    if not elements:
        return VirtualSites(), []
    strange = Counter(site.tag for _, site in elements if site.tag not in known)
    problems = []
    for kind, count in strange.items():
        first = next(index for index, site in elements if site.tag == kind)
        hint = f"the kinds of virtual sites are {', '.join(known)}"
        what = f"virtual sites ({kind}, {count} of them; first {names.describe(first)})"
        problems.append(refused(what, hint))
    for index, site in elements:
        if f"p{most_parents + 1}" in site.attrib:
            hint = f"describe it with at most {most_parents} of them"
            what = f"virtual sites with more than {most_parents} parents ({names.describe(index)})"
            problems.append(refused(what, hint))
            break
        if min(_numbered(site, "p"), default=0) < 0:
            what, value = "names an atom that does not exist", f"site {names.describe(index)}"
            problems.append(Problem(what, value=value, hint="make the topology again"))
            break
    if problems:
        return VirtualSites(), problems
    return _table(elements), []


def _table(elements: list[tuple[int, ET.Element]]) -> VirtualSites:
    count = len(elements)
    sites = VirtualSites(
        site=np.array([index for index, _ in elements], dtype=np.int32),
        kind=np.full(count, average, dtype=np.int32),
        parents=np.full((count, most_parents), -1, dtype=np.int32),
        weights=np.zeros((count, most_parents)),
        x_weights=np.zeros((count, most_parents)),
        y_weights=np.zeros((count, most_parents)),
        offset=np.zeros((count, 3)),
    )
    for row, (_, site) in enumerate(elements):
        parents = _numbered(site, "p")
        sites.parents[row, : len(parents)] = parents
        if site.tag == "OutOfPlaneSite":
            sites.kind[row] = out_of_plane
            one, other = float(site.attrib["w12"]), float(site.attrib["w13"])
            sites.weights[row, :3] = 1 - one - other, one, other
            sites.offset[row, 2] = float(site.attrib["wc"]) * bohr_in_nm
        elif site.tag == "LocalCoordinatesSite":
            sites.kind[row] = local_frame
            for name, weights in zip(
                of_frame[1:], (sites.weights, sites.x_weights, sites.y_weights), strict=True
            ):
                weights[row, : len(parents)] = _numbered(site, name)
            sites.offset[row] = np.array(_numbered(site, "pos")) / bohr_in_nm
            if not (sites.x_weights[row].any() or sites.offset[row].any()):
                sites.kind[row] = average  # a frame without directions has its origin only
        else:
            sites.weights[row, : len(parents)] = _numbered(site, "w")
    return sites


def _numbered(site: ET.Element, name: str) -> list[float]:
    values: list[float] = []
    while (text := site.get(f"{name}{len(values) + 1}")) is not None:
        values.append(float(text))
    return values
