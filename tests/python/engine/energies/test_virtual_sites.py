# SPDX-License-Identifier: BSD-3-Clause
"""Virtual sites: energies and forces against OpenMM, gradients, motion, one trajectory."""

from pathlib import Path

import h5py
import numpy as np
import pytest
from engine_jobs import digest, drift_per_atom, job_from_state, scaled_job, state_of
from openmm_reference import reference
from process_runs import needs_any
from site_systems import MODELS, SiteSystem, site_system
from test_energies_against_openmm import relative_rms

import finegrain as fg
from finegrain import _engine
from finegrain.classical.job import Job
from finegrain.runs.energies import read_energies
from finegrain.units import bohr_in_nm, hartree_in_kj_per_mol

BOLTZMANN = 8.31446261815324e-3  # kJ/mol/K
LANGEVIN = {"ensemble": "nvt", "friction": "2 1/ps", "steps": 60}


@pytest.fixture(scope="module")
def mixed() -> SiteSystem:
    """Sites of every kind, in rigid and in flexible molecules."""
    return site_system("every kind")


@pytest.mark.parametrize("model", MODELS)
def test_energies_and_forces_are_those_of_openmm(tmp_path: Path, model: str) -> None:
    """To 1e-6, as for atoms. OpenMM leaves on a site what it has given to the parents."""
    box = site_system(model, edge=1.6)
    job = box.job(tmp_path / "job", precision="double")
    theirs = reference(box.system, box.position, alpha=5.0, mesh=(36, 36, 36), cutoff=0.6)
    ours = fg.energy(job, pes=2)
    for term in ("lennard-jones", "coulomb", "dispersion", "bond"):
        assert ours.energies[term] == pytest.approx(theirs.energies[term], rel=1e-6), term
    assert ours.total == pytest.approx(theirs.whole, rel=1e-6)
    is_site = np.isin(np.arange(job.atoms), box.sites)
    assert relative_rms(ours.forces[~is_site], theirs.forces[~is_site]) <= 1e-6
    assert not ours.forces[is_site].any()


def test_forces_are_the_gradient(tmp_path: Path, mixed: SiteSystem) -> None:
    """The energy is a function of the atoms alone: the engine puts the sites in place itself.

    A central difference of 2e-4 bohr has an error of about 1e-7 by its order, and one of 1e-8 by
    the rounding of energies. A pair that crosses the cutoff between its ends must not add a step:
    Lennard-Jones is switched off before it, and erfc(0.8 * 6) of Coulomb's energy is 1e-11.
    """
    job = mixed.job(
        tmp_path / "job",
        precision="double",
        switch="5 Å",
        ewald_coefficient="0.8 1/Å",
        mesh=[60, 60, 60],
    )
    forces = fg.energy(job).forces * bohr_in_nm / hartree_in_kj_per_mol
    step = 2e-4
    for atom in (0, 1, 7, 10, 12, 16, 22):
        ends = []
        for sign in (-1, 1):
            moved = job.positions / bohr_in_nm
            moved[atom, atom % 3] += sign * step
            there = job_from_state(job, tmp_path / f"{sign}.h5", {"position": moved})
            ends.append(fg.energy(there).total / hartree_in_kj_per_mol)
        slope = (ends[1] - ends[0]) / (2 * step)
        assert -forces[atom, atom % 3] == pytest.approx(slope, abs=1e-6), atom


def test_the_virial_is_the_derivative_by_the_box(tmp_path: Path, mixed: SiteSystem) -> None:
    """All atoms are scaled; sites out of planes and in frames do not scale with them."""
    job = mixed.job(
        tmp_path / "job", precision="double", cutoff="9 Å", switch="7 Å", mesh=[48, 48, 48]
    )
    strain = 1e-5
    energies = [
        fg.energy(scaled_job(job, tmp_path / f"{sign}.h5", 1 + sign * strain), pes=2).total
        for sign in (-1, 1)
    ]
    virial = fg.energy(job, pes=2).virial
    assert virial is not None
    slope = (energies[1] - energies[0]) / (2 * strain)
    assert virial[:3].sum() == pytest.approx(-slope, rel=1e-4)


@pytest.mark.parametrize("precision", ["mixed", "double"])
@pytest.mark.parametrize("ensemble", ["nve", "langevin"])
def test_one_trajectory(tmp_path: Path, mixed: SiteSystem, ensemble: str, precision: str) -> None:
    """The digest is one for any number of threads, any map, with and without a restart."""
    dynamics = LANGEVIN if ensemble == "langevin" else {"ensemble": "nve", "steps": 60}
    job = mixed.job(tmp_path / "job", dynamics | {"timestep": "0.5 fs"}, precision=precision)
    assert np.prod(job.settings["patch_grid"]) > 1
    out = tmp_path / "out"
    expected = digest(job, out, pes=1)
    for pes in (2, 3, 4):
        assert digest(job, out, pes=pes, map="hashed") == expected
    assert digest(job, out, pes=2, balance="random", balance_steps=1) == expected
    assert digest(job, out, pes=1, stop_after=20) != expected
    again = _engine.run(
        str(job.path), str(out), pes=3, pin="none", resume=str(out / "checkpoint.h5")
    )
    assert again["state_digest"] == expected


