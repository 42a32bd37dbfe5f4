# SPDX-License-Identifier: BSD-3-Clause
"""Car-Parrinello steps on simulated nodes, beside Bohm et al. (2008), table 1.

The boxes, machines, divisions, costs, links and maps of ground_state_table.py. Orbitals and ions
move, with a fictitious mass of 400 and steps of 4 atomic units. A row is the second step from
random orbitals, which are where a step takes the same work as anywhere else. The engine computes
all of it, and every row of a job has one digest.

Usage: dynamics_table.py [--waters N] [--machine NAME] [--links NAME] [--nodes N ...]
    [--maps NAME ...] [--scheme NAME]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import simulated_waters as waters

FEMTOSECONDS = 2.4188843265857e-2  # of an atomic unit of time


def write_job(chosen: argparse.Namespace, folder: Path, job: Path) -> None:
    """Write the job."""
    from finegrain.ab_initio.preparation.job import make_job

    source = waters.write_input(chosen, folder)
    lines = (
        "[dynamics]",
        'kind = "car-parrinello"',
        f'timestep = "{4 * FEMTOSECONDS!r} fs"',
        "steps = 2",
        "fictitious_mass = 400",
        'fictitious_mass_cutoff = "3 Ry"',
        f'orthonormality = "{chosen.scheme}"',
        'temperature = "0 K"',
    )
    # Any orbitals will do to begin with.
    text = source.read_text().replace('"1e-14 hartree"', '"1 hartree"')
    moving = folder / "moving.toml"
    moving.write_text(text + "\n".join(lines) + "\n")
    make_job(moving, job)


def seconds_of(short: waters.Run, long: waters.Run) -> float:
    """Return the time of the second step."""
    return float(2 * long.result["seconds_per_step"] - short.result["seconds_per_step"])


def main() -> None:
    """Make the rows and write them."""
    parser = waters.parser(__doc__, "simulated_dynamics.json")
    parser.add_argument(
        "--scheme", choices=("constrained", "free"), default="free", help="of orthonormality; free"
    )
    chosen = waters.parse(parser)
    waters.make_rows(chosen, write_job, seconds_of, {"scheme": chosen.scheme})


if __name__ == "__main__":
    main()
