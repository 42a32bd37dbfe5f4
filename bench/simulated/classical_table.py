# SPDX-License-Identifier: BSD-3-Clause
"""Steps of classical dynamics on simulated nodes, with ranks placed in several ways.

The jobs are DHFR in water, 23,558 atoms, four of them side by side, cubes of water, and a membrane
in water, each with one division into objects that is as fine as the largest machine needs. The
engine computes all of it, and every row of a job has the same digest. On the simulated machine the
objects take the time that they charge for their counted work (engine/forces/costs): that of the
core of the fit, over the speed of a node. --speed says what is taken for this.

A row is one step, as the difference of two runs between two rebuilds of the pair lists. The
placements are those of `finegrain map`: ranks at random on the nodes, in their order, and adapted
to what they send. Messages share the links.

Usage: classical_table.py [--jobs NAME ...] [--machines NAME ...] [--nodes N ...]
    [--placements NAME ...] [--steps FEWER MORE]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from finegrain import api
from finegrain.machines.description import MachineDescription
from finegrain.planning import plan_places, predict_step, traffic_of_job
from finegrain.planning.simulated import SPEED_VARIABLE, step_between

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench" / part) for part in ("machines", "")]
import simulated_runs as simulated  # noqa: E402  (a folder of scripts, not a package)
from descriptions import description_of  # noqa: E402
from machines import MACHINES, Machine  # noqa: E402

PLACEMENTS = ("random", "native", "adapted")
SETTINGS = ("job", "machine", "nodes", "placement", "speed", "patches", "steps")
REBUILD, PRUNE = 60, 4  # steps between two rebuilds and two prunings of the lists
INPUT = """\
[system]
kind = "classical"
{system}
[forces]
cutoff = "9 Å"
electrostatics = "pme"
{mesh}
constraints = "h-bonds"
rigid_water = true
rebuild_interval = {rebuild}
prune_interval = {prune}
{stage}
[dynamics]
ensemble = "nve"
long_range_interval = {mesh_every}
timestep = "2 fs"
steps = 100
temperature = "300 K"
seed = 1
[patches]
pes = {pes}
pairs = "{pairs}"
{cells}
"""
RELAX = '[minimise]\nmethod = "l-bfgs"\nsteps = 60'


@dataclass(frozen=True)
class System:
    """A job: DHFR, a cube of water with this edge in nm, or a membrane.

    Attributes
    ----------
    pes : int
        For which it is made.
    edge : float
        The edge of a cube of water, in nm; 0 for other systems.
    membrane : bool
        Whether it is a membrane.
    pairs : str
        Their assignment.
    cuts : bool
        Whether cells of midpoints are cut by work, eight along each axis.
    copies : str
        How many of DHFR stand along each axis, as a list; empty for one.
    mesh_every : int
        Steps between two evaluations of the mesh.
    """

    pes: int
    edge: float = 0
    membrane: bool = False
    pairs: str = "half-shell"
    cuts: bool = False
    copies: str = ""
    mesh_every: int = 1


SYSTEMS = {
    "dhfr": System(64),
    "dhfr-512": System(512),
    "dhfr-512-midpoint": System(512, pairs="midpoint"),
    "dhfr-512-cut": System(512, pairs="midpoint", cuts=True),
    "dhfr-4": System(512, copies="[2, 2, 1]", mesh_every=4),
    "dhfr-4-midpoint": System(512, copies="[2, 2, 1]", mesh_every=4, pairs="midpoint"),
    "membrane-512": System(512, membrane=True),
    "membrane-512-midpoint": System(512, membrane=True, pairs="midpoint"),
    "membrane-512-cut": System(512, membrane=True, pairs="midpoint", cuts=True),
    "water": System(64, 4.0),
    "large-water": System(256, 8.0),
    "larger-water": System(512, 10.2),  # two patches for each of 128 nodes, and more
}


def write_job(name: str, folder: Path) -> Path:
    """Write a job, if the folder has none; water and the membrane are relaxed first."""
    system = SYSTEMS[name]
    folder.mkdir(parents=True, exist_ok=True)
    source, job = folder / f"{name}.toml", folder / f"{name}.h5"
    if job.exists():
        return job
    mesh = 'mesh_spacing = "1 Å"'
    if system.membrane:
        lines, start = _membrane(folder)
        mesh = "mesh = [128, 128, 128]"  # as in Blue Matter's rows
    elif system.edge:
        lines, start = _water(system.edge, folder)
    else:
        lines = 'topology = "openmmtools:DHFRExplicit"'
        if system.copies:
            lines += f"\nrepeat = {system.copies}"
        start = lines
    if start != lines:
        relaxing = folder / "relaxing.toml"
        relaxing.write_text(_input(start, mesh, RELAX, System(8)), "utf-8")
        api.run(relaxing, folder / "relaxed", overwrite=True)
        lines += f'\ncoordinates = "{folder / "relaxed" / "checkpoint.h5"}"'
    source.write_text(_input(lines, mesh, "", system), "utf-8")
    api.load(source, job)
    return job


def _input(lines: str, mesh: str, stage: str, system: System) -> str:
    return INPUT.format(
        system=lines,
        mesh=mesh,
        mesh_every=system.mesh_every,
        rebuild=REBUILD,
        prune=PRUNE,
        stage=stage,
        pes=system.pes,
        pairs=system.pairs,
        cells="cells = [8, 8, 8]" if system.cuts else "",
    )


def _water(edge: float, folder: Path) -> tuple[str, str]:
    """Write a cube of rigid TIP3P water as OpenMM makes it; return its keys, also with a start."""
    import openmm
    from openmm import app, unit
    from openmmtools import testsystems

    made = testsystems.WaterBox(box_edge=edge * unit.nanometer, cutoff=0.9 * unit.nanometer)
    system = folder / "water.xml"
    system.write_text(openmm.XmlSerializer.serialize(made.system), "utf-8")
    with (folder / "water.pdb").open("w") as file:
        app.PDBFile.writeFile(made.topology, made.positions, file)
    lines = f'topology = "{system}"'
    return lines, f'{lines}\ncoordinates = "{folder / "water.pdb"}"'


def _membrane(folder: Path) -> tuple[str, str]:
    """Write a membrane in water; return its keys, also with a start."""
    import membrane

    path = folder / "membrane.pdb"
    if not path.exists():
        membrane.write_membrane(path)
    lines = f'topology = "{path}"\nforcefield = {list(membrane.FORCE_FIELD)}'
    return lines, f'{lines}\ncoordinates = "{path}"'


@dataclass(frozen=True)
class Placed:
    """The machine with the ranks of a job in some order on its nodes, and what that does."""

    machine: MachineDescription
    figures: dict[str, Any]


def placed(machine: Machine, speed: float, nodes: int, job: Path) -> dict[str, Placed]:
    """Return all placements on a machine with nodes of this speed."""
    usual = description_of(machine, nodes)
    usual = replace(usual, processor=replace(usual.processor, core_speed=speed))
    contents, places = job.read_bytes(), usual.allocation.node_of_rank
    traffic = traffic_of_job(job.name, contents, nodes, hosts=places)
    found = {}
    for name, one in plan_places(usual, traffic.whole, traffic.positions).placements.items():
        there = usual.with_nodes(one.place_of_rank.tolist(), 1)
        figures = {
            "hop_bytes": one.loads["hop_bytes"],
            "most_bytes_of_a_link": one.loads["most_bytes"],
            "busiest_link_seconds": round(one.loads["most_bytes"] / machine.bandwidth, 9),
            "predicted_seconds": round(predict_step(job.name, contents, there).seconds, 9),
        }
        found[name] = Placed(there, figures)
    return found


def row_of(
    machine: Machine, on: MachineDescription, job: Path, chosen: argparse.Namespace
) -> dict[str, Any] | None:
    """Return what a step takes with the ranks so placed, or None if a run took too long."""
    order = on.allocation.node_of_rank
    folder, nodes, runs = job.parent, len(order), []
    for steps in chosen.steps:
        done = simulated.simulate(
            chosen.engine,
            job,
            machine.write(folder, nodes, order=order),
            ["--steps", str(steps)],
            out=folder / f"out-{steps}",
            options=machine.options(ranks=nodes),
            environment={SPEED_VARIABLE: repr(on.processor.core_speed)},
            seconds=chosen.seconds,
        )
        if done is None:
            return None
        runs.append(done)
    step = step_between(runs[0].result, runs[1].result, ranks=nodes)
    phases = {name: round(value, 9) for name, value in step.phases.items()}
    return {
        "seconds": round(step.seconds, 9),
        "messages": round(step.messages, 1),
        "phases": {name: value for name, value in phases.items() if value > 0},
        "state_digest": step.state_digest,
        "simulated_in_core_s": round(sum(one.core_seconds for one in runs), 1),
        "peak_memory_gb": round(max(one.peak for one in runs) / 1e9, 2),
    }


def patches_of(job: Path) -> list[int]:
    """Return the patches of a job along each axis."""
    import h5py

    with h5py.File(job) as file:
        return [int(one) for one in file["settings"].attrs["patch_grid"]]


def options() -> argparse.Namespace:
    """Return the checked command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--jobs", nargs="+", choices=SYSTEMS, default=["dhfr", "water"], metavar="NAME")
    torus_and_tree = ["bluegene-q", "fat-tree"]
    add("--machines", nargs="+", choices=MACHINES, default=torus_and_tree, metavar="NAME")
    add("--nodes", type=int, nargs="+", default=[1, 8, 16, 32, 64], metavar="N")
    add("--placements", nargs="+", choices=PLACEMENTS, default=list(PLACEMENTS), metavar="NAME")
    add(
        "--speed",
        type=float,
        metavar="X",
        help="of a node, over that of the core of the fit; by default that of bench/machines",
    )
    # Start and end of a run take a millisecond more or less, so there are many steps between.
    steps = "steps of the two runs; by default 12 and 52"
    add("--steps", nargs=2, type=int, default=(12, 52), metavar="N", help=steps)
    add("--folder", type=Path, metavar="DIR", help="that keeps the jobs for the next time")
    add("--seconds", type=int, default=900, metavar="S", help="a run that takes longer is left out")
    add("--engine", type=Path, default=simulated.ENGINE, metavar="FILE")
    stored = ROOT / "bench/results/predictions/simulated_classical.json"
    add("--out", type=Path, default=stored, metavar="FILE", help="of all rows, as JSON")
    chosen = parser.parse_args()
    fewer, more = chosen.steps
    if not (0 < fewer < more < REBUILD and fewer % PRUNE == more % PRUNE == 0):
        parser.error(f"--steps must be two multiples of {PRUNE} below {REBUILD}, the lower first")
    return chosen


