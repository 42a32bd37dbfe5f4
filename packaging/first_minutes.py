# SPDX-License-Identifier: BSD-3-Clause
"""What a user of Python does in the first minutes: results, ASE, transforms."""

import numpy as np
from ase import Atoms

import finegrain as fg
import finegrain.fft
from finegrain.ase import Finegrain

runs = [fg.open_run(f"runs/{name}") for name in ("water", "water-alone")]
assert runs[0].state_digest == runs[1].state_digest, runs
print(runs[0])

hydrogen = Atoms("H2", [(0, 0, 0), (0, 0, 0.75)], cell=[6, 6, 6], pbc=True)
hydrogen.calc = Finegrain(
    cutoff="60 Ry", functional="BLYP", pseudopotentials={"H": "H.blyp-vbc.UPF"}
)
# A molecule that is a little too long pulls its atoms together.
assert -0.3 < hydrogen.get_forces()[1, 2] < 0
print(f"H2: {hydrogen.get_potential_energy():.4f} eV")

field = np.random.default_rng(1).standard_normal((32, 30, 27))
assert np.abs(finegrain.fft.fftn(field) - np.fft.fftn(field)).max() < 1e-10
