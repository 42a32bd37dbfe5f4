# SPDX-License-Identifier: BSD-3-Clause
"""Ethanol with OPLS-AA: a topology of CHARMM with its parameters, and a topology of GROMACS.

Parameters: Jorgensen, Maxwell, Tirado-Rives, J. Am. Chem. Soc. 118, 11225 (1996),
doi:10.1021/ja9621760. Units in the tables: angstrom, kcal/mol, degrees, as in the paper.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

KJ = 4.184
SIGMA_TO_HALF_RADIUS = 2 ** (1 / 6) / 2
SPACING = 5.6  # of the molecules

# mass, sigma, epsilon
TYPES = {
    "CT": (12.011, 3.5, 0.066),
    "HC": (1.008, 2.5, 0.03),
    "OH": (15.9994, 3.12, 0.17),
    "HO": (1.008, 0.0, 0.0),
}
# name, type, charge, place
ATOMS = (
    ("C1", "CT", -0.18, (0.0, 0.0, 0.0)),
    ("C2", "CT", 0.145, (1.529, 0.0, 0.0)),
    ("O", "OH", -0.683, (2.0, 1.329, 0.0)),
    ("HO", "HO", 0.418, (2.945, 1.312, 0.0)),
    ("H11", "HC", 0.06, (-0.385, -1.02, 0.0)),
    ("H12", "HC", 0.06, (-0.385, 0.51, 0.883)),
    ("H13", "HC", 0.06, (-0.385, 0.51, -0.883)),
    ("H21", "HC", 0.06, (1.889, -0.51, 0.89)),
    ("H22", "HC", 0.06, (1.889, -0.51, -0.89)),
)
BONDS = ((0, 1), (1, 2), (2, 3), (0, 4), (0, 5), (0, 6), (1, 7), (1, 8))
BOND_TYPES = {
    ("CT", "CT"): (268.0, 1.529),
    ("CT", "HC"): (340.0, 1.09),
    ("CT", "OH"): (320.0, 1.41),
    ("HO", "OH"): (553.0, 0.945),
}
ANGLE_TYPES = {
    ("HC", "CT", "HC"): (33.0, 107.8),
    ("CT", "CT", "HC"): (37.5, 110.7),
    ("CT", "CT", "OH"): (50.0, 109.5),
    ("HC", "CT", "OH"): (35.0, 109.5),
    ("CT", "OH", "HO"): (55.0, 108.5),
}
# V1, V2, V3 of V1 (1 + cos phi) / 2 + V2 (1 - cos 2 phi) / 2 + V3 (1 + cos 3 phi) / 2
TORSION_TYPES = {
    ("HC", "CT", "CT", "HC"): (0.0, 0.0, 0.318),
    ("HC", "CT", "CT", "OH"): (0.0, 0.0, 0.468),
    ("CT", "CT", "OH", "HO"): (-0.356, -0.174, 0.492),
    ("HC", "CT", "OH", "HO"): (0.0, 0.0, 0.45),
}


def chains(length: int) -> Iterator[tuple[int, ...]]:
    """Yield the paths of so many atoms along bonds, each once."""
    both = {*BONDS, *((b, a) for a, b in BONDS)}
    for atoms in itertools.permutations(range(len(ATOMS)), length):
        if atoms[0] < atoms[-1] and all(pair in both for pair in itertools.pairwise(atoms)):
            yield atoms


def positions(side: int) -> NDArray[np.float64]:
    """Return side^3 distorted molecules, in angstrom; their box is side * SPACING wide."""
    rng = np.random.default_rng(17)
    places = np.array([atom[3] for atom in ATOMS])
    found = []
    for corner in np.ndindex(side, side, side):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        found.append((places - places.mean(axis=0)) @ turn.T + SPACING * (np.array(corner) + 0.5))
    return np.round(np.concatenate(found) + rng.uniform(-0.04, 0.04, (side**3 * 9, 3)), 3)


def _rows(numbers: list[int], width: int) -> str:
    lines = [
        "".join(f"{n:10d}" for n in numbers[i : i + width]) for i in range(0, len(numbers), width)
    ]
    return "\n".join(lines)


def write_charmm(folder: Path, side: int) -> None:
    """Write e.psf, e.prm and e.pdb."""
    count = side**3
    atoms = [
        f"{9 * m + i + 1:10d} ETH      {m + 1:<8d} ETOH     {name:<8s} {kind:<6s} "
        f"{charge:9.6f}     {TYPES[kind][0]:9.4f}           0"
        for m in range(count)
        for i, (name, kind, charge, _) in enumerate(ATOMS)
    ]
    lists = ""
    for head, length, width in (
        ("!NBOND: bonds", 2, 8),
        ("!NTHETA: angles", 3, 9),
        ("!NPHI: dihedrals", 4, 8),
    ):
        terms = list(chains(length))
        numbers = [9 * m + atom + 1 for m in range(count) for term in terms for atom in term]
        lists += f"{count * len(terms):10d} {head}\n{_rows(numbers, width)}\n\n"
    (folder / "e.psf").write_text(
        "PSF EXT\n\n         1 !NTITLE\n REMARKS ethanol\n\n"
        f"{len(atoms):10d} !NATOM\n" + "\n".join(atoms) + f"\n\n{lists}"
        "         0 !NIMPHI: impropers\n\n\n         0 !NDON: donors\n\n\n"
        "         0 !NACC: acceptors\n\n\n         0 !NNB\n\n"
        + _rows([0] * len(atoms), 8)
        + "\n\n         1         0 !NGRP NST2\n         0         0         0\n\n"
    )
    torsions = ""
    for types, (v1, v2, v3) in TORSION_TYPES.items():
        for fold, height, phase in ((1, v1, 0), (2, v2, 180), (3, v3, 0)):
            torsions += f"{' '.join(types)} {height / 2:.4f} {fold} {phase}.0\n"
    wells = "".join(
        f"{kind} 0.0 {-epsilon} {sigma * SIGMA_TO_HALF_RADIUS:.9f}"
        f" 0.0 {-epsilon / 2} {sigma * SIGMA_TO_HALF_RADIUS:.9f}\n"
        for kind, (_, sigma, epsilon) in TYPES.items()
    )
    (folder / "e.prm").write_text(
        "* ethanol\n*\n\nATOMS\n"
        + "".join(f"MASS -1 {kind} {mass}\n" for kind, (mass, _, _) in TYPES.items())
        + "\nBONDS\n"
        + "".join(f"{' '.join(types)} {k} {r}\n" for types, (k, r) in BOND_TYPES.items())
        + "\nANGLES\n"
        + "".join(f"{' '.join(types)} {k} {t}\n" for types, (k, t) in ANGLE_TYPES.items())
        + f"\nDIHEDRALS\n{torsions}\n"
        "NONBONDED nbxmod 5 atom cdiel switch vatom vdistance vswitch -\n"
        "cutnb 14.0 ctofnb 12.0 ctonnb 11.5 eps 1.0 e14fac 0.5 wmin 1.5 -\n"
        f"geom  ! the rule of OPLS\n{wells}\nEND\n"
    )
    rows = [
        f"ATOM  {i + 1:5d}  {ATOMS[i % 9][0]:<3s} ETOH{i // 9 + 1:4d}    "
        f"{x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00      ETH"
        for i, (x, y, z) in enumerate(positions(side))
    ]
    (folder / "e.pdb").write_text("\n".join([*rows, "END"]) + "\n")


def write_gromacs(folder: Path, side: int) -> None:
    """Write e.top and e.gro."""
    atom_types = "".join(
        f"{kind} {kind} 6 {mass} 0.0 A {sigma / 10} {epsilon * KJ:.6f}\n"
        for kind, (mass, sigma, epsilon) in TYPES.items()
    )
    bond_types = "".join(
        f"{' '.join(types)} 1 {r / 10:.5f} {2 * k * KJ * 100:.3f}\n"
        for types, (k, r) in BOND_TYPES.items()
    )
    angle_types = "".join(
        f"{' '.join(types)} 1 {t} {2 * k * KJ:.4f}\n" for types, (k, t) in ANGLE_TYPES.items()
    )
    torsion_types = ""
    for types, heights in TORSION_TYPES.items():
        v1, v2, v3 = (KJ * height for height in heights)
        numbers = (v2 + (v1 + v3) / 2, (3 * v3 - v1) / 2, -v2, -2 * v3, 0.0, 0.0)
        torsion_types += f"{' '.join(types)} 3 {' '.join(f'{n:.6f}' for n in numbers)}\n"
    atoms = "".join(
        f"{i + 1} {kind} 1 ETOH {name} 1 {charge} {TYPES[kind][0]}\n"
        for i, (name, kind, charge, _) in enumerate(ATOMS)
    )

    def terms(length: int, function: int) -> str:
        rows = [" ".join(str(atom + 1) for atom in term) for term in chains(length)]
        return "".join(f"{row} {function}\n" for row in rows)

    pairs = "".join(f"{term[0] + 1} {term[-1] + 1} 1\n" for term in chains(4))
    (folder / "e.top").write_text(
        f"[ defaults ]\n1 3 yes 0.5 0.5\n[ atomtypes ]\n{atom_types}"
        f"[ bondtypes ]\n{bond_types}[ angletypes ]\n{angle_types}"
        f"[ dihedraltypes ]\n{torsion_types}[ moleculetype ]\nETOH 3\n[ atoms ]\n{atoms}"
        f"[ bonds ]\n{terms(2, 1)}[ pairs ]\n{pairs}[ angles ]\n{terms(3, 1)}"
        f"[ dihedrals ]\n{terms(4, 3)}[ system ]\nethanol\n[ molecules ]\nETOH {side**3}\n"
    )
    rows = [
        f"{i // 9 + 1:5d}ETOH {ATOMS[i % 9][0]:>5s}{i + 1:5d}"
        + "".join(f"{x / 10:9.4f}" for x in row)
        for i, row in enumerate(positions(side))
    ]
    box = f"{side * SPACING / 10:.4f} " * 3
    (folder / "e.gro").write_text("\n".join(["ethanol", f"{len(rows):5d}", *rows, box]) + "\n")
