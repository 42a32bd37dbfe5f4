# SPDX-License-Identifier: BSD-3-Clause
"""The free energy of examples/ab-initio from mean forces: that of a molecule that turns freely."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from finegrain import units

SCRIPT = Path(__file__).resolve().parents[3] / "examples" / "ab-initio" / "free_energy.py"
TEMPERATURE = 2000.0


@pytest.mark.nightly
@pytest.mark.pictures
def test_mean_forces_give_the_free_energy_of_a_bond(tmp_path: Path) -> None:
    command = [sys.executable, SCRIPT, "--cutoff", "24 Ry", "--steps", "4", "--out", tmp_path]
    command += ["--temperature", str(TEMPERATURE)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = re.findall(r"^ +\d\.\d\d .*$", done.stdout, re.MULTILINE)
    distance, slope, free, expected, energy = np.array([row.split() for row in rows], float).T
    assert len(distance) == 11
    # The cubic curve through the mean forces, and digits of the table.
    np.testing.assert_allclose(free, expected, atol=1e-4)
    # By the kinetic part the lowest point is at a longer distance, and forces are smaller.
    length = distance / units.bohr_in_angstrom
    kinetic = 2 * TEMPERATURE / units.hartree_in_kelvin * np.log(length)
    by_turning = expected - energy
    np.testing.assert_allclose(by_turning - by_turning[0], kinetic[0] - kinetic, atol=2e-5)
    assert np.abs(free - energy).max() > 3e-3
    assert (np.diff(slope) > 0).all()
    assert (tmp_path / "free_energy.png").stat().st_size > 1000
