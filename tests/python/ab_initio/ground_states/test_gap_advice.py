# SPDX-License-Identifier: BSD-3-Clause
"""Empty orbitals before Car-Parrinello dynamics: what the gap says of the slowest orbitals.

Silicon at a low cutoff: its gap is small, so the slowest orbitals are slow.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from moving_silicon import job_of, write_input
from process_runs import needs_any

import finegrain as fg
from finegrain import units

INVERSE_CM = 219474.6313632  # of a hartree, CODATA 2018


def with_bands(source: Path, mass: float) -> Path:
    """Ask for four empty orbitals of the eight silicon atoms, and for this fictitious mass."""
    text = source.read_text().replace("[electrons]\n", "[electrons]\nbands = 20\n")
    source.write_text(text + f"fictitious_mass = {mass}\n")
    return source


def gap_of(folder: Path) -> float:
    """Return the gap of the first geometry [hartree], by a run of the ground state."""
    text = with_bands(write_input(folder, "constrained", 1), 400).read_text()
    head, _, tail = text.partition("[dynamics]")
    assert tail
    (folder / "ground.toml").write_text(head)
    gap = fg.run(folder / "ground.toml", folder / "ground", pes=1).ground_state().gap
    assert gap is not None
    return float(gap)


def test_the_log_has_the_slowest_orbitals_by_the_gap(tmp_path: Path) -> None:
    gap = gap_of(tmp_path)
    run = fg.run(with_bands(write_input(tmp_path, "constrained", 3), 300), tmp_path / "run", pes=2)
    (line,) = re.findall(r"slowest orbitals: about .*", run.log())
    frequency, gap_in_log = re.search(r"about (\S+) 1/cm by the gap of (\S+) eV", line).groups()
    # Pastore, Smargiassi and Buda (1991): sqrt(2 (e_u - e_o) / mass).
    expected = np.sqrt(2 * gap / 300) * INVERSE_CM
    # Three digits; the two ground states are found to 1e-4.
    assert float(frequency) == pytest.approx(expected, rel=0.01)
    assert float(gap_in_log) == pytest.approx(gap * units.hartree_in_ev, rel=0.01)
    assert run.result["steps"] == 3
    # Silicon is 28 times as heavy as hydrogen: sqrt(0.5 / 28.085 Da), far below with this mass.
    ions = np.sqrt(0.5 / (28.085 / units.electron_mass_in_dalton))
    near = np.sqrt(2 * gap / 300) < 1.5 * ions
    assert ("are near the fastest ions" in run.log()) == near


def test_a_heavy_mass_is_warned_of(tmp_path: Path) -> None:
    gap = gap_of(tmp_path)
    ions = np.sqrt(0.5 / (28.085 / units.electron_mass_in_dalton))
    heavy = 1.1 * 2 * gap / (1.5 * ions) ** 2
    source = with_bands(write_input(tmp_path, "constrained", 1), heavy)
    log = fg.run(source, tmp_path / "run", pes=1).log()
    assert "are near the fastest ions or below" in log
    (limit,) = re.findall(r"fictitious mass below (\S+) electron masses", log)
    assert float(limit) == pytest.approx(heavy / 1.1, rel=0.02)


@needs_any
@pytest.mark.parametrize("scheme", ["constrained", "free"])
def test_the_steps_have_the_same_bits_with_and_without_it(tmp_path: Path, scheme: str) -> None:
    plain = fg.run(job_of(tmp_path, scheme, 4), tmp_path / "plain", pes=1)
    source = write_input(tmp_path, scheme, 4)
    text = source.read_text().replace("[electrons]\n", "[electrons]\nbands = 18\n")
    source.write_text(text)
    rows = (plain.path / "energies.csv").read_bytes()
    for ranks, pes in ((1, 1), (2, 2)):
        run = fg.run(source, tmp_path / f"{ranks}", ranks=ranks, pes=pes)
        assert run.state_digest == plain.state_digest
        assert (run.path / "energies.csv").read_bytes() == rows
    stopped = fg.run(source, tmp_path / "stopped", pes=1, stop_after=2)
    assert fg.resume(stopped.path, pes=2).state_digest == plain.state_digest
