# SPDX-License-Identifier: BSD-3-Clause
"""Systems of other sizes than DHFR, as GROMACS files that finegrain and GROMACS both read.

Boxes of TIP3P water from GROMACS's own `gmx solvate`, relaxed by its steepest descent; and the box
of DHFR repeated along two axes, 94,232 atoms, for a protein in water of a larger size. The settings
are those of DHFR, with a mesh of the same spacing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dhfr
import gromacs


@dataclass(frozen=True)
class Water:
    """A cube of water."""

    name: str
    edge_nm: float
    mesh: tuple[int, int, int]


@dataclass(frozen=True)
class Repeated:
    """The box of DHFR repeated."""

    name: str
    times: tuple[int, int, int]
    mesh: tuple[int, int, int]


SYSTEMS: dict[str, Water | Repeated] = {
    one.name: one
    for one in (
        Water("water-3000", 3.11, (32, 32, 32)),
        Water("water-100000", 9.99, (100, 100, 100)),
        Repeated("dhfr-4", (2, 2, 1), (128, 128, 64)),
    )
}

WATER_TOPOLOGY = """\
#include "amber99sb-ildn.ff/forcefield.itp"
#include "amber99sb-ildn.ff/tip3p.itp"
[ system ]
water
[ molecules ]
"""
RELAX = f"""\
integrator = steep
nsteps = 200
emtol = 100
cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = {dhfr.CUTOFF_NM}
rvdw = {dhfr.CUTOFF_NM}
"""


def write(system: Water | Repeated, gmx: str, folder: Path) -> int:
    """Write NAME.top and NAME.gro; return the number of atoms."""
    if isinstance(system, Water):
        _write_water(system, gmx, folder)
    else:
        _write_repeated(system, gmx, folder)
    return int((folder / f"{system.name}.gro").read_text().split("\n", 2)[1])


def _write_water(system: Water, gmx: str, folder: Path) -> None:
    name = system.name
    edges = [str(system.edge_nm)] * 3
    gromacs.call([gmx, "solvate", "-cs", "spc216.gro", "-box", *edges, "-o", "tiled.gro"], folder)
    atoms = int((folder / "tiled.gro").read_text().split("\n", 2)[1])
    (folder / f"{name}.top").write_text(f"{WATER_TOPOLOGY}SOL {atoms // 3}\n")
    (folder / "relax.mdp").write_text(RELAX)
    files = ["-f", "relax.mdp", "-c", "tiled.gro", "-p", f"{name}.top", "-o", "relax.tpr"]
    gromacs.call([gmx, "grompp", *files], folder)
    run = ["-ntmpi", "1", "-ntomp", "2", "-s", "relax.tpr", "-c", f"{name}.gro"]
    gromacs.call([gmx, "mdrun", *run], folder)


def _write_repeated(system: Repeated, gmx: str, folder: Path) -> None:
    gromacs.write_topology(folder)
    head, molecules = (folder / "dhfr.top").read_text().split("[ molecules ]")
    count = system.times[0] * system.times[1] * system.times[2]
    lines = [line for line in molecules.splitlines() if line.strip() and line.strip()[0] != ";"]
    text = head + "[ molecules ]\n" + "\n".join(lines * count) + "\n"
    (folder / f"{system.name}.top").write_text(text)
    times = [str(number) for number in system.times]
    files = ["-f", "dhfr.gro", "-o", f"{system.name}.gro"]
    gromacs.call([gmx, "genconf", *files, "-nbox", *times], folder)


def keys_of(system: Water | Repeated) -> dict[str, Any]:
    """Return the keys of finegrain's input that name the files beside it."""
    return {
        "system.title": system.name,
        "system.topology": f"{system.name}.top",
        "system.coordinates": f"{system.name}.gro",
        "forces.mesh": list(system.mesh),
    }
