# SPDX-License-Identifier: BSD-3-Clause
"""Minimisation from starts from which no dynamics could begin, compared with OpenMM's minimiser."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import openmm
import pytest
from engine_jobs import make_job, openmm_system, state_of
from numpy.typing import NDArray
from openmm import app, unit

from finegrain import _engine, api
from finegrain.classical.job import Job

KJ = unit.kilojoule_per_mole
BOHR_IN_NM = 0.0529177210903
BOX_NM = 1.6
WATERS = 125
Positions = NDArray[np.float64]


def water_system() -> openmm.System:
    """Return 125 rigid TIP3P waters in a cube, PME with a cutoff of 6 Å."""
    topology = app.Topology()
    topology.setPeriodicBoxVectors(np.eye(3) * BOX_NM * unit.nanometer)
    chain = topology.addChain()
    for _ in range(WATERS):
        residue = topology.addResidue("HOH", chain)
        atoms = [
            topology.addAtom(name, app.Element.getBySymbol(name[0]), residue)
            for name in ("O", "H1", "H2")
        ]
        topology.addBond(atoms[0], atoms[1])
        topology.addBond(atoms[0], atoms[2])
    return app.ForceField("tip3p.xml").createSystem(
        topology,
        nonbondedMethod=app.PME,
        nonbondedCutoff=0.6 * unit.nanometer,
        ewaldErrorTolerance=1e-4,
    )


def waters_at(oxygens: Positions, length: float, angle: float, seed: int) -> Positions:
    """Put a water on each oxygen, turned at random; nm and degrees."""
    rng = np.random.default_rng(seed)
    half = math.radians(angle) / 2
    arms = length * np.array([[math.sin(half), math.cos(half)], [-math.sin(half), math.cos(half)]])
    whole = np.repeat(oxygens[:, None, :], 3, axis=1)
    for water in whole:
        frame, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        water[1:] += arms @ frame[:2]
    return whole.reshape(-1, 3)


def lattice() -> Positions:
    steps = (np.arange(5) + 0.5) * BOX_NM / 5
    return np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)


def violated() -> Positions:
    """Return waters of SPC's shape with three decimals, as `gmx solvate` leaves them."""
    return np.round(waters_at(lattice(), 0.1, 109.47, seed=1), 3)


def overlapping() -> Positions:
    """Return waters at random places, overlapping: 1e9 kJ/mol and more."""
    oxygens = np.random.default_rng(2).uniform(0, BOX_NM, (WATERS, 3))
    return waters_at(oxygens, 0.09572, 104.52, seed=3)


def job_at(folder: Path, system: openmm.System, start: Positions, **minimise: Any) -> Job:
    """Make a job from files, as a user does, through all checks; only the minimisation is run."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "system.xml").write_text(openmm.XmlSerializer.serialize(system), encoding="utf-8")
    lines = ["waters", str(len(start))]
    for i, (x, y, z) in enumerate(start):
        name = ("OW", "HW1", "HW2")[i % 3]
        lines.append(
            f"{i // 3 + 1:5d}SOL  {name:>5s}{(i + 1) % 100000:5d}{x:14.9f}{y:14.9f}{z:14.9f}"
        )
    lines.append(f"{BOX_NM} {BOX_NM} {BOX_NM}")
    (folder / "start.gro").write_text("\n".join(lines) + "\n", encoding="utf-8")
    settings = {"method": '"l-bfgs"', "steps": 2000} | minimise
    (folder / "input.toml").write_text(
        f"""
[system]
kind = "classical"
topology = "{folder / "system.xml"}"
coordinates = "{folder / "start.gro"}"

[dynamics]
ensemble = "nve"
timestep = "1 fs"
steps = 0
temperature = "300 K"
seed = 1

