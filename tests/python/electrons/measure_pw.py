# SPDX-License-Identifier: BSD-3-Clause
"""Total energies, forces and stresses by Quantum ESPRESSO's pw.x for the systems of this folder.

Run this file to make pw_figures.json; it needs pw.x (Debian: quantum-espresso). GTH and psp8
pseudopotentials are written in formats that pw.x reads; UPF files are used as they are.
"""

from __future__ import annotations

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
from reference_systems import FOR_PW

from finegrain.pseudopotentials import GaussianLocal, Pseudopotential

stored = Path(__file__).with_name("pw_figures.json")

_names = {"PZ": "pz", "PW92": "sla+pw+nogx+nogc", "PBE": "pbe", "BLYP": "blyp"}
_codes = {"PADE": 1, "PBE": 11, "BLYP": 18}


def write_gth(pseudo: Pseudopotential, number: int) -> str:
    """Return a file of pspcod 10."""
    assert isinstance(pseudo.local, GaussianLocal)
    coefficients = " ".join(map(repr, pseudo.local.coefficients))
    highest = max((channel.l for channel in pseudo.channels), default=0)
    rows = [
        f"{pseudo.element} {pseudo.label}",
        f"{number} {pseudo.charge:g} 0",
        f"10 {_codes[pseudo.functional.name]} {highest} 0 2002 0",
        f"{pseudo.local.radius!r} {len(pseudo.local.coefficients)} {coefficients}",
        f"{highest + 1}",
    ]
    for l in range(highest + 1):  # noqa: E741
        channel = next((one for one in pseudo.channels if one.l == l), None)
        if channel is None:
            rows.append("0.2 0")
            continue
        h, size = channel.coupling, len(channel.projectors)
        for i in range(size):
            head = f"{channel.projectors[0].radius!r} {size} " if i == 0 else ""
            rows.append(head + " ".join(repr(float(value)) for value in h[i, i:]))
        if l:
            rows += [" ".join(["0.0"] * (size - i)) for i in range(size)]
    return "\n".join(rows) + "\n"


def write_upf(pseudo: Pseudopotential) -> str:
    """Return a file of UPF version 2."""
    count = len(pseudo.mesh.r)
    projectors = [(c.l, one) for c in pseudo.channels for one in c.projectors]
    matrix, at = np.zeros((len(projectors),) * 2), 0
    for channel in pseudo.channels:
        end = at + len(channel.projectors)
        matrix[at:end, at:end], at = channel.coupling, end

    def table(name: str, values: np.ndarray, more: str = "") -> str:
        rows = "\n".join(f"{value:.17e}" for value in np.ravel(values))
        return (
            f'<{name} type="real" size="{np.size(values)}" columns="1" {more}>\n{rows}\n</{name}>\n'
        )

    header = {
        "generated": "converted",
        "element": pseudo.element,
        "pseudo_type": "NC",
        "relativistic": "scalar",
        **dict.fromkeys(("is_ultrasoft", "is_paw", "is_coulomb", "has_so", "has_wfc"), "F"),
        **dict.fromkeys(("has_gipaw", "paw_as_gipaw"), "F"),
        "core_correction": "T" if pseudo.core_corrected else "F",
        "functional": "SLA PW NOGX NOGC",
        "z_valence": f"{pseudo.charge:.10f}",
        "total_psenergy": "0.0",
        "wfc_cutoff": "0.0",
        "rho_cutoff": "0.0",
        "l_max": max(c.l for c in pseudo.channels),
        "l_max_rho": 0,
        "l_local": -1,
        "mesh_size": count,
        "number_of_wfc": 0,
        "number_of_proj": len(projectors),
    }
    attributes = "\n".join(f'{name}="{value}"' for name, value in header.items())
    text = f'<UPF version="2.0.1">\n<PP_INFO>\n</PP_INFO>\n<PP_HEADER\n{attributes}/>\n'
    text += f'<PP_MESH mesh="{count}">\n{table("PP_R", pseudo.mesh.r)}'
    text += f"{table('PP_RAB', pseudo.mesh.step)}</PP_MESH>\n"
    if pseudo.core_corrected:
        text += table("PP_NLCC", pseudo.core_density)
    text += table("PP_LOCAL", 2 * pseudo.local.v) + "<PP_NONLOCAL>\n"
    for number, (l, one) in enumerate(projectors, start=1):  # noqa: E741
        more = f'index="{number}" angular_momentum="{l}" cutoff_radius_index="{one.points}"'
        text += table(f"PP_BETA.{number}", one.r_beta, more)
    text += table("PP_DIJ", 2 * matrix) + "</PP_NONLOCAL>\n<PP_PSWFC>\n</PP_PSWFC>\n"
    return text + table("PP_RHOATOM", pseudo.atomic_density) + "</UPF>\n"


