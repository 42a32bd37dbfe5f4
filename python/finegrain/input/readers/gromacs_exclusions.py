# SPDX-License-Identifier: BSD-3-Clause
"""The special pairs of a GROMACS molecule: nrexcl, exclusions and pairs.

GROMACS leaves out the pairs within nrexcl bonds and those of [ exclusions ], and adds only the
pairs listed in [ pairs ]. OpenMM's reader leaves out pairs within three bonds for any nrexcl, and
scales all pairs three bonds apart, listed or not.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from finegrain.input.readers.gromacs_topology import Molecule, Topology

Pairs = set[tuple[int, int]]


def check_pairs(topology: Topology) -> None:
    """Find listed pairs without parameters, and those that interact in full as well."""
    for name in sorted({name for name, count, _ in topology.counts if count > 0}):
        molecule = topology.molecules[name]
        out = excluded(molecule)
        for section, atoms, line in molecule.terms:
            if section != "pairs":
                continue
            kinds = tuple(molecule.atoms[atom - 1] for atom in atoms)
            given = len(line.text.split()) > 3 or kinds in topology.pair_types
            if not given and not topology.generates_pairs:
                what = "has no parameters, in [ pairtypes ] or here"
                hint = "set gen-pairs in [ defaults ] to yes, or give the pair's parameters"
                limit = f"types {' '.join(kinds)}, gen-pairs no"
                topology.found.add(line.file, line.number, what, line.text, limit, hint)
            if _sorted(atoms[0], atoms[1]) not in out:
                what = "is in [ pairs ] and interacts in full as well"
                limit = f"nrexcl = {molecule.exclude} of {name}"
                hint = "GROMACS adds both, finegrain does not; raise nrexcl, or take the pair out"
                topology.found.add(line.file, line.number, what, line.text, limit, hint)


def excluded(molecule: Molecule) -> Pairs:
    """Return the pairs of atoms, counted from 1, that have no interaction of their own."""
    neighbours: list[set[int]] = [set() for _ in range(len(molecule.atoms) + 1)]
    out: Pairs = set()
    for section, atoms, line in molecule.terms:
        if section == "exclusions":
            out |= {_sorted(atoms[0], other) for other in atoms[1:] if other != atoms[0]}
        for one, other in _bonds(section, atoms, line.text):
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


def _bonds(section: str, atoms: tuple[int, ...], text: str) -> list[tuple[int, int]]:
    """Return what GROMACS counts as bonds: bonds, constraints of function 1, rigid waters."""
    if section == "settles":
        return [(atoms[0], atoms[0] + 1), (atoms[0], atoms[0] + 2)]
    if section == "bonds" or (section == "constraints" and text.split()[2] == "1"):
        return [(atoms[0], atoms[1])]
    return []


def with_exclusions(system_xml: str, topology: Topology) -> str:
    """Return the System with exactly the exceptions of the topology."""
    root = ET.fromstring(system_xml)
    table = root.find("Forces/Force[@type='NonbondedForce']/Exceptions")
    if table is None or root.find("Forces/Force[@type='CustomNonbondedForce']") is not None:
        return system_xml  # there is another force, which is refused
    found = {_sorted(int(e.attrib["p1"]), int(e.attrib["p2"])): e for e in table}
    table.clear()
    first = -1  # atoms of molecules count from 1, those of the System from 0
    for name, count, _ in topology.counts:
        molecule = topology.molecules[name]
        listed = {_sorted(a[0], a[1]) for section, a, _ in molecule.terms if section == "pairs"}
        pairs = sorted(excluded(molecule) | listed) if count else []
        for _ in range(count):
            for one, other in pairs:
                p1, p2 = first + one, first + other
                if (one, other) in listed:
                    table.append(found[p1, p2])
                else:
                    none = {"eps": "0", "p1": str(p1), "p2": str(p2), "q": "0", "sig": "1"}
                    ET.SubElement(table, "Exception", none)
            first += len(molecule.atoms)
    return ET.tostring(root, encoding="unicode")


def _sorted(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
