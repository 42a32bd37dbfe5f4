# SPDX-License-Identifier: BSD-3-Clause
"""CHARMM files against the formulas of CHARMM's energy, written here once more in its own units.

The molecules are made up, so that every rule for parameters has a case: terms with wildcards,
several terms of a dihedral, Urey-Bradley terms, impropers, pairs 1-4 with parameters of their own,
NBFIX.

B. R. Brooks et al., J. Comput. Chem. 30, 1545 (2009), doi:10.1002/jcc.21287.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import finegrain as fg
from owner_families.family import Compared, Family, Limit, terms_of

Array = NDArray[np.float64]

KCAL = 4.184  # kJ/mol
COULOMB = 332.0716  # kcal Å/mol/e^2; by CODATA 2018 it is 332.0637, less by 2.4e-5
TYPES = ["CT", "NH", "CO", "OX", "CT", "HX"]
CHARGES = [0.11, -0.47, 0.51, -0.51, 0.27, 0.09]
MASSES = [12.011, 14.007, 12.011, 15.999, 12.011, 1.008]
BONDS = [(0, 1), (1, 2), (2, 3), (2, 4), (4, 5)]
ANGLES = [(0, 1, 2), (1, 2, 3), (1, 2, 4), (3, 2, 4), (2, 4, 5)]
DIHEDRALS = [(0, 1, 2, 3), (0, 1, 2, 4), (1, 2, 4, 5), (3, 2, 4, 5)]
IMPROPERS = [(2, 4, 1, 3)]
# Å; nothing lies in a plane.
PLACES = np.array(
    [
        [0.00, 0.00, 0.00],
        [1.40, 0.15, 0.10],
        [2.10, 1.32, -0.08],
        [1.62, 2.44, 0.21],
        [3.55, 1.17, -0.52],
        [3.95, 2.10, -0.93],
    ]
)

PARAMETERS = """\
* made up
*

BONDS
CT NH 320.0 1.430
NH CO 370.0 1.345
CO OX 620.0 1.230
CO CT 250.0 1.490
CT HX 309.0 1.111

ANGLES
CT NH CO 50.0 120.0
NH CO OX 80.0 122.5
NH CO CT 80.0 116.5 30.0 2.45
OX CO CT 80.0 121.0
CO CT HX 33.0 109.5 22.53 2.163

DIHEDRALS
X  NH CO X   2.5 2 180.0
CT NH CO CT  1.6 1   0.0
CT NH CO CT  2.5 2 180.0
X  CO CT X   0.05 6 180.0

IMPROPERS
CO X X OX 120.0 0 0.0

NONBONDED nbxmod 5 atom cdiel shift vatom vdistance vswitch -
cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5
CT 0.0 -0.0560 2.010 0.0 -0.0100 1.900
NH 0.0 -0.2000 1.850 0.0 -0.2000 1.550
CO 0.0 -0.1100 2.000
OX 0.0 -0.1200 1.700 0.0 -0.1200 1.400
HX 0.0 -0.0220 1.320

NBFIX
OX CT -0.1500 3.900
NH HX -0.0300 2.900

