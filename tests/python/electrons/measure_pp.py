# SPDX-License-Identifier: BSD-3-Clause
"""Cubes of densities, spin densities and orbitals by Quantum ESPRESSO's pp.x.

Run this file to make pp_figures.json; it needs pw.x and pp.x (Debian: quantum-espresso). Stored is
every fifth point along each vector of the cell. Units: electrons/bohr^3; of an orbital its square,
1/bohr^3. The format of the files has six digits.

Orbitals are those of a run with complex ones: of real ones ("K_POINTS gamma") pp.x 6.7 writes
the mean of the square and its average in the cell, as if waves of both signs were there.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from ase.io.cube import read_cube
from measure_pw import put_pseudopotential, pw_input
from reference_systems import FOR_PW, SPINS

stored = Path(__file__).with_name("pp_figures.json")
STEP = 5
# What pp.x writes: its number, and lines for one orbital, counted from 1.
SYSTEMS = {
    "H2O GTH PBE triclinic": {
        "density": (0, ""),
        "orbital 1": (7, "kpoint = 1, kband = 1"),
        "orbital 3": (7, "kpoint = 1, kband = 3"),
        "orbital 4": (7, "kpoint = 1, kband = 4"),
    },
    "O2 GTH LDA spin": {"density": (0, ""), "spin density": (6, "")},
}


def run(program: str, text: str, folder: Path, end: str) -> str:
    """Run a program of Quantum ESPRESSO and return what it says."""
    (folder / "x.in").write_text(text)
    done = subprocess.run(
        [program, "-in", "x.in"], cwd=folder, capture_output=True, text=True, check=False
    )
    if end not in done.stdout:
        sys.exit(done.stdout[-3000:] + done.stderr)
    return done.stdout


def compute(name: str) -> dict:
    """Return every fifth point of each field."""
    system = (FOR_PW | SPINS)[name]()
    found = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files = {
            element: put_pseudopotential(pseudo, folder)
            for element, pseudo in system.pseudopotentials.items()
        }
        source = pw_input(system, files)
        if any(field.startswith("orbital") for field in SYSTEMS[name]):
            source = source.replace("K_POINTS gamma", "K_POINTS automatic\n1 1 1 0 0 0")
        run("pw.x", source, folder, "convergence has been achieved")
        for field, (number, lines) in SYSTEMS[name].items():
            text = f"""&inputpp
  prefix = 'x', outdir = '.', filplot = 'field', plot_num = {number}
  {lines}
/
&plot
  iflag = 3, output_format = 6, fileout = 'field.cube'
/
"""
            run("pp.x", text, folder, "JOB DONE")
            cube = next(iter(folder.glob("field*.cube")))
            with cube.open() as file:
                values = read_cube(file)["data"]
            cube.unlink()
            found[field] = values[::STEP, ::STEP, ::STEP].tolist()
    return found


def version() -> str:
    """Return the name and version of the program."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["pp.x"], cwd=folder, input="", capture_output=True, text=True, check=False
        )
    return "Quantum ESPRESSO pp.x " + re.search(r"POST-PROC (v\.\S+)", done.stdout).group(1)


if __name__ == "__main__":
    figures = {name: compute(name) for name in SYSTEMS}
    about = {"program": version(), "step": STEP}
    text = json.dumps(about | figures, indent=1)
    # A row of points in a line.
    text = re.sub(r"\[([^\[\]]*)\]", lambda m: "[" + " ".join(m.group(1).split()) + "]", text)
    stored.write_text(text + "\n")
