# SPDX-License-Identifier: BSD-3-Clause
"""Steps of Car-Parrinello dynamics of water with finegrain and cp.x in turns, written as JSON.

The boxes, the cutoff and the files of ground_states.py; fictitious mass 400 up to 3 Ry, a time step
of 4 atomic units, orbitals kept orthonormal by forces of constraint, ions moving at constant
energy. Times are those of a step, without the way to the ground state: in cp.x the difference of a
longer and a shorter run, in finegrain what it tells itself. cp.x has a rank for each thread of
finegrain, with one BLAS thread each, as OpenBLAS chooses its kernels and with those for AVX-512;
its better time counts.

Usage: dynamics.py [--boxes FOLDER] [--waters N ...] [--repeats N] [--steps N] [--pes N]
    [--schemes constrained free] [--out FILE]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cp
import ground_states
import pw
from measured import measure
from parts import children_seconds, machine_seconds, package_version

FEMTOSECONDS = 2.4188843265857e-2  # of an atomic unit of time
SCHEMES = ("constrained", "free")


def finegrain_input(source: Path, scheme: str, steps: int) -> Path:
    """Add the dynamics to the input of a ground state."""
    lines = (
        "[dynamics]",
        'kind = "car-parrinello"',
        f'timestep = "{cp.TIMESTEP * FEMTOSECONDS!r} fs"',
        f"steps = {steps}",
        f"fictitious_mass = {cp.MASS}",
        f'fictitious_mass_cutoff = "{cp.MASS_CUTOFF_RY} Ry"',
        f'orthonormality = "{scheme}"',
        'temperature = "0 K"',
    )
    written = source.with_name(f"{scheme}.toml")
    text = source.read_text().replace('energy_tolerance = "5e-13', 'energy_tolerance = "1e-8')
    written.write_text(text + "\n".join(lines) + "\n")
    return written


def run_finegrain(source: Path, pes: int) -> dict[str, Any]:
    """Run it once with the command, and return the time of a step and what it tells."""
    results = source.parent / "run"
    shutil.rmtree(results, ignore_errors=True)
    command = [sys.executable, "-m", "finegrain", "run", source.name, "--out", results.name]
    done = measure([*command, "--pes", str(pes), "--json"], source.parent, pw.SERIAL)
    if done.status:
        sys.exit(f"dynamics: finegrain failed:\n{done.output[-3000:]}\n{done.errors[-3000:]}")
    told = json.loads(done.output)
    return {
        "seconds_of_a_step": told["seconds_per_step"],
        "seconds": done.seconds,
        "peak_memory": done.peak,
        "shares": {one["name"]: round(one["share"], 4) for one in told["phases"]},
        "shares_of_parts": {one["name"]: round(one["share"], 4) for one in told["parts"]},
        "total_energy": told["total_energy"],
        "state_digest": told["state_digest"],
    }


def compare(waters: int, given: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """Run one box with all programs in turns; return an entry for each."""
    atoms = ground_states.structure(waters, given.boxes)
    task = ground_states.task_of(atoms, given.cutoff)
    masses = dict(zip(task.symbols, (float(mass) for mass in atoms.get_masses()), strict=True))
    ground = ground_states.finegrain_input(task, atoms, folder / "finegrain")
    cp.prepare(task, masses, folder / "cp", given.pes)
    runners: dict[tuple[str, str], Callable[[], dict[str, Any]]] = {
        (cp.PROGRAM, variant): lambda variant=variant: cp.run(  # type: ignore[misc]
            task, masses, folder / "cp", given.pes, variant, given.steps
        )
        for variant in pw.VARIANTS
    }
    for scheme in given.schemes:
        source = finegrain_input(ground, scheme, given.steps)
        runners["finegrain", scheme] = lambda source=source: run_finegrain(  # type: ignore[misc]
            source, given.pes
        )
    runs: dict[tuple[str, str], list[dict[str, Any]]] = {key: [] for key in runners}
    for round_ in range(given.repeats):
        for key, runner in runners.items():
            runs[key].append(runner())
            line = f"{waters} waters  round {round_ + 1}/{given.repeats}  {' '.join(key):<32}"
            done = runs[key][-1]
            print(
                f"{line} {done['seconds_of_a_step']:7.3f} s a step  "
                f"{done['total_energy']:.6f} hartree",
                file=sys.stderr,
                flush=True,
            )
    return [
        {
            "waters": waters,
            "atoms": len(task.symbols),
            "orbitals": 4 * waters,
            "grid": [*task.grid],
            "program": program,
            "variant": variant,
            "runs": runs[program, variant],
        }
        for program, variant in runners
    ]


def main() -> None:
    """Parse the command line, run, write."""
    parser = argparse.ArgumentParser(description="Car-Parrinello steps, in turns with cp.x")
    parser.add_argument("--boxes", type=Path, help="folder with water16.xyz, ...; else ice")
    parser.add_argument("--waters", type=int, nargs="+", default=[8, 16, 32])
    parser.add_argument("--cutoff", type=float, default=ground_states.CUTOFF_RY, help="Ry")
    parser.add_argument("--repeats", type=int, default=5, help="rounds")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--pes", type=int, default=2, help="threads, and ranks of cp.x")
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=[*SCHEMES])
    parser.add_argument("--out", type=Path, help="JSON to write; standard output without it")
    given = parser.parse_args()
    from finegrain import machine
    from finegrain.engine import load_engine

    if shutil.which(cp.PROGRAM) is None:
        sys.exit("dynamics: cp.x is not installed (Debian: quantum-espresso)")
    load = os.getloadavg()[0]  # figures from a busy machine are worthless
    begin, others, own = time.monotonic(), machine_seconds(), children_seconds()
    with tempfile.TemporaryDirectory(prefix="peers-") as name:
        entries = [
            entry
            for waters in given.waters
            for entry in compare(waters, given, Path(name) / str(waters))
        ]
        versions = {"cp.x": pw.version(Path(name) / "version"), "finegrain": machine.version()}
    others = machine_seconds() - others - (children_seconds() - own)
    packages = {package: package_version(package) for package in ground_states.PACKAGES}
    report = {
        "benchmark": "Car-Parrinello dynamics of water",
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "what": "seconds of a step; bytes of the largest process; shares of the time of all PEs",
        "settings": {
            "cutoff_ry": given.cutoff,
            "box": "ice" if given.boxes is None else given.boxes.name,
            "functional": ground_states.FUNCTIONAL,
            "pseudopotentials": ground_states.FILES,
            "timestep": cp.TIMESTEP,
            "fictitious_mass": cp.MASS,
            "fictitious_mass_cutoff_ry": cp.MASS_CUTOFF_RY,
            "steps": given.steps,
        },
        "pes": given.pes,
        "repeats": given.repeats,
        "versions": versions | {name: found for name, found in packages.items() if found},
        "load_average_before": load,
        "cores_busy_with_others": round(max(others, 0.0) / (time.monotonic() - begin), 3),
        "entries": entries,
        "machine": machine.fingerprint(load_engine().doctor()),
    }
    ground_states.write_report(report, given.out)


if __name__ == "__main__":
    main()