END
"""


def _psf() -> str:
    def numbers(rows: list[tuple[int, ...]]) -> str:
        flat = [atom + 1 for row in rows for atom in row]
        lines = ["".join(f"{n:10d}" for n in flat[i : i + 8]) for i in range(0, len(flat), 8)]
        return "\n".join(lines)

    atoms = "\n".join(
        f"{i + 1:10d} M        1        MOL      A{i + 1:<7d} {name:<6s} {q:14.6f} {m:13.4f}"
        "           0"
        for i, (name, q, m) in enumerate(zip(TYPES, CHARGES, MASSES, strict=True))
    )
    return (
        "PSF EXT\n\n         1 !NTITLE\n REMARKS made up\n\n"
        f"{len(TYPES):10d} !NATOM\n{atoms}\n\n"
        f"{len(BONDS):10d} !NBOND: bonds\n{numbers(list(BONDS))}\n\n"
        f"{len(ANGLES):10d} !NTHETA: angles\n{numbers(list(ANGLES))}\n\n"
        f"{len(DIHEDRALS):10d} !NPHI: dihedrals\n{numbers(list(DIHEDRALS))}\n\n"
        f"{len(IMPROPERS):10d} !NIMPHI: impropers\n{numbers(list(IMPROPERS))}\n\n"
        "         0 !NDON: donors\n\n\n         0 !NACC: acceptors\n\n\n         0 !NNB\n\n"
        + "         0" * len(TYPES)
        + "\n\n         1         0 !NGRP NST2\n         0         0         0\n\n"
    )


def _distance(places: Array, a: int, b: int) -> float:
    return float(np.linalg.norm(places[a] - places[b]))


def _angle(places: Array, a: int, b: int, c: int) -> float:
    u, v = places[a] - places[b], places[c] - places[b]
    return float(np.arccos(u @ v / np.linalg.norm(u) / np.linalg.norm(v)))


def _dihedral(places: Array, a: int, b: int, c: int, d: int) -> float:
    axis = places[c] - places[b]
    m = np.cross(places[b] - places[a], axis)
    n = np.cross(axis, places[d] - places[c])
    sine = np.cross(m, n) @ axis / np.linalg.norm(axis)
    return float(np.arctan2(sine, m @ n))


def _published(places: Array) -> dict[str, float]:
    """Return the terms by CHARMM's formulas, kcal/mol, with parameters as its rules have them."""
    stretch = {(0, 1): (320, 1.43), (1, 2): (370, 1.345), (2, 3): (620, 1.23)}
    stretch |= {(2, 4): (250, 1.49), (4, 5): (309, 1.111)}
    bend = {(0, 1, 2): (50, 120), (1, 2, 3): (80, 122.5), (1, 2, 4): (80, 116.5)}
    bend |= {(3, 2, 4): (80, 121), (2, 4, 5): (33, 109.5)}
    across = {(1, 4): (30, 2.45), (2, 5): (22.53, 2.163)}
    # An entry without wildcards comes before one with them, and has all terms of its own.
    turn = {
        (0, 1, 2, 3): [(2.5, 2, 180)],
        (0, 1, 2, 4): [(1.6, 1, 0), (2.5, 2, 180)],
        (1, 2, 4, 5): [(0.05, 6, 180)],
        (3, 2, 4, 5): [(0.05, 6, 180)],
    }
    terms = {
        "bond": sum(k * (_distance(places, *ab) - b) ** 2 for ab, (k, b) in stretch.items())
        + sum(k * (_distance(places, *ac) - s) ** 2 for ac, (k, s) in across.items()),
        "angle": sum(
            k * (_angle(places, *abc) - np.radians(t)) ** 2 for abc, (k, t) in bend.items()
        ),
        "torsion": sum(
            k * (1 + np.cos(n * _dihedral(places, *abcd) - np.radians(d)))
            for abcd, rows in turn.items()
            for k, n, d in rows
        ),
    }
    terms["improper"] = 120 * _dihedral(places, 2, 4, 1, 3) ** 2
    depth = {"CT": (0.056, 2.01), "NH": (0.2, 1.85), "CO": (0.11, 2.0), "OX": (0.12, 1.7)}
    depth["HX"] = (0.022, 1.32)
    near = depth | {"CT": (0.01, 1.9), "NH": (0.2, 1.55), "OX": (0.12, 1.4)}
    fixed = {frozenset(("OX", "CT")): (0.15, 3.9), frozenset(("NH", "HX")): (0.03, 2.9)}
    excluded = {frozenset(pair) for pair in BONDS}
    excluded |= {frozenset((a, c)) for a, _, c in ANGLES}
    ends = {frozenset((a, d)) for a, _, _, d in DIHEDRALS} - excluded
    repelled = charged = 0.0
    for i, j in itertools.combinations(range(len(TYPES)), 2):
        pair = frozenset((i, j))
        if pair in excluded:
            continue
        r = _distance(places, i, j)
        charged += COULOMB * CHARGES[i] * CHARGES[j] / r
        table = near if pair in ends else depth
        (e1, r1), (e2, r2) = table[TYPES[i]], table[TYPES[j]]
        epsilon, least = np.sqrt(e1 * e2), r1 + r2
        # NBFIX without values for 1-4 holds for these pairs, too.
        epsilon, least = fixed.get(frozenset((TYPES[i], TYPES[j])), (epsilon, least))
        repelled += epsilon * ((least / r) ** 12 - 2 * (least / r) ** 6)
    return terms | {PAIRS: repelled + charged}


PAIRS = "Lennard-Jones and charges"
LIMITS = {name: Limit(1e-4) for name in ("bond", "angle", "torsion", "improper")}
# The two constants give charges with energies of some 50 kJ/mol a difference of this size.
LIMITS |= {PAIRS: Limit(3e-3)}
PARTS = ("lennard-jones", "coulomb", "exception")  # pairs 1-4 are exceptions


def _compare(shift: float) -> Callable[[Path], Compared]:
    """Compare at places that are moved at random by this much, Å."""

    def compare(folder: Path) -> Compared:
        places = PLACES + shift * np.random.default_rng(4).standard_normal(PLACES.shape)
        places = np.round(places, 3)
        (folder / "m.psf").write_text(_psf())
        (folder / "m.prm").write_text(PARAMETERS)
        rows = [
            f"ATOM  {i + 1:5d}  A{i + 1:<2d} MOL M   1    {x:8.3f}{y:8.3f}{z:8.3f}"
            "  1.00  0.00      M"
            for i, (x, y, z) in enumerate(places)
        ]
        (folder / "m.pdb").write_text("\n".join([*rows, "END"]) + "\n")
        (folder / "m.toml").write_text(
            '[system]\nkind = "classical"\ntopology = "m.psf"\ncoordinates = "m.pdb"\n'
            'parameters = ["m.prm"]\n[forces]\nprecision = "double"\n'
        )
        found = fg.energy(folder / "m.toml").energies
        ours = {name: value for name, value in found.items() if name not in (*PARTS, "total")}
        ours[PAIRS] = sum(found.get(name, 0.0) for name in PARTS)
        theirs = {name: KCAL * value for name, value in _published(places).items()}
        return Compared(atoms=len(TYPES), terms=terms_of(ours, theirs, LIMITS))

    return compare


FAMILY = Family(
    name="CHARMM",
    owner="its formulas",
    unit="kJ/mol",
    version=lambda: "(2009)",
    inputs={
        "six atoms, PSF and parameters": _compare(0.0),
        "the same, moved by 0.05 Å": _compare(0.05),
        "the same, moved by 0.15 Å": _compare(0.15),
    },
)
