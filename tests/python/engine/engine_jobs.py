# SPDX-License-Identifier: BSD-3-Clause
"""Inputs and jobs for tests of the engine, their digests and drifts.

The systems are those of openmmtools and a relaxed box of water.
"""

import math
import shutil
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import openmm
from numpy.typing import NDArray
from scipy import stats

from finegrain import _engine
from finegrain.api import load
from finegrain.classical.job import Job
from finegrain.files.seal import seal
from finegrain.runs.energies import read_energies

WATER_BOX = Path(__file__).parent / "data" / "water_box.pdb"
WATER_FORCES = {
    "cutoff": "9 Å",
    "electrostatics": "pme",
    "mesh": [28, 28, 28],
    "spline_order": 5,
    "ewald_coefficient": "0.34 1/Å",
}
# For the same box in tests with many runs.
FAST_WATER_FORCES = {
    "cutoff": "7 Å",
    "switch": "off",
    "electrostatics": "pme",
    "mesh": [36, 36, 36],
    "spline_order": 4,
    "ewald_coefficient": "0.4 1/Å",
    "rebuild_interval": 10,  # runs of a few dozen steps stop and go on at rebuilds
}

Section = dict[str, Any]


def make_job(
    folder: Path,
    topology: str,
    forces: Section | None = None,
    dynamics: Section | None = None,
    **others: Section,
) -> Job:
    """Write an input and make its job; a topology without a suffix is an openmmtools system.

    "water" is the box of this folder, because in openmmtools' own box hydrogens overlap.
    """
    folder.mkdir(parents=True, exist_ok=True)
    system: Section = {"kind": "classical", "topology": topology}
    if topology == "water":
        system["topology"] = str(_water_system(folder))
        system["coordinates"] = str(WATER_BOX)
    elif "." not in topology:
        system["topology"] = f"openmmtools:{topology}"
    moves = {"ensemble": "nve", "timestep": "2 fs", "steps": 100, "temperature": "300 K", "seed": 1}
    sections: dict[str, Section] = {
        "system": system,
        "forces": forces or {},
        "dynamics": moves | (dynamics or {}),
        **others,
    }
    source = folder / "input.toml"
    source.write_text(_toml(sections), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load(source, folder / "job.h5")


def openmm_system(name: str) -> openmm.System:
    """Return the system from which `make_job` makes its job."""
    return openmm.XmlSerializer.deserialize(_serialised(name))


def state_of(checkpoint: Path) -> dict[str, NDArray[np.float64]]:
    """Return positions (not wrapped) and velocities of a checkpoint, atomic units."""
    with h5py.File(checkpoint) as file:
        assert file.attrs["velocity_stage"] == "full"
        whole = file["position"][...] + file["image"][...] * file["box"][...]
        return {"position": whole, "velocity": file["velocity"][...]}


def job_from_state(
    job: Job, target: Path, state: dict[str, NDArray[np.float64]], **dynamics: Any
) -> Job:
    """Copy a job with another state (perhaps with a box), and other attributes of its dynamics."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(job.path, target)
    with h5py.File(target, "r+") as file:
        for name, values in state.items():
            file[name if name == "box" else f"atoms/{name}"][...] = values
        if "velocity" in state:
            file["dynamics"].attrs["velocities"] = "given"
        for name, value in dynamics.items():
            old = file["dynamics"].attrs[name]
            file["dynamics"].attrs[name] = value if isinstance(value, str) else type(old)(value)
    seal(target)
    return Job(target)


def scaled_job(job: Job, target: Path, factor: float) -> Job:
    """Copy a job with scaled box and positions; the dispersion beyond the cutoff is kept."""
    shutil.copyfile(job.path, target)
    with h5py.File(target, "r+") as file:
        for name in ("box", "atoms/position"):
            file[name][...] = file[name][...] * factor
    seal(target)
    return Job(target)


def digest(job: Job, out: Path, **options: Any) -> str:
    """Run in a new folder; return the final digest."""
    shutil.rmtree(out, ignore_errors=True)
    return str(_engine.run(str(job.path), str(out), pin="none", **options)["state_digest"])


def interrupted(job: Job, out: Path, stop: int, first: int, second: int, **options: Any) -> str:
    """Stop at `stop` on one number of threads, continue with another; return the final digest."""
    shutil.rmtree(out, ignore_errors=True)
    before = _engine.run(str(job.path), str(out), pes=first, pin="none", stop_after=stop)
    assert not before["finished"]
    assert stop <= before["steps"] < job.steps
    after = _engine.run(
        str(job.path),
        str(out),
        pes=second,
        pin="none",
        resume=str(out / "checkpoint.h5"),
        **options,
    )
    assert after["finished"]
    assert after["steps"] == job.steps
    return str(after["state_digest"])


def drift_per_atom(out: Path, atoms: int, after: float = 0.0) -> tuple[float, float]:
    """Return slope of the total energy from a time [ps] on, and its standard error.

    The error accounts for correlation between rows: the number of independent rows is estimated
    from the autocorrelation of the residuals up to its first zero.
    """
    table = read_energies(out)
    rows = table["time (ps)"] >= after
    time, total = table["time (ps)"][rows], table["total energy (kJ/mol)"][rows]
    fit = stats.linregress(time, total)
    rest = total - fit.intercept - fit.slope * time
    correlation = np.correlate(rest, rest, "full")[len(rest) - 1 :]
    first_zero = int(np.argmax(correlation <= 0)) or len(rest)
    inefficiency = max(1.0, 2 * correlation[:first_zero].sum() / correlation[0] - 1)
    return fit.slope / atoms, fit.stderr * math.sqrt(inefficiency) / atoms


def _water_system(folder: Path) -> Path:
    target = folder / "water.xml"
    target.write_text(_serialised("water"), encoding="utf-8")
    return target


@lru_cache(maxsize=4)
def _serialised(name: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from openmmtools import testsystems

        made = getattr(testsystems, "WaterBox" if name == "water" else name)()
    return str(openmm.XmlSerializer.serialize(made.system))


def _toml(sections: dict[str, Section]) -> str:
    lines: list[str] = []
    for name, section in sections.items():
        lines.append(f"[{name}]")
        lines += [f"{key} = {_value(value)}" for key, value in section.items()]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)
