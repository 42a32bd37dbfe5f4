# SPDX-License-Identifier: BSD-3-Clause
"""The sum of the forces, which the grid leaves: it is said, and removed on request."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import finegrain as fg

TEXT = """\
[system]
kind = "ab-initio"
structure = "water.xyz"
cell = ["5 Å", "5 Å", "5 Å"]
[electrons]
cutoff = "30 Ry"
allow_low_cutoff = true
functional = "BLYP"
pseudopotentials = {{ O = "O.blyp-mt.UPF", H = "H.blyp-vbc.UPF" }}
{electrons}
[ground_state]
tolerance = "1e-5 hartree"
"""
XYZ = """\
3
one water, not at a symmetric place of the grid
O 2.13 2.27 2.41
H 2.88695 2.27 1.82403
H 1.37305 2.27 1.82403
"""


def write_input(folder: Path, electrons: str = "", more: str = "") -> Path:
    folder.mkdir()
    (folder / "water.xyz").write_text(XYZ)
    (folder / "in.toml").write_text(TEXT.format(electrons=electrons) + more)
    return folder / "in.toml"


def test_the_sum_is_said_and_removed_in_equal_parts(tmp_path: Path) -> None:
    kept = fg.energy(write_input(tmp_path / "kept"))
    removed = fg.energy(write_input(tmp_path / "removed", 'net_force = "remove"'))
    assert kept.net_force is not None
    assert removed.net_force is not None
    net = kept.forces.sum(axis=0)
    assert np.abs(net).max() > 1e-4
    # The engine's forces go through kJ/mol/nm.
    assert kept.net_force == pytest.approx(net, rel=1e-12, abs=1e-15)
    assert removed.net_force == pytest.approx(kept.net_force, rel=1e-15)
    assert removed.forces == pytest.approx(kept.forces - net / 3, abs=1e-14)
    assert removed.total == kept.total


def test_a_run_says_it_everywhere(tmp_path: Path) -> None:
    for how in ("keep", "remove"):
        source = write_input(tmp_path / how, f'net_force = "{how}"')
        run = fg.run(source, out=tmp_path / how / "out")
        found = run.ground_state()
        size = float(np.linalg.norm(found.net_force))
        assert size > 1e-4
        rest = found.forces.sum(axis=0)
        assert rest == pytest.approx(found.net_force if how == "keep" else np.zeros(3), abs=1e-14)
        shown = dict(run.summary())
        assert f"{size:.3e} hartree/bohr" in shown["net force"]
        assert ("removed" in shown["net force"]) == (how == "remove")
        log = (run.path / "run.log").read_text()
        assert "net force: " in log
        assert log.count("removed, in equal parts") == (how == "remove")


def test_a_dynamics_keeps_it(tmp_path: Path) -> None:
    moves = '[dynamics]\nkind = "born-oppenheimer"\ntimestep = "0.5 fs"\nsteps = 2\n'
    source = write_input(tmp_path / "a", 'net_force = "remove"', moves)
    with pytest.raises(fg.InputError) as caught:
        fg.load(source, tmp_path / "job.h5")
    problems = [one for one in caught.value.problems if "net_force" in one.value]
    assert [("conserve" in one.what, one.where) for one in problems] == [(True, "in.toml:10")]
