# SPDX-License-Identifier: BSD-3-Clause
"""Ground states of water with finegrain and Quantum ESPRESSO's pw.x in turns, written as JSON.

Boxes of water at 70 Ry with BLYP, from scratch, with forces and stress: the eight waters of
`finegrain init ice`, repeated for larger boxes, or waterN.xyz from a folder of yours. What a run
needs of memory is said before it begins, and a box for which there is not enough is left out. Each
run comes with its peak memory and the share of each part of the program. pw.x has a rank for each
thread of finegrain, with one BLAS thread each, as OpenBLAS chooses its kernels and with those for
AVX-512; its better time counts. Both programs have the same grid and stop when the energy is known
to 1e-12 Ry, by pw.x's own estimate, and by the change of the energy in finegrain's iterations.

Usage: ground_states.py [--boxes FOLDER] [--waters N ...] [--repeats N] [--pes N] [--cutoff RY]
    [--variants NAME ...] [--out FILE] [--add]
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pw
from measured import measure
from parts import children_seconds, machine_seconds, package_version

sys.path.append(str(Path(__file__).resolve().parents[1]))

import stored

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

CUTOFF_RY, ACCURACY_RY, FUNCTIONAL = 70.0, 1e-12, "BLYP"
FILES = {"O": "O.blyp-mt.UPF", "H": "H.blyp-vbc.UPF"}
OURS = 8  # waters of the package
# How often they are repeated along each axis.
REPEATS = {
    8: (1, 1, 1),
    16: (1, 1, 2),
    32: (2, 1, 2),
    64: (2, 2, 2),
    128: (2, 2, 4),
    256: (4, 2, 4),
}
PACKAGES = ("quantum-espresso", "libopenblas0-openmp", "libopenblas0-pthread", "libfftw3-double3")


def structure(waters: int, boxes: Path | None) -> Atoms:
    """Return a box of water."""
    from ase.io import read

    from finegrain.ab_initio.ions.built_in import built_in

    if waters == OURS or (boxes is None and waters in REPEATS):
        return built_in("ice").repeat(REPEATS[waters])
    if boxes is None or not (boxes / f"water{waters}.xyz").exists():
        sys.exit(f"ground_states: --boxes has to name a folder with water{waters}.xyz")
    return read(boxes / f"water{waters}.xyz")


def smooth_size(least: int) -> int:
    """Return the next product of 2, 3 and 5, which is what pw.x takes by itself."""
    while math.gcd(30**12, least) != least:
        least += 1
    return least


def task_of(atoms: Atoms, cutoff: float = CUTOFF_RY) -> pw.Task:
    """Return what both programs compute."""
    from finegrain.ab_initio.division.waves import waves_of
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
    least = waves_of(vectors / bohr_in_angstrom, cutoff / 2).least_grid
    a, b, c = (smooth_size(points) for points in least)
    return pw.Task(
        symbols=tuple(atoms.get_chemical_symbols()),
        vectors=vectors,
        positions=np.asarray(atoms.get_positions()),
        files=found,
        functional=FUNCTIONAL,
        cutoff=cutoff,
        accuracy=ACCURACY_RY,
        grid=(a, b, c),
    )


def xyz_lines(atoms: Atoms) -> list[str]:
    """Return the lines of an .xyz file with all digits; those of ASE have eight decimals."""
    cell = " ".join(repr(float(value)) for value in atoms.cell.array.flat)
    comment = f'Lattice="{cell}" Properties=species:S:1:pos:R:3 pbc="T T T"'
    places = [" ".join(repr(float(value)) for value in place) for place in atoms.positions]
    symbols = atoms.get_chemical_symbols()
    rows = [f"{symbol} {place}" for symbol, place in zip(symbols, places, strict=True)]
    return [str(len(atoms)), comment, *rows]


def finegrain_input(task: pw.Task, atoms: Atoms, folder: Path) -> Path:
    """Write the structure and an input."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "box.xyz").write_text("\n".join(xyz_lines(atoms)) + "\n")
    files = ", ".join(f'{element} = "{path}"' for element, path in task.files.items())
    lines = (
        "[system]",
        'kind = "ab-initio"',
        'structure = "box.xyz"',
        "[electrons]",
        f'cutoff = "{task.cutoff} Ry"',
        f'functional = "{task.functional}"',
        *(["allow_low_cutoff = true"] if task.cutoff < CUTOFF_RY else []),
        f"pseudopotentials = {{ {files} }}",
        f"grid = {[*task.grid]}",
        "[ground_state]",
        'tolerance = "1e-14 hartree"',  # the change of the energy decides
        f'energy_tolerance = "{task.accuracy / 2} hartree"',
    )
    (folder / "box.toml").write_text("\n".join(lines) + "\n")
    return folder / "box.toml"


