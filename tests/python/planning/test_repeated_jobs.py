# SPDX-License-Identifier: BSD-3-Clause
"""`map` and `predict` of a cell that is repeated: as of the same box in one file."""

import json
import re
from pathlib import Path

import openmm
import pytest
from input_systems import Waters, tip3p_oh, water_input, write_waters

PAGE = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "plan.md"
SIDE, EDGE = 6, 1.864  # waters along an edge, nm


def springy(times):
    """Return waters that springs hold, in a box so many times as long."""
    waters, bonds = Waters(times * SIDE, times * EDGE), openmm.HarmonicBondForce()
    waters.position += 0.1  # so that molecules lie across the faces of patches
    for oxygen in range(0, waters.system.getNumParticles(), 3):
        for hydrogen in (1, 2):
            bonds.addBond(oxygen, oxygen + hydrogen, tip3p_oh, 4e5)
    while waters.system.getNumConstraints():
        waters.system.removeConstraint(0)
    waters.system.addForce(bonds)
    return waters


@pytest.fixture
def looked(tmp_path, monkeypatch, accepted):
    """Return a function from a command to its answers for 8 copies and for the whole box."""
    (machine,) = re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    (tmp_path / "torus.toml").write_text(machine)
    monkeypatch.chdir(tmp_path)
    for name, times in (("copies", 1), ("whole", 2)):
        (tmp_path / name).mkdir()
        text = water_input
        if times == 1:
            text = text.replace("[forces]", "repeat = [2, 2, 2]\n\n[forces]", 1)
        write_waters(tmp_path / name, text + "[patches]\npes = 8\n", springy(times))

    def answers(command):
        words = ("--machine", "torus.toml", "--nodes", "8", "--pes", "1", "--json")
        return [
            json.loads(accepted(command, f"{name}/water.toml", *words).stdout)
            for name in ("copies", "whole")
        ]

    return answers


def test_copies_send_what_the_whole_box_sends(looked):
    copies, whole = looked("map")
    assert copies["phases"] == whole["phases"]
    assert copies["phases"]["positions"]["bytes"] > 0
    assert copies["phases"]["bonded positions"]["bytes"] > 0
    assert copies["imbalance"] == whole["imbalance"]
    for name in ("native", "random"):
        assert copies["placements"][name]["hop_bytes"] == whole["placements"][name]["hop_bytes"]


def test_copies_take_the_time_of_the_whole_box(looked):
    copies, whole = looked("predict")
    assert copies["predictions"] == whole["predictions"]
    assert copies["predictions"][0]["seconds"] > 0
