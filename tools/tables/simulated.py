# SPDX-License-Identifier: BSD-3-Clause
"""Published tables made again on simulated machines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from table_maker import Entry, Rows, Table

VOLUMETRIC = "simulated_volumetric.json"
GROUND_STATES, DYNAMICS = "simulated_ground_states.json", "simulated_dynamics.json"
CLASSICAL = "predictions/simulated_classical.json"
ASSIGNMENTS = "predictions/simulated_assignments.json"
COUNTED, PLACED = "maps/ab_initio_maps.json", "maps/classical_maps.json"
CUTOFF_RY = 70.0
# Columns of milliseconds, by the parts of the time table that they add up.
PARTS = {
    "transforms": ("orbitals: lines along z", "orbitals: lines along y and x"),
    "density": ("density: lines", "density in waves", "exchange and correlation"),
    "products": ("overlaps of orbitals", "orbitals times a matrix"),
    "matrices": ("matrices of all orbitals",),
    "projectors": ("projectors",),
}
JOBS = {
    "dhfr": "DHFR",
    "water": "water",
    "large-water": "large water",
    "larger-water": "larger water",
    "dhfr-512-midpoint": "DHFR by midpoints, reach 2",
    "dhfr-4": "4 DHFR, mesh every 4th step",
    "dhfr-4-midpoint": "the same by midpoints",
}
ASSIGNED_JOBS = {
    "dhfr-512": "DHFR, 23,558 atoms",
    "membrane-512": "a membrane in water, 38,833 atoms",
}
BY_NODES = """
    waters     | {waters}
    < division | {division:list}
    < links    | {links}
    nodes      | {nodes}
    WHAT       | {seconds:ms}
    speed-up   | {speed_up:.0f}
    published  | {published:ms} or
    transforms | {transforms:ms}
    density    | {density:ms}
    products   | {products:ms}
    matrices   | {matrices:ms}
    projectors | {projectors:ms}
    other work | {other:ms}
    messages   | {messages:ms}
    waits      | {waits:ms}
"""
BY_MAP = """
    < machine   | {machine}
    waters      | {waters}
    < links     | {links}
    nodes       | {nodes}
    < map       | `{map}`
    WHAT        | {seconds:ms}
    of the best | {of_the_best:.2f}
    messages    | {scheduling:ms}
    waits       | {idle:ms}