def run_command(source: Path, pes: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Run an input with the command into `run` beside it; return what it cost and what it tells."""
    results = source.parent / "run"
    shutil.rmtree(results, ignore_errors=True)
    command = [sys.executable, "-m", "finegrain", "run", source.name, "--out", results.name]
    done = measure([*command, "--pes", str(pes), "--json"], source.parent, pw.SERIAL)
    if done.status:
        sys.exit(f"finegrain failed:\n{done.output[-3000:]}\n{done.errors[-3000:]}")
    told = json.loads(done.output)
    cost = {
        "seconds": done.seconds,
        "core_seconds": done.core_seconds,
        "peak_memory": done.peak,
        "shares": {one["name"]: round(one["share"], 4) for one in told["phases"]},
    }
    return cost, told


def run_finegrain(source: Path, pes: int) -> dict[str, Any]:
    """Compute it once with the command, and return times, energy, iterations and forces."""
    from finegrain.ab_initio.states.ground_state import GroundState

    cost, _ = run_command(source, pes)
    found = GroundState(source.parent / "run")
    return cost | {
        "own_seconds": float(found.history[-1, 2]),
        "energy": found.energy,
        "iterations": found.iterations,
        "residual": found.residual,
        "state_digest": found.state_digest,
        "forces": found.forces,
    }


def shares_in_words(shares: dict[str, float]) -> str:
    """Return the four largest shares."""
    largest = sorted(shares.items(), key=lambda item: -item[1])[:4]
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in largest)


def summary(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what is stored of runs: spreads of times and memory, and what the last run tells."""
    names = ("seconds_of_a_step", "seconds", "core_seconds", "own_seconds", "peak_memory")
    found = {"runs": len(runs), **stored.spreads(runs, *names)}
    return {**found, **{key: value for key, value in runs[-1].items() if key not in found}}


def fits(waters: int, task: pw.Task, pes: int) -> bool:
    """Tell what both programs need of memory, and whether this machine has it."""
    from finegrain.ab_initio.preparation.memory import memory_of_search
    from finegrain.engine.memory import allowed_memory

    ours = memory_of_search(pw.orbitals_of(task), pw.waves_of(task), math.prod(task.grid))
    theirs = pw.memory_of(task, pes)
    most, whose = allowed_memory()
    enough = max(ours, theirs) < most
    print(
        f"{waters} waters: about {ours / 1e9:.1f} GB, pw.x about {theirs / 1e9:.1f} GB; "
        f"{whose} {most / 1e9:.1f} GB{'' if enough else ': left out'}",
        file=sys.stderr,
        flush=True,
    )
    return enough


def compare(
    waters: int, task: pw.Task, atoms: Atoms, given: argparse.Namespace, folder: Path
) -> list[dict[str, Any]]:
    """Run one box with all programs in turns; return an entry for each program."""
    pes, repeats = given.pes, given.repeats
    source = finegrain_input(task, atoms, folder / "finegrain")
    runners: dict[tuple[str, str], Callable[[], dict[str, Any]]] = {
        (pw.PROGRAM, variant): lambda variant=variant: pw.run(  # type: ignore[misc]
            task, folder / "pw", pes, variant
        )
        for variant in given.variants
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
                f"{line} {done['seconds']:8.2f} s  {done['energy']:.10f} hartree  "
                f"{done['peak_memory'] / 1e9:.2f} GB  {shares_in_words(done['shares'])}",
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
            **summary(runs[program, variant]),
        }
        for program, variant in runners
    ]


