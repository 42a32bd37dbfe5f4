# SPDX-License-Identifier: BSD-3-Clause
"""The usual GROMACS route with T4 lysozyme: pdb2gmx, solvate, genion, then our own stages.

The structure is the receptor of openmmtools' T4-lysozyme-L99A; `gmx` comes with Debian's package
`gromacs`. At the start constraints are violated, since `solvate` brings waters of another model.
The last stage takes 100 ps: 20 to 40 minutes on two cores.
"""

import os
import shutil
import subprocess
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import openmm
import pytest
from openmm import app, unit

import finegrain as fg
from finegrain.runs.energies import read_energies

pytestmark = pytest.mark.physics

FORCES = """[forces]
constraints = "h-bonds"
cutoff = "9 Å"
electrostatics = "pme"
mesh = [72, 72, 72]
ewald_tolerance = 5e-4
"""
BOHR_IN_NM = 0.0529177210903


def gmx(folder: Path, words: str, answer: str = "") -> None:
    program = shutil.which("gmx")
    assert program is not None, "install Debian's package gromacs: tools/debian-packages-bench.txt"
    done = subprocess.run(
        [program, "-quiet", *words.split()],
        cwd=folder,
        input=answer,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"GMX_MAXBACKUP": "-1"},
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the box: about 40,000 atoms."""
    found = find_spec("openmmtools")
    assert found is not None
    assert found.origin is not None
    here = tmp_path_factory.mktemp("lysozyme")
    receptor = Path(found.origin).parent / "data/T4-lysozyme-L99A-implicit/receptor.pdb"
    shutil.copyfile(receptor, here / "protein.pdb")
    gmx(here, "pdb2gmx -f protein.pdb -o protein.gro -water tip3p -ignh -ff amber99sb-ildn")
    gmx(here, "editconf -f protein.gro -o centred.gro -d 0.7 -bt cubic")
    gmx(here, "solvate -cp centred.gro -cs spc216.gro -p topol.top -o water.gro")
    (here / "ions.mdp").write_text("", encoding="utf-8")
    gmx(here, "grompp -f ions.mdp -c water.gro -p topol.top -o ions.tpr -maxwarn 5")
    genion = "genion -s ions.tpr -p topol.top -o start.gro -neutral -conc 0.1 -seed 1"
    gmx(here, genion, answer="SOL")
    return here


def stage(folder: Path, name: str, coordinates: str, dynamics: str, more: str = "") -> fg.Run:
    """Run one stage; the job comes from files as a user's does."""
    (folder / f"{name}.toml").write_text(
        f"""
[system]
kind = "classical"
topology = "topol.top"
coordinates = "{coordinates}"
{FORCES}
[dynamics]
{dynamics}
seed = 1
{more}
[output]
directory = "{folder / name}"
energy_interval = 50
trajectory_interval = 0
""",
        encoding="utf-8",
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fg.run(folder / f"{name}.toml", pes=2)


def openmm_minimum(folder: Path) -> float:
    """Return the energy that OpenMM reaches from the same files, kJ/mol."""
    gro = app.GromacsGroFile(str(folder / "start.gro"))
    top = app.GromacsTopFile(
        str(folder / "topol.top"),
        periodicBoxVectors=gro.getPeriodicBoxVectors(),
        includeDir="/usr/share/gromacs/top",
    )
    system = top.createSystem(
        nonbondedMethod=app.PME, nonbondedCutoff=0.9 * unit.nanometer, constraints=app.HBonds
    )
    platform = openmm.Platform.getPlatformByName("CPU")
    context = openmm.Context(system, openmm.VerletIntegrator(0.001), platform)
    context.setPositions(gro.positions)
    openmm.LocalEnergyMinimizer.minimize(context, 10.0, 500)
    energy = context.getState(getEnergy=True).getPotentialEnergy()
    return float(energy.value_in_unit(unit.kilojoule_per_mole))


def rows(run: Any) -> Any:
    return read_energies(run.path)


def test_lysozyme_is_minimised_heated_and_runs(folder: Path) -> None:
    minimised = stage(
        folder,
        "minimised",
        "start.gro",
        'ensemble = "nve"\ntimestep = "1 fs"\nsteps = 0\ntemperature = "10 K"',
        '[minimise]\nmethod = "l-bfgs"\nsteps = 500',
    )
    lowest = float(rows(minimised)["potential energy (kJ/mol)"][0])
    theirs = openmm_minimum(folder)
    print(f"minimised to {lowest:.0f} kJ/mol, OpenMM to {theirs:.0f}")
    assert lowest <= theirs + 0.01 * abs(theirs)

    heated = stage(
        folder,
        "heated",
        "minimised/checkpoint.h5",
        'ensemble = "nvt"\ntemperature = "300 K"\nfriction = "10 1/ps"\ntimestep = "2 fs"\n'
        'velocities = "from-file"\nsteps = 250',
    )
    warm = float(np.mean(rows(heated)["temperature (K)"][-2:]))
    print(f"after 0.5 ps of heating: {warm:.1f} K")
    assert 250 < warm < 330

    steps = 50_000
    run = stage(
        folder,
        "run",
        "heated/checkpoint.h5",
        'ensemble = "nvt"\ntemperature = "300 K"\nfriction = "1 1/ps"\ntimestep = "2 fs"\n'
        f'velocities = "from-file"\nsteps = {steps}',
    )
    table = rows(run)
    seconds = steps * run.result["seconds_per_step"]
    print(f"100 ps in {seconds:.0f} s")
    assert len(table["total energy (kJ/mol)"]) == steps // 50 + 1  # none was stopped before its end
    assert np.isfinite(table["total energy (kJ/mol)"]).all()
    assert abs(float(np.mean(table["temperature (K)"][-5:])) - 300) < 25
    assert float(table["potential energy (kJ/mol)"][-1]) < 0.7 * lowest
