# SPDX-License-Identifier: BSD-3-Clause
"""GROMACS in double precision: energies by term of one structure, without a cell."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from owner_families.family import MissingOwnerError

COULOMB = 138.935458  # kJ nm/mol/e^2, as GROMACS has it
CUTOFF = 19.0  # nm, in a box of 40: every pair

MDP = f"""\
integrator = md
nsteps = 0
cutoff-scheme = Verlet
verlet-buffer-tolerance = -1
nstlist = 1
rlist = {CUTOFF}
rcoulomb = {CUTOFF}
rvdw = {CUTOFF}
coulombtype = reaction-field
epsilon-rf = 1
vdw-modifier = None
continuation = yes
nstcalcenergy = 1
nstenergy = 1
"""
# GROMACS's words of energies, and ours.
TERMS = {
    **dict.fromkeys(("Bond", "G96Bond"), "bond"),
    **dict.fromkeys(("Angle", "G96Angle"), "angle"),
    "U-B": "angle",
    **dict.fromkeys(("Proper Dih.", "Ryckaert-Bell.", "Per. Imp. Dih."), "torsion"),
    "Improper Dih.": "improper",
    "CMAP Dih.": "cmap",
    **dict.fromkeys(("LJ-14", "Coulomb-14"), "1-4 pairs"),
    "LJ (SR)": "Lennard-Jones",
    "Coulomb (SR)": "charges",
    "Potential": "total",
}


def run(folder: Path, words: str, answers: str = "") -> str:
    """Run a command of GROMACS in a folder; return what it prints."""
    if shutil.which("gmx_d") is None:
        raise MissingOwnerError(
            "gmx_d is missing: GROMACS in double precision, of Debian's gromacs"
        )
    done = subprocess.run(
        ["gmx_d", "-quiet", *words.split()],
        cwd=folder,
        input=answers,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"gmx_d {words}\n{done.stderr[-3000:]}")
    return done.stdout


def version() -> str:
    """Return the version of GROMACS."""
    found = re.search(r"GROMACS version:\s*(\S+)", run(Path(), "--version"))
    assert found
    return found[1].removesuffix("-Debian_2022.5_2")


def places_of(path: Path) -> NDArray[np.float64]:
    """Return the places of a GRO file, nm."""
    lines = path.read_text().splitlines()
    rows = lines[2 : 2 + int(lines[1])]
    point = rows[0].index(".", 20)
    width = rows[0].index(".", point + 1) - point
    starts = [20 + width * axis for axis in range(3)]
    return np.array([[float(row[at : at + width]) for at in starts] for row in rows])


def write_places(path: Path, place: NDArray[np.float64], edge: float) -> None:
    """Put other places, with six decimals, and a cubic cell into a GRO file."""
    lines = path.read_text().splitlines()
    rows = [
        line[:20] + "".join(f"{x:11.6f}" for x in at)
        for line, at in zip(lines[2 : 2 + len(place)], place, strict=True)
    ]
    cell = f"{edge:.4f} " * 3
    path.write_text("\n".join([*lines[:2], *rows, cell]) + "\n")


def minimise(folder: Path) -> None:
    """Move the atoms of x.gro downhill, so that none overlap."""
    steep = MDP.replace("integrator = md\nnsteps = 0", "integrator = steep\nnsteps = 200")
    (folder / "steep.mdp").write_text(steep)
    run(folder, "grompp -f steep.mdp -c x.gro -p x.top -o steep.tpr -maxwarn 9")
    run(folder, "mdrun -s steep.tpr -deffnm steep -ntmpi 1 -ntomp 1 -nb cpu")
    (folder / "steep.gro").replace(folder / "x.gro")


def energies(folder: Path) -> dict[str, float]:
    """Return the energies of x.top and x.gro by our names, kJ/mol."""
    (folder / "x.mdp").write_text(MDP)
    run(folder, "grompp -f x.mdp -c x.gro -p x.top -o x.tpr -maxwarn 9")
    run(folder, "mdrun -s x.tpr -e x.edr -g x.log -c end.gro -ntmpi 1 -ntomp 1 -nb cpu")
    words = [name.replace(" ", "-") for name in TERMS]
    run(folder, "energy -f x.edr -o x.xvg -dp", answers="\n".join(words) + "\n\n")
    text = (folder / "x.xvg").read_text()
    names = re.findall(r'@ s\d+ legend "(.*)"', text)
    values = text.splitlines()[-1].split()[1:]
    found: dict[str, float] = {}
    for name, value in zip(names, values, strict=True):
        found[TERMS[name]] = found.get(TERMS[name], 0.0) + float(value)
    return found
