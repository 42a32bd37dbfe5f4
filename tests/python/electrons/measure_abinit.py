# SPDX-License-Identifier: BSD-3-Clause
"""Total energies, forces and stresses by ABINIT for the systems with psp8 pseudopotentials.

Run this file to make abinit_figures.json; it needs abinit (Debian: abinit), which reads the same
psp8 files, but does its integrals along the radius in another way.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from plain_kohn_sham import System
from reference_systems import FOR_ABINIT

stored = Path(__file__).with_name("abinit_figures.json")


def rows(table: np.ndarray) -> str:
    """Return a table as text."""
    return "\n".join(" ".join(repr(float(x)) for x in row) for row in table)


def abinit_input(system: System) -> str:
    """Return the input; -1012 is the functional PW92 by libxc."""
    assert system.functional == "PW92"
    (pseudo,) = system.pseudopotentials.values()
    atoms = len(system.elements)
    return f"""
pp_dirpath "{pseudo.path.parent}"
pseudos "{pseudo.path.name}"
acell 3*1.0
rprim
{rows(system.vectors)}
natom {atoms}
ntypat 1
znucl { ({"H": 1, "Si": 14}[pseudo.element]) }
typat {atoms}*1
xcart
{rows(system.positions)}
ecut {system.cutoff}
ecutsm 0
ngfft {" ".join(map(str, system.grid))}
ixc -1012
nband {system.orbitals}
occopt 1
kptopt 0
nkpt 1
kpt 0 0 0
nsym 1
nstep 100
tolvrs 1e-18
prtwf 0
prtden 0
prteig 0
"""


def compute(system: System) -> dict:
    """Return what ABINIT says, in hartree and bohr."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "x.abi").write_text(abinit_input(system))
        done = subprocess.run(
            ["abinit", "x.abi"],
            cwd=folder,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        output = folder / "x.abo"
        text = output.read_text() if output.exists() else ""
        end = text.rpartition("END DATASET(S)")[2]
        if "Calculation completed" not in text or "=>converged." not in text:
            sys.exit(done.stdout[-3000:] + done.stderr + text[-3000:])

        def values(word: str, count: int) -> list[float]:
            found = re.search(rf"^\s*{word}\s+((?:\S+\s+){{{count}}})", end, re.MULTILINE)
            return [float(x) for x in found.group(1).split()]

        forces = np.array(values("fcart", 3 * len(system.elements))).reshape(-1, 3)
        xx, yy, zz, zy, zx, yx = values("strten", 6)
        return {
            "total": values("etotal", 1)[0],
            "forces": forces.tolist(),
            "stress": [[xx, yx, zx], [yx, yy, zy], [zx, zy, zz]],
        }


def version() -> str:
    """Return the name and version of the program."""
    done = subprocess.run(["abinit", "--version"], capture_output=True, text=True, check=False)
    return "ABINIT " + done.stdout.split()[-1]


if __name__ == "__main__":
    figures = {name: compute(make()) for name, make in FOR_ABINIT.items()}
    units = {"energies": "hartree", "forces": "hartree/bohr", "stress": "hartree/bohr^3"}
    stored.write_text(
        json.dumps({"program": version(), "units": units, **figures}, indent=1) + "\n"
    )
