# SPDX-License-Identifier: BSD-3-Clause
"""TIP3P waters in files of CHARMM and GROMACS."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from input_systems import (
    Waters,
    tip3p_charge,
    tip3p_epsilon,
    tip3p_molecule,
    tip3p_oh,
    tip3p_sigma,
    write_input,
)

from finegrain.classical.preparation.prepare import Prepared
from finegrain.units import bohr_in_nm, electron_mass_in_dalton, hartree_in_kj_per_mol

charmm_psf = """\
PSF EXT

         2 !NTITLE
 REMARKS two waters
 REMARKS

         6 !NATOM
{atoms}

         6 !NBOND: bonds
         1         2         1         3         2         3         4         5
         4         6         5         6

         2 !NTHETA: angles
         2         1         3         5         4         6

         0 !NPHI: dihedrals

         0 !NIMPHI: impropers

         0 !NDON: donors

         0 !NACC: acceptors

         0 !NNB

         0         0         0         0         0         0

         1         0 !NGRP NST2
         0         0         0

"""

charmm_prm = """\
* two waters
*

ATOMS
MASS  -1  HT  1.00800
MASS  -1  OT 15.99940

BONDS
HT  HT  0.0    1.5139
OT  HT  450.0  0.9572

{angles}
NONBONDED nbxmod 5 atom cdiel shift vatom vdistance vswitch -
cutnb 14.0 ctofnb 12.0 ctonnb 10.0 eps 1.0 e14fac 1.0 wmin 1.5
OT  0.0  -0.1521  1.7682
HT  0.0  -0.0460  0.2245

END
"""


def write_charmm_water(folder: Path, *, angle: bool = True) -> None:
    row = "{0:10d} WAT      {1:<8d} TIP3     {2:<8s} {3:<6s} {4:9.6f}     {5:9.4f}           0"
    kinds = [("OH2", "OT", -0.834, 15.9994), ("H1", "HT", 0.417, 1.008), ("H2", "HT", 0.417, 1.008)]
    atoms = [row.format(3 * m + i + 1, m + 1, *kinds[i]) for m in (0, 1) for i in (0, 1, 2)]
    (folder / "w.psf").write_text(charmm_psf.format(atoms="\n".join(atoms)))
    angles = "ANGLES\nHT  OT  HT  55.0  104.52\n" if angle else ""
    (folder / "w.prm").write_text(charmm_prm.format(angles=angles))
    waters = Waters(side=1, edge=3.0)
    position = np.concatenate([waters.position, waters.position + np.array([0.3, 0, 0])]) * 10
    lines = [
        f"ATOM  {i + 1:5d}  {kinds[i % 3][0]:<3s} TIP3W{i // 3 + 1:4d}    "
        f"{x:8.3f}{y:8.3f}{z:8.3f}  1.00  0.00      WAT"
        for i, (x, y, z) in enumerate(position)
    ]
    (folder / "w.pdb").write_text("\n".join([*lines, "END"]) + "\n")
    more = 'parameters = ["w.prm"]\nbox = ["30 Å", "30 Å", "30 Å"]\n'
    write_input(folder, "w.psf", "w.pdb", more)


def check_water(prepared: Prepared) -> None:
    """All these files describe TIP3P (to the digits that they carry)."""
    system = prepared.system
    oxygen = prepared.fragments.water_atoms[:, 0]
    assert len(oxygen) == system.atoms // 3
    assert system.charge[oxygen] == pytest.approx(-2 * tip3p_charge, abs=1e-6)
    assert system.sigma[oxygen] * bohr_in_nm == pytest.approx(tip3p_sigma, rel=1e-3)
    assert system.epsilon[oxygen] * hartree_in_kj_per_mol == pytest.approx(tip3p_epsilon, rel=2e-3)
    assert system.mass[oxygen] * electron_mass_in_dalton == pytest.approx(15.9994, rel=1e-4)
    assert prepared.fragments.water_oh * bohr_in_nm == pytest.approx(tip3p_oh, rel=1e-3)
    assert len(system.terms["exceptions"].atoms) == system.atoms
    assert not any(column.any() for column in system.terms["exceptions"].columns.values())


def amber_topology(sections: list[tuple[str, str, list[Any]]]) -> str:
    """Return an AMBER topology of sections: their names, formats and values."""
    text = "%VERSION  VERSION_STAMP = V0001.000  DATE = 01/01/26  00:00:00\n"
    for name, form, values in sections:
        text += f"%FLAG {name}\n%FORMAT({form})\n"
        per_line, kind = re.match(r"(\d+)([aIE])", form).groups()
        write = {"a": "{:<4}", "I": "{:8d}", "E": "{:16.8E}"}[kind]
        for start in range(0, max(len(values), 1), int(per_line)):
            text += "".join(write.format(v) for v in values[start : start + int(per_line)]) + "\n"
    return text


no_angles_or_dihedrals: list[tuple[str, str, list[Any]]] = [  # sections of an AMBER topology
    *((f"ANGLE_{name}", "5E16.8", []) for name in ("FORCE_CONSTANT", "EQUIL_VALUE")),
    *((f"DIHEDRAL_{name}", "5E16.8", []) for name in ("FORCE_CONSTANT", "PERIODICITY", "PHASE")),
    *((f"ANGLES_{name}_HYDROGEN", "10I8", []) for name in ("INC", "WITHOUT")),
    *((f"DIHEDRALS_{name}_HYDROGEN", "10I8", []) for name in ("INC", "WITHOUT")),
]


gromacs_top = (
    """\
[ defaults ]
1 2 yes 0.5 0.8333
[ atomtypes ]
OW 8 15.9994 -0.834 A 0.3150752 0.635968
HW 1 1.008    0.417 A 0.0       0.0
"""
    + tip3p_molecule
    + """\
[ system ]
water
[ molecules ]
SOL 216
"""
)


def write_gro(folder: Path, digits: int, velocity: np.ndarray | None = None) -> np.ndarray:
    """Write 216 waters as GROMACS does with this many digits; return the positions, nm."""
    waters, width = Waters(), digits + 5
    lines = ["water", f"{len(waters.position):5d}"]
    for i, row in enumerate(waters.position):
        name = ("OW", "HW1", "HW2")[i % 3]
        line = f"{i // 3 + 1:5d}SOL  {name:>5s}{i + 1:5d}"
        line += "".join(f"{x:{width}.{digits}f}" for x in row)
        if velocity is not None:
            line += "".join(f"{v:{width}.{digits + 1}f}" for v in velocity[i])
        lines.append(line)
    lines.append("   1.864   1.864   1.864")
    (folder / "w.gro").write_text("\n".join(lines) + "\n")
    (folder / "w.top").write_text(gromacs_top)
    return waters.position


gro_input = (
    '[system]\nkind = "classical"\ntopology = "w.top"\ncoordinates = "w.gro"\n'
    '[forces]\ncutoff = "8 Å"\n[dynamics]\ntimestep = "2 fs"\nsteps = 1\n'
)
