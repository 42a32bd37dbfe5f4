# SPDX-License-Identifier: BSD-3-Clause
"""The report of `check` besides the sizes: origin of velocities, doubts, memory."""

from pathlib import Path

import numpy as np
import openmm
import pytest
from input_systems import Waters, water_input, write_waters
from openmm import unit
from water_files import gro_input, write_gro

import finegrain as fg
from finegrain.classical.preparation.check import Report, check
from finegrain.classical.preparation.job import make_job
from finegrain.engine import memory as memory_module
from finegrain.errors import InputNote, ResourceError


def report_of(folder: Path, text: str, waters: Waters | None = None) -> Report:
    return check(write_waters(folder, text, waters, "in.toml"))


def velocities_of(report: Report) -> str:
    assert "velocities" in report.text()
    return report.settings["velocities"]


def test_where_velocities_come_from_is_said(tmp_path: Path) -> None:
    drawn = report_of(tmp_path, water_input)
    assert velocities_of(drawn) == "drawn at 300 K with seed 1  [default]"
    asked = report_of(tmp_path, water_input + 'velocities = "from-temperature"\nseed = 7\n')
    assert velocities_of(asked) == "drawn at 300 K with seed 7  [input]"
    rest = report_of(tmp_path, water_input + 'velocities = "zero"\n')
    assert velocities_of(rest) == "zero, all atoms at rest  [input]"
    assert drawn.notes == asked.notes == rest.notes == []


def test_velocities_of_files_that_are_left_out_are_noted(tmp_path: Path) -> None:
    write_gro(tmp_path, 3, np.full((648, 3), 0.25))
    (tmp_path / "in.toml").write_text(gro_input + 'temperature = "300 K"\n')
    report = check(tmp_path / "in.toml")
    assert velocities_of(report) == "drawn at 300 K with seed 1  [default]"
    (note,) = report.notes
    assert "the velocities in w.gro are not used" in note
    assert 'velocities = "from-file"' in note
    assert note in report.text()

    (tmp_path / "in.toml").write_text(gro_input + 'velocities = "zero"\n')
    assert "are not used" in check(tmp_path / "in.toml").notes[0]


@pytest.mark.parametrize(
    ("more", "origin"), [("", "default"), ('velocities = "from-file"\n', "input")]
)
def test_velocities_of_files_that_are_used_are_said(tmp_path: Path, more: str, origin: str) -> None:
    write_gro(tmp_path, 3, np.full((648, 3), 0.25))
    (tmp_path / "in.toml").write_text(gro_input + more)
    report = check(tmp_path / "in.toml")
    assert velocities_of(report) == f"from w.gro  [{origin}]"
    assert report.notes == []


def test_files_in_which_all_atoms_rest_leave_nothing_out(tmp_path: Path) -> None:
    write_gro(tmp_path, 3, np.zeros((648, 3)))
    (tmp_path / "in.toml").write_text(gro_input + 'temperature = "300 K"\n')
    assert check(tmp_path / "in.toml").notes == []


pdb_input = (
    '[system]\nkind = "classical"\ntopology = "water.pdb"\nforcefield = ["tip3p.xml"]\n'
    '[dynamics]\ntimestep = "1 fs"\nsteps = 1\ntemperature = "300 K"\n'
)


@pytest.mark.parametrize("rigid", ["true", "false"])
@pytest.mark.parametrize(("side", "noted"), [(1, False), (2, True)])
def test_waters_without_a_box_are_noted(tmp_path: Path, rigid: str, side: int, noted: bool) -> None:
    Waters(side=side, edge=0.31 * side).write(tmp_path)
    path = tmp_path / "water.pdb"
    lines = [row for row in path.read_text().splitlines() if not row.startswith("CRYST1")]
    path.write_text("\n".join(lines) + "\n")
    (tmp_path / "in.toml").write_text(pdb_input + f"[forces]\nrigid_water = {rigid}\n")
    report = check(tmp_path / "in.toml")
    assert not report.periodic
    assert len(report.notes) == noted
    if noted:
        assert "no box: 8 waters" in report.notes[0]
        assert "CRYST1" in report.notes[0]
        assert report.notes[0] in report.text()


def flexible(mass: float) -> Waters:
    """Waters held by springs, with hydrogens of a mass."""
    waters = Waters()
    bonds = openmm.HarmonicBondForce()
    for molecule in range(216):
        for hydrogen in (1, 2):
            bonds.addBond(3 * molecule, 3 * molecule + hydrogen, 0.09572, 4e5)
            waters.system.setParticleMass(3 * molecule + hydrogen, mass * unit.dalton)
    for _ in range(waters.system.getNumConstraints()):
        waters.system.removeConstraint(0)
    waters.system.addForce(bonds)
    return waters


