# SPDX-License-Identifier: BSD-3-Clause
"""Objects of OpenMM and ParmEd in an input: the bits are those of the same system in files."""

from pathlib import Path
from typing import Any

import numpy as np
import openmm
import parmed
import pint
import pytest
from input_systems import Waters, reference_platform
from openmm import app, unit

import finegrain as fg
from finegrain.errors import InputError, Problem
from finegrain.toml_input.python_values import plain_table
from finegrain.toml_input.toml_text import toml_text

DYNAMICS = {"timestep": "1 fs", "steps": 20}
nm = unit.nanometer
Made = tuple[openmm.System, app.PDBFile]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """A System of 216 waters, which is water.xml, and the PDB file of their positions."""
    monkeypatch.chdir(tmp_path)
    waters = Waters()
    waters.write(tmp_path)
    return waters.system, app.PDBFile("water.pdb")


def given(topology: Any, coordinates: Any = None, **more: Any) -> dict[str, Any]:
    system = {"kind": "classical", "topology": topology, "coordinates": coordinates}
    dynamics = {**DYNAMICS, "velocities": "zero", **more}
    return {"system": system, "dynamics": dynamics}


def digest(name: str, input: Any) -> str:  # noqa: A002
    return fg.run(input, f"runs/{name}", pes=2).state_digest


def problems_of(topology: Any, coordinates: Any = None) -> list[Problem]:
    with pytest.raises(InputError) as caught:
        fg.check(given(topology, coordinates))
    return caught.value.problems


def test_a_system_has_the_bits_of_its_xml(made: Made) -> None:
    system, pdb = made
    of_files = fg.run(given("water.xml", "water.pdb"), "runs/files")
    assert digest("pair", given((system, pdb.topology), pdb.positions)) == of_files.state_digest
    assert digest("turned", given([pdb.topology, system], pdb)) == of_files.state_digest
    array = np.array(pdb.positions.value_in_unit(nm)) * nm
    alone = fg.run(given(system, array), "runs/alone")
    assert alone.state_digest == of_files.state_digest
    # Names come from the Topology.
    named = fg.open_run("runs/pair").job
    assert named.names == of_files.job.names
    assert named.residues()[1] == of_files.job.residues()[1]
    assert set(alone.job.names) == {"X"}
    # The kept copy holds the System and all digits of the positions.
    kept = Path("runs/pair/input")
    assert sorted(file.name for file in kept.iterdir()) == ["input.toml", "state.xml", "system.xml"]
    text = (kept / "input.toml").read_text()
    assert 'topology = "system.xml"  # a System of OpenMM with its Topology, 648 particles' in text
    assert 'coordinates = "state.xml"  # positions from Python' in text
    assert (kept / "system.xml").read_text() == Path("water.xml").read_text()
    assert digest("again", kept / "input.toml") == of_files.state_digest


def test_files_that_hold_objects_are_not_lost(made: Made) -> None:
    system, pdb = made
    own = Path("runs/own/input")
    own.mkdir(parents=True)
    (own / "system.xml").write_text("mine")
    with pytest.raises(InputError, match="is in the way") as caught:
        fg.run(given(system, "water.pdb"), "runs/own")
    assert caught.value.problems[0].where == str(own / "system.xml")
    assert (own / "system.xml").read_text() == "mine"
    # What an earlier run has kept is not removed if the new input reads it.
    first = given(system, pdb)
    fg.run(first, "runs/kept")
    kept = Path("runs/kept/input")
    (kept / "water.pdb").write_text(Path("water.pdb").read_text())
    later = given(kept / "system.xml", kept / "water.pdb")
    Path("later.toml").write_text(toml_text(plain_table(later, []), {}))
    for one in (later, "later.toml"):
        with pytest.raises(InputError, match="is read by the new input") as caught:
            fg.run(one, "runs/kept", overwrite=True)
        assert [problem.where for problem in caught.value.problems] == [str(kept / "system.xml")]
    files = ["input.toml", "state.xml", "system.xml", "water.pdb"]
    assert sorted(file.name for file in kept.iterdir()) == files
    # Files of the user's that it reads there stay.
    fg.run(given("water.xml", kept / "water.pdb"), "runs/kept", overwrite=True)
    assert sorted(file.name for file in kept.iterdir()) == ["input.toml", "water.pdb"]
    # A file that the kept text names without being one of ours stays, too.
    text = (kept / "input.toml").read_text()
    (kept / "input.toml").write_text(f'{text}\ntitle = "water.pdb"  # mine\n')
    fg.run(first, "runs/kept", overwrite=True)
    assert sorted(file.name for file in kept.iterdir()) == files


