# SPDX-License-Identifier: BSD-3-Clause
"""Lone pairs in a CHARMM PSF."""

from pathlib import Path

import numpy as np
import pytest
from input_systems import problems_of, write_input

from finegrain.classical.preparation.prepare import prepare
from finegrain.units import bohr_in_angstrom

# Chloromethane with a lone pair beyond its chlorine, and another on its carbon.
psf = """\
PSF EXT

         1 !NTITLE
 REMARKS chloromethane

         7 !NATOM
         1 M        1        CLM      C1       CX    -0.100000       12.0110           0
         2 M        1        CLM      CL       CLX   -0.200000       35.4530           0
         3 M        1        CLM      H1       HX     0.050000        1.0080           0
         4 M        1        CLM      H2       HX     0.050000        1.0080           0
         5 M        1        CLM      H3       HX     0.050000        1.0080           0
         6 M        1        CLM      LP1      LPX    0.100000        0.0000          -1
         7 M        1        CLM      LP2      LPX    0.050000        0.0000          -1

         5 !NBOND: bonds
         1         2         1         3         1         4         1         5
         2         6

         6 !NTHETA: angles
         2         1         3         2         1         4         2         1         5
         3         1         4         3         1         5         4         1         5

         0 !NPHI: dihedrals

         0 !NIMPHI: impropers

         0 !NDON: donors

         0 !NACC: acceptors

         0 !NNB

         0         0         0         0         0         0         0

         1         0 !NGRP NST2
         0         0         0

         2         7 !NUMLP NUMLPH
         2         1   F  1.640000       0.00000       0.00000
         3         4   F -0.350000       110.000       90.0000
         6         2         1         7         1         3         4

"""
prm = """\
* chloromethane
*

ATOMS
MASS  -1  CX  12.0110
MASS  -1  CLX 35.4530
MASS  -1  HX   1.0080
MASS  -1  LPX  0.0000

BONDS
CX  CLX  250.0  1.78
CX  HX   330.0  1.09

ANGLES
CLX CX HX  40.0 108.0
HX  CX HX  35.0 110.0

NONBONDED nbxmod 5 atom cdiel shift vatom vdistance vswitch -
cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5
CX  0.0  -0.0780  2.0500
CLX 0.0  -0.2000  1.9100
HX  0.0  -0.0240  1.3400
LPX 0.0   0.0     0.0

END
"""
# Å; the lone pairs are elsewhere on purpose.
places = {
    "C1": (0.0, 0.0, 0.0),
    "CL": (1.78, 0.0, 0.0),
    "H1": (-0.36, 1.03, 0.0),
    "H2": (-0.36, -0.51, 0.89),
    "H3": (-0.36, -0.51, -0.89),
    "LP1": (3.42, 0.0, 0.0),
    "LP2": (0.1, 0.1, 0.1),
}


def write(folder: Path, text: str = psf) -> Path:
    (folder / "m.psf").write_text(text)
    (folder / "m.prm").write_text(prm)
    lines = [
        f"ATOM  {i + 1:5d}  {name:<3s} CLM M{1:4d}    {x + 20:8.3f}{y + 20:8.3f}{z + 20:8.3f}"
        "  1.00  0.00      M"
        for i, (name, (x, y, z)) in enumerate(places.items())
    ]
    (folder / "m.pdb").write_text("\n".join([*lines, "END"]) + "\n")
    more = 'parameters = ["m.prm"]\nbox = ["40 Å", "40 Å", "40 Å"]\n'
    return write_input(folder, "m.psf", "m.pdb", more)


def test_lone_pairs_of_a_psf_are_sites(tmp_path: Path) -> None:
    found = prepare(write(tmp_path))
    assert found.system.sites.site.tolist() == [5, 6]
    at = found.system.position * bohr_in_angstrom - 20
    assert at[5] == pytest.approx([3.42, 0, 0], abs=1e-6)
    # 0.35 Å from the carbon, 110° from the bisector of the two hydrogens.
    bisector = 0.5 * (at[2] + at[3])
    along = at[6] @ bisector / (0.35 * np.linalg.norm(bisector))
    assert np.linalg.norm(at[6]) == pytest.approx(0.35, abs=1e-6)
    assert along == pytest.approx(np.cos(np.radians(110)), abs=1e-6)
    assert found.fragments.count == 1  # one pair needs carbon, chlorine and one hydrogen, the other
    assert len(found.far) == 0


def dihedral(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float:
    """Return the dihedral in degrees, by the convention of IUPAC, which CHARMM has, too."""
    axis = (c - b) / np.linalg.norm(c - b)
    one = (a - b) - ((a - b) @ axis) * axis
    other = (d - c) - ((d - c) @ axis) * axis
    return float(np.degrees(np.arctan2(np.cross(axis, one) @ other, one @ other)))


@pytest.mark.parametrize("distance", [0.35, -0.35])
@pytest.mark.parametrize(("theta", "phi"), [(110.0, 90.0), (75.0, -40.0), (130.0, 165.0)])
def test_a_lone_pair_of_three_hosts_has_distance_angle_and_dihedral(
    tmp_path: Path, distance: float, theta: float, phi: float
) -> None:
    """CHARMM, lonepair.info: RELAtive to I, J, K; BISEctor (a negative distance): J is the middle
    of J and K."""
    row = f"F {distance:9.6f}  {theta:11.3f}  {phi:10.4f}"
    found = prepare(write(tmp_path, psf.replace("F -0.350000       110.000       90.0000", row)))
    at = found.system.position * bohr_in_angstrom
    pair, host, second, third = at[6], at[0], at[2], at[3]
    middle = second if distance > 0 else (second + third) / 2
    one, other = pair - host, middle - host
    cosine = one @ other / (np.linalg.norm(one) * np.linalg.norm(other))
    assert np.linalg.norm(one) == pytest.approx(0.35, abs=1e-6)
    assert np.degrees(np.arccos(cosine)) == pytest.approx(theta, abs=1e-4)
    assert dihedral(pair, host, middle, third) == pytest.approx(phi, abs=1e-4)


@pytest.mark.parametrize(
    ("old", "new", "what", "value"),
    [
        ("   F  1.640000", "   T  1.640000", "is not supported", "NUMLP flag T"),
        ("1.640000       0.00000", "1.640000       0.10000", "is not supported", "NUMLP scale"),
        ("1.640000", "0.000000", "is not supported", "NUMLP distance 0"),
        ("1.640000", "1_64", "is not a plain number", "1_64"),
        ("3         4   F", "3         5   F", "is out of order", "NUMLP place 5"),
        ("3         4   F", "4         4   F", "is not supported", "4 hosts"),
        ("2         1         7", "2         1         9", "names no atom", "9"),
        ("         1         3         4\n", "         1         3\n", "holds another number", ""),
        ("         2         7 !NUMLP", "         2         8 !NUMLP", "holds another number", ""),
        ("         2         7 !NUMLP", "         0         0 !NUMLP", "is not supported", "IMOVE"),
        ("           0\n         6", "          -1\n         6", "is not supported", "IMOVE"),
    ],
)
def test_bad_pairs_are_refused(tmp_path: Path, old: str, new: str, what: str, value: str) -> None:
    assert psf.count(old) == 1
    found = problems_of(write(tmp_path, psf.replace(old, new)))[0]
    assert found.what.startswith(what)
    assert value in found.value
    assert found.where.startswith("m.psf:")
    assert found.hint
