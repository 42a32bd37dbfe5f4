# SPDX-License-Identifier: BSD-3-Clause
"""Energies of occupied and empty orbitals by Quantum ESPRESSO's pw.x, for systems of this folder.

Run this file to make pw_bands.json; it needs pw.x (Debian: quantum-espresso). Units: hartree; with
spin as many of spin down follow those of spin up.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from measure_pw import put_pseudopotential, pw_input, version
from reference_systems import FOR_PW, SPINS

stored = Path(__file__).with_name("pw_bands.json")
# Orbitals, of each spin. The last ones are apart from the next.
BANDS = {
    "H2 GTH LDA": 5,
    "H2O GTH PBE triclinic": 8,
    "Si2 ONCV NLCC LDA": 8,
    "O2 GTH LDA spin": 9,
    "CH3 GTH BLYP spin": 7,
}


def compute(name: str, bands: int) -> list[float]:
    """Return the energies of the lowest orbitals."""
    system = (FOR_PW | SPINS)[name]()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files = {
            element: put_pseudopotential(pseudo, folder)
            for element, pseudo in system.pseudopotentials.items()
        }
        fixed = "occupations = 'fixed'"
        text = pw_input(system, files).replace(fixed, f"{fixed}, nbnd = {bands}")
        (folder / "x.in").write_text(text)
        done = subprocess.run(
            ["pw.x", "-in", "x.in"], cwd=folder, capture_output=True, text=True, check=False
        )
        if "convergence has been achieved" not in done.stdout:
            sys.exit(done.stdout[-3000:] + done.stderr)
        root = ElementTree.parse(folder / "x.save" / "data-file-schema.xml").getroot()
    found = root.find("output/band_structure/ks_energies/eigenvalues").text.split()
    return [float(x) for x in found]


if __name__ == "__main__":
    figures = {name: compute(name, bands) for name, bands in BANDS.items()}
    about = {"program": version(), "unit": "hartree"}
    stored.write_text(json.dumps(about | figures, indent=1) + "\n")