"""


def neighbourhoods(report: Any) -> Iterator[Entry]:
    """Yield the rows of Fitch et al. (2005), table I, with the sides of the torus."""
    for row in report["rows"]:
        nodes = math.prod(row["nodes"])
        whole = row.get("stands_for_nodes", nodes)
        # An eighth of the torus has sides of half the length.
        sides = row["nodes"] if whole == nodes else [2 * side for side in row["nodes"]]
        yield {**row, "whole": whole, "sides": sides}


def on_meshes(report: Any) -> Iterator[Entry]:
    """Yield bricks on a mesh, with their times over those on a torus (Eleftheriou et al.)."""
    bricks = [row for row in report["rows"] if row["decomposition"] == "bricks"]
    torus = {
        (row["nodes"], row["mesh"]): row["us"]
        for row in bricks
        if "network" not in row and "senders" not in row
    }
    for row in bricks:
        us = torus.get((row["nodes"], row["mesh"])) if row.get("network") == "mesh" else None
        yield {**row, "ratio": row["us"] / us} if us else row


def job_of(row: Entry) -> tuple[Any, ...]:
    """Return what rows of one curve have in common."""
    names = ("machine", "waters", "cutoff_ry", "division", "links")
    return (*(row[name] for name in names), row.get("scheme", ""))


def links_of(row: Entry) -> str:
    """Write how messages use links, and a cutoff that is not the usual one."""
    low = "" if row["cutoff_ry"] == CUTOFF_RY else f", {row['cutoff_ry']:g} Ry"
    return f"{row['links']}{low}"


def shared_out(row: Entry) -> dict[str, float]:
    """Return the seconds of a step for work, for messages, and spent with waiting."""
    phases = row["phases"]
    waits = phases.get("idle", 0.0)
    messages = phases.get("scheduling", 0.0) + phases.get("sending messages", 0.0)
    work = sum(phases.values()) - messages - waits
    return {"work": work, "messages": messages, "waits": waits}


def by_nodes(machine: str) -> Callable[[Any], Iterator[Entry]]:
    """Return what yields the rows of the usual map on a machine, with their parts."""

    def found(report: Any) -> Iterator[Entry]:
        rows = [one for one in report["rows"] if (one["machine"], one["map"]) == (machine, "plane")]
        least: Entry = {}
        for row in sorted(rows, key=lambda row: (job_of(row), row["nodes"])):
            least = least if least and job_of(least) == job_of(row) else row
            parts = {
                name: sum(row["parts"].get(part, 0.0) for part in parts)
                for name, parts in PARTS.items()
            }
            shared = shared_out(row)
            yield {
                **row,
                **parts,
                **shared,
                "links": links_of(row),
                "nodes": row["nodes"],
                "speed_up": least["seconds"] / row["seconds"] * least["nodes"],
                "other": max(0.0, shared["work"] - sum(parts.values())),
            }

    return found


def by_map(report: Any) -> Iterator[Entry]:
    """Yield the rows of jobs and nodes with more than one map, the fastest first."""
    rows = sorted(report["rows"], key=lambda row: (job_of(row), row["nodes"], row["seconds"]))
    for row in rows:
        same = [one for one in rows if (job_of(one), one["nodes"]) == (job_of(row), row["nodes"])]
        if any(one["map"] != "plane" for one in same):
            ratio = row["seconds"] / same[0]["seconds"]
            waits = {"scheduling": 0.0, "idle": 0.0, **row["phases"]}
            yield {**waits, **row, "links": links_of(row), "of_the_best": ratio}


def classical(report: Any) -> Iterator[Entry]:
    """Yield one entry for each job, machine and number of nodes, with the times by placement.

    Parts of a step are those with the adapted placement. Work of one node is the same in all.
    """
    groups: dict[Any, dict[str, Entry]] = {}
    for row in sorted(report["rows"], key=lambda row: row["nodes"]):
        groups.setdefault((row["job"], row["machine"], row["nodes"]), {})[row["placement"]] = row
    for (job, machine, nodes), rows in sorted(groups.items()):
        one = groups.get((job, machine, 1), {}).get("native")
        best = rows.get("adapted") or rows["native"]
        entry: dict[str, Any] = {name: row["seconds"] for name, row in rows.items()}
        entry |= {f"link_{name}": row["busiest_link_seconds"] for name, row in rows.items()}
        entry |= {"predicted": best["predicted_seconds"], **shared_out(best)}
        entry |= {"job": JOBS[job], "machine": machine, "nodes": nodes}
        if nodes > 1 and one is not None:
            entry["speed_up"] = one["seconds"] / best["seconds"]
        yield entry


# Milliseconds of a step of rhodopsin in its membrane, 43,222 atoms: Fitch et al. (2006), table III,
# with one processor of a node and MPI, and the best with both.
TABLE_III = {32: (447.1, 364.6), 128: (132.2, 91.1), 512: (31.7, 16.1), 1024: (20.6, 11.6)}


def assignments(report: Any) -> Iterator[Entry]:
    """Yield one entry for each system and number of nodes, with both assignments of pairs."""
    found = {(row["job"], row["nodes"]): row for row in report["rows"]}
    last = ""
    for job, system in ASSIGNED_JOBS.items():
        for nodes in sorted(nodes for one, nodes in found if one == job):
            half, middle = found[job, nodes], found.get((f"{job}-midpoint", nodes))
            cut = found.get((f"{job}-cut", nodes))
            entry: dict[str, Any] = {"system": system if system != last else "", "nodes": nodes}
            last = system
            for name, row in (("half", half), ("middle", middle), ("cut", cut)):
                if row is None:
                    continue
                entry[name] = row["seconds"]
                entry[f"{name}_predicted"] = row["predicted_seconds"]
                entry |= {f"{name}_{part}": value for part, value in shared_out(row).items()}
            if job.startswith("membrane") and nodes in TABLE_III:
                entry["one"], entry["both"] = TABLE_III[nodes]
            yield entry


# Seconds of a step without and with maps of the torus: Bohm et al. (2008), table 1.
WITHOUT_MAPS = {(32, 1024): (0.21, 0.15), (256, 1024): (28.8, 16.4), (256, 16384): (3.40, 1.71)}

# The ratios of figure 3 of Phillips et al., SC 2014, of the heaviest and of the mean link.
FIGURE_3 = ("blue-gene-q", 1024)


def counted_maps(report: Any) -> Iterator[Entry]:
    """Yield one entry for each number of waters and nodes, with the loads by map."""
    groups: dict[Any, dict[str, Entry]] = {}
    for row in report["rows"]:
        name = row["placement"] if row["placement"] == "random" else row["map"]
        groups.setdefault((row["waters"], row["nodes"]), {})[name] = row
    for (waters, nodes), rows in groups.items():
        torus = rows["torus"]
        entry: dict[str, Any] = {"waters": waters, "nodes": nodes}
        entry["sides"] = " x ".join(map(str, torus["sides"]))
        entry["megabytes"] = 1e-6 * torus["bytes_of_node"]
        for name, row in rows.items():
            entry[f"all_{name}"] = 1e-9 * row["hop_bytes"]
            entry[f"most_{name}"] = 1e-6 * row["most_bytes"]
        if (waters, nodes) in WITHOUT_MAPS:
            without, best = WITHOUT_MAPS[waters, nodes]
            entry["published"] = without / best
        yield entry


def placed_ranks(report: Any) -> Iterator[Entry]:
    """Yield the bytes of links under each placement, with those of a random one over an adapted."""
    for row in report["rows"]:
        entry: dict[str, Any] = {**row, "megabytes": 1e-6 * row["bytes_of_node"]}
        for way in ("random", "native", "adapted", "relieved"):
            entry[f"most_{way}"] = 1e-6 * row[way]["most_bytes"]
            entry[f"mean_{way}"] = 1e-6 * row[way]["mean_bytes"]
        if (row["machine"], row["nodes"]) == FIGURE_3:
            entry["published"] = "2.70, 1.93"
        yield entry


def of_waters(name: str, stored: str, rows: Rows, columns: str) -> Table:
    """Return a table of iterations of ground states, or of steps of dynamics."""
    what = "step" if stored == DYNAMICS else "iteration"
    return Table(name, stored, rows, columns.replace("WHAT", what), may_lack=True)


TABLES = [
    Table("simulated neighbourhood", "simulated_neighbourhood.json", neighbourhoods, """
        < nodes         | {whole} ({sides:list  x })
        neighbours      | {neighbours}
        broadcast, ours | {broadcast_ms:.2f}
        theirs, MPI     | {broadcast_mpi_ms:.2f}
        SPI             | {broadcast_spi_ms:.2f}
        reduce, ours    | {reduce_ms:.2f}
        theirs, MPI     | {reduce_mpi_ms:.2f}
        SPI             | {reduce_spi_ms:.2f}
    """),
    # Kumar et al. (2012), table I.
    Table("simulated transform", "simulated_transform.json", "rows", """
        nodes | {nodes}
        each mesh
        {mesh}³ p2p | {us:.0f} / {published_us} | by=messages
        m2m         | {us:.0f} / {published_us} | by=exchanges
    """, by=("nodes",), where={"senders": None}),
    Table("simulated volumetric", VOLUMETRIC, "rows", """
        nodes | {nodes}
        each mesh
        {mesh}³ slabs | {us:.0f} | decomposition=slabs
        pencils       | {us:.0f} | decomposition=pencils
        bricks        | {us:.0f} | decomposition=bricks
    """, by=("nodes",), ordered=True, where={"senders": None, "network": None}),
    # Eleftheriou et al. (2005), table 1.
    Table("simulated volumetric on 512 nodes", VOLUMETRIC, "rows", """
        < grid              | {mesh}³
        < network           | {network} or torus
        ours                | {us:.0f}
        least for our links | {bound_us:.0f}
        theirs              | {published_us:.0f}
        their model         | {published_model_us:.0f}
        ours / theirs       | {us/published_us:.1f}
    """, where={"nodes": 512, "decomposition": "bricks", "senders": None}),
    Table("simulated volumetric on meshes", VOLUMETRIC, on_meshes, """
        nodes | {nodes}
        each mesh
        {mesh}³ | {us:.0f} ({ratio:.2f}) or | network=mesh
    """, by=("nodes",), ordered=True, where={"senders": None}),
    of_waters("simulated ground states", GROUND_STATES, by_nodes("bluegene-l"), BY_NODES),
    of_waters(
        "simulated ground states on Blue Gene/Q", GROUND_STATES, by_nodes("bluegene-q"), BY_NODES
    ),
    of_waters("simulated maps of ground states", GROUND_STATES, by_map, BY_MAP),
    of_waters("simulated dynamics", DYNAMICS, by_nodes("bluegene-l"), BY_NODES),
    of_waters("simulated maps of dynamics", DYNAMICS, by_map, BY_MAP),
    Table("counted maps", COUNTED, counted_maps, """
        waters                       | {waters}
        < nodes                      | {nodes} ({sides})
        MB a node                    | {megabytes:.1f}
        hop-bytes / GB, `block`      | {all_block:.0f}
        `hybrid`                     | {all_hybrid:.1f}
        `plane`                      | {all_plane:.1f}
        `torus`                      | {all_torus:.1f}
        random                       | {all_random:.1f}
        heaviest link / MB, `block`  | {most_block:.0f}
        `hybrid`                     | {most_hybrid:.1f}
        `plane`                      | {most_plane:.1f}
        `torus`                      | {most_torus:.1f}
        random                       | {most_random:.1f}
        random / `torus`             | {all_random/all_torus:.2f}
        heaviest, random / `torus`   | {most_random/most_torus:.2f}
        time without / with, theirs  | {published:.2f} or
    """),
    Table("placed ranks", PLACED, placed_ranks, """
        < machine                  | {machine}
        nodes                      | {nodes:,}
        MB a node                  | {megabytes:.1f}
        heaviest link / MB, random | {most_random:.2f}
        native                     | {most_native:.2f}
        adapted                    | {most_adapted:.2f}
        mean link / MB, random     | {mean_random:.2f}
        native                     | {mean_native:.2f}
        adapted                    | {mean_adapted:.2f}
        heaviest, random / adapted | {most_random/most_adapted:.2f}
        mean, random / adapted     | {mean_random/mean_adapted:.2f}
        heaviest, relief 0.15      | {most_random/most_relieved:.2f}
        mean, relief 0.15          | {mean_random/mean_relieved:.2f}
        theirs                     | {published} or
        to count / core-s          | {core_seconds_to_count:.0f}
        to place / core-s          | {core_seconds_to_place:.1f}
    """, may_lack=True),
    Table("simulated assignments", ASSIGNMENTS, assignments, """
        < system            | {system}
        nodes               | {nodes}
        half shell          | {half:1000*.2f}
        predicted           | {half_predicted:1000*.2f}
        work                | {half_work:1000*.2f}
        messages            | {half_messages:1000*.2f}
        waits               | {half_waits:1000*.2f}
        midpoint            | {middle:1000*.2f} or
        predicted           | {middle_predicted:1000*.2f} or
        work                | {middle_work:1000*.2f} or
        messages            | {middle_messages:1000*.2f} or
        waits               | {middle_waits:1000*.2f} or
        midpoint / half     | {middle/half:.2f} or
        cells cut by work   | {cut:1000*.2f} or
        waits               | {cut_waits:1000*.2f} or
        theirs, 1 processor | {one:.1f} or
        theirs, 2           | {both:.1f} or
    """, may_lack=True),
    Table("simulated classical", CLASSICAL, classical, """
        < job            | {job}
        < machine        | {machine}
        nodes            | {nodes}
        random           | {random:1000*.3f} or
        native           | {native:1000*.3f} or
        adapted          | {adapted:1000*.3f} or
        random / adapted | {random/adapted:.2f} or
        speed-up         | {speed_up:.1f} or
        predicted        | {predicted:1000*.3f}
        link, random     | {link_random:1000*.3f} or
        link, adapted    | {link_adapted:1000*.3f} or
        work             | {work:1000*.3f}
        messages         | {messages:1000*.3f}
        waits            | {waits:1000*.3f}
    """, may_lack=True),
]  # fmt: skip