def test_a_batch_script_refuses_names_that_no_file_holds(made: Made) -> None:
    system, pdb = made
    wanted = given((system, pdb.topology), pdb.positions)
    assert fg.slurm_script(wanted, "plain.sbatch", pes=1).exists()
    held = {"atoms": "residue HOH", "force_constant": "1000 kJ/mol/nm^2"}
    wanted["restraints"] = [held]
    assert fg.check(wanted).as_dict()["atoms"] == 648
    with pytest.raises(InputError, match="do not have the names of the Topology") as caught:
        fg.slurm_script(wanted, "named.sbatch", pes=1)
    assert caught.value.problems[0].value == 'restraints.0.atoms = "residue HOH"'
    assert "load(input" in caught.value.problems[0].hint
    assert not Path("named-input").exists()
    # The remedies are sound.
    job = fg.load(wanted, "named.job.h5")
    assert fg.slurm_script(job, "named.sbatch", pes=1).exists()
    wanted["system"]["coordinates"] = "water.pdb"
    assert fg.slurm_script(wanted, "file.sbatch", pes=1).exists()
    assert fg.check("file-input/input.toml").as_dict()["atoms"] == 648


def test_a_simulation_brings_positions_and_velocities(made: Made) -> None:
    system, pdb = made
    integrator = openmm.VerletIntegrator(0.001)
    simulation = app.Simulation(pdb.topology, system, integrator, reference_platform())
    with_none = problems_of(simulation)
    assert (with_none[0].what, with_none[0].value) == ("missing key", "system.coordinates")
    simulation.context.setPositions(pdb.positions)
    simulation.context.setVelocitiesToTemperature(300, 4)
    simulation.step(2)
    simulation.saveState("state.xml")
    of_files = fg.run(given("water.xml", "state.xml", velocities="from-file"), "runs/files")
    live = fg.run(given(simulation, velocities="from-file"), "runs/live")
    assert live.state_digest == of_files.state_digest
    assert np.abs(live.job.velocities).max() > 0.1
    state = simulation.context.getState(positions=True, velocities=True)
    of_state = given((system, pdb.topology), state, velocities="from-file")
    assert digest("state", of_state) == of_files.state_digest
    # Without velocities there are none to begin with.
    bare = simulation.context.getState(positions=True)
    with pytest.raises(InputError, match="the files hold no velocities"):
        fg.check(given(system, bare, velocities="from-file"))


def test_the_box_is_that_of_the_system(made: Made) -> None:
    system, pdb = made
    vectors = np.diag([1.9, 1.95, 2.0])
    system.setDefaultPeriodicBoxVectors(*(vectors * nm))
    job = fg.load(given((system, pdb.topology), pdb.positions), "one.h5")
    assert job.box == pytest.approx([1.9, 1.95, 2.0], rel=1e-12)
    assert any("has another box than its System" in note for note in job.notes)
    wanted = given((system, pdb.topology), pdb.positions)
    wanted["system"]["box"] = [2.1, 2.2, 2.3] * nm
    assert fg.load(wanted, "two.h5").box == pytest.approx([2.1, 2.2, 2.3], rel=1e-12)
    wanted["system"]["box"] = np.diag([2.1, 2.2, 2.3]) * nm
    assert fg.load(wanted, "three.h5").box == pytest.approx([2.1, 2.2, 2.3], rel=1e-12)


def test_what_is_no_topology_is_refused(made: Made) -> None:
    system, pdb = made
    one = problems_of(pdb.topology, pdb.positions)[0]
    assert one.what == "is no topology"
    assert "forcefield.createSystem(topology, ...)" in one.hint
    assert problems_of(pdb)[0].what == "is no topology"
    assert problems_of((system, system), pdb)[0].what == "is no topology"
    assert problems_of((), pdb)[0].what == "is no topology"
    smaller = app.Topology()
    what = problems_of((system, smaller), pdb.positions)[0]
    assert (what.what, what.limit) == (
        "has a Topology of 0 atoms",
        "648, the particles of its System",
    )
    short = problems_of(system, pdb.positions[:-1])[0]
    assert short.what == "647 atoms, but the topology has 648"
    assert short.value == "system.coordinates = positions from Python"
    assert problems_of(system)[0].value == "system.coordinates"
    assert "atom" in problems_of(system, np.zeros((648, 3)) * nm)[0].value