def parser_of(description: str) -> argparse.ArgumentParser:
    """Return the options of a comparison in boxes of water."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--boxes", type=Path, help="folder with water16.xyz, ...; else ice")
    parser.add_argument("--waters", type=int, nargs="+", default=[OURS, 16, 32])
    parser.add_argument("--cutoff", type=float, default=CUTOFF_RY, help="Ry")
    parser.add_argument("--repeats", type=int, default=5, help="rounds")
    parser.add_argument("--pes", type=int, default=2, help="threads, and ranks of the other")
    parser.add_argument(
        "--variants",
        nargs="+",
        choices=pw.VARIANTS,
        default=list(pw.VARIANTS),
        help="kernels of OpenBLAS for the other program; all, unless its runs take hours",
    )
    parser.add_argument("--out", type=Path, help="JSON to write; standard output without it")
    parser.add_argument("--add", action="store_true", help="keep the other boxes of this file")
    return parser


def with_other_boxes(report: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Return a report with the boxes of one before, which has to be of the same machine."""
    same = ("benchmark", "settings", "pes", "versions", "machine")
    if other := [key for key in same if report[key] != before[key]]:
        sys.exit(f"--add: the file has another {', another '.join(other)}; write a new one")
    measured = {entry["waters"] for entry in report["entries"]}
    kept = [entry for entry in before["entries"] if entry["waters"] not in measured]
    entries = sorted([*kept, *report["entries"]], key=lambda entry: entry["waters"])
    return report | {"entries": entries, "repeats": before["repeats"]}


def measured_report(
    given: argparse.Namespace,
    program: str,
    about: dict[str, Any],
    settings: dict[str, Any],
    work: Callable[[Path], list[dict[str, Any]]],
) -> dict[str, Any]:
    """Return the report of some work in a folder that is gone afterwards."""
    from finegrain.engine import machine
    from finegrain.engine.engine import load_engine

    if shutil.which(program) is None:
        sys.exit(f"{program} is not installed (Debian: quantum-espresso)")
    load = os.getloadavg()[0]  # figures from a busy machine are worthless
    begin, others, own = time.monotonic(), machine_seconds(), children_seconds()
    with tempfile.TemporaryDirectory(prefix="peers-") as name:
        entries = work(Path(name))
        versions = {program: pw.version(Path(name) / "version"), "finegrain": machine.version()}
    others = machine_seconds() - others - (children_seconds() - own)
    packages = {package: package_version(package) for package in PACKAGES}
    report = {
        "benchmark": about["benchmark"],
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "what": about["what"],
        "settings": {
            "cutoff_ry": given.cutoff,
            "box": "ice" if given.boxes is None else given.boxes.name,
            "functional": FUNCTIONAL,
            "pseudopotentials": FILES,
            **settings,
        },
        "pes": given.pes,
        "repeats": given.repeats,
        "versions": versions | {name: found for name, found in packages.items() if found},
        "load_average_before": load,
        "cores_busy_with_others": round(max(others, 0.0) / (time.monotonic() - begin), 3),
        "entries": entries,
        "machine": machine.fingerprint(load_engine().doctor()),
    }
    if given.add and given.out is not None and given.out.exists():
        return with_other_boxes(report, stored.read(given.out))
    return report


def main() -> None:
    """Parse the command line, run, write."""
    given = parser_of("ground states of water, in turns with pw.x").parse_args()
    atoms = {waters: structure(waters, given.boxes) for waters in given.waters}
    tasks = {waters: task_of(box, given.cutoff) for waters, box in atoms.items()}
    tasks = {waters: task for waters, task in tasks.items() if fits(waters, task, given.pes)}

    def work(folder: Path) -> list[dict[str, Any]]:
        return [
            entry
            for waters, task in tasks.items()
            for entry in compare(waters, task, atoms[waters], given, folder / str(waters))
        ]

    about = {
        "benchmark": "ground states of water",
        "what": "seconds of the whole command, and those that the program itself tells; bytes of "
        "the largest process; shares of the time of all PEs, and of pw.x of its wall time",
    }
    settings = {"accuracy_ry": ACCURACY_RY}
    stored.write(measured_report(given, pw.PROGRAM, about, settings, work), given.out)


if __name__ == "__main__":
    main()
