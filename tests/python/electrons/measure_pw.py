# SPDX-License-Identifier: BSD-3-Clause
"""Total energies, forces and stresses by Quantum ESPRESSO's pw.x for the systems of this folder.

Run this file to make pw_figures.json, or with names of systems to make theirs only; it needs pw.x
(Debian: quantum-espresso). GTH and psp8 pseudopotentials are written in formats that pw.x reads;
UPF files are used as they are.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from plain_kohn_sham import System
from pseudo_files import as_table, hgh_text, upf_2_text
from reference_systems import DIPOLES, FOR_ENGINE, FOR_PW, SPINS

from finegrain.pseudopotentials import Pseudopotential

stored = Path(__file__).with_name("pw_figures.json")

FUNCTIONALS = {
    "PZ": "pz",
    "PW92": "sla+pw+nogx+nogc",
    "PBE": "pbe",
    "revPBE": "revpbe",
    "BLYP": "blyp",
}


def put_pseudopotential(pseudo: Pseudopotential, folder: Path) -> str:
    """Write or copy a pseudopotential; return the name of the file."""
    if pseudo.form.startswith("UPF"):
        shutil.copy(pseudo.path, folder / pseudo.path.name)
        return pseudo.path.name
    if pseudo.form == "GTH" and all(channel.l == 0 for channel in pseudo.channels):
        (folder / f"{pseudo.element}.gth").write_text(hgh_text(pseudo))
        return f"{pseudo.element}.gth"
    # With p or d projectors of .gth files the stress of pw.x 6.7 is not the derivative of its
    # energy (wrong by 28 kbar for germanium), but it is with the same projectors as tables.
    table = as_table(pseudo) if pseudo.form == "GTH" else pseudo
    (folder / f"{pseudo.element}.UPF").write_text(upf_2_text(table))
    return f"{pseudo.element}.UPF"


def _spin(system: System) -> str:
    """Return the lines for spin, with a start that has some on all atoms."""
    if system.magnetization is None:
        return ""
    start = system.magnetization / system.charges.sum()
    each = (
        f", starting_magnetization({i + 1}) = {start}" for i in range(len(system.pseudopotentials))
    )
    return f"\n  nspin = 2, tot_magnetization = {system.magnetization}" + "".join(each)


def pw_input(system: System, files: dict[str, str], *, dipole: bool = False) -> str:
    """Return the input; pw.x gives the dipole moment with a correction that needs a cubic cell."""
    assume = "mp" if dipole else "mt" if system.isolated else "none"
    shape = f"ibrav = 1, celldm(1) = {system.vectors[0, 0]}" if dipole else "ibrav = 0"
    species = "\n".join(f"{element} 1.0 {file}" for element, file in files.items())
    rows = "\n".join(" ".join(repr(float(x)) for x in row) for row in system.vectors)
    cell = "" if dipole else f"CELL_PARAMETERS bohr\n{rows}\n"
    atoms = "\n".join(
        f"{element} " + " ".join(repr(float(x)) for x in row)
        for element, row in zip(system.elements, system.positions, strict=True)
    )
    n1, n2, n3 = system.grid
    return f"""&control
  calculation = 'scf', prefix = 'x', outdir = '.', pseudo_dir = '.'
  tprnfor = .true., tstress = .{"false" if system.isolated else "true"}., disk_io = 'low'
/
&system
  {shape}, nat = {len(system.elements)}, ntyp = {len(files)}, nosym = .true., noinv = .true.
  ecutwfc = {2 * system.cutoff}, nr1 = {n1}, nr2 = {n2}, nr3 = {n3}
  assume_isolated = '{assume}'
  input_dft = '{FUNCTIONALS[system.functional]}', occupations = 'fixed'{_spin(system)}
/
&electrons
  conv_thr = 1e-14, electron_maxstep = 200, mixing_beta = 0.5, diago_full_acc = .true.
/
ATOMIC_SPECIES
{species}
{cell}ATOMIC_POSITIONS bohr
{atoms}
K_POINTS gamma
"""


def compute(system: System, *, dipole: bool = False) -> dict:
    """Return what pw.x says, in hartree and bohr; `dipole` only of a molecule in a cubic cell."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {
            element: put_pseudopotential(pseudo, folder)
            for element, pseudo in system.pseudopotentials.items()
        }
        (folder / "x.in").write_text(pw_input(system, files, dipole=dipole))
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            ["pw.x", "-in", "x.in"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if "convergence has been achieved" not in done.stdout:
            sys.exit(done.stdout[-3000:] + done.stderr)
        root = ElementTree.parse(folder / "x.save" / "data-file-schema.xml").getroot()
        output = root.find("output")
        atoms = len(system.elements)

        def number(path: str) -> float:
            return float(output.find(path).text)

        def table(path: str, rows: int) -> list[list[float]]:
            values = np.array(output.find(path).text.split(), float).reshape(rows, 3)
            return values.tolist()

        parts = {"one-electron": None, "hartree": None, "xc": None, "ewald": None}
        for part in parts:
            found = re.search(rf"{part} contribution\s*=\s*(\S+) Ry", done.stdout)
            parts[part] = float(found.group(1)) / 2
        figures = {
            "total": number("total_energy/etot"),
            "parts": parts,
            "eigenvalues": [
                float(x) for x in output.find("band_structure/ks_energies/eigenvalues").text.split()
            ],
            "forces": table("forces", atoms),
            # Quantum ESPRESSO's stress is minus the derivative of the energy by strain.
            "stress": None if system.isolated else (-np.array(table("stress", 3))).tolist(),
        }
        if system.magnetization is not None:
            figures["magnetization"] = [
                number("magnetization/total"),
                number("magnetization/absolute"),
            ]
        if dipole:
            found = re.search(r"Total((?:\s+-?[.\d]+){3}) au", done.stdout)
            figures["dipole"] = [float(x) for x in found.group(1).split()]
        return figures


def version() -> str:
    """Return the name and version of the program."""
    with tempfile.TemporaryDirectory() as folder:  # pw.x leaves files where it is started
        done = subprocess.run(
            ["pw.x"], cwd=folder, input="", capture_output=True, text=True, check=False
        )
    return "Quantum ESPRESSO pw.x " + re.search(r"PWSCF (v\.\S+)", done.stdout).group(1)


if __name__ == "__main__":
    systems = FOR_PW | FOR_ENGINE | DIPOLES | SPINS
    old = json.loads(stored.read_text()) if sys.argv[1:] else {}
    wanted = sys.argv[1:] or systems
    figures = old | {name: compute(systems[name](), dipole=name in DIPOLES) for name in wanted}
    units = {"energies": "hartree", "forces": "hartree/bohr", "stress": "hartree/bohr^3"}
    about = {"program": version(), "units": units}
    figures = about | {name: figures[name] for name in systems if name in figures}
    stored.write_text(json.dumps(figures, indent=1) + "\n")
