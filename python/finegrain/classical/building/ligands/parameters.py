# SPDX-License-Identifier: BSD-3-Clause
"""From AMBER's topology of a ligand to a file of an OpenMM force field with the same energies.

Each atom has a type of its own, so every term of the topology is a line of the file. With
`ordering="amber"` and four different types OpenMM takes the atoms of an improper torsion in the
order of the topology.

Units: kcal/mol, Å, radians and charges times 18.2223 there; kJ/mol, nm, radians and e here.
E = k (x - x₀)² there, and half of it here (https://ambermd.org/FileFormats.php).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import quoteattr

_kcal = 4.184  # kJ/mol
_per_angstrom2 = 100.0  # 1/nm²
_charge = 18.2223
_shape = re.compile(r"%FORMAT\(\d+[aIE](\d+)")
_scales = {"SCEE_SCALE_FACTOR": 1.2, "SCNB_SCALE_FACTOR": 2.0}  # those of the AMBER files of OpenMM

Quartet = tuple[int, ...]
Wave = tuple[int, float, float]  # periodicity, phase, k


def force_field_xml(
    title: str, name: str, symbols: Sequence[str], atoms: Sequence[str], prmtop: str
) -> str:
    """Return the file of the force field.

    Parameters
    ----------
    title : str
        What the parameters are, for the reader of the file.
    name : str
        The name of the residue.
    symbols, atoms : sequence of str
        Elements and names of its atoms, in the order of the topology.
    prmtop : str
        The text of the topology.
    """
    topology = _Topology(prmtop)
    types = [f"{name}-{atom}" for atom in atoms]
    title = title.replace("--", "- -").strip("-")
    lines = ["<ForceField>", f"  <!-- {title} -->"]
    lines += _types(topology, types, symbols)
    lines += _residue(topology, types, name, atoms)
    lines += _bonded(topology, types)
    lines += _torsions(topology, types)
    lines += _pairs(topology, types)
    return "\n".join([*lines, "</ForceField>"]) + "\n"


class _Topology:
    """The sections of a topology; terms have atoms from 0 and a type from 0."""

    def __init__(self, text: str) -> None:
        self._sections: dict[str, list[str]] = {}
        for part in text.split("%FLAG ")[1:]:
            head, shape, *rows = part.splitlines()
            match = _shape.match(shape)
            width = int(match[1]) if match else 80
            self._sections[head.strip()] = [
                row[at : at + width].strip() for row in rows for at in range(0, len(row), width)
            ]

    def numbers(self, name: str) -> list[float]:
        return [float(word) for word in self._sections[name] if word]

    def indices(self, name: str) -> list[int]:
        return [int(word) for word in self._sections[name] if word]

    def terms(self, kind: str, atoms: int) -> Iterator[tuple[list[int], int]]:
        """Yield atoms, three times their number with the signs of the file, and the type."""
        for which in ("INC", "WITHOUT"):
            values = self.indices(f"{kind}_{which}_HYDROGEN")
            for at in range(0, len(values), atoms + 1):
                yield values[at : at + atoms], values[at + atoms] - 1


def _row(tag: str, **values: object) -> str:
    given = " ".join(f"{key.strip('_')}={quoteattr(_text(value))}" for key, value in values.items())
    return f"    <{tag} {given}/>"


def _text(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _of(types: Sequence[str], atoms: Sequence[int], word: str = "type") -> dict[str, object]:
    return {f"{word}{place}": types[atom] for place, atom in enumerate(atoms, start=1)}


def _types(topology: _Topology, types: Sequence[str], symbols: Sequence[str]) -> list[str]:
    masses = topology.numbers("MASS")
    rows = [
        _row("Type", name=kind, class_=kind, element=symbol, mass=mass)
        for kind, symbol, mass in zip(types, symbols, masses, strict=True)
    ]
    return ["  <AtomTypes>", *rows, "  </AtomTypes>"]


def _residue(
    topology: _Topology, types: Sequence[str], name: str, atoms: Sequence[str]
) -> list[str]:
    charges = [charge / _charge for charge in topology.numbers("CHARGE")]
    lines = ["  <Residues>", f"   <Residue name={quoteattr(name)}>"]
    for atom, kind, charge in zip(atoms, types, charges, strict=True):
        lines.append(_row("Atom", name=atom, type=kind, charge=charge))
    for ends, _ in topology.terms("BONDS", 2):
        one, other = (atoms[end // 3] for end in ends)
        lines.append(_row("Bond", atomName1=one, atomName2=other))
    return [*lines, "   </Residue>", "  </Residues>"]


def _bonded(topology: _Topology, types: Sequence[str]) -> list[str]:
    lengths, stiff = (topology.numbers(f"BOND_{one}") for one in ("EQUIL_VALUE", "FORCE_CONSTANT"))
    lines = ["  <HarmonicBondForce>"]
    for ends, kind in topology.terms("BONDS", 2):
        k = 2 * _kcal * _per_angstrom2 * stiff[kind]
        given = _of(types, [end // 3 for end in ends])
        lines.append(_row("Bond", **given, length=lengths[kind] / 10, k=k))
    lines += ["  </HarmonicBondForce>", "  <HarmonicAngleForce>"]
    angles, stiff = (topology.numbers(f"ANGLE_{one}") for one in ("EQUIL_VALUE", "FORCE_CONSTANT"))
    for ends, kind in topology.terms("ANGLES", 3):
        given = _of(types, [end // 3 for end in ends])
        lines.append(_row("Angle", **given, angle=angles[kind], k=2 * _kcal * stiff[kind]))
    return [*lines, "  </HarmonicAngleForce>"]


def _torsions(topology: _Topology, types: Sequence[str]) -> list[str]:
    """Return torsions; those whose last atom has a minus are improper.

    They turn about their third atom, or about the second: tleap reverses the order of some, because
    the first atom of all has no minus.
    """
    k, periods, phases = (
        topology.numbers(f"DIHEDRAL_{one}") for one in ("FORCE_CONSTANT", "PERIODICITY", "PHASE")
    )
    bonds = {frozenset(end // 3 for end in ends) for ends, _ in topology.terms("BONDS", 2)}
    proper: dict[Quartet, list[Wave]] = defaultdict(list)
    improper: dict[Quartet, list[Wave]] = defaultdict(list)
    for ends, kind in topology.terms("DIHEDRALS", 4):
        quartet = tuple(abs(end) // 3 for end in ends)
        wave = (round(periods[kind]), phases[kind], _kcal * k[kind])
        if not wave[2]:
            continue
        if ends[3] < 0:
            if not all({quartet[2], other} in bonds for other in quartet[:2] + quartet[3:]):
                quartet = quartet[::-1]
            improper[quartet[2], quartet[0], quartet[1], quartet[3]].append(wave)
        else:
            proper[min(quartet, quartet[::-1])].append(wave)
    lines = ['  <PeriodicTorsionForce ordering="amber">']
    for tag, found in (("Proper", proper), ("Improper", improper)):
        for quartet, waves in found.items():
            given = _of(types, quartet)
            for place, (period, phase, height) in enumerate(waves, start=1):
                given[f"periodicity{place}"] = period
                given[f"phase{place}"] = phase
                given[f"k{place}"] = height
            lines.append(_row(tag, **given))
    return [*lines, "  </PeriodicTorsionForce>"]


def _pairs(topology: _Topology, types: Sequence[str]) -> list[str]:
    """Return Lennard-Jones of each atom with its like; others follow by Lorentz and Berthelot."""
    for name, usual in _scales.items():
        if any(abs(scale - usual) > 1e-6 for scale in topology.numbers(name) if scale):
            raise ValueError(f"{name} is not {usual:g}")
    kinds = topology.indices("ATOM_TYPE_INDEX")
    places = topology.indices("NONBONDED_PARM_INDEX")
    repulsion = topology.numbers("LENNARD_JONES_ACOEF")
    attraction = topology.numbers("LENNARD_JONES_BCOEF")
    count = round(len(places) ** 0.5)
    lines = [
        '  <NonbondedForce coulomb14scale="0.8333333333333334" lj14scale="0.5">',
        '    <UseAttributeFromResidue name="charge"/>',
    ]
    for kind, name in zip(kinds, types, strict=True):
        pair = places[(kind - 1) * count + kind - 1] - 1
        a, b = repulsion[pair], attraction[pair]
        sigma = (a / b) ** (1 / 6) / 10 if a and b else 0.1
        epsilon = _kcal * b * b / (4 * a) if a and b else 0.0
        lines.append(_row("Atom", type=name, sigma=sigma, epsilon=epsilon))
    return [*lines, "  </NonbondedForce>"]
