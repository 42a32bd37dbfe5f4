# SPDX-License-Identifier: BSD-3-Clause
"""A chain, waters and ions whose molecules lie across the faces of the cell; readers of files."""

from pathlib import Path

import ase.io
import mdtraj
import numpy as np
from input_systems import tip4p_ew_molecule, tip4p_ew_shape

from finegrain.base import cells

BEADS, STEP = 14, 0.15  # nm; 1.95 nm in a cell of 2.2 nm
UPRIGHT = np.diag([2.2, 2.3, 2.4])
TILTED = np.array([[2.4, 0.0, 0.0], [0.8, 2.3, 0.0], [-0.7, 0.9, 2.3]])

TOP = """\
[ defaults ]
1 2 no 1.0 1.0
[ atomtypes ]
C  12.011 0.0 A 0.3 0.0
OW 15.999 0.0 A 0.3 0.1
HW 1.008 0.0 A 0.0 0.0
MW 0.0 0.0 D 0.0 0.0
NA 22.99 0.0 A 0.3 0.1
[ moleculetype ]
CHN 3
[ atoms ]
{beads}
[ bonds ]
{bonds}
{water}[ moleculetype ]
ION 1
[ atoms ]
1 NA 1 NA NA 1 0.0 22.99
[ system ]
chain, waters, ions
[ molecules ]
CHN 1
SOL 6
ION 2
"""
INPUT = """\
[system]
kind = "classical"
topology = "x.top"
coordinates = "x.gro"
[forces]
cutoff = "6 Å"
electrostatics = "pme"
rebuild_interval = 10
[dynamics]
ensemble = "npt"
temperature = "100 K"
timestep = "1 fs"
steps = 200
[output]
trajectory_interval = 100
velocities = true
"""
BONDS = [(i, i + 1) for i in range(BEADS - 1)]
BONDS += [(BEADS + 4 * w, BEADS + 4 * w + k) for w in range(6) for k in (1, 2, 3)]


def written_system(folder: Path, kind: str) -> Path:
    """Write topology, coordinates and input of a chain, waters and ions; return the input."""
    vectors = UPRIGHT if kind == "upright" else TILTED
    direction = np.array([1.0, 0.4, 0.6]) / np.linalg.norm([1.0, 0.4, 0.6])
    chain = 1.5 + STEP * np.arange(BEADS)[:, None] * direction
    corners = np.array(
        [[0, 0, 0], [0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0], [0.75, 0, 0.2], [0, 0.25, 0.9]]
    )
    waters = (corners @ vectors)[:, None] + tip4p_ew_shape
    ions = np.array([[0.25, 0.75, 0.25], [0.7, 0.2, 0.7]]) @ vectors
    place = np.concatenate([chain, waters.reshape(-1, 3), ions])
    place = (place @ np.linalg.inv(vectors) % 1.0) @ vectors
    beads = "\n".join(f"{i + 1} C 1 CHN C{i + 1} {i + 1} 0.0 12.011" for i in range(BEADS))
    bonds = "\n".join(f"{i} {i + 1} 1 {STEP} 50000" for i in range(1, BEADS))
    (folder / "x.top").write_text(
        TOP.format(beads=beads, bonds=bonds, water=tip4p_ew_molecule(charge=0.0))
    )
    names = [("CHN", f"C{i + 1}", 1) for i in range(BEADS)]
    names += [("SOL", name, 2 + w) for w in range(6) for name in ("OW", "HW1", "HW2", "MW")]
    names += [("NA", "NA", 8), ("NA", "NA", 9)]
    lines = ["x", str(len(place))]
    lines += [
        f"{number:5d}{residue:<5}{name:>5}{i + 1:5d}" + "%12.7f" * 3 % tuple(at)
        for i, ((residue, name, number), at) in enumerate(zip(names, place, strict=True))
    ]
    box = [*np.diag(vectors), *vectors[~np.eye(3, dtype=bool)]]
    (folder / "x.gro").write_text("\n".join([*lines, " ".join(f"{b:.6f}" for b in box)]) + "\n")
    (folder / "in.toml").write_text(INPUT)
    return folder / "in.toml"


def read_all(path: Path, top: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return positions and cell vectors of all frames, nm."""
    if path.suffix == ".xyz":
        frames = ase.io.read(path, index=":", format="extxyz")
        return (
            np.array([frame.positions for frame in frames]) / 10,
            np.array([frame.cell.array for frame in frames]) / 10,
        )
    if path.suffix == ".pdb":
        return models(path)
    if path.suffix == ".rst7":
        numbers = [float(line[at : at + 12]) for line in path.read_text().splitlines()[2:]
                   for at in range(0, len(line), 12)]  # fmt: skip
        atoms = (len(numbers) - 6) // 6
        place = np.array(numbers[: 3 * atoms]).reshape(1, -1, 3) / 10
        edges = np.array(numbers[-6:-3]) / 10
        return place, cells.vectors_from(edges, np.array(numbers[-3:]))[None]
    read = mdtraj.load(str(path), top=str(top)) if path.suffix != ".gro" else mdtraj.load(str(path))
    return read.xyz.astype(float), read.unitcell_vectors.astype(float)


def models(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Read all models of a PDB file, each with the CRYST1 before it."""
    places, boxes, box = [], [], None
    for line in path.read_text().splitlines():
        if line.startswith("CRYST1"):
            numbers = [float(word) for word in line[6:54].split()]
            box = cells.vectors_from(np.array(numbers[:3]) / 10, np.array(numbers[3:]))
        elif line.startswith("MODEL"):
            places.append([])
            boxes.append(box)
            box = None  # each model needs its own
        elif line.startswith(("ATOM", "HETATM")):
            places[-1].append([float(line[at : at + 8]) / 10 for at in (30, 38, 46)])
    return np.array(places), np.array(boxes)
