# SPDX-License-Identifier: BSD-3-Clause
"""From an input to energies, a run, a restart and arrays, all in Python."""

# %% The input: a box of water from the folder next to this one
from pathlib import Path

import numpy as np

import finegrain as fg

here = Path(__file__).resolve().parent
water = here.parent / "water" / "water.toml"
out = Path("runs") / "first-look"

print(fg.check(water).text())

# %% A job holds everything that the engine needs; its arrays are in nm, ps, dalton and e
out.parent.mkdir(exist_ok=True)
job = fg.load(water, out.with_suffix(".job.h5"), overwrite=True)
print(job)
print("density", float(job.masses.sum() / job.volume) * 1.66053907e-3, "g/cm3")

# %% One evaluation
energy = fg.energy(job)
for term, value in energy.energies.items():
    print(f"{term:<20} {value:15.3f} {energy.unit}")
print("largest force", np.linalg.norm(energy.forces, axis=1).max(), "kJ/mol/nm")

# %% A run that stops half way, as on Ctrl-C, and continues with the same bits
run = fg.run(job, out, steps=100, stop_after=50, overwrite=True)
print("finished?", run.finished)
run = fg.resume(out)
print("finished?", run.finished, run.state_digest)

# %% The results as arrays
table = run.energies()
print("temperature", table["temperature (K)"].mean(), "K")
with run.trajectory() as trajectory:
    if len(trajectory) > 1:
        moved = trajectory.positions(unwrap=True)
        print("mean square displacement", ((moved[-1] - moved[0]) ** 2).sum(axis=1).mean(), "nm2")

# %% In other programs: XTC, DCD or PDB through mdtraj, or extended XYZ without it
print(fg.convert(out, "xyz"))
