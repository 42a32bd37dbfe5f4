# SPDX-License-Identifier: BSD-3-Clause
"""How far ground states with splines are from exact ones, by order and grid.

Ice of 8 waters, silicon with 8 atoms, and gallium arsenide with 8 atoms, whose gallium has
projectors up to d; all moved from their symmetric places, so that there are forces. Differences of
the energy are in hartree per atom, those of forces in hartree/bohr; the part of the forces that
moves the whole cell, which exact ones do not have, is their largest sum over all atoms.

Usage: ion_splines.py [--out FILE]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from ase.build import bulk
from ase.io import write

import finegrain as fg
from finegrain.ab_initio.ions.built_in import built_in
from finegrain.ab_initio.states.ground_state import GroundState
from finegrain.engine import machine

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

ORDERS = (4, 5, 6, 8, 10)
FACTORS = (1.2, 1.4, 1.6, 2.0)
USUAL = (8, 1.4)
AUTO = 'pseudopotentials = "auto"'
SOFT = 'pseudopotentials = { O = "O.blyp-mt.UPF", H = "H.blyp-vbc.UPF" }'
GAAS = 'pseudopotentials = { Ga = "Ga", As = "As" }'
SYSTEMS = {
    "8 waters, 70 Ry": ("ice", "70 Ry", "BLYP", SOFT),
    "silicon, 8 atoms, 20 Ry": ("silicon", "20 Ry", "LDA", AUTO),
    "gallium arsenide, 8 atoms, 40 Ry": ("GaAs", "40 Ry", "LDA", GAAS),
}
GTH = Path("/usr/share/cp2k/GTH_POTENTIALS")  # of Debian's cp2k-data
ENTRIES = {"Ga": "Ga GTH-PADE-q3", "As": "As GTH-PADE-q5"}


def write_structure(path: Path, name: str) -> None:
    """Write a crystal whose atoms have left their places by about 0.05 Å."""
    atoms = bulk("GaAs", "zincblende", a=5.65, cubic=True) if name == "GaAs" else built_in(name)
    atoms.rattle(0.03, seed=1)
    write(path, atoms, format="extxyz")


def write_entries(folder: Path) -> None:
    """Write a file for each entry of the collection that is meant: without d in gallium's core."""
    lines = GTH.read_text(encoding="utf-8").splitlines()
    for element, title in ENTRIES.items():
        first = next(i for i, line in enumerate(lines) if line.startswith(title))
        last = next(i for i in range(first, len(lines)) if lines[i].startswith("#"))
        (folder / element).write_text("\n".join(lines[first:last]) + "\n", encoding="utf-8")


def ground_state(folder: Path, name: str, *keys: str) -> GroundState:
    """Find the ground state of one of the systems with some keys of [electrons]."""
    structure, cutoff, functional, pseudopotentials = SYSTEMS[name]
    folder.mkdir()
    write_structure(folder / "system.xyz", structure)
    write_entries(folder)
    lines = [
        "[system]",
        'kind = "ab-initio"',
        'structure = "system.xyz"',
        "[electrons]",
        f'cutoff = "{cutoff}"',
        f'functional = "{functional}"',
        pseudopotentials,
        "allow_low_cutoff = true",
        *keys,
        "[ground_state]",
        'tolerance = "1e-8 hartree"',
        'energy_tolerance = "1e-13 hartree"',
    ]
    (folder / "system.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return fg.run(folder / "system.toml", folder / "run", pes=1).ground_state()


def errors(folder: Path, name: str) -> list[dict[str, Any]]:
    """Return an entry for each part, order and grid."""
    exact = ground_state(folder / "exact", name, 'nonlocal_part = "exact"', 'local_part = "exact"')
    settings = [(order, USUAL[1]) for order in ORDERS]
    settings += [(USUAL[0], factor) for factor in FACTORS if factor != USUAL[1]]
    entries = []
    for part, other in (("nonlocal", "local"), ("local", "nonlocal")):
        for order, factor in settings:
            keys = (
                f'{part}_part = "splines"',
                f'{other}_part = "exact"',
                f"spline_order = {order}",
                f"spline_grid = {factor}",
            )
            found = ground_state(folder / f"{part}-{order}-{factor}", name, *keys)
            entries.append(
                {
                    "system": name,
                    "part": part,
                    "order": order,
                    "factor": factor,
                    "energy_per_atom": abs(found.energy - exact.energy) / len(found.forces),
                    "forces": float(np.abs(found.forces - exact.forces).max()),
                    "sum_of_forces": float(np.abs(found.forces.sum(axis=0)).max()),
                    "sum_of_exact_forces": float(np.abs(exact.forces.sum(axis=0)).max()),
                }
            )
    return entries


def main() -> None:
    """Measure all systems."""
    parser = argparse.ArgumentParser(description="How far splines are from exact ground states.")
    parser.add_argument("--out", type=Path, default=Path("bench/results/ion_spline_errors.json"))
    options = parser.parse_args()
    report: dict[str, Any] = {"machine": machine.fingerprint(), "entries": []}
    with tempfile.TemporaryDirectory() as name:
        for number, system in enumerate(SYSTEMS):
            folder = Path(name) / str(number)
            folder.mkdir()
            report["entries"] += errors(folder, system)
            stored.write(report, options.out)


if __name__ == "__main__":
    main()
