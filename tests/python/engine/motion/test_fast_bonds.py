# SPDX-License-Identifier: BSD-3-Clause
"""Steps that are long for the fastest free bond are noted, as grompp of GROMACS does."""

import math
from pathlib import Path

import pytest
from methanol import methanol_files

from finegrain.classical.preparation.check import check
from finegrain.classical.system.fast_bonds import _consequence


def notes(folder: Path, timestep: str, constraints: str = "h-bonds") -> list[str]:
    settings = methanol_files(folder, 5)
    (folder / "in.toml").write_text(
        f'[system]\nkind = "classical"\ntopology = "{settings["topology"]}"\n'
        f"forcefield = {settings['forcefield']}\n"
        f'[forces]\nconstraints = "{constraints}"\ncutoff = "8 Å"\n'
        f'[dynamics]\nensemble = "nve"\ntimestep = "{timestep}"\nsteps = 100\n'
        'temperature = "300 K"\nhydrogen_mass = "3 Da"\n'
    )
    return [note for note in check(folder / "in.toml").notes if "vibrates" in note]


def test_a_bond_of_six_steps_is_noted(tmp_path: Path) -> None:
    """The period is grompp's: 2.5e-02 ps, of masses 6.035 and 14.007 and 267,776 kJ/mol/nm²."""
    (note,) = notes(tmp_path, "4 fs")
    assert "once in 25 fs, which is 6.2 steps, and 124 more bonds" in note
    assert 'constraints = "all-bonds"' in note


def test_usual_steps_and_held_bonds_are_not(tmp_path: Path) -> None:
    assert notes(tmp_path, "2 fs") == []
    assert notes(tmp_path, "4 fs", "all-bonds") == []


def test_what_a_step_does_to_a_vibration() -> None:
    """An oscillator with its action kept: k <x²> over the energy of the same action."""
    step, frequency = 1.0, 1.0
    x, v = 1.0, 0.0
    v += frequency**2 * x * step / 2  # so that v is at half steps, and x at full ones
    squares, cycles = [], 4096
    for _ in range(cycles):
        v -= frequency**2 * x * step
        x += v * step
        squares.append(x * x)
    amplitude = 2 * sum(squares) / cycles
    real = 2 * math.asin(frequency * step / 2) / step
    # The largest momentum at a full step is cos(half of the angle of a step) of the usual one.
    action = amplitude * frequency * math.cos(real * step / 2) / 2
    excess = (frequency**2 * amplitude / 2) / (action * real) - 1
    assert (
        _consequence(1 / (2 * math.pi)) == f"its energy may come out {100 * excess:.0f} % too large"
    )
    assert _consequence(0.4) == "such a step is not stable"
    assert excess == pytest.approx(0.1027, abs=2e-3)