def put_pseudopotential(pseudo: Pseudopotential, folder: Path, number: int) -> str:
    """Write or copy a pseudopotential; return the name of the file."""
    if pseudo.form.startswith("UPF"):
        shutil.copy(pseudo.path, folder / pseudo.path.name)
        return pseudo.path.name
    if pseudo.form == "psp8":
        (folder / f"{pseudo.element}.UPF").write_text(write_upf(pseudo))
        return f"{pseudo.element}.UPF"
    (folder / f"{pseudo.element}.gth").write_text(write_gth(pseudo, number))
    return f"{pseudo.element}.gth"


def pw_input(system: System, files: dict[str, str]) -> str:
    """Return the input."""
    species = "\n".join(f"{element} 1.0 {file}" for element, file in files.items())
    cell = "\n".join(" ".join(repr(float(x)) for x in row) for row in system.vectors)
    atoms = "\n".join(
        f"{element} " + " ".join(repr(float(x)) for x in row)
        for element, row in zip(system.elements, system.positions, strict=True)
    )
    n1, n2, n3 = system.grid
    return f"""&control
  calculation = 'scf', prefix = 'x', outdir = '.', pseudo_dir = '.'
  tprnfor = .true., tstress = .true., disk_io = 'low'
/
&system
  ibrav = 0, nat = {len(system.elements)}, ntyp = {len(files)}, nosym = .true., noinv = .true.
  ecutwfc = {2 * system.cutoff}, nr1 = {n1}, nr2 = {n2}, nr3 = {n3}
  input_dft = '{_names[system.functional]}', occupations = 'fixed'
/
&electrons
  conv_thr = 1e-14, electron_maxstep = 200, mixing_beta = 0.5, diago_full_acc = .true.
/
ATOMIC_SPECIES
{species}
CELL_PARAMETERS bohr
{cell}
ATOMIC_POSITIONS bohr
{atoms}
K_POINTS gamma
"""


def compute(system: System) -> dict:
    """Return what pw.x says, in hartree and bohr."""
    numbers = {"H": 1, "O": 8, "Si": 14}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {
            element: put_pseudopotential(pseudo, folder, numbers[element])
            for element, pseudo in system.pseudopotentials.items()
        }
        (folder / "x.in").write_text(pw_input(system, files))
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
        return {
            "total": number("total_energy/etot"),
            "parts": parts,
            "eigenvalues": [
                float(x) for x in output.find("band_structure/ks_energies/eigenvalues").text.split()
            ],
            "forces": table("forces", atoms),
            # Quantum ESPRESSO's stress is minus the derivative of the energy by strain.
            "stress": (-np.array(table("stress", 3))).tolist(),
        }


def version() -> str:
    """Return the name and version of the program."""
    done = subprocess.run(["pw.x"], input="", capture_output=True, text=True, check=False)
    return "Quantum ESPRESSO pw.x " + re.search(r"PWSCF (v\.\S+)", done.stdout).group(1)


if __name__ == "__main__":
    figures = {name: compute(make()) for name, make in FOR_PW.items()}
    units = {"energies": "hartree", "forces": "hartree/bohr", "stress": "hartree/bohr^3"}
    stored.write_text(
        json.dumps({"program": version(), "units": units, **figures}, indent=1) + "\n"
    )
