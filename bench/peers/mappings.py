# SPDX-License-Identifier: BSD-3-Clause
"""Places of ranks on networks: the adapted ones of `finegrain map`, those of Scotch, a curve.

The ranks are those of a box of water, 98,304 atoms, in 8 x 8 x 8 patches on one PE a rank, and the
traffic is that of a step. Scotch (`scotch_gmap`, Debian's package `scotch`) gets the same traffic
as a graph, and the network as a target: a torus, a tree with leaves, or a decomposition of the
graph of links. It may give a node two ranks; then the second one goes to the nearest free node.
The curve is Hilbert's, through the ranks in space and through the nodes of a torus; nodes of other
networks are in their own order. Scotch draws random numbers: its figures are medians of five runs,
with their range. Times are those of processors; ours has all three placements and their loads.

Usage: mappings.py [--out FILE]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.engine.engine import load_engine
from finegrain.engine.machine import fingerprint
from finegrain.kinds.new_job import write_job
from finegrain.machines.description import Allocation, MachineDescription
from finegrain.machines.for_engine import engine_numbers
from finegrain.machines.networks import Dragonfly, FatTree, Network, Torus
from finegrain.machines.traffic.traffic import Traffic, columns_of, traffic_of
from finegrain.planning import plan_places, traffic_of_job

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench/peers")]
import stored  # noqa: E402  (a folder of scripts, not a package)
from measured import measure  # noqa: E402

Numbers = NDArray[np.int64]
RANKS = 512
REPEATS = 5
FIGURES = ("hop_bytes", "most_bytes")
SIDE = 32  # waters along an edge
APART = 3.1  # Å, as in liquid water
BITS = 10  # of a coordinate of the curve

TOPOLOGY = """[ defaults ]
1 2 yes 0.5 0.8333
[ atomtypes ]
OW 8 15.9994 -0.834 A 0.315061 0.636386
HW 1 1.008 0.417 A 0 0
[ moleculetype ]
SOL 2
[ atoms ]
1 OW 1 SOL OW 1 -0.834 15.9994
2 HW 1 SOL HW1 1 0.417 1.008
3 HW 1 SOL HW2 1 0.417 1.008
[ settles ]
1 1 0.09572 0.15139
[ exclusions ]
1 2 3
2 1 3
3 1 2
[ system ]
water
[ molecules ]
SOL {waters}
"""
INPUT = """[system]
kind = "classical"
topology = "water.top"
coordinates = "water.gro"
[forces]
cutoff = "9 Å"
electrostatics = "pme"
mesh_spacing = "1 Å"
constraints = "h-bonds"
[patches]
grid = [8, 8, 8]
[dynamics]
ensemble = "nve"
timestep = "2 fs"
steps = 10
velocities = "zero"
"""


@dataclass(frozen=True)
class Target:
    """A network, and the words by which Scotch gets it.

    Attributes
    ----------
    name : str
        For people.
    network : Network
        It has as many nodes as there are ranks.
    write : callable
        Writes the target's file.
    """

    name: str
    network: Network
    write: Callable[[Path], None]

    @property
    def machine(self) -> MachineDescription:
        """The machine, with a rank on each node."""
        nodes = tuple(range(RANKS))
        return MachineDescription(
            name=self.name,
            network=self.network,
            allocation=Allocation(nodes, (1,) * RANKS),
            link_bandwidth=(12.5,) * len(self.network.link_kinds),
            link_latency=(0.1,) * len(self.network.link_kinds),
        )


def write_torus(lengths: tuple[int, ...]) -> Callable[[Path], None]:
    """Scotch's first coordinate varies fastest, our last."""
    words = " ".join(map(str, reversed(lengths)))
    return lambda path: _write(path, f"torusXD {len(lengths)} {words}\n")


def write_tree(down: tuple[int, ...]) -> Callable[[Path], None]:
    """All levels of a tree with leaves cost one link."""
    levels = " ".join(f"{number} 1" for number in reversed(down))
    return lambda path: _write(path, f"tleaf {len(down)} {levels}\n")