@needs_any
def test_one_trajectory_over_processes(tmp_path: Path, mixed: SiteSystem) -> None:
    job = mixed.job(tmp_path / "job", LANGEVIN | {"steps": 30, "timestep": "0.5 fs"})
    expected = fg.run(job, tmp_path / "alone", pes=2).state_digest
    for ranks, pes in ((2, 1), (3, 2)):
        assert fg.run(job, tmp_path / f"{ranks}", ranks=ranks, pes=pes).state_digest == expected


def test_sites_stay_with_their_parents(tmp_path: Path, mixed: SiteSystem) -> None:
    """After 60 steps through all patches; they have no velocity of their own."""
    job = mixed.job(tmp_path / "job", LANGEVIN | {"timestep": "1 fs"})
    _engine.run(str(job.path), str(tmp_path / "out"), pes=2)
    state = state_of(tmp_path / "out" / "checkpoint.h5")
    found = state["position"] * bohr_in_nm
    # Sites of molecules that have crossed the box are moved by an edge, which rounds them.
    assert found == pytest.approx(mixed.placed(found), abs=1e-12)
    assert not state["velocity"][mixed.sites].any()
    assert job.virtual_sites == len(mixed.sites)
    assert f"{len(mixed.sites)} virtual sites" in fg.check(job).text()
    # Viewers draw a site at the end of a bond.
    assert set(mixed.sites) <= set(job.bonds()[:, 1])
    assert state["velocity"].any(axis=1).sum() == job.atoms - len(mixed.sites)


def test_temperature_counts_atoms_only(tmp_path: Path, mixed: SiteSystem) -> None:
    job = mixed.job(tmp_path / "job", {"steps": 10, "timestep": "0.5 fs"})
    _engine.run(str(job.path), str(tmp_path / "out"), pes=2)
    table = read_energies(tmp_path / "out")
    freedom = 3 * (job.atoms - len(mixed.sites)) - job.constraints - 3
    expected = 2 * table["kinetic energy (kJ/mol)"] / (freedom * BOLTZMANN)
    assert table["temperature (K)"] == pytest.approx(expected, rel=1e-7)
    # Drawn velocities: a standard deviation of sqrt(2 / freedom), five of them.
    assert table["temperature (K)"][0] == pytest.approx(300, rel=5 * (2 / freedom) ** 0.5)


def test_a_minimisation_takes_the_sites_along(tmp_path: Path, mixed: SiteSystem) -> None:
    for method in ("steepest-descent", "l-bfgs"):
        folder = tmp_path / method
        how = {"method": method, "steps": 40}
        job = mixed.job(folder / "job", {"steps": 0}, how, precision="double")
        before = fg.energy(job, pes=2).total
        _engine.run(str(job.path), str(folder / "out"), pes=2)
        found = state_of(folder / "out" / "checkpoint.h5")["position"]
        assert found * bohr_in_nm == pytest.approx(mixed.placed(found * bohr_in_nm), abs=1e-12)
        after = job_from_state(job, folder / "after.h5", {"position": found})
        assert fg.energy(after, pes=2).total < before - 1000


@pytest.mark.nightly
def test_energy_is_kept_in_a_box_of_tip4p_ew(tmp_path: Path) -> None:
    """Two picoseconds at 2 fs, after one with a thermostat; the limit is that of TIP3P.

    See test_motion.py. The slope's error is then about 1e-4.
    """
    box = site_system("TIP4P-Ew")
    warm = {"ensemble": "nvt", "friction": "20 1/ps", "steps": 500}
    job = box.job(tmp_path / "job", warm, cutoff="8 Å", switch="6.5 Å")
    _engine.run(str(job.path), str(tmp_path / "before"), pes=2)
    state = state_of(tmp_path / "before" / "checkpoint.h5")
    moves = {"integrator": "verlet", "friction": 0, "steps": 1000}
    nve = job_from_state(job, tmp_path / "nve.h5", state, **moves)
    _engine.run(str(nve.path), str(tmp_path / "out"), pes=2)
    slope, error = drift_per_atom(tmp_path / "out", job.atoms)
    print(f"TIP4P-Ew, 2 ps: drift {slope:.2e} +- {error:.1e} kJ/mol/ps/atom")
    assert abs(slope) <= 3e-4


def test_sites_that_stand_elsewhere_are_put_in_place(tmp_path: Path, mixed: SiteSystem) -> None:
    expected = fg.energy(mixed.job(tmp_path / "right", precision="double")).energies
    moved = SiteSystem(mixed.system, mixed.position.copy())
    moved.position[mixed.sites] = 0.0
    with h5py.File(moved.job(tmp_path / "wrong", precision="double").path) as file:
        position = file["atoms/position"][...] * bohr_in_nm
    assert mixed.placed(position) == pytest.approx(position, abs=1e-12)
    found = fg.energy(Job(tmp_path / "wrong" / "job.h5")).energies
    assert found == pytest.approx(expected, rel=1e-9)
