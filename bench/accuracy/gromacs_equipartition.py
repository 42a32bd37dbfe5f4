# SPDX-License-Identifier: BSD-3-Clause
"""Energies of bonds and angles of methanol in GROMACS, with hydrogens of 3 Da and steps of 4 fs.

The liquid, force field and settings are those of `test_equipartition_by_mode.py`; the figures go
into its file of results, beside those of finegrain. Needs gmx and OpenMM.

Usage: gromacs_equipartition.py [--picoseconds N] [--out FILE]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from openmm import app

_HERE = Path(__file__).resolve()
sys.path += [str(_HERE.parents[2] / "tests" / "python" / "engine"), str(_HERE.parents[1])]
import stored  # noqa: E402
from methanol import KT, methanol_files  # noqa: E402

MOLECULES = 216
TOPOLOGY = """[ defaults ]
1 2 yes 0.5 0.5
[ atomtypes ]
CT 6  6.035   0.145 A 0.35  0.276144
HC 1  3.0     0.040 A 0.25  0.12552
OH 8 14.0074 -0.683 A 0.312 0.71128
HO 1  3.0     0.418 A 0.1   0.0
[ bondtypes ]
CT HC 1 0.109  284512.0
CT OH 1 0.141  267776.0
HO OH 1 0.0945 462750.4
[ angletypes ]
HC CT HC 1 107.8 276.144
HC CT OH 1 109.5 292.88
CT OH HO 1 108.5 460.24
[ dihedraltypes ]
HC CT OH HO 9 0.0 0.9414 3
[ moleculetype ]
MOH 3
[ atoms ]
1 CT 1 MOH C  1  0.145  6.035
2 HC 1 MOH H1 1  0.040  3.0
3 HC 1 MOH H2 1  0.040  3.0
4 HC 1 MOH H3 1  0.040  3.0
5 OH 1 MOH O  1 -0.683 14.0074
6 HO 1 MOH HO 1  0.418  3.0
[ bonds ]
1 2 1
1 3 1
1 4 1
1 5 1
5 6 1
[ pairs ]
2 6 1
3 6 1
4 6 1
[ angles ]
2 1 3 1
2 1 4 1
3 1 4 1
2 1 5 1
3 1 5 1
4 1 5 1
1 5 6 1
[ dihedrals ]
2 1 5 6 9
3 1 5 6 9
4 1 5 6 9
[ system ]
methanol
[ molecules ]
MOH 216
"""
SETTINGS = """cutoff-scheme = Verlet
coulombtype = PME
rcoulomb = 0.7
rvdw = 0.7
rvdw-switch = 0.6
vdw-modifier = potential-switch
DispCorr = EnerPres
fourierspacing = 0.1
constraints = h-bonds
lincs-order = 6
lincs-iter = 2
"""
MOVES = """dt = 0.004
nstcalcenergy = 10
nstenergy = 10
nsttcouple = 10
nstpcouple = 10
tc-grps = system
ref-t = 298.15
gen-vel = yes
gen-temp = 298.15
"""
RESCALED = "integrator = md\ntcoupl = v-rescale\ntau-t = 0.5\n"
BATHS = {
    "none, GROMACS: velocity rescaling, 4 fs": RESCALED,
    "none, GROMACS: Langevin, 4 fs": "integrator = sd\ntau-t = 1.0\n",
    "stochastic rescaling, GROMACS: velocity rescaling, 4 fs": RESCALED
    + "pcoupl = C-rescale\ntau-p = 2.0\ncompressibility = 1e-4\nref-p = 1.0\n",
}


def gmx(folder: Path, *words: str, typed: str = "") -> str:
    """Run a command of GROMACS; return what it printed."""
    done = subprocess.run(
        ["gmx", "-quiet", *words], cwd=folder, input=typed, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"gmx {' '.join(words)}:\n{done.stderr}")
    return done.stdout


def simulate(folder: Path, name: str, settings: str, start: str) -> None:
    """Run with some settings; the files have the name."""
    (folder / f"{name}.mdp").write_text(SETTINGS + settings)
    files = ["-f", f"{name}.mdp", "-c", start, "-p", "topol.top", "-o", f"{name}.tpr"]
    gmx(folder, "grompp", *files, "-maxwarn", "5")
    gmx(folder, "mdrun", "-deffnm", name, "-ntmpi", "1", "-ntomp", "1")


def averages(folder: Path, name: str, begin: float) -> dict[str, float]:
    """Return energies over kT/2 for each free bond, with errors of their means."""
    typed = "Bond\nAngle\nTemperature\n"
    files = ["-f", f"{name}.edr", "-b", str(begin), "-o", f"{name}.xvg"]
    said = gmx(folder, "energy", *files, typed=typed)
    found: dict[str, float] = {}
    for line in said.splitlines():
        words = line.split()
        if words[:1] in (["Bond"], ["Angle"], ["Temperature"]):
            unit = 1.0 if words[0] == "Temperature" else MOLECULES * KT / 2
            found[words[0].lower()] = round(float(words[1]) / unit, 7)
            found[f"{words[0].lower()}_error"] = round(float(words[2]) / unit, 7)
    return found


def main() -> None:
    """Run all baths, and add their figures to the file."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--picoseconds", type=int, default=200)
    results = _HERE.parents[1] / "results" / "equipartition.json"
    options.add_argument("--out", type=Path, default=results)
    given = options.parse_args()
    report = stored.read(given.out) if given.out.exists() else {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pdb = app.PDBFile(str(methanol_files(folder, 6)["topology"]))
        write_gro(folder / "conf.gro", pdb)
        (folder / "topol.top").write_text(TOPOLOGY)
        simulate(folder, "em", "integrator = steep\nnsteps = 500\n", "conf.gro")
        for name, bath in BATHS.items():
            steps = f"nsteps = {given.picoseconds * 250}\n"
            simulate(folder, "run", MOVES + steps + bath, "em.gro")
            found = averages(folder, "run", given.picoseconds / 4)
            report.setdefault("methanol, heavy hydrogens", {})[name] = found
            print(name, found)
    stored.write(report, given.out)


def write_gro(path: Path, pdb: app.PDBFile) -> None:
    """Write atoms and box in GROMACS's format."""
    places = pdb.getPositions(asNumpy=True)._value
    lines = ["methanol", str(len(places))]
    for atom, (x, y, z) in zip(pdb.topology.atoms(), places, strict=True):
        number = int(atom.residue.id)
        lines.append(
            f"{number:5d}{'MOH':<5s}{atom.name:>5s}{atom.index + 1:5d}{x:8.3f}{y:8.3f}{z:8.3f}"
        )
    edges = pdb.topology.getUnitCellDimensions()._value
    path.write_text("\n".join([*lines, "".join(f"{edge:10.5f}" for edge in edges), ""]))


if __name__ == "__main__":
    main()
