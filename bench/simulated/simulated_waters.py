# SPDX-License-Identifier: BSD-3-Clause
"""Boxes of water on simulated nodes: what the tables of ground states and of dynamics share.

Waters at 70 Ry with BLYP and the pseudopotentials of `bench/peers/ground_states.py`. The job is
made once and has one division into objects, as fine as the largest machine needs. A row is what
the second iteration or step takes: the difference of runs with two and with one.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench" / part) for part in ("machines", "peers", "")]
import ground_states as peers  # noqa: E402  (a folder of scripts, not a package)
from machines import MACHINES, Machine  # noqa: E402
from simulated_runs import ENGINE, Report, Run, of_step, simulate  # noqa: E402

from finegrain.machines.simgrid import platform_file  # noqa: E402

# Seconds of a step on so many nodes of Blue Gene/L, with one processor each, all optimisations:
# Bohm et al. (2008), table 1.
PUBLISHED = {
    8: {32: 0.22, 64: 0.10, 128: 0.082, 256: 0.071, 512: 0.046},
    32: {32: 2.71, 64: 1.52, 128: 0.95, 256: 0.44, 512: 0.26, 1024: 0.15},
    64: {64: 6.62, 128: 3.75, 256: 1.88, 512: 0.87, 1024: 0.51},
    256: {1024: 16.4, 2048: 8.14, 4096: 4.83, 8192: 2.75, 16384: 1.71, 20480: 1.54},
}
NAMES = (
    "state_grain",
    "wave_parts",
    "density_parts",
    "pair_groups",
    "tile_grain",
    "pair_chunks",
    "plane_pieces",
)
# Orbitals of a block, parts of waves and of the density, groups of pairs, side of a tile; chunks of
# waves for pairs and pieces of planes are 1.
DIVISIONS = {8: (2, 8, 64, 2, 16), 32: (2, 16, 96, 4, 32), 64: (4, 16, 128, 4, 64)}
# Operations of the machine, which does a tenth of its peak, for one of transforms, products, other.
COSTS = (0.25, 0.125, 1.0)
SHAPES = {  # that other tables do not have
    "bluegene-l": {1: "1,1,1", 32: "4,4,2"},
    "bluegene-q": {},
}
# What makes a row another one.
SETTINGS = ("machine", "waters", "nodes", "map", "links", "cutoff_ry", "division", "costs", "box")


@dataclasses.dataclass(frozen=True)
class OwnLinks(Machine):
    """A machine each of whose messages has the links of its way for itself.

    SimGrid finds the rates of all messages again whenever one begins or ends, if they have links in
    common, even of such that do not limit anything. So each pair of nodes has a link of its own
    here, with the latency of the way between them.
    """

    def platform(self, nodes: int, *, mesh: bool = False) -> str:
        """Return the platform; its links give every message the whole bandwidth."""
        if mesh:
            raise ValueError("a mesh has shared links")
        sides = self.sides(nodes)
        places = []
        for node in range(nodes):
            rest, place = node, []
            for side in sides:
                place.append(rest % side)
                rest //= side
            places.append(place)

        def hops(a: int, b: int) -> int:
            apart = (abs(x - y) for x, y in zip(places[a], places[b], strict=True))
            return sum(min(d, side - d) for d, side in zip(apart, sides, strict=True))

        hosts = "".join(
            f'<host id="node-{node}" speed="{self.operations:.6g}f"/>\n' for node in range(nodes)
        )
        pairs = [(a, b) for a in range(nodes) for b in range(a)]
        links = "".join(
            f'<link id="{a}-{b}" bandwidth="{self.bandwidth:.6g}Bps" '
            f'latency="{hops(a, b) * self.hop * 1e9:.6g}ns" sharing_policy="FATPIPE"/>\n'
            for a, b in pairs
        )
        routes = "".join(
            f'<route src="node-{a}" dst="node-{b}"><link_ctn id="{a}-{b}"/></route>\n'
            for a, b in pairs
        )
        inside = f'<zone id="{self.name}" routing="Full">\n{hosts}{links}{routes}</zone>'
        return platform_file(inside)


def machine_of(name: str, links: str) -> Machine:
    """Return a machine whose links are "shared" by messages, or each message's "own"."""
    usual = MACHINES[name]
    fields = {one.name: getattr(usual, one.name) for one in dataclasses.fields(usual)}
    kind = OwnLinks if links == "own" else Machine
    return kind(**fields | {"shapes": {**usual.shapes, **SHAPES.get(name, {})}})


def map_of(name: str, machine: Machine, nodes: int, parts: int) -> str:
    """Return the engine's name of a map; "torus" is one of as many prisms as parts."""
    if name != "torus":
        return name
    sides = machine.sides(nodes)
    if len(sides) != 3:
        raise SystemExit(f"{machine.name} has {len(sides)} sides, the map of prisms needs 3")
    x, y, z = sides
    return f"torus-{x}x{y}x{z}-{math.gcd(parts, x * y)}"


def write_input(chosen: argparse.Namespace, folder: Path) -> Path:
    """Write the input of a ground state; return its path."""
    from ase.io import read

    atoms = read(chosen.box) if chosen.box else peers.structure(chosen.waters, None)
    source = peers.finegrain_input(peers.task_of(atoms, chosen.cutoff), atoms, folder)
    lines = [f"{name} = {value}" for name, value in zip(NAMES, chosen.division, strict=False)]
    with source.open("a") as file:
        file.write("\n".join(['start = "random"', "[objects]", *lines, ""]))
    return source


