# SPDX-License-Identifier: BSD-3-Clause
"""Ground states of water with finegrain and Quantum ESPRESSO's pw.x in turns, written as JSON.

Boxes of water at 70 Ry with BLYP, from scratch, with forces and stress: the eight waters of
`finegrain init ice`, and larger boxes, waterN.xyz, from a folder of yours. pw.x has a rank for each
thread of finegrain, with one BLAS thread each, as OpenBLAS chooses its kernels and with those for
AVX-512; its better time counts. Both programs have the same grid and stop when the energy is known
to 1e-12 Ry, by pw.x's own estimate, and by the change of the energy in finegrain's iterations.

Usage: ground_states.py [--boxes FOLDER] [--waters N ...] [--repeats N] [--pes N] [--out FILE]
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pw
from parts import children_seconds, machine_seconds, package_version

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

CUTOFF_RY, ACCURACY_RY, FUNCTIONAL = 70.0, 1e-12, "BLYP"
FILES = {"O": "O.blyp-mt.UPF", "H": "H.blyp-vbc.UPF"}
OURS = 8  # waters of the package
PACKAGES = ("quantum-espresso", "libopenblas0-openmp", "libopenblas0-pthread", "libfftw3-double3")


def structure(waters: int, boxes: Path | None) -> Atoms:
    """Return a box of water."""
    from ase.io import read

    from finegrain.ab_initio.built_in import built_in

    if waters == OURS:
        return built_in("ice")
    if boxes is None or not (boxes / f"water{waters}.xyz").exists():
        sys.exit(f"ground_states: --boxes has to name a folder with water{waters}.xyz")
    return read(boxes / f"water{waters}.xyz")


def smooth_size(least: int) -> int:
    """Return the next product of 2, 3 and 5, which is what pw.x takes by itself."""
    while math.gcd(30**12, least) != least:
        least += 1
    return least


def task_of(atoms: Atoms) -> pw.Task:
    """Return what both programs compute."""
    from finegrain.ab_initio.waves import waves_of
    from finegrain.pseudopotentials.finder import default_folders
    from finegrain.units import bohr_in_angstrom

    found = {
        element: path
        for element, name in FILES.items()
        for folder in default_folders()
        for path in folder.rglob(name)
    }
    if len(found) < len(FILES):
        missing = ", ".join(FILES[element] for element in FILES if element not in found)
        sys.exit(f"ground_states: not installed: {missing} (Debian: quantum-espresso-data)")
    vectors = np.asarray(atoms.get_cell().array)
    least = waves_of(vectors / bohr_in_angstrom, CUTOFF_RY / 2).least_grid
    a, b, c = (smooth_size(points) for points in least)
    return pw.Task(
        symbols=tuple(atoms.get_chemical_symbols()),
        vectors=vectors,
        positions=np.asarray(atoms.get_positions()),
        files=found,
        functional=FUNCTIONAL,
        cutoff=CUTOFF_RY,
        accuracy=ACCURACY_RY,
        grid=(a, b, c),
    )


def finegrain_input(task: pw.Task, atoms: Atoms, folder: Path) -> Path:
    """Write the structure and an input."""
    from ase.io import write

    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "box.json", atoms)  # with all digits
    files = ", ".join(f'{element} = "{path}"' for element, path in task.files.items())
    lines = (
        "[system]",
        'kind = "ab-initio"',
        'structure = "box.json"',
        "[electrons]",
        f'cutoff = "{task.cutoff} Ry"',
        f'functional = "{task.functional}"',
        f"pseudopotentials = {{ {files} }}",
        f"grid = {[*task.grid]}",
        "[ground_state]",
        'tolerance = "1e-14 hartree"',  # the change of the energy decides
        f'energy_tolerance = "{task.accuracy / 2} hartree"',
    )
    (folder / "box.toml").write_text("\n".join(lines) + "\n")
    return folder / "box.toml"


def run_finegrain(source: Path, pes: int) -> dict[str, Any]:
    """Compute it once with the command, and return times, energy, iterations and forces."""
    from finegrain.ab_initio.ground_state import GroundState

    results = source.parent / "run"
    shutil.rmtree(results, ignore_errors=True)
    command = [sys.executable, "-m", "finegrain", "run", source.name, "--out", results.name]
    begin = time.monotonic()
    done = subprocess.run(
        [*command, "--pes", str(pes)],
        cwd=source.parent,
        env={**os.environ, **pw.SERIAL},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - begin
    if done.returncode:
        sys.exit(f"ground_states: finegrain failed:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    found = GroundState(results)
    return {
        "seconds": seconds,
        "own_seconds": float(found.history[-1, 2]),
        "energy": found.energy,
        "iterations": found.iterations,
        "residual": found.residual,
        "state_digest": found.state_digest,
        "forces": found.forces,
    }


def compare(
    waters: int, atoms: Atoms, pes: int, repeats: int, folder: Path
) -> list[dict[str, Any]]:
    """Run one box with all programs in turns; return an entry for each program."""
    task = task_of(atoms)
    source = finegrain_input(task, atoms, folder / "finegrain")
    runners: dict[tuple[str, str], Callable[[], dict[str, Any]]] = {
        (pw.PROGRAM, variant): lambda variant=variant: pw.run(  # type: ignore[misc]
            task, folder / "pw", pes, variant
        )
        for variant in pw.VARIANTS
    }
    runners["finegrain", ""] = lambda: run_finegrain(source, pes)
    runs: dict[tuple[str, str], list[dict[str, Any]]] = {key: [] for key in runners}
    forces: dict[tuple[str, str], np.ndarray] = {}
    for round_ in range(repeats):
        for key, runner in runners.items():
            done = runner()
            found = done.pop("forces")
            forces[key] = found - found.mean(axis=0)  # pw.x takes the mean out
            runs[key].append(done)
            line = f"{waters} waters  round {round_ + 1}/{repeats}  {' '.join(key):<32}"
            print(
                f"{line} {done['seconds']:8.2f} s  {done['energy']:.10f} hartree",
                file=sys.stderr,
                flush=True,
            )
    ours = forces["finegrain", ""]
    return [
        {
            "waters": waters,
            "atoms": len(task.symbols),
            "orbitals": 4 * waters,
            "grid": [*task.grid],
            "program": program,
            "variant": variant,
            "largest_difference_of_forces": float(np.abs(forces[program, variant] - ours).max()),
            "runs": runs[program, variant],
        }
        for program, variant in runners
    ]


def main() -> None:
    """Parse the command line, run, write."""
    parser = argparse.ArgumentParser(description="ground states of water, in turns with pw.x")
    parser.add_argument("--boxes", type=Path, help="folder with water16.xyz, water32.xyz")
    parser.add_argument("--waters", type=int, nargs="+", help="8, and 16 and 32 with --boxes")
    parser.add_argument("--repeats", type=int, default=5, help="rounds")
    parser.add_argument("--pes", type=int, default=2, help="threads, and ranks of pw.x")
    parser.add_argument("--out", type=Path, help="JSON to write; standard output without it")
    given = parser.parse_args()
    from finegrain import machine
    from finegrain.engine import load_engine

    if shutil.which(pw.PROGRAM) is None:
        sys.exit("ground_states: pw.x is not installed (Debian: quantum-espresso)")
    sizes = given.waters or ([OURS, 16, 32] if given.boxes else [OURS])
    atoms = {waters: structure(waters, given.boxes) for waters in sizes}
    load = os.getloadavg()[0]  # figures from a busy machine are worthless
    begin, others, own = time.monotonic(), machine_seconds(), children_seconds()
    with tempfile.TemporaryDirectory(prefix="peers-") as name:
        folder = Path(name)
        entries = [
            entry
            for waters, box in atoms.items()
            for entry in compare(waters, box, given.pes, given.repeats, folder / str(waters))
        ]
        versions = {"pw.x": pw.version(folder / "version"), "finegrain": machine.version()}
    others = machine_seconds() - others - (children_seconds() - own)
    packages = {package: package_version(package) for package in PACKAGES}
    report = {
        "benchmark": "ground states of water",
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "what": "seconds of the whole command, and those that the program itself tells",
        "settings": {
            "cutoff_ry": CUTOFF_RY,
            "functional": FUNCTIONAL,
            "pseudopotentials": FILES,
            "accuracy_ry": ACCURACY_RY,
        },
        "pes": given.pes,
        "repeats": given.repeats,
        "versions": versions | {name: found for name, found in packages.items() if found},
        "load_average_before": load,
        "cores_busy_with_others": round(max(others, 0.0) / (time.monotonic() - begin), 3),
        "entries": entries,
        "machine": machine.fingerprint(load_engine().doctor()),
    }
    text = json.dumps(report, indent=1, ensure_ascii=False) + "\n"
    if given.out is None:
        print(text, end="")
    else:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