def main() -> None:
    """Make the rows and write each as soon as it is there."""
    chosen = options()
    report = simulated.Report(chosen.out, SETTINGS, ("job", "machine", "nodes", "placement"))
    for name in chosen.jobs:
        with tempfile.TemporaryDirectory(prefix="simulated-") as temporary:
            job = write_job(name, chosen.folder / name if chosen.folder else Path(temporary))
            for machine in (MACHINES[one] for one in chosen.machines):
                speed = chosen.speed or machine.speed
                for nodes in chosen.nodes:
                    make_rows(report, name, job, machine, speed, nodes, chosen)


def make_rows(
    report: simulated.Report,
    name: str,
    job: Path,
    machine: Machine,
    speed: float,
    nodes: int,
    chosen: argparse.Namespace,
) -> None:
    """Make the rows of one number of nodes."""
    places = placed(machine, speed, nodes, job)
    for placement in chosen.placements if nodes > 1 else ["native"]:
        made = {
            "job": name,
            "machine": machine.name,
            "nodes": nodes,
            "placement": placement,
            "speed": round(speed, 6),
            "patches": patches_of(job),
            "steps": list(chosen.steps),
            **places[placement].figures,
        }
        row = row_of(machine, places[placement].machine, job, chosen)
        report.add("left_out" if row is None else "rows", made | (row or {}))
        print(json.dumps(made | (row or {"seconds_given": chosen.seconds})), flush=True)


if __name__ == "__main__":
    main()
