# SPDX-License-Identifier: BSD-3-Clause
"""Raw-looking structures made of the villin that comes with OpenMM, and of alanine dipeptide."""

import io
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from openmm import app, unit

SHIPPED = Path(app.__file__).parent / "data/test.pdb"  # villin in water, from LEU 1 to PHE 35


def lines_of_villin(first: int, last: int, *, heavy: bool = True) -> list[str]:
    """Return the lines of some residues of villin; without hydrogens if `heavy`."""
    lines = [line for line in SHIPPED.read_text().splitlines() if line.startswith("ATOM")]
    chosen = [line for line in lines if first <= int(line[22:26]) <= last]
    chosen = [line for line in chosen if line[17:20].strip() not in ("HOH", "Cl", "CL")]
    kept = [line for line in chosen if not (heavy and line[12:16].strip().lstrip("123")[0] == "H")]
    return [f"{line[:21]}A{line[22:54]}  1.00 10.00".ljust(76) + _element(line) for line in kept]


def lines_about(height: float) -> list[str]:
    """Return residues 25 to 29 of villin about the z axis, at this height of its middle, Å."""
    lines = lines_of_villin(25, 29)
    places = np.array([[float(line[at : at + 8]) for at in (30, 38, 46)] for line in lines])
    places += [0.0, 0.0, height] - places.mean(axis=0)
    return [
        f"{line[:30]}{x:8.3f}{y:8.3f}{z:8.3f}{line[54:]}"
        for line, (x, y, z) in zip(lines, places, strict=True)
    ]


def _element(line: str) -> str:
    return line[12:16].strip().lstrip("0123456789")[0].rjust(2)


def atom(record: str, name: str, residue: str, number: int, place: tuple[float, ...]) -> str:
    """Return the line of an atom of chain A."""
    x, y, z = place
    head = f"{record:6}{9000 + number:5} {name:<4} {residue:>3} A{number:4}    "
    return f"{head}{x:8.3f}{y:8.3f}{z:8.3f}  1.00 20.00          {name.strip()[0]:>2}"


def sequence(names: Iterable[str]) -> list[str]:
    """Return SEQRES records of chain A."""
    names = list(names)
    rows = [names[at : at + 13] for at in range(0, len(names), 13)]
    return [
        f"SEQRES {number:3} A {len(names):4}  {' '.join(row)}"
        for number, row in enumerate(rows, start=1)
    ]


def names_of(lines: Iterable[str]) -> list[str]:
    """Return the residues of lines of atoms, in their order."""
    return list(dict.fromkeys((int(line[22:26]), line[17:20].strip()) for line in lines))


def raw_villin() -> list[str]:
    """Return residues 1 to 10 of villin as a crystal has them.

    Residue 4 is missing, and 11 and 12 at the end; 5 lacks the atoms beyond CB; 7 has two locations
    of each atom; there are water, glycerol, a chloride ion and hydrogens of residue 1.
    """
    lines = lines_of_villin(1, 10)
    everything = [name for _, name in names_of(lines_of_villin(1, 12))]
    found = []
    for line in lines:
        number = int(line[22:26])
        name = line[12:16].strip()
        if number == 4 or (number == 5 and name not in ("N", "CA", "C", "O", "CB")):
            continue
        if number == 7:
            x = float(line[30:38]) + 0.3
            found.append(f"{line[:16]}A{line[17:54]}  0.40{line[60:]}")
            found.append(f"{line[:16]}B{line[17:30]}{x:8.3f}{line[38:54]}  0.60{line[60:]}")
        else:
            found.append(line)
    centre = [sum(float(line[at : at + 8]) for line in lines) / len(lines) for at in (30, 38, 46)]
    x, y, z = centre
    more = [
        atom("HETATM", "CL", "CL", 201, (x + 14, y, z)),
        atom("HETATM", "O1", "GOL", 202, (x, y + 14, z)),
        atom("HETATM", "C1", "GOL", 202, (x, y + 15.4, z)),
        atom("HETATM", "O", "HOH", 301, (x, y, z + 12)),
        atom("HETATM", "O", "HOH", 302, (x + 60, y, z)),
    ]
    more[0] = f"{more[0][:76]}CL"
    return ["HEADER    RAW", *sequence(everything), *found, "TER", *more, "END"]


def write(path: Path, lines: Iterable[str]) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def as_cif(pdb: Path, path: Path) -> Path:
    """Write a PDB file without alternate locations as mmCIF."""
    file = app.PDBFile(str(pdb))
    with path.open("w") as out:
        app.PDBxFile.writeFile(file.topology, file.positions, out, keepIds=True)
    return path


def dipeptide(path: Path) -> Path:
    """Write alanine dipeptide: ACE, ALA, NME; its places are those of openmmtools."""
    from openmmtools import testsystems

    made = testsystems.AlanineDipeptideVacuum()
    with path.open("w") as out:
        app.PDBFile.writeFile(made.topology, made.positions, out, keepIds=True)
    return path


def cysteines(*, metal: bool = False) -> list[str]:
    """Return two chains of three residues, the second a cysteine, with sulphurs 2.05 Å apart.

    With `metal` a zinc ion is 2.3 Å from the sulphur of A, in place of B. A is the start of villin
    with a sulphur for the oxygen of serine 2, 1.81 Å from its carbon; B is A turned about an axis
    beyond its sulphur.
    """
    lines = [line.replace("SER", "CYS").replace(" OG ", " SG ") for line in lines_of_villin(1, 3)]
    lines = [f"{line[:76]}{_element(line)}" for line in lines]
    places = np.array([[float(line[at : at + 8]) for at in (30, 38, 46)] for line in lines])
    names = [(line[17:20], line[12:16].strip()) for line in lines]
    sulphur, carbon = names.index(("CYS", "SG")), names.index(("CYS", "CB"))
    bond = places[sulphur] - places[carbon]
    places[sulphur] = places[carbon] + 1.81 * bond / np.linalg.norm(bond)
    away = places[sulphur] - places.mean(axis=0)
    away /= np.linalg.norm(away)
    if metal:
        zinc = atom("HETATM", "ZN", "ZN", 9, tuple(places[sulphur] + 2.3 * away))
        return [*_chain("A", lines, places), "TER", f"{zinc[:76]}ZN", "END"]
    axis = np.cross(away, [0.0, 0.0, 1.0])
    axis /= np.linalg.norm(axis)
    centre = places[sulphur] + 2.05 / 2 * away
    turned = 2 * np.outer((places - centre) @ axis, axis) - (places - centre) + centre
    return [*_chain("A", lines, places), "TER", *_chain("B", lines, turned), "TER", "END"]


def _chain(name: str, lines: list[str], places: np.ndarray) -> list[str]:
    return [
        f"{line[:21]}{name}{line[22:30]}{x:8.3f}{y:8.3f}{z:8.3f}  1.00 10.00".ljust(76)
        + _element(line)
        for line, (x, y, z) in zip(lines, places, strict=True)
    ]


def read_back(path: Path) -> app.PDBFile:
    return app.PDBFile(io.StringIO(path.read_text()))


def nm(quantity: unit.Quantity) -> list[list[float]]:
    return [list(row) for row in quantity.value_in_unit(unit.nanometer)]
