# SPDX-License-Identifier: BSD-3-Clause
"""Car-Parrinello steps by Quantum ESPRESSO's cp.x for the systems of cp_steps.py.

Run this file to make cp_figures.json; it needs cp.x (Debian: quantum-espresso). Orbitals first come
to rest in their ground state by damped steps among ions at rest; then orbitals and ions move
from rest. In cp.x "from rest" means that positions one step before are those of the start, so
velocities are zero half a step before it. It holds the centre of mass of the ions in its place.

Row n of cp.x, counted from 1, is of step n - 1: its energy and positions are those before the move.
Temperatures are of the velocities (x(n+1) - x(n-1)) / 2 dt. The fictitious kinetic energy is the
mean of those of the two half steps, of (c(n) - c(n-1)) / dt and (c(n+1) - c(n)) / dt.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from cp_steps import CASES, MASS, Case
from measure_pw import FUNCTIONALS, put_pseudopotential

from finegrain import units

stored = Path(__file__).with_name("cp_figures.json")


def _rows(table: np.ndarray) -> list[str]:
    return [" ".join(repr(float(x)) for x in row) for row in table]


def cp_input(case: Case, files: dict[str, str], *, damped: bool) -> str:
    """Return the input of the way to the ground state, or of the steps that follow."""
    system = case.system()
    begin = "from_scratch" if damped else "reset_counters"
    electrons = (
        # One mass for all waves would make the way longer.
        "electron_dynamics = 'damp', electron_damping = 0.12, startingwfc = 'random', "
        "ampre = 0.02, emass_cutoff = 2.5"
        if damped
        else "electron_dynamics = 'verlet', electron_velocities = 'zero', "
        f"emass_cutoff = {case.mass_cutoff}"
    )
    n1, n2, n3 = system.grid
    masses = case.masses()
    lines = (
        "&control",
        f"  calculation = 'cp', restart_mode = '{begin}', prefix = 'x', outdir = '.'",
        f"  pseudo_dir = '.', nstep = {case.damped if damped else case.steps + 1}",
        f"  dt = {case.timestep}, iprint = {case.damped if damped else 1}, isave = 100000",
        "  tprnfor = .true., ekin_conv_thr = 1e-30, etot_conv_thr = 1e-30, disk_io = 'low'",
        "/",
        "&system",
        f"  ibrav = 0, nat = {len(system.elements)}, ntyp = {len(files)}",
        f"  ecutwfc = {2 * system.cutoff}, nr1 = {n1}, nr2 = {n2}, nr3 = {n3}",
        f"  input_dft = '{FUNCTIONALS[system.functional]}'",
        "/",
        "&electrons",
        f"  emass = {MASS}, orthogonalization = 'ortho', ortho_eps = 1e-12, ortho_max = 300",
        f"  {electrons}",
        "/",
        "&ions",
        "  ion_dynamics = 'none'"
        if damped
        else "  ion_dynamics = 'verlet', ion_velocities = 'zero'",
        # The radii are of Ewald's Gaussians; the usual ones would not fit into the waves of a low
        # cutoff.
        *(f"  ion_radius({number + 1}) = 1.0" for number in range(len(files))),
        "/",
        "ATOMIC_SPECIES",
        *(f"{element} {masses[element]} {file}" for element, file in files.items()),
        "CELL_PARAMETERS bohr",
        *_rows(system.vectors),
        "ATOMIC_POSITIONS bohr",
        *(
            f"{element} {row}"
            for element, row in zip(system.elements, _rows(system.positions), strict=True)
        ),
    )
    return "\n".join(lines) + "\n"


def _run(folder: Path, text: str) -> str:
    (folder / "x.in").write_text(text)
    done = subprocess.run(
        ["cp.x", "-in", "x.in"],
        cwd=folder,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if "JOB DONE" not in done.stdout:
        sys.exit(done.stdout[-3000:] + done.stderr)
    return done.stdout


def _tables(path: Path, atoms: int) -> list[np.ndarray]:
    """Return the tables of atoms that cp.x has written for each step."""
    numbers = [line.split() for line in path.read_text().splitlines()]
    rows = [row for row in numbers if len(row) == 3]  # a step begins with two numbers
    return list(np.array(rows, float).reshape(-1, atoms, 3))


def prepare(case: Case, folder: Path) -> dict[str, str]:
    """Find the ground state in a folder; return the files of the pseudopotentials there."""
    folder.mkdir()
    files = {
        element: put_pseudopotential(pseudo, folder)
        for element, pseudo in case.system().pseudopotentials.items()
    }
    _run(folder, cp_input(case, files, damped=True))
    for suffix in ("evp", "pos", "for", "vel"):
        (folder / f"x.{suffix}").unlink(missing_ok=True)
    return files


def compute(case: Case, ground: Path, files: dict[str, str]) -> dict:
    """Return what cp.x says of each step, in hartree, bohr and K."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "steps"
        shutil.copytree(ground, folder)
        _run(folder, cp_input(case, files, damped=False))
        lines = (folder / "x.evp").read_text().splitlines()
        heading = next(line for line in lines if line.startswith("#"))
        table = np.array([line.split() for line in lines if not line.startswith("#")], float)
        names = heading.lstrip("#").split()
        column = {
            word: next(i for i, one in enumerate(names) if one.startswith(start))
            for word, start in (
                ("kinetic", "ekinc"),
                ("temperature", "Tion"),
                ("energy", "etot"),
                ("conserved", "econt"),
            )
        }
        atoms = len(case.system().elements)
        figures = {word: table[:, at].tolist() for word, at in column.items()}
        figures["forces"] = _tables(folder / "x.for", atoms)[0].tolist()
        figures["positions"] = _tables(folder / "x.pos", atoms)[-1].tolist()
        return figures


def version() -> str:
    """Return the name and version of the program."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["cp.x"], cwd=folder, input="", capture_output=True, text=True, check=False
        )
    found = re.search(r"CP (v\.\S+)", done.stdout)
    return "Quantum ESPRESSO cp.x " + (found[1] if found else "of an unknown version")


if __name__ == "__main__":
    about = {
        "program": version(),
        "units": {"energies": "hartree", "forces": "hartree/bohr", "positions": "bohr"},
        "temperature": f"K; 1 hartree is {units.hartree_in_kelvin} K",
    }
    figures = {}
    with tempfile.TemporaryDirectory() as name:
        found: dict[Path, dict[str, str]] = {}
        for case in CASES:
            ground = Path(name) / case.system.__name__  # one ground state for all masses
            if ground not in found:
                found[ground] = prepare(case, ground)
            figures[case.name] = compute(case, ground, found[ground])
    stored.write_text(json.dumps(about | figures, indent=1) + "\n")
