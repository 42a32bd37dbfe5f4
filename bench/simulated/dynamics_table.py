# SPDX-License-Identifier: BSD-3-Clause
"""Car-Parrinello steps on simulated Blue Gene/L nodes, beside Bohm et al. (2008), table 1.

The boxes, divisions, costs and maps of ground_state_table.py. Orbitals and ions move, with a
fictitious mass of 400 and steps of 4 atomic units. A row is the second step from random orbitals,
which are where a step takes the same work as anywhere else: the difference of runs with two steps
and with one. The engine computes all of it, and every row of a job has one digest.

--links says how much SimGrid does for the network: "shared" links give each message its share of
the bandwidth, which takes most of the time of a simulation; "own" links give each message the whole
bandwidth, so that the table has no congestion.

Usage: dynamics_table.py [--waters N] [--nodes N ...] [--maps NAME ...] [--links shared]
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import ground_state_table as ground
from machines import MACHINES, Machine

FEMTOSECONDS = 2.4188843265857e-2  # of an atomic unit of time
# On so many nodes, with the maps that know nothing of the torus ("no topo").
PUBLISHED_WITHOUT_TOPOLOGY = {32: {1024: 0.21}}


@dataclasses.dataclass(frozen=True)
class OwnLinks(Machine):
    """A machine each of whose messages has the links of its way for itself."""

    def platform(self, nodes: int, *, mesh: bool = False) -> str:
        """Return the platform; its links give every message the whole bandwidth."""
        return super().platform(nodes, mesh=mesh).replace("SPLITDUPLEX", "FATPIPE")


def write_job(chosen: argparse.Namespace, folder: Path, cut: list[int]) -> Path:
    """Write the job and return its path."""
    from finegrain.ab_initio.job import make_job

    ground.write_job(chosen.waters, chosen.box, chosen.cutoff, folder, cut)
    source = folder / "box.toml"
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
    job = folder / "moving.h5"
    make_job(moving, job)
    return job


def row_of(
    machine: Machine, nodes: int, map_: str, job: Path, chosen: argparse.Namespace, folder: Path
) -> dict[str, Any] | None:
    """Return a row of the table, or None if it took too long."""
    begin = time.monotonic()
    results: list[dict[str, Any]] = []
    for steps in (1, 2):
        words = [str(chosen.engine), str(job), "--out", str(folder / f"out-{steps}")]
        words += ["--report", "json", "--quiet", "--overwrite", "--map", map_]
        words += ["--steps", str(steps)]
        done = ground.run(machine, nodes, words, chosen.costs, chosen.seconds, folder)
        if done is None:
            return None
        results.append(done)
    short, long = results

    def of_step(table: str) -> dict[str, float]:
        return ground.difference(ground.by_name(long[table]), ground.by_name(short[table]), nodes)

    return {
        "waters": chosen.waters,
        "nodes": nodes,
        "map": map_,
        "scheme": chosen.scheme,
        "links": chosen.links,
        "seconds": round(2 * long["seconds_per_step"] - short["seconds_per_step"], 6),
        "published": ground.PUBLISHED.get(chosen.waters, {}).get(nodes),
        "messages": long["messages"] - short["messages"],
        "phases": of_step("phases"),
        "parts": of_step("parts"),
        "state_digest": long["state_digest"],
        "simulated_in_s": round(time.monotonic() - begin, 1),
        "peak_memory_gb": round(
            resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e9, 2
        ),
    }


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = made.add_argument
    add("--waters", type=int, default=8, metavar="N", help="a multiple of the 8 of ice; 8")
    add("--box", type=Path, metavar="FILE", help="a structure instead of ice")
    add("--cutoff", type=float, default=70.0, metavar="RY", help="of orbitals, 70")
    add("--nodes", type=int, nargs="+", default=[8, 32, 64, 128], metavar="N")
    add("--maps", nargs="+", default=["plane"], metavar="NAME", help='of the engine, or "torus"')
    add("--scheme", choices=("constrained", "free"), default="free", help="of orthonormality")
    add("--links", choices=("shared", "own"), default="shared")
    add("--cut", type=int, nargs=5, metavar="N", help="as of ground_state_table.py")
    add("--costs", type=float, nargs=3, default=list(ground.COSTS), metavar="X")
    add("--seconds", type=int, default=900, metavar="S", help="a run that takes longer is left out")
    engine = ground.ROOT / "build/simulated/engine/app/finegrain-engine-smpi"
    add("--engine", type=Path, default=engine, metavar="FILE")
    out = ground.ROOT / "bench/results/simulated_dynamics.json"
    add("--out", type=Path, default=out, metavar="FILE", help="of all rows, as JSON")
    return made


def main() -> None:
    """Make the rows and write them."""
    chosen = parser().parse_args()
    usual = MACHINES["bluegene-l"]
    kind = OwnLinks if chosen.links == "own" else Machine
    fields = {one.name: getattr(usual, one.name) for one in dataclasses.fields(usual)}
    machine = kind(**fields | {"shapes": {**usual.shapes, **ground.SHAPES}})
    cut = chosen.cut or list(ground.CUTS[chosen.waters])
    report: dict[str, Any] = {"machine": machine.name, "rows": [], "left_out": []}
    if chosen.out.exists():
        report = json.loads(chosen.out.read_text())
    same = ("waters", "nodes", "map", "scheme", "links", "cutoff_ry", "cut", "costs", "box")
    with tempfile.TemporaryDirectory(prefix="simulated-") as name:
        folder = Path(name)
        job = write_job(chosen, folder / "input", cut)
        for nodes in chosen.nodes:
            for map_ in chosen.maps:
                named = ground.map_of(map_, machine, nodes, cut[1])
                about = {
                    "waters": chosen.waters,
                    "nodes": nodes,
                    "map": named,
                    "scheme": chosen.scheme,
                    "links": chosen.links,
                    "cutoff_ry": chosen.cutoff,
                    "cut": cut,
                    "costs": chosen.costs,
                    "box": chosen.box.name if chosen.box else "ice",
                }
                row = row_of(machine, nodes, named, job, chosen, folder)
                kept = "rows" if row is not None else "left_out"
                made = about | (row if row is not None else {"seconds_given": chosen.seconds})
                for rows in (report["rows"], report["left_out"]):
                    rows[:] = [one for one in rows if any(one.get(k) != made[k] for k in same)]
                report[kept].append(made)
                report["rows"].sort(key=lambda one: (one["waters"], one["map"], one["nodes"]))
                chosen.out.write_text(json.dumps(report, indent=1) + "\n")
                print(json.dumps(made), flush=True)


if __name__ == "__main__":
    main()
