# SPDX-License-Identifier: BSD-3-Clause
"""The special pairs of a GROMACS molecule: nrexcl, exclusions and pairs.

GROMACS leaves out the pairs within nrexcl bonds and those of [ exclusions ], and adds only the
pairs listed in [ pairs ]. OpenMM's reader leaves out pairs within three bonds for any nrexcl, and
scales all pairs three bonds apart, listed or not.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from finegrain.classical.input.readers.gromacs.molecules import Molecule, Term, Topology
from finegrain.classical.input.readers.gromacs.sites import Site

Pairs = set[tuple[int, int]]


def check_pairs(topology: Topology) -> None:
    """Find listed pairs without parameters, and those that interact in full as well."""
    for molecule in topology.used():
        out = excluded(molecule)
        for term in molecule.of("pairs"):
            line, atoms = term.line, term.atoms
            if not topology.generates_pairs and not _has_parameters(topology, molecule, term):
                what = "has no parameters, in [ pairtypes ] or here"
                hint = "set gen-pairs in [ defaults ] to yes, or give the pair's parameters"
                kinds = (molecule.atoms[atom - 1] for atom in atoms)
                limit = f"types {' '.join(kinds)}, gen-pairs no"
                topology.found.add(line.file, line.number, what, line.text, limit, hint)
            if _sorted(atoms[0], atoms[1]) not in out:
                what = "is in [ pairs ] and interacts in full as well"
                limit = f"nrexcl = {molecule.exclude} of {molecule.name}"
                hint = "GROMACS adds both, finegrain does not; raise nrexcl, or take the pair out"
                topology.found.add(line.file, line.number, what, line.text, limit, hint)


def _has_parameters(topology: Topology, molecule: Molecule, pair: Term) -> bool:
    """Return whether the parameters of a pair are in its line or in [ pairtypes ]."""
    kinds = tuple(molecule.atoms[atom - 1] for atom in pair.atoms)
    return bool(pair.numbers) or kinds in topology.pair_types


def excluded(molecule: Molecule) -> Pairs:
    """Return the pairs of atoms, counted from 1, that have no interaction of their own."""
    neighbours: list[set[int]] = [set() for _ in range(len(molecule.rows) + 1)]
    out: Pairs = set()
    for term in molecule.terms:
        atoms = term.atoms
        if term.section == "exclusions":
            out |= {_sorted(atoms[0], other) for other in atoms[1:] if other != atoms[0]}
        for one, other in _bonds(term):
            neighbours[one].add(other)
            neighbours[other].add(one)
    for atom in range(1, len(neighbours)):
        shell, seen = {atom}, {atom}
        for _ in range(molecule.exclude):
            shell = {far for near in shell for far in neighbours[near]} - seen
            if not shell:
                break
            seen |= shell
        out |= {(atom, other) for other in seen if other > atom}
    return out


def _bonds(term: Term) -> list[tuple[int, int]]:
    """Return what GROMACS counts as bonds: bonds, and constraints of function 1.

    [ settles ] are no bonds. Without [ exclusions ], grompp leaves out no pair of a rigid water.
    """
    atoms = term.atoms
    if term.section == "bonds" or (term.section == "constraints" and term.function == "1"):
        return [(atoms[0], atoms[1])]
    return []


def completed(system_xml: str, topology: Topology, sites: dict[str, list[Site]]) -> str:
    """Return the System with what OpenMM's reader does not make as GROMACS does.

    These are exactly the exceptions of the topology, in each force, and its virtual sites, which
    are given by molecule type.
    """
    root = ET.fromstring(system_xml)
    table = root.find("Forces/Force[@type='NonbondedForce']/Exceptions")
    particles = root.find("Particles")
    assert table is not None  # OpenMM's reader makes both for any topology
    assert particles is not None
    found = {_pair(exception): exception for exception in table}
    table.clear()
    special: Pairs = set()  # with an interaction of their own
    first = -1  # atoms of molecules count from 1, those of the System from 0
    for name, count, _ in topology.counts:
        molecule = topology.molecules[name]
        listed = {_sorted(*term.atoms) for term in molecule.of("pairs")} if count else set()
        pairs = sorted(excluded(molecule) | listed) if count else []
        for _ in range(count):
            for one, other in pairs:
                p1, p2 = first + one, first + other
                if (one, other) in listed:
                    table.append(found[p1, p2])
                    special.add((p1, p2))
                else:
                    none = {"eps": "0", "p1": str(p1), "p2": str(p2), "q": "0", "sig": "1"}
                    ET.SubElement(table, "Exception", none)
            for site in sites[name]:
                particles[first + site.atom].append(site.element(first))
            first += len(molecule.rows)
    # With another mixing rule Lennard-Jones is in forces of its own.
    for exclusions in root.findall("Forces/Force[@type='CustomNonbondedForce']/Exclusions"):
        exclusions.clear()
        for exception in table:
            ends = {name: exception.attrib[name] for name in ("p1", "p2")}
            ET.SubElement(exclusions, "Exclusion", ends)
    for force in root.findall("Forces/Force[@name='LennardJonesExceptions']"):
        bonds = force.find("Bonds")
        assert bonds is not None
        for bond in [bond for bond in bonds if _pair(bond) not in special]:
            bonds.remove(bond)
    return ET.tostring(root, encoding="unicode")


def _pair(element: ET.Element) -> tuple[int, int]:
    return _sorted(int(element.attrib["p1"]), int(element.attrib["p2"]))


def _sorted(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
