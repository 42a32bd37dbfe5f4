# SPDX-License-Identifier: BSD-3-Clause
"""Extra points of AMBER topologies: waters of four and five sites, placed as sander places them.

An extra point (type EP) has no mass and is bonded to its host. In a water, one point lies on the
bisector of the hydrogens, on their side. Two points lie behind the oxygen, above and below the
plane, where 54.735 degrees are between their bonds and the bisector's continuation. The length of
the bond is that of the topology. Terms that an extra point takes part in are constants, and sander
drops them. Lengths in nm, as OpenMM has them.

Source: the places that sander of AmberTools 26 writes. For rigid water these agree to 1e-8 nm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from finegrain.classical.input.readers.findings import Findings
from finegrain.classical.system.molecules import heaviest_hydrogen

if TYPE_CHECKING:
    import openmm
    from openmm import app

_lone_pair = math.radians(54.735)
_bisector = ([1.0, 0.0, 0.0], [-1.0, 0.5, 0.5], [0.0, -1.0, 1.0])


@dataclass(frozen=True)
class _Host:
    """An atom with extra points."""

    points: list[int]
    lengths: list[float]  # of the bonds to the points
    neighbours: list[int]


def place_extra_points(
    found: Findings, file: str, prmtop: app.AmberPrmtopFile, system: openmm.System
) -> None:
    """Make virtual sites of extra points, and drop terms with them; say which cannot be placed."""
    masses = [system.getParticleMass(index)._value for index in range(system.getNumParticles())]
    points = {index for index, mass in enumerate(masses) if mass == 0}
    if not points:
        return
    raw = prmtop._prmtop
    hosts = _hosts(points, [*raw.getBondsWithH(), *raw.getBondsNoH()])
    placed: set[int] = set()
    for host, its in hosts.items():
        light = [n for n in its.neighbours if masses[n] <= heaviest_hydrogen]
        if len(its.neighbours) == 2 and len(light) == 2 and len(its.points) in (1, 2):
            _place(system, host, sorted(light), its)
            placed.update(its.points)
    for lost in sorted(points - placed)[:1]:
        atom = list(prmtop.topology.atoms())[lost]
        named = f"atom {lost + 1} ({atom.name} of {atom.residue.name} {atom.residue.index + 1})"
        what = "an extra point that is not of a water is not supported"
        limit = "one or two on an oxygen with two hydrogens"
        hint = "use a force field whose lone pairs are not separate points"
        found.add(file, 0, what, named, limit, hint)
    _drop_terms(system, points)


def _hosts(points: set[int], bonds: Iterable[Any]) -> dict[int, _Host]:
    """Return the atoms with extra points, by their number."""
    length: dict[tuple[int, int], float] = {}
    for first, second, _, distance in bonds:
        length[first, second] = length[second, first] = float(distance)
    found: dict[int, _Host] = {}
    for (point, host), distance in sorted(length.items()):
        if point in points and host not in points:
            its = found.setdefault(host, _Host([], [], []))
            its.points.append(point)
            its.lengths.append(distance)
    for one, other in length:
        if one in found and other not in points:
            found[one].neighbours.append(other)
    return found


def _place(system: openmm.System, host: int, hydrogens: list[int], its: _Host) -> None:
    """Make the points of a water virtual sites."""
    import openmm

    single = len(its.points) == 1
    for point, length, side in zip(its.points, its.lengths, (-1, 1), strict=False):
        along = length if single else -length * math.cos(_lone_pair)
        above = 0.0 if single else side * length * math.sin(_lone_pair)
        place = openmm.Vec3(along, 0.0, above)
        site = openmm.LocalCoordinatesSite([host, *hydrogens], *_bisector, place)
        system.setVirtualSite(point, site)


def _drop_terms(system: openmm.System, points: set[int]) -> None:
    """Take terms with extra points out of the bonded forces."""
    import openmm

    kinds = {
        openmm.HarmonicBondForce: ("Bond", 2),
        openmm.HarmonicAngleForce: ("Angle", 3),
        openmm.PeriodicTorsionForce: ("Torsion", 4),
    }
    for index, force in reversed(list(enumerate(system.getForces()))):
        if type(force) not in kinds:
            continue
        name, atoms = kinds[type(force)]
        terms = list(_terms(force, name))
        kept = [term for term in terms if points.isdisjoint(term[:atoms])]
        if len(kept) == len(terms):
            continue
        new = type(force)()
        new.setName(force.getName())
        for term in kept:
            getattr(new, f"add{name}")(*term)
        system.removeForce(index)
        system.addForce(new)


def _terms(force: Any, name: str) -> Iterator[list[Any]]:
    read = getattr(force, f"get{name}Parameters")
    for index in range(getattr(force, f"getNum{name}s")()):
        yield read(index)
