# SPDX-License-Identifier: BSD-3-Clause
"""The free energy of H2 along its bond, from the mean force of runs that keep its length.

The reference are ground states: a molecule of two atoms that turns freely has the free energy
U(d) - 2 k T ln d. docs/how-to/free-energy.md explains it.
Usage: free_energy.py [--cutoff "40 Ry"] [--temperature 1000] [--steps 40] [--out runs/free-energy]
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import matplotlib as mpl
import numpy as np
from ase import Atoms
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

import finegrain as fg
from finegrain import units
from finegrain.ase import Finegrain
from finegrain.errors import InputNote

DISTANCES = np.arange(0.60, 1.21, 0.06)  # Å
EDGE = 5.5  # Å

INPUT = """\
[system]
kind = "ab-initio"
structure = "built-in:H2"
cell = ["{edge} Å", "{edge} Å", "{edge} Å"]

[electrons]
cutoff = "{cutoff}"
functional = "PBE"
pseudopotentials = "auto"

[ground_state]
tolerance = "1e-6 hartree"

[dynamics]
kind = "born-oppenheimer"
timestep = "1 fs"
steps = {steps}
temperature = "{temperature} K"
constraints = [{{ atoms = [1, 2], distance = "{distance:.2f} Å" }}]

[output]
energy_interval = 1
"""

Floats = NDArray[np.float64]


def mean_force(distance: float, folder: Path, given: argparse.Namespace) -> float:
    """Return dA/dd of one distance [hartree/bohr]: the mean of the force that keeps it.

    Two atoms at constant energy always have the kinetic energy of their temperature. More atoms
    need a thermostat, and longer runs.
    """
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{distance:.2f}.toml"
    settings = {"cutoff": given.cutoff, "temperature": given.temperature, "steps": given.steps}
    source.write_text(INPUT.format(edge=EDGE, distance=distance, **settings))
    run = fg.run(source, folder / f"{distance:.2f}", overwrite=True)
    force = run.energies()["constraint force 1-2 (hartree/bohr)"]
    return float(force.mean())


def potential_energies(cutoff: str) -> Floats:
    """Return the energies of the ground state at all distances [hartree]."""
    calculator = Finegrain(cutoff=cutoff, functional="PBE")
    found = []
    for distance in DISTANCES:
        atoms = Atoms("H2", [[0, 0, 0], [0, 0, distance]], cell=[EDGE] * 3, pbc=True)
        atoms.calc = calculator
        found.append(atoms.get_potential_energy() / units.hartree_in_ev)
    return np.array(found)


def draw(length: Floats, curves: dict[str, Floats], slope: Floats, path: Path) -> None:
    """Draw the mean force, and the free energy beside what it is compared with."""
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    left.plot(length, slope, "o-")
    left.axhline(0, color="grey", linewidth=0.5)
    left.set_ylabel("mean force (hartree/bohr)")
    for (name, values), style in zip(curves.items(), ("o", "-", "--"), strict=True):
        right.plot(length, values, style, label=name)
    right.set_ylabel("energy (hartree)")
    right.legend()
    for axes in (left, right):
        axes.set_xlabel("distance (Å)")
    figure.savefig(path, dpi=100)


def main() -> None:
    """Print a table of the free energy and its reference, and draw them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cutoff", default="40 Ry")
    parser.add_argument("--temperature", type=float, default=1000.0)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--out", type=Path, default=Path("runs/free-energy"))
    given = parser.parse_args()
    warnings.filterwarnings("ignore", "atoms are moved", InputNote)  # to the distance: as asked for
    slope = np.array([mean_force(distance, given.out, given) for distance in DISTANCES])
    length = DISTANCES / units.bohr_in_angstrom
    free = CubicSpline(length, slope).antiderivative()(length)
    energy = potential_energies(given.cutoff)
    kt = given.temperature / units.hartree_in_kelvin
    expected = energy - 2 * kt * np.log(length)
    # All are known but for a constant; zero at the lowest point.
    lowest = int(free.argmin())
    curves = {
        "from mean forces": free - free[lowest],
        "U - 2 kT ln d": expected - expected[lowest],
        "U": energy - energy[lowest],
    }
    print("distance (Å)  mean force (hartree/bohr)  free energy (hartree)  U - 2 kT ln d        U")
    for row in zip(DISTANCES, slope, *curves.values(), strict=True):
        print("{:12.2f}  {:25.5f}  {:21.5f}  {:13.5f}  {:7.5f}".format(*row))
    most = np.abs(curves["from mean forces"] - curves["U - 2 kT ln d"]).max()
    print(f"largest difference of the free energies: {most:.1e} hartree")
    draw(DISTANCES, curves, slope, given.out / "free_energy.png")


if __name__ == "__main__":
    main()