[minimise]
"""
        + "\n".join(f"{key} = {value}" for key, value in settings.items()),
        encoding="utf-8",
    )
    return api.load(folder / "input.toml", folder / "job.h5")


def minimised(job: Job, out: Path, **options: Any) -> Positions:
    """Return the final positions of a run of no steps, nm."""
    _engine.run(str(job.path), str(out), **({"pes": 2} | options))
    return state_of(out / "checkpoint.h5")["position"] * BOHR_IN_NM


def context_of(system: openmm.System, positions: Positions) -> openmm.Context:
    platform = openmm.Platform.getPlatformByName("CPU")
    context = openmm.Context(
        system, openmm.VerletIntegrator(0.001), platform, {"DeterministicForces": "true"}
    )
    context.setPositions(positions)
    return context


def energy_of(context: openmm.Context) -> float:
    return float(context.getState(getEnergy=True).getPotentialEnergy().value_in_unit(KJ))


def compare(system: openmm.System, start: Positions, mine: Positions) -> None:
    """Compare our minimum with OpenMM's from the same start, both by OpenMM's energy."""
    context = context_of(system, start)
    before = energy_of(context)
    openmm.LocalEnergyMinimizer.minimize(context, 10.0)
    theirs = energy_of(context)
    ours = energy_of(context_of(system, mine))
    print(f"from {before:.4g}: OpenMM {theirs:.1f}, finegrain {ours:.1f} kJ/mol")
    assert ours <= theirs + 0.01 * abs(theirs)
    for index in range(system.getNumConstraints()):
        a, b, length = system.getConstraintParameters(index)
        apart = np.linalg.norm(mine[a] - mine[b])
        assert apart == pytest.approx(length.value_in_unit(unit.nanometer), rel=1e-6)


@pytest.mark.parametrize("start", [pytest.param(violated, marks=pytest.mark.nightly), overlapping])
def test_a_start_that_cannot_move_comes_as_low_as_in_openmm(tmp_path: Path, start: Any) -> None:
    system, positions = water_system(), start()
    job = job_at(tmp_path / "job", system, positions)
    compare(system, positions, minimised(job, tmp_path / "out"))


def test_overlaps_are_parted_to_the_same_bits_on_any_number_of_pes(tmp_path: Path) -> None:
    job = job_at(tmp_path / "job", water_system(), overlapping(), steps=20)
    ends = [minimised(job, tmp_path / f"{pes}", pes=pes) for pes in (1, 3)]
    assert np.array_equal(*ends)


def test_what_is_not_converged_says_so(tmp_path: Path) -> None:
    job = job_at(tmp_path / "job", water_system(), overlapping(), steps=20)
    result = _engine.run(str(job.path), str(tmp_path / "out"), pes=1)
    assert any("did not reach its tolerance" in warning for warning in result["warnings"])
    log = (tmp_path / "out" / "run.log").read_text(encoding="utf-8")
    assert "Atoms overlapped at the start" in log
    assert "not converged" in log


def test_a_box_without_room_names_two_atoms_that_cannot_be_parted(tmp_path: Path) -> None:
    """Oxygens 1.2 nm wide: in the best arrangement they are 0.36 nm apart, 0.43 of contact."""
    crowd = water_system()
    nonbonded = next(f for f in crowd.getForces() if isinstance(f, openmm.NonbondedForce))
    for atom in range(nonbonded.getNumParticles()):
        charge, _, epsilon = nonbonded.getParticleParameters(atom)
        nonbonded.setParticleParameters(atom, charge, 1.2, epsilon)
    job = job_at(tmp_path / "job", crowd, overlapping())
    with pytest.raises(_engine.EngineError, match="overlapping atoms cannot be separated: atom"):
        _engine.run(str(job.path), str(tmp_path / "out"), pes=1)


@pytest.mark.physics
@pytest.mark.parametrize("name", ["WaterBox", "AlanineDipeptideExplicit", "SrcExplicit"])
def test_systems_of_openmmtools_come_as_low_as_in_openmm(tmp_path: Path, name: str) -> None:
    """The first start has overlapping hydrogens, the last wrong bond lengths."""
    from openmmtools import testsystems

    case = getattr(testsystems, name)()
    job = make_job(
        tmp_path / "job", name, {}, {"steps": 0}, minimise={"method": "l-bfgs", "steps": 3000}
    )
    start = np.asarray(case.positions.value_in_unit(unit.nanometer))
    compare(openmm_system(name), start, minimised(job, tmp_path / "out"))