@pytest.mark.parametrize(
    ("step", "noted"), [("0.5 fs", False), ("1 fs", False), ("1.5 fs", True), ("3 fs", True)]
)
def test_long_steps_with_free_hydrogens_are_noted(tmp_path: Path, step: str, noted: bool) -> None:
    report = report_of(tmp_path, water_input.replace("2 fs", step), flexible(1.008))
    assert len(report.notes) == noted
    if noted:
        assert "432 bonds to hydrogen are free" in report.notes[0]
        assert "h-bonds" in report.notes[0]
    heavy = report_of(tmp_path, water_input.replace("2 fs", step), flexible(3.0)).notes
    assert [note for note in heavy if "are free" in note] == []
    assert ["vibrates once in 16 fs" in note for note in heavy] == [True] * (step == "3 fs")


@pytest.mark.parametrize(("step", "noted"), [("2 fs", False), ("4 fs", False), ("5 fs", True)])
def test_long_steps_of_light_hydrogens_are_noted(tmp_path: Path, step: str, noted: bool) -> None:
    text = water_input.replace("2 fs", step).replace('cutoff = "8 Å"', 'cutoff = "6 Å"')
    report = report_of(tmp_path, text)
    assert len(report.notes) == noted
    if noted:
        assert "HMR" in report.notes[0]


@pytest.mark.parametrize(
    ("step", "more", "noted"),
    [("2 fs", "", False), ("4 fs", "", True), ("4 fs", 'hydrogen_mass = "3 Da"\n', False)],
)
def test_four_femtoseconds_need_heavy_hydrogens_beside_waters(
    tmp_path: Path, step: str, more: str, noted: bool
) -> None:
    """Angles of light hydrogens vibrate once in 20 to 25 fs (1400 to 1650 1/cm)."""
    text = (
        '[system]\nkind = "classical"\ntopology = "openmmtools:AlanineDipeptideVacuum"\n'
        f'[dynamics]\ntimestep = "{step}"\nsteps = 1\ntemperature = "300 K"\n{more}'
    )
    (tmp_path / "in.toml").write_text(text)
    report = check(tmp_path / "in.toml")
    assert ["HMR" in note for note in report.notes if "natural mass" in note] == [True] * noted
    assert report.settings["constraints"] == "12 fixed distances"


def test_constraints_and_the_temperature_of_a_bath_are_shown(tmp_path: Path) -> None:
    alone = report_of(tmp_path, water_input).settings
    assert alone["constraints"] == "216 rigid waters"
    assert "temperature" not in alone
    bath = report_of(tmp_path, water_input + 'ensemble = "nvt"\n').settings
    assert bath["temperature"] == "300 K"
    free = report_of(tmp_path, water_input.replace("2 fs", "1 fs"), flexible(1.008)).settings
    assert free["constraints"] == "none"


@pytest.mark.parametrize(
    ("every", "step", "free", "noted"),
    [(2, "1 fs", True, False), (3, "1 fs", True, True), (2, "2 fs", False, False)],
)
def test_pair_forces_far_apart_are_noted(
    tmp_path: Path, every: int, step: str, free: bool, noted: bool
) -> None:
    text = water_input.replace('"2 fs"', f'"{step}"\npair_interval = {every}')
    text = text.replace("steps = 100", "steps = 120")
    notes = report_of(tmp_path, text, flexible(1.008) if free else None).notes
    assert ["pair forces every 3 fs" in note for note in notes] == [True] * noted


def test_a_mesh_far_apart_is_noted_earlier_with_free_hydrogens(tmp_path: Path) -> None:
    text = water_input.replace('"2 fs"', '"1 fs"\nlong_range_interval = 4')
    (note,) = report_of(tmp_path, text, flexible(1.008)).notes
    assert "mesh every 4 fs" in note
    assert "up to 3 fs" in note
    assert report_of(tmp_path, text).notes == []


def test_notes_come_with_the_job_too(tmp_path: Path) -> None:
    toml = write_waters(tmp_path, waters=flexible(1.008))
    with pytest.warns(InputNote, match="432 bonds to hydrogen are free"):
        make_job(toml, tmp_path / "job.h5")
    (note,) = fg.Job(tmp_path / "job.h5").notes
    assert "432 bonds to hydrogen are free" in note


def test_too_large_a_job_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml = write_waters(tmp_path)
    monkeypatch.setattr(memory_module, "machine_memory", lambda: 1000.0)
    with pytest.raises(ResourceError):
        make_job(toml, tmp_path / "job.h5")
    assert not (tmp_path / "job.h5").exists()


def test_the_error_of_the_direct_sum_is_reported(tmp_path: Path) -> None:
    fine = report_of(tmp_path, water_input).settings["ewald error"]
    assert "erfc = 2.0e-04" in fine  # of the product 2.63 that the tolerance 5e-4 asks for
    more = 'cutoff = "8 Å"\newald_coefficient = "0.23 1/Å"'
    coarse = report_of(tmp_path, water_input.replace('cutoff = "8 Å"', more))
    assert "erfc = 9.3e-03" in coarse.settings["ewald error"]
    assert "kJ/mol/nm" in coarse.text()


