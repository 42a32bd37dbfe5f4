# SPDX-License-Identifier: BSD-3-Clause
"""Bonds, angles and dihedrals that cannot change, because virtual sites take part in them.

`gmx grompp` takes them out (its option -rmvsbds, which is on), and `gmx pdb2gmx -vsite` counts on
it. The topologies of the latter list the bonds of hydrogens that are sites. By the first rule, a
bond goes if the site keeps a fixed distance from the first atom that it follows. The second rule is
about a group: some atoms, and the sites that follow just these. A bond or an angle within a group
goes if nothing in the group can move. Periodic and harmonic dihedrals go also where the group is
not held. A site that is a centre of any number of atoms (virtual_sitesn) takes nothing out.
"""

from __future__ import annotations

from finegrain.classical.input.readers.gromacs import sections
from finegrain.classical.input.readers.gromacs.molecules import Molecule, Term
from finegrain.classical.input.readers.gromacs.parameters import Resolved

_fixed = {  # kinds that keep their distance from the first atom
    *(("virtual_sites3", function) for function in ("2", "3", "-3")),
    *(("virtual_sites4", function) for function in ("1", "2")),
}
_fad = {("virtual_sites3", "3"), ("virtual_sites3", "-3")}
_out = {("virtual_sites3", "4"), ("virtual_sites3", "-4")}


def without_constant_terms(
    molecule: Molecule, resolved: dict[str, list[Resolved]], constraints: str
) -> list[Resolved]:
    """Return the terms of a molecule that can change."""
    terms = resolved[molecule.name]
    sites = {
        term.atoms[0]: term
        for term in molecule.of(*sections.sites)
        if term.section != "virtual_sitesn"
    }
    if not sites:
        return terms
    group = _Group(molecule, sites, constraints)
    return [kept for kept in terms if not group.is_constant(kept.term)]


class _Group:
    def __init__(self, molecule: Molecule, sites: dict[int, Term], constraints: str) -> None:
        self.sites = sites
        self.names = molecule.names
        self.constraints = constraints
        self.held = {
            frozenset(term.atoms)
            for term in molecule.of("constraints", "bonds")
            if term.section == "constraints" or self._is_held(term)
        }
        for term in molecule.of("settles"):
            oxygen = term.atoms[0]
            three = (oxygen, oxygen + 1, oxygen + 2)
            self.held |= {frozenset({one, other}) for one in three for other in three}

    def _is_held(self, bond: Term) -> bool:
        """Return whether a bond will be a constraint."""
        if self.constraints == "h-bonds":
            return any(self.names[atom - 1].upper().startswith("H") for atom in bond.atoms)
        return self.constraints == "all-bonds"

    def is_constant(self, term: Term) -> bool:
        found = [self.sites[atom] for atom in term.atoms if atom in self.sites]
        if not found or term.section in ("pairs", "cmap"):
            return False
        if term.section in ("bonds", "constraints") and self._is_arm(term):
            return True
        atoms = found[0].atoms[1:]
        if any(set(site.atoms[1:]) != set(atoms) for site in found):
            return False
        others = [atom for atom in term.atoms if atom not in self.sites]
        if any(atom not in atoms for atom in others):
            return False
        if term.section == "dihedrals":
            return term.function in ("1", "2", "9")
        stiff = _fad if term.section == "angles" else _fixed
        near = all(atom in atoms[:2] for atom in others)
        if near and all((site.section, site.function) in stiff for site in found):
            return True
        ring = zip(atoms, (*atoms[1:], atoms[0]), strict=True)
        return all(frozenset(pair) in self.held for pair in ring)

    def _is_arm(self, term: Term) -> bool:
        """Return whether one end is a site at a fixed distance from the other, an atom."""
        holds = term.section == "constraints" or self._is_held(term)
        for one, other in (term.atoms, term.atoms[::-1]):
            site = self.sites.get(one)
            if site is None or other in self.sites or site.atoms[1] != other:
                continue
            kind = site.section, site.function
            if kind in _fixed or (kind in _out and holds):
                return True
        return False
