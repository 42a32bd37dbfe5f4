# SPDX-License-Identifier: BSD-3-Clause
"""Steps of Car-Parrinello dynamics of water with finegrain and cp.x in turns, written as JSON.

The boxes, the cutoff and the files of ground_states.py; fictitious mass 400 up to 3 Ry, a time step
of 4 atomic units, orbitals kept orthonormal by forces of constraint, ions moving at constant
energy. Times are those of a step, without the way to the ground state: in cp.x the difference of a
longer and a shorter run, in finegrain what it tells itself. cp.x has a rank for each thread of
finegrain, with one BLAS thread each, as OpenBLAS chooses its kernels and with those for AVX-512;
its better time counts.

Usage: dynamics.py [--boxes FOLDER] [--waters N ...] [--repeats N] [--steps N] [--pes N]
    [--schemes constrained free] [--damped-steps N] [--out FILE] [--add]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cp
import ground_states
import stored

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
    cost, told = ground_states.run_command(source, pes)
    return cost | {
        "seconds_of_a_step": told["seconds_per_step"],
        "total_energy": told["total_energy"],
        "state_digest": told["state_digest"],
    }


def compare(waters: int, given: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """Run one box with all programs in turns; return an entry for each."""
    atoms = ground_states.structure(waters, given.boxes)
    task = ground_states.task_of(atoms, given.cutoff)
    masses = dict(zip(task.symbols, (float(mass) for mass in atoms.get_masses()), strict=True))
    ground = ground_states.finegrain_input(task, atoms, folder / "finegrain")
    first = next(iter(given.variants))
    cp.prepare(task, masses, folder / "cp", given.pes, first, given.damped_steps)
    runners: dict[tuple[str, str], Callable[[], dict[str, Any]]] = {
        (cp.PROGRAM, variant): lambda variant=variant: cp.run(  # type: ignore[misc]
            task, masses, folder / "cp", given.pes, variant, given.steps
        )
        for variant in given.variants
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
            "steps": given.steps,
            "damped_steps": given.damped_steps,
            "program": program,
            "variant": variant,
            **ground_states.summary(runs[program, variant]),
        }
        for program, variant in runners
    ]


def main() -> None:
    """Parse the command line, run, write."""
    parser = ground_states.parser_of("Car-Parrinello steps, in turns with cp.x")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=[*SCHEMES])
    parser.add_argument(
        "--damped-steps",
        type=int,
        default=cp.DAMPED_STEPS,
        help="of cp.x towards its ground state; after few of them its steps may take longer",
    )
    given = parser.parse_args()

    def work(folder: Path) -> list[dict[str, Any]]:
        return [
            entry
            for waters in given.waters
            for entry in compare(waters, given, folder / str(waters))
        ]

    about = {
        "benchmark": "Car-Parrinello dynamics of water",
        "what": "seconds of a step; bytes of the largest process; shares of the time of all PEs",
    }
    settings = {
        "timestep": cp.TIMESTEP,
        "fictitious_mass": cp.MASS,
        "fictitious_mass_cutoff_ry": cp.MASS_CUTOFF_RY,
    }
    report = ground_states.measured_report(given, cp.PROGRAM, about, settings, work)
    stored.write(report, given.out)


if __name__ == "__main__":
    main()