@pytest.mark.parametrize(
    ("more", "key", "line", "hint"),
    [
        ("mesh = [8192, 8192, 8192]", "forces.mesh = [8192, 8192, 8192]", 9, "coarser mesh"),
        ('mesh_spacing = "0.003 nm"', "forces.mesh_spacing = 0.003 nm", 9, "coarser mesh"),
        ("", "system.topology = water.xml", 3, "fewer atoms"),
    ],
)
def test_a_run_that_does_not_fit_into_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, key: str, line: int, hint: str
) -> None:
    # 16 GB where the mesh is tested, else very little
    size = 16e9 if "mesh" in key else 1e6
    monkeypatch.setattr(memory_module, "machine_memory", lambda: size)
    with pytest.raises(ResourceError) as caught:
        report_of(tmp_path, water_input.replace('cutoff = "8 Å"', f'cutoff = "8 Å"\n{more}'))
    assert caught.value.exit_status == 2
    (found,) = caught.value.problems
    assert found.what == "takes more memory than this machine has"
    assert found.value == key
    assert found.where == f"in.toml:{line}"
    assert hint in found.hint
    assert "it takes about" in found.limit


def test_the_memory_of_this_machine_is_known() -> None:
    assert 1e8 < memory_module.machine_memory() < 1e15


@pytest.mark.parametrize(
    ("charge", "electrostatics", "said"),
    [
        (1.417, "pme", "the net charge is +1.000 e; PME adds an even background"),
        (-0.583, "pme", "the net charge is -1.000 e; PME adds an even background"),
        (0.517, "pme", "the net charge is +0.100 e, which is not a whole number"),
        (1.417, "reaction-field", "the net charge is +1.000 e; ions would neutralise it"),
        (0.418, "pme", ""),
        (0.417, "pme", ""),
    ],
)
def test_any_net_charge_is_noted(
    tmp_path: Path, waters: Waters, charge: float, electrostatics: str, said: str
) -> None:
    waters.nonbonded.setParticleParameters(1, charge, 0.1, 0)
    report = report_of(tmp_path, water_input.replace("pme", electrostatics), waters)
    noted = [note for note in report.notes if "net charge" in note]
    assert len(noted) == bool(said)
    assert not said or noted[0].startswith(said)


def test_the_net_charge_of_a_molecule_in_vacuum_is_noted(tmp_path: Path) -> None:
    waters = Waters(side=1)
    waters.nonbonded.setNonbondedMethod(openmm.NonbondedForce.NoCutoff)
    waters.nonbonded.setParticleParameters(1, 1.417, 0.1, 0)
    text = water_input.replace('electrostatics = "pme"\ncutoff = "8 Å"\n', "")
    assert "the net charge is +1.000 e" in report_of(tmp_path, text, waters).notes


def test_a_minimised_start_at_constant_energy_is_told_to_cool(tmp_path: Path) -> None:
    minimised = water_input + '\n[minimise]\nmethod = "l-bfgs"\n'
    (note,) = report_of(tmp_path, minimised).notes
    assert "settle near 150 K" in note
    assert 'ensemble = "nvt"' in note
    bath = minimised.replace("[dynamics]", '[dynamics]\nensemble = "nvt"')
    assert report_of(tmp_path, bath).notes == []


def test_more_than_one_model_frame_or_place_is_noted(tmp_path: Path) -> None:
    write_gro(tmp_path, 3)
    frame = (tmp_path / "w.gro").read_text()
    (tmp_path / "w.gro").write_text(frame + frame)
    (tmp_path / "in.toml").write_text(gro_input + 'velocities = "zero"\n')
    (note,) = check(tmp_path / "in.toml").notes
    assert note == "w.gro holds more than one frame; the first is read"

    write_waters(tmp_path, name="in.toml")
    lines = (tmp_path / "water.pdb").read_text().splitlines()
    atoms = [line for line in lines if line.startswith("HETATM")]
    models = ["MODEL        1", *atoms, "ENDMDL", "MODEL        2", *atoms, "ENDMDL"]
    (tmp_path / "water.pdb").write_text("\n".join([*models, "END"]) + "\n")
    assert check(tmp_path / "in.toml").notes == ["water.pdb holds 2 models; the first is read"]

    first = atoms[0]
    places = [first[:16] + "A" + first[17:], first[:16] + "B" + first[17:], *atoms[1:]]
    (tmp_path / "water.pdb").write_text("\n".join([*places, "END"]) + "\n")
    (note,) = check(tmp_path / "in.toml").notes
    assert note.startswith("water.pdb holds alternate locations of atoms, 1 in all")