def write_graph(network: Dragonfly) -> Callable[[Path], None]:
    """A decomposition of the graph of nodes and routers, of which the nodes are taken."""

    def write(path: Path) -> None:
        graph, nodes = path.with_suffix(".grf"), path.with_suffix(".lst")
        count = network.nodes
        routers = network.groups * network.routers_per_group
        links: list[set[int]] = [set() for _ in range(count + routers)]

        def join(a: int, b: int) -> None:
            links[a].add(b)
            links[b].add(a)

        for node in range(count):
            join(node, count + node // network.nodes_per_router)
        each = network.routers_per_group
        for group in range(network.groups):
            first = count + group * each
            for a in range(each):
                for b in range(a):
                    join(first + a, first + b)
            for other in range(group):
                # As the engine deals global links out: group after group, to routers in turn.
                for link in range(network.links_per_pair_of_groups):
                    ends = [
                        count + g * each + (place * network.links_per_pair_of_groups + link) % each
                        for g, place in ((group, other), (other, group - 1))
                    ]
                    join(*ends)
        rows = [f"{len(found)} " + " ".join(map(str, sorted(found))) for found in links]
        edges = sum(map(len, links))
        _write(graph, "\n".join(["0", f"{len(links)} {edges}", "0 000", *rows, ""]))
        _write(nodes, f"{count}\n" + "\n".join(map(str, range(count))) + "\n")
        command = ["amk_grf", str(graph), str(path), f"-l{nodes}"]
        subprocess.run(command, check=True, capture_output=True)

    return write


def _write(path: Path, text: str) -> None:
    path.write_text(text)


TARGETS = (
    Target("torus 8 x 8 x 8", Torus((8, 8, 8), (True,) * 3), write_torus((8, 8, 8))),
    Target("torus 16 x 8 x 4", Torus((16, 8, 4), (True,) * 3), write_torus((16, 8, 4))),
    Target(
        "torus 4 x 4 x 4 x 4 x 2",
        Torus((4, 4, 4, 4, 2), (True,) * 5),
        write_torus((4, 4, 4, 4, 2)),
    ),
    Target("fat tree, 16 x 32", FatTree((16, 32), (16,), (1,)), write_tree((16, 32))),
    Target("dragonfly, 16 x 8 x 4", Dragonfly(16, 8, 4, 1), write_graph(Dragonfly(16, 8, 4, 1))),
)


def water(folder: Path) -> bytes:
    """Return the job of waters on a lattice; only their number and places count."""
    place = (np.indices((SIDE,) * 3).reshape(3, -1).T + 0.5) * APART / 10
    shape = np.array([[0, 0, 0], [0.09572, 0, 0], [-0.02399, 0.09266, 0]])
    atoms = (place[:, None, :] + shape).reshape(-1, 3)
    edge = SIDE * APART / 10
    names = ("OW", "HW1", "HW2")
    lines = ["water", str(len(atoms))]
    lines += [
        f"{i // 3 % 99999 + 1:5d}SOL  {names[i % 3]:>5s}{i % 99999 + 1:5d}{x:8.3f}{y:8.3f}{z:8.3f}"
        for i, (x, y, z) in enumerate(atoms)
    ]
    lines += [f"{edge:.5f} {edge:.5f} {edge:.5f}", ""]
    _write(folder / "water.gro", "\n".join(lines))
    _write(folder / "water.top", TOPOLOGY.format(waters=SIDE**3))
    _write(folder / "water.toml", INPUT)
    write_job(folder / "water.toml", folder / "job.h5")
    return (folder / "job.h5").read_bytes()


def write_source(traffic: Traffic, path: Path) -> None:
    """Write what ranks send each other as a graph with weights of edges, in kB."""
    weights: list[dict[int, int]] = [{} for _ in range(traffic.ranks)]
    for a, b, size in zip(traffic.sender, traffic.receiver, traffic.bytes, strict=True):
        for one, other in ((int(a), int(b)), (int(b), int(a))):
            weights[one][other] = weights[one].get(other, 0) + round(float(size))
    rows = []
    for found in weights:
        edges = " ".join(f"{max(1, size // 1000)} {to}" for to, size in sorted(found.items()))
        rows.append(f"{len(found)} {edges}")
    count = sum(map(len, weights))
    _write(path, "\n".join(["0", f"{len(rows)} {count}", "0 010", *rows, ""]))


def mapping_of(folder: Path, target: Target) -> tuple[Numbers, float, int]:
    """Return the node of each rank, Scotch's core-seconds, and how many ranks shared a node."""
    files = [str(folder / name) for name in ("source.grf", "target.tgt", "found.map")]
    done = measure(["scotch_gmap", "-cqb", "-b0.0001", *files], folder, {})
    if done.status:
        raise SystemExit(done.errors)
    seconds = done.core_seconds
    rows = np.loadtxt(folder / "found.map", dtype=np.int64, skiprows=1)
    node = np.empty(RANKS, np.int64)
    node[rows[:, 0]] = rows[:, 1]
    return _placed(node, target, seconds)


def _placed(node: Numbers, target: Target, seconds: float) -> tuple[Numbers, float, int]:
    taken: set[int] = set()
    second = []
    for rank, one in enumerate(node.tolist()):
        if one in taken:
            second.append(rank)
        taken.add(one)
    free = sorted(set(range(RANKS)) - taken)
    for rank in second:
        ways = [_hops(target, int(node[rank]), one) for one in free]
        node[rank] = free.pop(int(np.argmin(ways)))
    return node, seconds, len(second)


def _hops(target: Target, a: int, b: int) -> int:
    one = columns_of(traffic_of(2, [0], [1], [1.0], [1.0]))
    numbers = engine_numbers(target.machine)
    return int(load_engine().link_loads(numbers, np.array([a, b], np.int64), one)["hop_bytes"])


def along_curve(points: Numbers) -> Numbers:
    """Return the rows in the order of Hilbert's curve (Skilling, AIP Conf. Proc. 707, 381)."""
    x = points.astype(np.int64).T.copy()
    dimensions = len(x)
    q = 1 << (BITS - 1)
    while q > 1:
        p = q - 1
        for i in range(dimensions):
            high = (x[i] & q) != 0
            swap = np.where(high, 0, (x[0] ^ x[i]) & p)
            x[0] = np.where(high, x[0] ^ p, x[0] ^ swap)
            x[i] ^= swap if i else 0
        q >>= 1
    for i in range(1, dimensions):
        x[i] ^= x[i - 1]
    turn = np.zeros_like(x[0])
    q = 1 << (BITS - 1)
    while q > 1:
        turn = np.where(x[-1] & q, turn ^ (q - 1), turn)
        q >>= 1
    x ^= turn
    keys = [
        [(int(x[i, row]) >> bit) & 1 for bit in range(BITS - 1, -1, -1) for i in range(dimensions)]
        for row in range(x.shape[1])
    ]
    return np.array(sorted(range(x.shape[1]), key=lambda row: keys[row]), np.int64)


def curve(target: Target, positions: Numbers) -> Numbers:
    """Return the node of each rank along the curve."""
    spread = positions - positions.min(0)
    ranks = along_curve(spread * (2**BITS - 1) // max(1, int(spread.max())))
    network = target.network
    nodes = np.arange(RANKS)
    if isinstance(network, Torus):
        nodes = along_curve(np.array([network.coordinates_of(one) for one in range(RANKS)]))
    node = np.empty(RANKS, np.int64)
    node[ranks] = nodes
    return node


def loads(target: Target, traffic: Traffic, node: Numbers) -> dict[str, float]:
    """Return hop-bytes and the bytes of the heaviest link."""
    numbers = engine_numbers(target.machine)
    found = load_engine().link_loads(numbers, node, columns_of(traffic))
    return {name: float(found[name]) for name in FIGURES}


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=ROOT / "bench/results/maps/mappings.json")
    chosen = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="mappings-") as name:
        folder = Path(name)
        job = traffic_of_job("water", water(folder), RANKS)
        traffic = job.whole
        write_source(traffic, folder / "source.grf")
        for target in TARGETS:
            target.write(folder / "target.tgt")
            ours, theirs = [], []
            for _ in range(REPEATS):
                start = time.process_time()
                plan = plan_places(target.machine, traffic, job.positions)
                ours.append({"core_seconds": time.process_time() - start})
                node, seconds, twice = mapping_of(folder, target)
                theirs.append(loads(target, traffic, node) | {"core_seconds": seconds})
            row: dict[str, Any] = {"machine": target.name}
            for way, one in plan.placements.items():
                row[way] = {name: float(one.loads[name]) for name in FIGURES}
            row["hilbert"] = loads(target, traffic, curve(target, job.positions))
            row["adapted"] |= stored.spreads(ours, "core_seconds")
            row["scotch"] = stored.spreads(theirs, *FIGURES, "core_seconds") | {"moved": twice}
            rows.append(row)
            print(row, flush=True)
    version = subprocess.run(["scotch_gmap", "-V"], capture_output=True, text=True, check=False)
    words = (version.stdout + version.stderr).split("version ")
    stored.write(
        {
            "machine": fingerprint(),
            "ranks": RANKS,
            "atoms": 3 * SIDE**3,
            "scotch": words[1].split()[0],
            "rows": rows,
        },
        chosen.out,
    )


if __name__ == "__main__":
    main()