def test_positions_are_rows_of_finite_lengths(made: Made) -> None:
    system, pdb = made
    good = np.array(pdb.positions.value_in_unit(nm))
    assert fg.check(given(system, [unit.Quantity(row, nm) for row in good])).as_dict()
    pints = pint.UnitRegistry()
    assert fg.check(given(system, 10 * good * pints.angstrom)).as_dict()
    assert fg.check(given(system, [10 * row * pints.angstrom for row in good])).as_dict()
    key = "system.coordinates = "
    for speeds in (
        good * nm / unit.picosecond,
        good * pints.nm / pints.ps,
        [row * nm / unit.picosecond for row in good],
        good * unit.kelvin,
    ):
        (one,) = problems_of(system, speeds)
        assert one.what == "has a unit that is no length"
        assert one.value.startswith(key)
        assert "State" in one.hint
    for wrong in (good.ravel(), good.T, good[None], good[:, :2], np.zeros(7)):
        (one,) = problems_of(system, wrong * nm)
        assert one.what == f"has the shape {wrong.shape}"
        assert one.limit == "three lengths for each atom: the shape (atoms, 3)"
        assert one.hint
    for number in (np.nan, np.inf):
        lost = good.copy()
        lost[3, 1] = number
        for taken in (lost * nm, lost * pints.nm):
            (one,) = problems_of(system, taken)
            assert one.what == "has atoms whose position is no finite number"
            assert one.value.startswith(f"{key}positions from Python, atom 4: [")
            assert one.limit == "1 of 648 atoms"


def test_a_simulation_that_has_failed_names_its_atom(made: Made) -> None:
    system, pdb = made
    integrator = openmm.VerletIntegrator(0.001)
    simulation = app.Simulation(pdb.topology, system, integrator, reference_platform())
    simulation.context.setPositions(pdb.positions)
    speeds = np.zeros((648, 3))
    speeds[6, 0] = np.nan
    simulation.context.setVelocities(speeds)
    (one,) = problems_of(simulation)
    assert one.what == "has atoms whose velocity is no finite number"
    assert one.value.startswith("system.topology = positions and velocities of a Simulation")
    assert ", atom 7: " in one.value
    state = simulation.context.getState(positions=True, velocities=True)
    (one,) = problems_of(system, state)
    assert one.value.startswith("system.coordinates = a State of OpenMM, atom 7: ")


def test_a_system_that_does_not_run_names_the_key(made: Made) -> None:
    system, pdb = made
    system.addForce(openmm.CustomCVForce("1"))
    found = problems_of((system, pdb.topology), pdb.positions)
    assert found[0].value.startswith("system.topology") or "CustomCVForce" in found[0].value


@pytest.mark.parametrize("folder", ["alanine-dipeptide-gbsa", "alanine-dipeptide-explicit"])
def test_a_topology_of_parmed_has_the_bits_of_its_file(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openmmtools = pytest.importorskip("openmmtools")
    monkeypatch.chdir(tmp_path)
    files = Path(openmmtools.__file__).parent / "data" / folder / "alanine-dipeptide"
    prmtop, crd = files.with_suffix(".prmtop"), files.with_suffix(".crd")
    structure = parmed.load_file(str(prmtop), str(crd))
    of_files = fg.run(given(prmtop, crd), "runs/files")
    live = fg.run(given(structure), "runs/live")
    assert live.state_digest == of_files.state_digest
    assert live.job.names == of_files.job.names
    assert np.array_equal(live.job.box, of_files.job.box)
    kept = Path("runs/live/input")
    assert "# an AMBER topology of ParmEd" in (kept / "input.toml").read_text()
    assert digest("again", kept / "input.toml") == of_files.state_digest
    if structure.box is None:
        return
    # Coordinates of the caller's have priority.
    moved = fg.load(given(structure, (structure.coordinates + 0.25) * unit.angstrom), "moved.h5")
    assert moved.positions - live.job.positions == pytest.approx(0.025, abs=1e-12)


def test_a_topology_of_parmed_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openmmtools = pytest.importorskip("openmmtools")
    monkeypatch.chdir(tmp_path)
    folder = Path(openmmtools.__file__).parent / "data/alanine-dipeptide-gbsa"
    files = folder / "alanine-dipeptide"
    structure = parmed.load_file(f"{files}.prmtop", f"{files}.crd")
    structure.atoms[0].mass = 3.5  # which is not in parm_data before it is written
    before = {name: list(values) for name, values in structure.parm_data.items()}
    assert fg.load(given(structure), "job.h5").masses[0] == 3.5
    assert {name: list(values) for name, values in structure.parm_data.items()} == before
    assert before["MASS"][0] != 3.5


def test_other_structures_of_parmed_are_refused(made: Made) -> None:
    system, pdb = made
    structure = parmed.openmm.load_topology(pdb.topology, system, pdb.positions)
    one = problems_of(structure)[0]
    assert one.what == "is no topology"
    assert "structure.createSystem(...)" in one.hint
    # Its coordinates are taken, and so is the System that it makes.
    assert fg.check(given((system, structure.topology), structure)).as_dict()["atoms"] == 648
