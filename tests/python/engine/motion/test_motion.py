# SPDX-License-Identifier: BSD-3-Clause
"""Properties of a correct integrator: energy, reversibility, distribution of kinetic energy."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine_jobs import WATER_FORCES, drift_per_atom, job_from_state, make_job, state_of
from numpy.typing import NDArray
from scipy import stats

from finegrain import _engine
from finegrain.classical.job import Job
from finegrain.runs.energies import read_energies

BOLTZMANN = 8.31446261815324e-3  # kJ/mol/K
# The project's limit, kJ/mol/ps per atom.
DRIFT_LIMIT = 2e-5


def run(job: Job, out: Path, **options: Any) -> dict[str, Any]:
    return dict(_engine.run(str(job.path), str(out), **({"pes": 2} | options)))


def degrees_of_freedom(job: Job) -> int:
    """Return the degrees of freedom; three fewer if the centre of mass is held."""
    held = 3 if job.dynamics["com_interval"] else 0
    return 3 * job.atoms - job.constraints - held


def relaxed(job: Job, folder: Path, steps: int) -> dict[str, NDArray[np.float64]]:
    """Return the state after a short run."""
    run(job, folder, steps=steps)
    return state_of(folder / "checkpoint.h5")


def test_energy_and_temperature_agree(tmp_path: Path) -> None:
    """Temperature is twice the kinetic energy over the degrees of freedom, in every row."""
    job = make_job(
        tmp_path / "job", "water", WATER_FORCES, {"steps": 20}, output={"energy_interval": 5}
    )
    run(job, tmp_path / "out")
    table = read_energies(tmp_path / "out")
    kinetic = table["kinetic energy (kJ/mol)"]
    expected = 2 * kinetic / (degrees_of_freedom(job) * BOLTZMANN)
    assert table["temperature (K)"] == pytest.approx(expected, rel=1e-7)  # six decimals in the file
    total = table["potential energy (kJ/mol)"] + kinetic
    assert table["total energy (kJ/mol)"] == pytest.approx(total, rel=1e-12)


def test_energy_is_kept_in_a_water_box(tmp_path: Path) -> None:
    """Two picoseconds at 2 fs in mixed precision.

    Too short for the project's limit of the slope, whose error is then about 1e-4; a wrong sign or
    a missed pair exceeds 3e-4 by orders of magnitude.
    """
    job = make_job(
        tmp_path / "job", "water", WATER_FORCES, {"steps": 1000}, output={"energy_interval": 10}
    )
    run(job, tmp_path / "out")
    slope, error = drift_per_atom(tmp_path / "out", job.atoms)
    print(f"water box, 2 ps: drift {slope:.2e} +- {error:.1e} kJ/mol/ps/atom")
    assert abs(slope) <= 3e-4


@pytest.mark.physics
@pytest.mark.parametrize(
    ("system", "step", "more"),
    [
        ("water", 2, {}),
        ("water", 2, {"long_range_interval": 2}),
        ("DHFRExplicit", 2, {}),
        ("DHFRExplicit", 2, {"long_range_interval": 2}),
        ("DHFRExplicit", 4, {"hydrogen_mass": "3 Da"}),
    ],
)
def test_drift(tmp_path: Path, system: str, step: int, more: dict[str, Any]) -> None:
    """20 ps of DHFR, or 80 ps of water, at constant energy keep the limit of the slope.

    The slopes of 20 ps of 1,503 atoms with a mesh every second step differ by 1e-5 from seed to
    seed, about a mean of 1.1e-5; those of 80 ps by 2.6e-6, about 5e-6 (eight and six seeds).
    Before them come 2 ps with a thermostat, and 4 ps in which what the thermostat held settles. The
    energy that Verlet's method conserves differs from the total by a term of the second order of
    the step, which changes while motions decay: in the first 4 ps at 4 fs the total of DHFR swings
    by 30 kJ/mol and gains 10. That is no drift. Steps of 4 fs, for which hydrogens are heavier, may
    drift twice as much as those of 2 fs.
    """
    forces = WATER_FORCES if system == "water" else WATER_FORCES | {"mesh": [64, 64, 64]}
    length = 80_000 if system == "water" else 20_000
    before, settling, steps = 2000 // step, 4000 // step, (4000 + length) // step
    bath = {"ensemble": "nvt", "friction": "5 1/ps", "steps": before + steps}
    job = make_job(
        tmp_path / "job",
        system,
        forces,
        bath | {"timestep": f"{step} fs"} | more,
        output={"energy_interval": 10, "trajectory_interval": 0},
    )
    state = relaxed(job, tmp_path / "before", before)
    nve = job_from_state(
        job, tmp_path / "nve" / "job.h5", state, integrator="verlet", friction=0, steps=steps
    )
    result = run(nve, tmp_path / "out")
    slope, error = drift_per_atom(tmp_path / "out", job.atoms, after=settling * step / 1000)
    print(
        f"{system}, {step} fs, {more}, {length // 1000} ps: drift {slope:.2e} +- {error:.1e} "
        f"kJ/mol/ps/atom, the engine says of all {result['energy_drift']:.2e}"
    )
    assert abs(slope) <= DRIFT_LIMIT * step / 2


def test_the_way_back(tmp_path: Path) -> None:
    """50 steps forward, velocities reversed, 50 steps back: the start is reached again.

    Velocity Verlet with SETTLE and RATTLE is reversible except for rounding and the tolerance of
    the constraints (1e-12 here). Forces have an error of 3.6e-12 hartree/bohr (fixed point); errors
    grow by a factor of e in about 0.1 ps, which is less than tenfold here. 1e-6 bohr is a hundred
    times above that and a million times below the effect of one wrong step. Lists are rebuilt in
    every step: with an older list, the missed pairs just beyond the cutoff depend on the direction
    of time.
    """
    forces = {"precision": "double", "rebuild_interval": 1, "prune_interval": 1}
    job = make_job(
        tmp_path / "job",
        "water",
        WATER_FORCES | forces,
        {"steps": 240, "remove_com_motion": 0, "constraint_tolerance": 1e-12},
    )
    start = relaxed(job, tmp_path / "before", 20)
    forth = job_from_state(job, tmp_path / "forth.h5", start, steps=50)
    run(forth, tmp_path / "forth")
    turned = state_of(tmp_path / "forth" / "checkpoint.h5")
    moved = turned["position"] - start["position"]
    turned["velocity"] *= -1
    back = job_from_state(job, tmp_path / "back.h5", turned, steps=50)
    run(back, tmp_path / "back")
    end = state_of(tmp_path / "back" / "checkpoint.h5")
    assert np.sqrt((moved**2).mean()) > 0.1  # the atoms did move
    assert np.abs(end["position"] - start["position"]).max() < 1e-6
    assert np.abs(end["velocity"] + start["velocity"]).max() < 1e-8


def kinetic_energies(
    folder: Path, system: str, forces: dict[str, Any], samples: int, apart: int
) -> tuple[NDArray[np.float64], int]:
    """Return kinetic energies over kT under a strong Langevin thermostat, and their freedom.

    Friction 50 1/ps: velocities forget half their kinetic energy in 0.007 ps, so that samples 20
    steps of 2 fs apart are correlated by exp(-2 * 50 * 0.04) = 2 %.
    """
    job = make_job(
        folder / "job",
        system,
        forces,
        {
            "ensemble": "nvt",
            "friction": "50 1/ps",
            "steps": (samples + 20) * apart,
            "remove_com_motion": 0,
        },
        output={"energy_interval": apart, "trajectory_interval": 0},
    )
    run(job, folder / "out")
    kinetic = read_energies(folder / "out")["kinetic energy (kJ/mol)"]
    return kinetic[-samples:] / (BOLTZMANN * 300), degrees_of_freedom(job)


# The chance that a correct engine with a new seed fails; the tests' own seed is fixed.
FALSE_ALARM = 1e-6


def check_distribution(kinetic: NDArray[np.float64], freedom: int, bias: float) -> None:
    """Compare with gamma(freedom / 2): mean, spread, and the whole distribution.

    `bias` is the relative error of the mean that the time step may cause: with rigid water at 2 fs
    and this splitting it is of order (omega dt)^2 / 24 for librations, 0.2 %.
    """
    samples = len(kinetic)
    exact = stats.gamma(freedom / 2)
    # 2 % correlation makes 4 % fewer independent samples.
    error = exact.std() / math.sqrt(0.96 * samples)
    far = stats.norm.isf(FALSE_ALARM / 2)
    print(
        f"<K> {kinetic.mean():.2f} (exact {exact.mean():.2f} +- {error:.2f}), "
        f"sigma {kinetic.std(ddof=1):.2f} (exact {exact.std():.2f})"
    )
    assert abs(kinetic.mean() - exact.mean()) <= far * error + bias * exact.mean()
    ratio = kinetic.var(ddof=1) * (samples - 1) / exact.var()
    low, high = stats.chi2(samples - 1).ppf([FALSE_ALARM / 2, 1 - FALSE_ALARM / 2])
    assert low * 0.96 <= ratio <= high * 1.04 * (1 + bias) ** 2
    # The shape, with the small bias of the mean removed.
    shape = stats.kstest(kinetic - kinetic.mean() + exact.mean(), exact.cdf)
    assert shape.pvalue > FALSE_ALARM


def test_langevin_kinetic_energy_is_of_the_right_distribution(tmp_path: Path) -> None:
    """100 samples of a water box; false alarms one in 3e5 (three checks, 1e-6 each)."""
    check_distribution(*kinetic_energies(tmp_path, "water", WATER_FORCES, 100, 20), bias=3e-3)


@pytest.mark.physics
def test_langevin_kinetic_energy_long(tmp_path: Path) -> None:
    """1,500 samples resolve 0.07 % of the temperature; false alarms one in 3e5."""
    check_distribution(*kinetic_energies(tmp_path, "water", WATER_FORCES, 1500, 20), bias=3e-3)
