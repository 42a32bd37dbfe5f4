# SPDX-License-Identifier: BSD-3-Clause
"""Membranes around proteins: what is refused and noted, and the smallest patch as it is run."""

from pathlib import Path

import pytest
from raw_structures import atom, lines_about, read_back, write

import finegrain as fg
from finegrain.classical.building import prepare as building
from finegrain.classical.building.solvent import Solvated


def without_lipids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out what is slow: the solute alone stands for the system."""

    def pretend(molecules, charge, choices, force_field, tell) -> Solvated:
        tell(choices.membrane)
        edges, lipids = (6.0, 6.1, 7.2), (31, 30)
        return Solvated(
            molecules.topology, molecules.positions, 6.0, 0.0, 0, {}, charge, edges, lipids
        )

    monkeypatch.setattr(building, "in_membrane", pretend)


def test_a_membrane_gets_its_own_pressure_and_restraints(here, monkeypatch):
    without_lipids(monkeypatch)
    marks = [atom("HETATM", "N", "DUM", 300 + at, (9.0 * at, 0.0, 15.0)) for at in range(3)]
    source = write(here / "channel.pdb", [*lines_about(0.0), "TER", *marks, "END"])
    told: list[str] = []
    made = fg.prepare(source, membrane="popc", on_progress=told.append)
    assert told == ["POPC"]
    done = dict(made.done)
    assert done["membrane"] == "31 + 30 POPC, in the xy plane about z = 0"
    assert done["box"] == "60.0 × 61.0 × 72.0 Å, at least 10 Å around the protein"
    assert done["left out"] == "3 DUM"  # what OPM's files mark the membrane with
    assert "within 15 Å of the membrane's middle (5)" in done["orientation"]
    assert "press 500 ps, release 500 ps" in done["stages"]
    assert made.box == "rectangular"
    text = made.input.read_text()
    stages = text.split("[[stages]]")
    assert ["semi-isotropic" in stage for stage in stages] == [False] * 3 + [True] * 3
    assert 'atoms = "protein heavy atoms"' in text.partition("[[stages]]")[0]
    assert "solute heavy atoms" not in text  # the lipids are part of the solute
    assert "steps = 250000" in text


def test_a_protein_that_is_not_oriented(here, monkeypatch):
    """Villin's residues 25 to 29 are some 15 Å long; 60 Å are beyond the head groups."""
    without_lipids(monkeypatch)
    far = write(here / "far.pdb", lines_about(60.0))
    with pytest.raises(fg.InputError) as caught:
        fg.prepare(far, membrane="POPC")
    (problem,) = caught.value.problems
    assert problem.what.startswith("does not touch the membrane")
    assert "OPM database" in problem.hint
    assert not (here / "far.toml").exists()
    beside = write(here / "beside.pdb", lines_about(24.0))
    made = fg.prepare(beside, membrane="POPC", on_progress=print)
    assert any("is the protein oriented" in note for note in made.notes)


def test_choices_that_do_not_go_with_a_membrane(here):
    source = write(here / "piece.pdb", lines_about(0.0))
    with pytest.raises(fg.InputError) as caught:
        fg.prepare(source, membrane="POPX", water="opc", box="cube")
    found = caught.value.problems
    assert [one.where for one in found] == ["--membrane", "--box", "--membrane"]
    assert found[0].hint == "take --water tip3p"
    assert found[2].limit.startswith("POPC, POPE, ")
    with pytest.raises(fg.InputError) as caught:
        fg.prepare(source, membrane="POPC", forcefield="amber19")  # its usual water is OPC
    assert "three sites" in caught.value.problems[0].what


@pytest.mark.nightly
def test_the_smallest_patch_runs(here, accepted):
    source = write(here / "piece.pdb", lines_about(0.0))
    accepted("prepare", source, "--membrane", "DLPC", "--padding", "5 Å")
    topology = read_back(here / "piece-system.pdb").topology
    lipids = [one for one in topology.residues() if len(one) == 106]  # DLPC: C32 H64 N O8 P
    # A patch has 64 in each leaf; as many are taken out of one as of the other.
    assert 100 < len(lipids) <= 128
    assert len(lipids) % 2 == 0
    assert "semi-isotropic" in fg.check("piece.toml").text()
    # 500 evaluations of the minimisation, each with new lists, take longer than all else.
    text = Path("piece.toml").read_text()
    text = text.replace("[stages.minimise]\n", "[stages.minimise]\nsteps = 60\n")
    for steps in ("250000", "25000", "5000000"):
        text = text.replace(f"steps = {steps}\n", "steps = 100\n")
    Path("piece.toml").write_text(text)
    accepted("run", "piece.toml", "--out", "out", "--pes", "2")
    assert fg.Run(here / "out/5-produce").finished
