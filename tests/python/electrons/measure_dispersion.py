# SPDX-License-Identifier: BSD-3-Clause
"""Energies of dispersion by Quantum ESPRESSO's pw.x, which has Grimme's own program in it.

Run this file to make dispersion_figures.json; it needs pw.x (Debian: quantum-espresso). A
few iterations at a low cut-off are enough, since dispersion does not depend on the electrons.
"""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from measure_pw import put_pseudopotential, pw_input
from reference_systems import formic_acid, methane

stored = Path(__file__).with_name("dispersion_figures.json")
SYSTEMS = {"CH4": methane, "HCOOH crystal": formic_acid}
VERSIONS = {"d3zero": 3, "d3bj": 4}


def energy(name: str, functional: str, damping: str, three_body: bool) -> float:
    """Return the energy of dispersion [hartree]."""
    system = replace(SYSTEMS[name](), functional=functional, cutoff=4.0, grid=(24, 24, 30))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        files = {
            element: put_pseudopotential(pseudo, folder)
            for element, pseudo in system.pseudopotentials.items()
        }
        d3 = (
            f"vdw_corr = 'dft-d3', dftd3_version = {VERSIONS[damping]}, "
            f"dftd3_threebody = .{str(three_body).lower()}."
        )
        text = pw_input(system, files).replace("assume_isolated", f"{d3}\n  assume_isolated")
        text = text.replace("conv_thr = 1e-14", "conv_thr = 1e-2")
        (folder / "in").write_text(text)
        done = subprocess.run(
            ["pw.x", "-i", "in"],
            cwd=folder,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    found = re.search(r"DFT-D3 Dispersion\s*=\s*(-?[\d.E+-]+) Ry", done.stdout)
    if not found:
        raise RuntimeError(done.stdout[-2000:])
    return float(found.group(1)) / 2


if __name__ == "__main__":
    figures = [
        {
            "system": name,
            "functional": functional,
            "dispersion": damping,
            "three_body": three_body,
            "energy": energy(name, functional, damping, three_body),
        }
        for name in SYSTEMS
        for functional in ("PBE", "BLYP", "revPBE")
        for damping in VERSIONS
        for three_body in (False, True)
    ]
    stored.write_text(json.dumps(figures, indent=1) + "\n")
