# SPDX-License-Identifier: BSD-3-Clause
"""Liquid methanol: bonds between C and O are free, and no molecule is one fragment."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

KT = 0.00831446261815324 * 298.15  # kJ/mol

_ATOMS = {"C": "CT", "H1": "HC", "H2": "HC", "H3": "HC", "O": "OH", "HO": "HO"}
_BONDS = [("C", "H1"), ("C", "H2"), ("C", "H3"), ("C", "O"), ("O", "HO")]
# OPLS-AA: Jorgensen, Maxwell, Tirado-Rives, J. Am. Chem. Soc. 118, 11225 (1996).
_FORCE_FIELD = """<ForceField>
  <AtomTypes>
    <Type name="CT" class="CT" element="C" mass="12.011"/>
    <Type name="HC" class="HC" element="H" mass="1.008"/>
    <Type name="OH" class="OH" element="O" mass="15.9994"/>
    <Type name="HO" class="HO" element="H" mass="1.008"/>
  </AtomTypes>
  <Residues><Residue name="MOH">{atoms}{bonds}</Residue></Residues>
  <HarmonicBondForce>
    <Bond class1="CT" class2="HC" length="0.109" k="284512.0"/>
    <Bond class1="CT" class2="OH" length="0.141" k="267776.0"/>
    <Bond class1="HO" class2="OH" length="0.0945" k="462750.4"/>
  </HarmonicBondForce>
  <HarmonicAngleForce>
    <Angle class1="HC" class2="CT" class3="HC" angle="1.8814649" k="276.144"/>
    <Angle class1="HC" class2="CT" class3="OH" angle="1.9111355" k="292.88"/>
    <Angle class1="CT" class2="OH" class3="HO" angle="1.8936822" k="460.24"/>
  </HarmonicAngleForce>
  <PeriodicTorsionForce>
    <Proper class1="HC" class2="CT" class3="OH" class4="HO"
            periodicity1="3" phase1="0" k1="0.9414"/>
  </PeriodicTorsionForce>
  <NonbondedForce coulomb14scale="0.5" lj14scale="0.5">
    <Atom type="CT" charge="0.145" sigma="0.35" epsilon="0.276144"/>
    <Atom type="HC" charge="0.04" sigma="0.25" epsilon="0.12552"/>
    <Atom type="OH" charge="-0.683" sigma="0.312" epsilon="0.71128"/>
    <Atom type="HO" charge="0.418" sigma="0.1" epsilon="0"/>
  </NonbondedForce>
</ForceField>
"""


def methanol_files(folder: Path, side: int) -> dict[str, object]:
    """Write side^3 methanols on a lattice, turned at random; return the keys of [system]."""
    folder.mkdir(parents=True, exist_ok=True)
    atoms = "".join(f'<Atom name="{a}" type="{t}"/>' for a, t in _ATOMS.items())
    bonds = "".join(f'<Bond atomName1="{a}" atomName2="{b}"/>' for a, b in _BONDS)
    (folder / "methanol.xml").write_text(_FORCE_FIELD.format(atoms=atoms, bonds=bonds))
    edge = 4.1 * side  # Å; 0.772 g/cm³
    random = np.random.default_rng(1)
    lines = [f"CRYST1{edge:9.3f}{edge:9.3f}{edge:9.3f}  90.00  90.00  90.00 P 1           1"]
    for m, corner in enumerate(np.ndindex(side, side, side)):
        places = _molecule() @ _turn(random).T + 4.1 * (np.array(corner) + 0.5)
        for a, (name, (x, y, z)) in enumerate(zip(_ATOMS, places, strict=True)):
            serial = m * len(_ATOMS) + a + 1
            lines.append(
                f"HETATM{serial:5d} {name:<4s} MOH A{m + 1:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
                f"  1.00  0.00          {name[0]:>2s}"
            )
    names = list(_ATOMS)
    for m in range(side**3):
        for a, b in _BONDS:
            i, j = (m * len(names) + names.index(k) + 1 for k in (a, b))
            lines.append(f"CONECT{i:5d}{j:5d}")
    (folder / "methanol.pdb").write_text("\n".join([*lines, "END", ""]))
    return {"topology": str(folder / "methanol.pdb"), "forcefield": [str(folder / "methanol.xml")]}


def _molecule() -> NDArray[np.float64]:
    """One methanol, staggered, in Å, about its middle."""
    tilt, bend = np.radians(109.5), np.radians(108.5)
    places = [np.zeros(3)]
    for turn in np.radians([60, 180, 300]):
        out = np.array([np.cos(turn), np.sin(turn), 0])
        places.append(1.09 * (np.sin(tilt) * out + np.cos(tilt) * np.array([0, 0, 1])))
    oxygen = np.array([0, 0, 1.41])
    places += [oxygen, oxygen + 0.945 * np.array([np.sin(bend), 0, -np.cos(bend)])]
    whole = np.array(places)
    return np.asarray(whole - whole.mean(axis=0))


def _turn(random: np.random.Generator) -> NDArray[np.float64]:
    """A random rotation."""
    q, r = np.linalg.qr(random.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return np.asarray(q * np.linalg.det(q))
