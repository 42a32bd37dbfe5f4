# SPDX-License-Identifier: BSD-3-Clause
"""Measure the drift of the conserved energy of Car-Parrinello dynamics, and write it as JSON.

Runs at constant energy from 300 K: silicon (LDA) and boxes of water (BLYP), with orbitals that are
constrained and that are free. Silicon has 64 atoms, twice the cubic cell along each vector: at
Gamma alone the crystal of 8 or 16 atoms is no minimum of the energy, and leaves it within 50 to
500 fs for a metal. The drift is the slope of a straight line
through the means of parts of the run, its error that of the fit; the first part, in which the
orbitals begin to follow the ions, is left out. Results are added to those in the file.

Usage: ab_initio_drift.py [--systems silicon water] [--waters N ...] [--boxes FOLDER]
    [--schemes constrained free] [--picoseconds P] [--timestep FS] [--mass M] [--cutoff RY]
    [--reset-above S] [--pes N] [--out FILE] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parents[1] / "peers"))

import ground_states
import stored

import finegrain as fg
from finegrain.engine import machine

PARTS = 21  # of a run; the first one is left out
CUTOFFS = {"silicon": 20.0, "water": 70.0}  # Ry


def water_lines(waters: int, boxes: Path | None, folder: Path) -> tuple[str, ...]:
    """Return the lines of a box of water, and write its structure."""
    from ase.io import write

    write(folder / "box.json", ground_states.structure(waters, boxes))  # with all digits
    files = ", ".join(f'{element} = "{file}"' for element, file in ground_states.FILES.items())
    return (
        'structure = "box.json"',
        "[electrons]",
        f'functional = "{ground_states.FUNCTIONAL}"',
        f"pseudopotentials = {{ {files} }}",
    )


def silicon_lines(folder: Path) -> tuple[str, ...]:
    """Return the lines of silicon, and write its structure."""
    from ase.build import bulk
    from ase.io import write

    write(folder / "box.json", bulk("Si", a=5.431, cubic=True).repeat(2))
    return (
        'structure = "box.json"',
        "[electrons]",
        'functional = "LDA"',
        'pseudopotentials = { Si = "Si.pz-vbc.UPF" }',
    )


def write_input(
    folder: Path, system: tuple[str, ...], cutoff: float, dynamics: dict[str, Any]
) -> Path:
    """Write an input of a run at constant energy."""
    lines = (
        "[system]",
        'kind = "ab-initio"',
        *system,
        f'cutoff = "{cutoff} Ry"',
        "allow_low_cutoff = true",
        "[ground_state]",
        'tolerance = "1e-8 hartree"',
        'energy_tolerance = "1e-12 hartree"',
        "[dynamics]",
        'kind = "car-parrinello"',
        *(f"{key} = {json.dumps(value)}" for key, value in dynamics.items()),
        "[output]",
        "trajectory_interval = 0",
    )
    path = folder / "drift.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def slope_of(time: np.ndarray, energy: np.ndarray) -> tuple[float, float]:
    """Return the slope of a line through means of parts, and the error of the fit."""
    rows = np.array_split(np.arange(len(time)), PARTS)[1:]
    t, e = (np.array([values[some].mean() for some in rows]) for values in (time, energy))
    (slope, _), covariance = np.polyfit(t, e, 1, cov=True)
    return float(slope), float(np.sqrt(covariance[0, 0]))


def figures(run: fg.DynamicsRun) -> dict[str, Any]:
    """Return the drift and what it can be compared with."""
    table, atoms = run.energies(), run.job.atoms
    time, conserved = table["time (ps)"], table["conserved energy (hartree)"] / atoms
    slope, error = slope_of(time, conserved)
    later = len(time) // PARTS
    found = {
        "atoms": atoms,
        "picoseconds": float(time[-1]),
        "drift": slope,
        "drift_error": error,
        "largest_change": float(np.abs(conserved - conserved[0]).max()),
        "temperature": float(table["temperature (K)"][later:].mean()),
    }
    for name, column in (
        ("fictitious_kinetic", "fictitious kinetic energy (hartree)"),
        ("ion_kinetic", "ion kinetic energy (hartree)"),
    ):
        found[name] = float(table[column][later:].mean()) / atoms
        found[f"{name}_drift"], found[f"{name}_drift_error"] = slope_of(time, table[column] / atoms)
    if "made orthonormal" in table:
        found["resets"] = int(table["made orthonormal"].sum())
    found["state_digest"] = run.state_digest
    return found


def waters_in_words(waters: int, boxes: Path | None) -> str:
    """Return the name of a box of water, with its file if it is not ice."""
    return f"{waters} waters" + (f" of water{waters}.xyz" if boxes else "")


def measure(given: argparse.Namespace, name: str, waters: int, scheme: str) -> dict[str, Any]:
    """Run one system with one scheme; return its entry."""
    dynamics: dict[str, Any] = {
        "timestep": f"{given.timestep} fs",
        "steps": round(1000 * given.picoseconds / given.timestep),
        "temperature": "300 K",
        "fictitious_mass": given.mass,
        "orthonormality": scheme,
    }
    if scheme == "free" and given.reset_above is not None:
        dynamics["reset_above"] = given.reset_above
    cutoff = given.cutoff or CUTOFFS[name]
    with tempfile.TemporaryDirectory(prefix="drift-") as made:
        what = "silicon" if name == "silicon" else f"{waters}-waters"
        folder = (given.keep or Path(made)) / f"{what}-{scheme}"
        folder.mkdir(parents=True, exist_ok=True)
        lines = (
            silicon_lines(folder) if name == "silicon" else water_lines(waters, given.boxes, folder)
        )
        source = write_input(folder, lines, cutoff, dynamics)
        run = fg.run(source, folder / "run", pes=given.pes, overwrite=True)
        assert isinstance(run, fg.DynamicsRun)
        settings = run.job.dynamics
        entry = {
            "system": "silicon" if name == "silicon" else waters_in_words(waters, given.boxes),
            "scheme": scheme,
            "cutoff_ry": cutoff,
            "timestep_fs": given.timestep,
            "fictitious_mass": given.mass,
            "mass_cutoff_ry": 2 * float(settings["mass_cutoff"]),
            **({"reset_above": float(settings["reset_above"])} if scheme == "free" else {}),
            **figures(run),
        }
    print(
        f"{entry['system']}, {scheme}: {entry['drift']:.2e} ± {entry['drift_error']:.1e} "
        f"hartree per atom and ps, {entry['temperature']:.0f} K",
        file=sys.stderr,
        flush=True,
    )
    return entry


def main() -> None:
    """Parse the command line, run, write."""
    parser = argparse.ArgumentParser(description="Drift of Car-Parrinello dynamics")
    parser.add_argument("--systems", nargs="+", choices=[*CUTOFFS], default=[*CUTOFFS])
    parser.add_argument("--waters", type=int, nargs="+", default=[8])
    parser.add_argument("--boxes", type=Path, help="folder with water32.xyz, ...; else ice")
    parser.add_argument(
        "--schemes", nargs="+", choices=("constrained", "free"), default=["constrained", "free"]
    )
    parser.add_argument("--picoseconds", type=float, default=0.5)
    parser.add_argument("--timestep", type=float, default=0.1, help="fs")
    parser.add_argument("--mass", type=float, default=400.0, help="fictitious, electron masses")
    parser.add_argument("--cutoff", type=float, help="Ry; 20 for silicon, 70 for water")
    parser.add_argument("--reset-above", type=float, help="of free orbitals; else the default")
    parser.add_argument("--pes", type=int, default=1, help="threads")
    parser.add_argument("--out", type=Path, help="JSON to write; standard output without it")
    parser.add_argument("--keep", type=Path, help="folder where the runs stay")
    given = parser.parse_args()
    wanted = [
        (name, waters, scheme)
        for name in given.systems
        for waters in (given.waters if name == "water" else [0])
        for scheme in given.schemes
    ]
    entries: list[dict[str, Any]] = []
    if given.out is not None and given.out.exists():
        entries = stored.read(given.out)["entries"]
    for one in wanted:
        entry = measure(given, *one)
        same = ("system", "scheme", "reset_above")
        entries = [old for old in entries if any(old.get(key) != entry.get(key) for key in same)]
        entries.append(entry)
        report = {
            "benchmark": "drift of the conserved energy of Car-Parrinello dynamics",
            "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
            "what": "hartree per atom, and per ps; errors are those of the fit",
            "versions": {"finegrain": machine.version()},
            "entries": entries,
            "machine": machine.fingerprint(),
        }
        stored.write(report, given.out)


if __name__ == "__main__":
    main()
