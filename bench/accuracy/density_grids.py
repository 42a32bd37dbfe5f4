# SPDX-License-Identifier: BSD-3-Clause
"""What the grid of the density leaves: net forces, errors of energies and forces, and its cost.

Exchange and correlation are summed over the points of this grid, so the energy depends a little on
where in it all atoms are. Each system is computed at some places, drawn from a seed, on the
smallest grids of products of 2, 3 and 5, the usual ones, and of 2, 3, 5 and 7 that hold the waves
of the density, and on grids that are denser along each axis by some factors. The densest is what
the others are held against, at the same place. The largest figure of all places counts
for a system and a grid.

Energies are in hartree per atom, forces in hartree/bohr. "removed" is the error of forces from
which the net force was taken, on both grids. Times are seconds of a core for a whole run, the
median of all places, between which the grids take turns; so a busy machine does little to them.

Usage: density_grids.py [--systems NAME ...] [--places N] [--out FILE]
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import finegrain as fg
from finegrain.ab_initio.division.waves import good_size, waves_of
from finegrain.ab_initio.states.ground_state import GroundState
from finegrain.engine import machine
from finegrain.units import bohr_in_angstrom

sys.path.append(str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parents[1] / "peers"))

import stored
from ground_states import smooth_size, structure, xyz_lines

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

SOFT = {"H": "H.blyp-vbc.UPF", "C": "GTH_POTENTIALS", "O": "O.blyp-mt.UPF"}
FACTORS = (1.2, 1.5)
DENSEST = 2.0


@dataclass(frozen=True)
class System:
    """What is computed."""

    atoms: Callable[[], Atoms]
    cutoff: int  # Ry
    functional: str = "BLYP"
    auto: bool = False  # pseudopotentials: the first that fit


@dataclass(frozen=True)
class Measured:
    """A ground state and what it took."""

    found: GroundState
    core_seconds: float


def alone(name: str) -> Callable[[], Atoms]:
    """Return what makes a molecule, turned out of the axes, with 3 Å of vacuum on all sides."""

    def made() -> Atoms:
        from ase.build import molecule

        atoms = molecule(name)
        atoms.euler_rotate(20, 40, 70)
        atoms.center(vacuum=3.0)
        atoms.pbc = True
        return atoms

    return made


def waters() -> Atoms:
    """Return the ice of eight waters; atoms have left their places by about 0.05 Å."""
    atoms = structure(8, None)
    atoms.rattle(0.03, seed=1)
    return atoms


SYSTEMS = {
    "water": System(alone("H2O"), 70),
    "ethanol": System(alone("CH3CH2OH"), 70),
    "8 waters": System(waters, 70),
    "water, LDA": System(alone("H2O"), 70, functional="LDA"),
    "water, 100 Ry": System(alone("H2O"), 100),
    "water, PBE, 140 Ry": System(alone("H2O"), 140, functional="PBE", auto=True),
}


def grids_of(least: tuple[int, ...]) -> dict[str, list[int]]:
    """Return the grids by name; the first is the usual one."""
    grids = {
        "2, 3, 5": [smooth_size(points) for points in least],
        "2, 3, 5, 7": [good_size(points) for points in least],
    }
    if grids["2, 3, 5"] == grids["2, 3, 5, 7"]:
        del grids["2, 3, 5, 7"]
    for factor in (*FACTORS, DENSEST):
        grids[f"{factor:g}"] = [smooth_size(math.ceil(factor * points)) for points in least]
    return grids


def ground_state(folder: Path, system: System, atoms: Atoms, grid: list[int]) -> Measured:
    """Find one ground state, with one thread."""
    folder.mkdir()
    (folder / "system.xyz").write_text("\n".join(xyz_lines(atoms)) + "\n", encoding="utf-8")
    files = {one: SOFT[one] for one in sorted(set(atoms.get_chemical_symbols()))}
    table = ", ".join(f'{element} = "{file}"' for element, file in files.items())
    pseudopotentials = '"auto"' if system.auto else f"{{ {table} }}"
    lines = [
        "[system]",
        'kind = "ab-initio"',
        'structure = "system.xyz"',
        "[electrons]",
        f'cutoff = "{system.cutoff} Ry"',
        "allow_low_cutoff = true",
        f'functional = "{system.functional}"',
        f"pseudopotentials = {pseudopotentials}",
        *([] if system.auto or system.functional == "BLYP" else ["allow_other_functional = true"]),
        f"grid = {grid}",
        "[ground_state]",
        'tolerance = "1e-7 hartree"',
        'energy_tolerance = "1e-11 hartree"',
    ]
    (folder / "system.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    begin = time.process_time()
    run = fg.run(folder / "system.toml", folder / "run", pes=1)
    return Measured(GroundState(run), time.process_time() - begin)


def figures(run: Measured, densest: GroundState) -> dict[str, float]:
    """Return what one grid leaves at one place."""
    found = run.found
    error = found.forces - densest.forces
    return {
        "core_seconds": run.core_seconds,
        "net_force": float(np.linalg.norm(found.net_force)),
        "energy_per_atom": abs(found.energy - densest.energy) / len(error),
        "forces": float(np.linalg.norm(error, axis=1).max()),
        "forces_removed": float(np.linalg.norm(error - error.mean(axis=0), axis=1).max()),
    }


def measure(folder: Path, name: str, places: int) -> list[dict[str, Any]]:
    """Return an entry for each grid."""
    system, atoms = SYSTEMS[name], SYSTEMS[name].atoms()
    least = waves_of(atoms.cell.array / bohr_in_angstrom, system.cutoff / 2).least_grid
    grids = grids_of(least)
    places_of: dict[str, list[dict[str, float]]] = {one: [] for one in grids}
    random = np.random.default_rng(1)
    for place in range(places):
        moved = atoms.copy()
        moved.positions += random.random(3) @ atoms.cell.array
        moved.wrap()
        found = {
            one: ground_state(folder / f"{place}-{number}", system, moved, grid)
            for number, (one, grid) in enumerate(grids.items())
        }
        for one, state in found.items():
            places_of[one].append(figures(state, found[f"{DENSEST:g}"].found))
    entries = []
    for one, of_places in places_of.items():
        largest = {key: max(of[key] for of in of_places) for key in of_places[0]}
        largest["core_seconds"] = statistics.median(of["core_seconds"] for of in of_places)
        entry = {"system": name, "atoms": len(atoms), "cutoff_ry": system.cutoff, "grid": one}
        entries.append(entry | {"points": grids[one], **largest})
        print(name, one, grids[one], largest, file=sys.stderr, flush=True)
    return entries


def main() -> None:
    """Measure, and add to what the file has of other systems."""
    parser = argparse.ArgumentParser(description="What the grid of the density leaves.")
    parser.add_argument("--systems", nargs="+", choices=[*SYSTEMS], default=[*SYSTEMS])
    parser.add_argument("--places", type=int, default=4)
    parser.add_argument("--out", type=Path, help="JSON to write; standard output without it")
    given = parser.parse_args()
    entries: list[dict[str, Any]] = []
    if given.out is not None and given.out.exists():
        entries = stored.read(given.out)["entries"]
    for name in given.systems:
        with tempfile.TemporaryDirectory(prefix="grids-") as folder:
            new = measure(Path(folder), name, given.places)
        entries = [old for old in entries if old["system"] != name] + new
        report = {
            "benchmark": "what the grid of the density leaves",
            "what": "largest of all places: hartree/bohr, hartree per atom; core seconds of a run",
            "places": given.places,
            "versions": {"finegrain": machine.version()},
            "entries": entries,
            "machine": machine.fingerprint(),
        }
        stored.write(report, given.out)


if __name__ == "__main__":
    main()
