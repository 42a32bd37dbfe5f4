# SPDX-License-Identifier: BSD-3-Clause
"""Iterations of a ground state on simulated nodes, beside Bohm et al. (2008), table 1.

Boxes of water: the ice of `finegrain init ice`, repeated to 32 or more, or a box of yours. The job
has one division into objects; its bits are the same on any number of nodes, and the run says so.
The engine computes all of it, but on the simulated machine its arithmetic takes the time that it
charges (engine/ab_initio/division/costs.hpp): an operation of transforms, of products of matrices
and of all else costs so many operations of the machine.

A row is the second iteration from random orbitals. --links says how much SimGrid does for the
network: "shared" links give each message its share of the bandwidth, which takes most of the time
of a simulation; with "own" links each has the whole bandwidth, and there is no congestion.

Usage: ground_state_table.py [--waters N] [--machine NAME] [--links NAME] [--nodes N ...]
    [--maps NAME ...]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import simulated_waters as waters


def write_job(chosen: argparse.Namespace, folder: Path, job: Path) -> None:
    """Write the job."""
    from finegrain.ab_initio.preparation.job import make_job

    make_job(waters.write_input(chosen, folder), job)


def seconds_of(_: waters.Run, long: waters.Run) -> float:
    """Return the time of the second iteration."""
    from finegrain.ab_initio.states.ground_state import GroundState

    times = [float(row[2]) for row in GroundState(long.out).history]
    return times[2] - times[1]


def main() -> None:
    """Make the rows and write them."""
    chosen = waters.parse(waters.parser(__doc__, "simulated_ground_states.json"))
    waters.make_rows(chosen, write_job, seconds_of, {})


if __name__ == "__main__":
    main()
