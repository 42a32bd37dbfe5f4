# SPDX-License-Identifier: BSD-3-Clause
"""The sections, functions and columns of a GROMACS topology that are supported.

OpenMM's reader silently drops a section that it does not know, and columns that it does not need.
Here every section is either checked, known to have no effect, or refused.

References
----------
GROMACS Reference Manual, "Topology file", table of interaction types and directives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Terms:
    """A section whose lines are atoms or types, a function, and its parameters.

    Attributes
    ----------
    heads : int
        Number of atoms or types before the function.
    functions : dict of str to tuple of int
        The number of parameters in a line, by function. The second number includes those of state
        B, which only free-energy calculations use.
    """

    heads: int
    functions: Mapping[str, tuple[int, ...]]


_bond = {"1": (2, 4), "2": (2, 4)}
_angle = {"1": (2, 4), "2": (2, 4), "5": (4, 8)}
_torsion = {
    **dict.fromkeys(("1", "4", "9"), (3, 5, 6)),
    "2": (2, 4),
    "3": (6, 12),
    "5": (4, 8),
}

# These are in force fields: their first columns are types of atoms.
types = {
    "bondtypes": Terms(2, _bond),
    "angletypes": Terms(3, _angle),
    "dihedraltypes": Terms(4, _torsion),
    "pairtypes": Terms(2, {"1": (2, 4)}),
    "nonbond_params": Terms(2, {"1": (2,)}),
    "constrainttypes": Terms(2, {"1": (1, 2), "2": (1, 2)}),
    "cmaptypes": Terms(5, {"1": ()}),
}

# These are in molecules: their first columns are atoms. Without parameters, those of the types are
# used.
terms = {
    "bonds": Terms(2, {name: (0, *counts) for name, counts in _bond.items()}),
    "angles": Terms(3, {name: (0, *counts) for name, counts in _angle.items()}),
    "dihedrals": Terms(4, {name: (0, *counts) for name, counts in _torsion.items()}),
    "pairs": Terms(2, {"1": (0, 2, 4)}),
    "constraints": Terms(2, {"1": (0, 1, 2), "2": (0, 1, 2)}),
    "settles": Terms(1, {"1": (2,)}),
    "cmap": Terms(5, {"1": (0,)}),
    "position_restraints": Terms(1, {"1": (3, 6)}),
    # Their first atom is the site. Without parameters grompp finds those of some kinds itself.
    "virtual_sites1": Terms(2, {"1": (0,)}),
    "virtual_sites2": Terms(3, {"1": (1,), "2": (1,)}),
    "virtual_sites3": Terms(
        4,
        {"1": (0, 2), "2": (0, 2), "3": (0, 2), "4": (0, 3), "-3": (0, 2), "-4": (0, 3)},
    ),
    "virtual_sites4": Terms(5, {"1": (0, 3), "2": (0, 3)}),
    # The function comes second here: one centre of atoms, of masses, or of given weights.
    "virtual_sitesn": Terms(1, {"1": (), "2": (), "3": ()}),
}
sites = tuple(f"virtual_sites{kind}" for kind in "1234n")
_other_names = {f"dummies{kind}": f"virtual_sites{kind}" for kind in "1234n"}

heads = ("defaults", "atomtypes", *types)
of_molecule = ("atoms", "exclusions", *terms)
known = (*heads, "moleculetype", *of_molecule, "system", "molecules")

# Not read, and without effect in explicit water or vacuum.
idle = ("implicit_genborn_params", "implicit_surface_params")

_no_restraints = "take the restraint out; nothing here would hold it"
_no_polarisation = "use a force field without polarisation"
refused = {
    **dict.fromkeys(
        (
            *("distance_restraints", "orientation_restraints", "dihedral_restraints"),
            *("angle_restraints", "angle_restraints_z"),
        ),
        _no_restraints,
    ),
    "pairs_nb": "such pairs are for free-energy calculations with soft cores; take them out",
    "intermolecular_interactions": "bonds between molecules are not read; join the molecules",
    **dict.fromkeys(("polarization", "water_polarization", "thole_polarization"), _no_polarisation),
}


def real_name(section: str) -> str:
    """Return a section's usual spelling; GROMACS ignores case and the difference of - and _."""
    bare = _bare(section)
    names = (*known, *idle, *refused, *_other_names)
    name = next((name for name in names if _bare(name) == bare), section.strip())
    return _other_names.get(name, name)


def _bare(name: str) -> str:
    return name.strip().lower().replace("_", "").replace("-", "")
