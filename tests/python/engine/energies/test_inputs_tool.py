# SPDX-License-Identifier: BSD-3-Clause
"""The comparison of real inputs with OpenMM: what it calls agreement, difference and refusal."""

import json
import sys
from pathlib import Path
from typing import Any

import openmm
import pytest
from ethanol import write_gromacs

sys.path.append(str(Path(__file__).resolve().parents[4] / "bench/peers"))

import inputs

INPUT = """\
[system]
kind = "classical"
topology = "e.top"
coordinates = "e.gro"
[forces]
constraints = "none"
rigid_water = false
cutoff = "{cutoff}"
switch = "off"
mesh = [20, 20, 20]
"""


def write(folder: Path, cutoff: str) -> None:
    folder.mkdir()
    write_gromacs(folder, 3)  # in a box of 16.8 Å
    (folder / "in.toml").write_text(INPUT.format(cutoff=cutoff))


def results(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, dict[str, Any]]:
    """Run the tool; return its status and the entries by name."""
    out = folder / "out.json"
    monkeypatch.setattr(sys, "argv", ["inputs.py", str(folder), "--out", str(out)])
    status = inputs.main()
    return status, {entry["input"]: entry for entry in json.loads(out.read_text())["inputs"]}


def test_inputs_agree_or_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "sound", "7.5 Å")
    write(tmp_path / "long-cutoff", "9 Å")
    write(tmp_path / "torn", "7.5 Å")
    (tmp_path / "torn/e.gro").unlink()
    status, found = results(tmp_path, monkeypatch)
    assert status == 0
    assert found["sound"]["result"] == found["long-cutoff"]["result"] == "agrees"
    assert 0 < found["sound"]["forces"] < 1e-6
    assert found["long-cutoff"]["cutoff"] == "8 Å"
    assert found["torn"]["result"] == "refused"
    assert found["torn"]["why"] == "system.coordinates = e.gro: no such file"


def test_readings_and_differences_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenMM's reader gets a bond of its own; then both of OpenMM's systems do."""
    write(tmp_path / "one", "7.5 Å")
    read, evaluated = inputs.read_by_openmm, inputs.theirs

    def with_a_bond(system: openmm.System) -> openmm.System:
        force = openmm.HarmonicBondForce()
        force.addBond(0, 8, 0.2, 500.0)
        system.addForce(force)
        return system

    monkeypatch.setattr(inputs, "read_by_openmm", lambda prepared: with_a_bond(read(prepared)))
    status, found = results(tmp_path, monkeypatch)
    assert status == 0
    assert found["one"]["result"] == "agrees, read otherwise"
    assert set(found["one"]["as_openmm_reads"]["beyond"]) == {"bond", "total", "forces"}
    monkeypatch.setattr(
        inputs, "theirs", lambda system, *rest: evaluated(with_a_bond(system), *rest)
    )
    status, found = results(tmp_path, monkeypatch)
    assert status == 1
    assert found["one"]["result"] == "differs"
