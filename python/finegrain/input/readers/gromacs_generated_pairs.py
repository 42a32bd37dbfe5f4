# SPDX-License-Identifier: BSD-3-Clause
"""Pairs that GROMACS generates where [ nonbond_params ] has parameters of single pairs of types.

OpenMM's reader makes such pairs from dihedrals instead of [ pairs ], and with combination rule 1 it
scales only one of the two powers; so they are made here. Their parameters are those of the pair of
types, as GROMACS takes them, with the factors of [ defaults ].
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable

from finegrain.input.custom_pairs import is_table, types_of
from finegrain.units import bohr_in_nm, hartree_in_kj_per_mol

Generator = Callable[[int, int], dict[str, str]]


def pair_generator(root: ET.Element, fudge: tuple[float, float]) -> Generator | None:
    """Return what makes the exception of two atoms of a System; None if OpenMM's are right.

    Parameters
    ----------
    fudge : tuple of float
        Factors of Lennard-Jones and of charges.
    """
    table = root.find("Forces/Force[@type='CustomNonbondedForce']")
    particles = root.find("Forces/Force[@type='NonbondedForce']/Particles")
    if table is None or particles is None or not is_table(table):
        return None
    types, problems = types_of(table)
    if problems:
        return None  # reported when the System is translated
    charge = [float(particle.attrib["q"]) for particle in particles]

    def generate(one: int, other: int) -> dict[str, str]:
        pair = types.of_atom[one], types.of_atom[other]
        return {
            "p1": str(one),
            "p2": str(other),
            "q": repr(fudge[1] * charge[one] * charge[other]),
            "sig": repr(float(types.sigma[pair]) * bohr_in_nm),
            "eps": repr(fudge[0] * float(types.epsilon[pair]) * hartree_in_kj_per_mol),
        }

    return generate