def run(
    machine: Machine, nodes: int, map_: str, steps: int, chosen: argparse.Namespace, folder: Path
) -> Run | None:
    """Run the job of the folder on simulated nodes; return None if it took too long."""
    return simulate(
        chosen.engine,
        folder / "job.h5",
        machine.write(folder, nodes),
        ["--map", map_, "--steps", str(steps)],
        out=folder / f"out-{steps}",
        options=machine.options(),
        environment={"FINEGRAIN_SIMULATED_COSTS": " ".join(map(str, chosen.costs))},
        seconds=chosen.seconds,
    )


def row_of(
    machine: Machine,
    nodes: int,
    map_: str,
    chosen: argparse.Namespace,
    folder: Path,
    seconds_of: Callable[[Run, Run], float],
) -> dict[str, Any] | None:
    """Return what the second iteration takes, or None if the simulation took too long."""
    runs = []
    for steps in (1, 2):
        done = run(machine, nodes, map_, steps, chosen, folder)
        if done is None:
            return None
        runs.append(done)
    short, long = (one.result for one in runs)

    return {
        "seconds": round(seconds_of(*runs), 6),
        "published": PUBLISHED.get(chosen.waters, {}).get(nodes),
        "messages": long["messages"] - short["messages"],
        "phases": of_step(long, short, "phases", nodes),
        "parts": of_step(long, short, "parts", nodes),
        "state_digest": long["state_digest"],
        "simulated_in_core_s": round(sum(one.core_seconds for one in runs), 1),
        "peak_memory_gb": round(max(one.peak for one in runs) / 1e9, 2),
    }


def parser(description: str | None, out: str) -> argparse.ArgumentParser:
    """Return the parser of a command line."""
    made = argparse.ArgumentParser(
        description=description,
        epilog="Rows that are in the output file already and have the same settings are replaced.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("--waters", type=int, default=32, metavar="N", help="a multiple of the 8 of ice; 32")
    add("--box", type=Path, metavar="FILE", help="a structure instead of ice")
    add("--cutoff", type=float, default=peers.CUTOFF_RY, metavar="RY", help="of orbitals, 70")
    add("--machine", choices=sorted(SHAPES), default="bluegene-l")
    add(
        "--links",
        choices=("shared", "own"),
        default="shared",
        help="messages share the bandwidth of links, or each has all of it; shared",
    )
    add("--nodes", type=int, nargs="+", default=[8, 32, 64, 128], metavar="N")
    add(
        "--maps",
        nargs="+",
        default=["plane"],
        metavar="NAME",
        help='of the engine, or "torus": as many prisms as parts of waves; plane',
    )
    add(
        "--division",
        type=int,
        nargs="+",
        metavar="N",
        help="orbitals of a block, parts of waves, of the density, groups of pairs, side of a "
        "tile; then, or 1, chunks of the waves of a part for pairs, pieces of the density's planes",
    )
    add(
        "--costs",
        type=float,
        nargs=3,
        default=list(COSTS),
        metavar="X",
        help="operations of the machine for one of transforms, of products, of all else",
    )
    add("--seconds", type=int, default=900, metavar="S", help="a run that takes longer is left out")
    add("--engine", type=Path, default=ENGINE, metavar="FILE", help="of `make build-simulated`")
    stored = ROOT / "bench/results" / out
    add("--out", type=Path, default=stored, metavar="FILE", help="of all rows, as JSON")
    return made


def parse(made: argparse.ArgumentParser) -> argparse.Namespace:
    """Return the checked command line, with a division."""
    chosen = made.parse_args()
    if chosen.division is None and chosen.waters not in DIVISIONS:
        made.error(f"--division is needed for {chosen.waters} waters; known are {[*DIVISIONS]}")
    chosen.division = chosen.division or list(DIVISIONS[chosen.waters])
    if len(chosen.division) not in range(5, len(NAMES) + 1):
        made.error(f"--division takes 5 to {len(NAMES)} numbers, not {len(chosen.division)}")
    return chosen


def make_rows(
    chosen: argparse.Namespace,
    write_job: Callable[[argparse.Namespace, Path, Path], None],
    seconds_of: Callable[[Run, Run], float],
    more: dict[str, Any],
) -> None:
    """Make the rows and write each as soon as it is there; `more` are settings of their own."""
    machine = machine_of(chosen.machine, chosen.links)
    report = Report(chosen.out, (*SETTINGS, *more), ("machine", "waters", "map", "nodes"))
    with tempfile.TemporaryDirectory(prefix="simulated-") as name:
        folder = Path(name)
        write_job(chosen, folder / "input", folder / "job.h5")
        for nodes in chosen.nodes:
            for map_ in chosen.maps:
                made = {
                    "machine": machine.name,
                    "waters": chosen.waters,
                    "nodes": nodes,
                    "map": map_of(map_, machine, nodes, chosen.division[1]),
                    "links": chosen.links,
                    **more,
                    "cutoff_ry": chosen.cutoff,
                    "division": chosen.division,
                    "costs": chosen.costs,
                    "box": chosen.box.name if chosen.box else "ice",
                }
                row = row_of(machine, nodes, made["map"], chosen, folder, seconds_of)
                kept = "rows" if row is not None else "left_out"
                made |= row if row is not None else {"seconds_given": chosen.seconds}
                report.add(kept, made)
                print(json.dumps(made), flush=True)
