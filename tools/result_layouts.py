# SPDX-License-Identifier: BSD-3-Clause
"""The layout of each table of figures, by its name; see result_tables.py."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from accuracy_layouts import layouts
from car_parrinello_layouts import car_parrinello_layouts
from density_grid_layouts import density_grid_layouts
from dynamics_layouts import dynamics_layouts
from front_layouts import front_layouts
from grain_layouts import grain_layouts
from ground_state_layouts import ground_state_layouts
from owner_layouts import owner_layouts
from phase_layouts import machine_of, phase_layouts, tolerance_of
from pressure_layouts import pressure_layouts
from simulated_ground_layouts import simulated_ground_layouts
from spline_layouts import spline_layouts
from transform_layouts import transform_layouts

MPIS = {"openmpi": "Open MPI", "mpich": "MPICH"}


def load(results: Path, name: str) -> Any:
    """Read one stored result."""
    return json.loads((results / name).read_text(encoding="utf-8"))


def table(head: Sequence[str], align: str, rows: Iterable[Sequence[str]]) -> list[str]:
    """Lay out a table; `align` has one letter per column, l for texts and r for numbers."""
    lines = ["|" + "|".join(f" {cell} " if cell else " " for cell in head) + "|"]
    lines.append("|" + "|".join("---:" if column == "r" else "---" for column in align) + "|")
    for row in rows:
        lines.append("|" + "|".join(f" {cell} " if cell else " " for cell in row) + "|")
    return lines


def spread(found: Mapping[str, Any] | None, digits: int = 0) -> str:
    """Write a median with its range."""
    if found is None:
        return ""
    least, most = found["range"] if "range" in found else (found["least"], found["most"])
    return f"{found['median']:.{digits}f} ({least:.{digits}f} to {most:.{digits}f})"


def of(found: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a median and its range, stored under NAME and NAME_range."""
    return {"median": found[name], "range": found[f"{name}_range"]}


def in_order(entries: Iterable[Mapping[str, Any]], key: str) -> list[Any]:
    """Return the different values of a key, in order of appearance."""
    return list(dict.fromkeys(entry[key] for entry in entries if key in entry))


def pick(entries: Iterable[Mapping[str, Any]], figure: str, **wanted: Any) -> Any:
    """Return the figure of the entry with these values, None if there is none."""
    for entry in entries:
        if figure in entry and all(entry.get(key) == value for key, value in wanted.items()):
            return entry[figure]
    return None


def coarse_beside(programs: Sequence[Mapping[str, Any]], entry: Mapping[str, Any]) -> Any:
    """Return the rate of finegrain in as few objects as do, of the same thermostat if timed."""
    names = ["finegrain-coarse"]
    if entry.get("thermostat") == "v-rescale":
        names.insert(0, "finegrain-coarse-v-rescale")
    rates = (
        pick(programs, "ns_per_day_median", program=name, threads=entry["threads"])
        for name in names
    )
    return next((rate for rate in rates if rate), None)


def earlier_speed(results: Path) -> list[str]:
    """Comparisons on machines that are no longer at hand, or of earlier versions."""
    return speed(results / "earlier")


def speed(results: Path) -> list[str]:
    """Comparisons of programs, all that are stored."""
    lines: list[str] = []
    for path in sorted(results.glob("*.json")):
        report = load(results, path.name)
        if not isinstance(report, dict) or not report.get("programs"):
            continue
        machine = machine_of(report)
        system = str(report.get("benchmark", "dhfr")).upper()
        atoms = f", {report['atoms']:,} atoms," if report.get("atoms") else ""
        repeats = report.get("repeats")
        runs = f", median (range) of {repeats} interleaved runs" if repeats else ""
        runs += tolerance_of(report)
        rows = []
        for entry in report["programs"]:
            ratio = entry.get("finegrain_ratio")
            coarse = coarse_beside(report["programs"], entry)
            of_coarse = f" (coarse: {coarse / entry['ns_per_day_median']:.2f})" if coarse else ""
            simd = entry.get("simd") or entry.get("simd_target")
            rows.append(
                (
                    f"{entry['program']} {entry.get('version', '')}"
                    + (f", {simd}" if simd else ""),
                    str(entry["threads"]),
                    f"{entry['ns_per_day_median']:.1f} "
                    f"({entry['ns_per_day_min']:.1f} to {entry['ns_per_day_max']:.1f})",
                    "" if ratio is None else f"{ratio:.2f} times as fast{of_coarse}",
                )
            )
        head = ("program", "threads", "ns/day", "finegrain is")
        lines += ["", f"{system}{atoms} on {machine}{runs}:", "", *table(head, "lrrr", rows)]
    return lines[1:] or ["Not measured yet."]


def buffers(given_back_by: str) -> Callable[[Path], list[str]]:
    """Return the layout of the time per buffer against threads."""

    def layout(results: Path) -> list[str]:
        entries = load(results, "buffer_peers.json")["entries"]
        threads = in_order(entries, "threads")
        rows = []
        for size in in_order(entries, "bytes"):
            name = f"{size // 1024} KiB" if size >= 1024 else f"{size} B"
            for peer in in_order(entries, "peer"):
                which = {"bytes": size, "peer": peer, "given_back_by": given_back_by}
                cells = [spread(pick(entries, "cpu_ns", threads=n, **which)) for n in threads]
                rows.append((name, peer, *cells))
        head = ("buffer", "peer", *map(str, threads))
        return table(head, "ll" + "r" * len(threads), rows)

    return layout


def queue(results: Path) -> list[str]:
    """Million items per second against producers."""
    entries = load(results, "queue_peers.json")["entries"]
    peers = in_order(entries, "peer")
    rows = []
    for flow in in_order(entries, "flow"):
        for producers in in_order(entries, "producers"):
            which = {"flow": flow, "producers": producers}
            cells = [spread(pick(entries, "rate", peer=peer, **which)) for peer in peers]
            rows.append((str(producers), flow, *cells))
    pair = [spread(pick(entries, "pair_ns", peer=peer), 1) for peer in peers]
    rows.append(("none: ns for a push and a pop, one thread", "", *pair))
    return table(("producers", "flow", *peers), "rl" + "r" * len(peers), rows)


def found_with(results: Path, measure: str) -> dict[str, Any]:
    """Return the results of processes.py with each MPI."""
    report = load(results, "processes.json")
    return {mpi: report[f"{measure}_{mpi}"]["found"] for mpi in MPIS}


def ping_pong(results: Path) -> list[str]:
    """One way between two processes."""
    head = ["bytes"]
    rows: dict[int, list[str]] = {}
    for mpi, found in found_with(results, "ping_pong").items():
        head += [f"{MPIS[mpi]} alone", "with the transport", "added"]
        for entry in found["one_way_written_ns"]:
            percent = 100 * (entry["ratio"] - 1)
            rows.setdefault(entry["bytes"], [str(entry["bytes"])]).extend(
                (
                    spread(of(entry, "mpi")),
                    spread(of(entry, "transport")),
                    f"{entry['added']} ({percent:.0f} %)",
                )
            )
    return table(head, "r" * len(head), rows.values())


def message_rate(results: Path) -> list[str]:
    """Messages between PEs of different processes."""
    rows = [
        (
            MPIS[mpi],
            spread(found["first"], 1),
            spread(found["second"], 1),
            f"{found['ratio_of_medians']:.2f}",
        )
        for mpi, found in found_with(results, "message_rate").items()
    ]
    return table(("", "threads", "processes", "ratio of medians"), "lrrr", rows)


def exchange(results: Path) -> list[str]:
    """Lay out the transposes of a transform, by messages and by exchanges."""
    head = ["pencils", "PEs", "processes"]
    names = ["", "", ""]
    rows: dict[tuple[int, int, int], list[str]] = {}
    for mpi, found in found_with(results, "exchange").items():
        head += ["messages", "exchanges", "ratio"]
        names += ["", MPIS[mpi], ""]
        for part in found:
            for entry in part["forth_and_back_us"]:
                key = (part["pencils"], entry["pes"], part["processes"])
                rows.setdefault(key, [str(number) for number in key]).extend(
                    (
                        spread(of(entry, "messages")),
                        spread(of(entry, "exchanges")),
                        f"{entry['ratio']:.2f}",
                    )
                )
    return table(head, "r" * len(head), [names, *rows.values()])


def dhfr_in_processes(results: Path) -> list[str]:
    """DHFR on two ranks and on two PEs."""
    rows = [
        (
            MPIS[mpi],
            spread(found["first"], 1),
            spread(found["second"], 1),
            f"{found['ratio_of_medians']:.3f}",
            spread(found["ratio_in_pairs"], 2),
        )
        for mpi, found in found_with(results, "dhfr").items()
    ]
    head = ("", "ranks", "threads", "ratio of medians", "ratio in pairs")
    return table(head, "lrrrr", rows)


def neighbourhood(results: Path) -> list[str]:
    """Fitch et al. (2005), table I, on a simulated Blue Gene/L."""
    head = ["nodes", "neighbours", "broadcast, ours", "theirs, MPI", "SPI"]
    head += ["reduce, ours", "theirs, MPI", "SPI"]
    rows = []
    for row in load(results, "simulated_neighbourhood.json")["rows"]:
        made_on = row["nodes"]
        nodes = row.get("stands_for_nodes", math.prod(made_on))
        # An eighth of the torus has sides of half the length.
        sides = made_on if nodes == math.prod(made_on) else [2 * side for side in made_on]
        cells = [f"{nodes} ({' x '.join(map(str, sides))})", str(row["neighbours"])]
        for part in ("broadcast", "reduce"):
            cells += [f"{row[f'{part}_{what}ms']:.2f}" for what in ("", "mpi_", "spi_")]
        rows.append(cells)
    return table(head, "lrrrrrrr", rows)


def transform(results: Path) -> list[str]:
    """Kumar et al. (2012), table I, on a simulated Blue Gene/Q."""
    entries = load(results, "simulated_transform.json")["rows"]
    columns = [(mesh, by) for mesh in in_order(entries, "mesh") for by in ("messages", "exchanges")]
    rows = []
    for nodes in in_order(entries, "nodes"):
        cells = [str(nodes)]
        for mesh, by in columns:
            which = {"nodes": nodes, "mesh": mesh, "by": by, "senders": None}
            ours, theirs = pick(entries, "us", **which), pick(entries, "published_us", **which)
            cells.append("" if ours is None else f"{ours:.0f} / {theirs}")
        rows.append(cells)
    names = {"messages": "p2p", "exchanges": "m2m"}
    head = [f"{mesh}³ {names[by]}" if by == "messages" else names[by] for mesh, by in columns]
    return table(("nodes", *head), "r" * (1 + len(columns)), rows)


def volumetric(results: Path) -> list[str]:
    """Lay out transforms over slabs, pencils and bricks on a simulated Blue Gene/L."""
    entries = load(results, "simulated_volumetric.json")["rows"]
    kinds = ("slabs", "pencils", "bricks")
    meshes = in_order(entries, "mesh")
    rows = []
    for nodes in sorted(in_order(entries, "nodes")):
        cells = [str(nodes)]
        for mesh in meshes:
            for kind in kinds:
                which = {"nodes": nodes, "mesh": mesh, "decomposition": kind}
                which |= {"senders": None, "network": None}
                us = pick(entries, "us", **which)
                cells.append("" if us is None else f"{us:.0f}")
        rows.append(cells)
    head = [f"{mesh}³ {kind}" if kind == kinds[0] else kind for mesh in meshes for kind in kinds]
    return table(("nodes", *head), "r" * (1 + len(head)), rows)


def volumetric_at_512(results: Path) -> list[str]:
    """Eleftheriou et al. (2005), table 1, and the least time for the links."""
    entries = load(results, "simulated_volumetric.json")["rows"]
    rows = []
    for entry in entries:
        if "published_us" not in entry:
            continue
        figures = ("us", "bound_us", "published_us", "published_model_us")
        cells = [f"{entry[figure]:.0f}" for figure in figures]
        cells += [f"{entry['us'] / entry['published_us']:.1f}"]
        rows.append([f"{entry['mesh']}³", entry.get("network", "torus"), *cells])
    head = ("grid", "network", "ours", "least for our links", "theirs", "their model")
    return table((*head, "ours / theirs"), "llrrrrr", rows)


def volumetric_on_meshes(results: Path) -> list[str]:
    """Eleftheriou et al. (2005): the time on a mesh over that on a torus."""
    entries = load(results, "simulated_volumetric.json")["rows"]
    meshes = in_order(entries, "mesh")
    rows = []
    for nodes in sorted(in_order(entries, "nodes")):
        cells = []
        for grid in meshes:
            which = {"nodes": nodes, "mesh": grid, "decomposition": "bricks", "senders": None}
            torus, mesh = (
                pick(entries, "us", **which, network=network) for network in (None, "mesh")
            )
            cells.append(f"{mesh:.0f} ({mesh / torus:.2f})" if torus and mesh else "")
        rows.append([str(nodes), *cells])
    return table(("nodes", *(f"{grid}³" for grid in meshes)), "r" * (1 + len(meshes)), rows)


LAYOUTS: dict[str, Callable[[Path], list[str]]] = {
    "speed": speed,
    **front_layouts(table),
    "earlier speed": earlier_speed,
    "buffers given back by the neighbour": buffers("neighbour"),
    "buffers given back by the same thread": buffers("same thread"),
    "queue": queue,
    "ping-pong between processes": ping_pong,
    "message rate between processes": message_rate,
    "transposes between processes": exchange,
    "DHFR in processes": dhfr_in_processes,
    "simulated neighbourhood": neighbourhood,
    "simulated transform": transform,
    "simulated volumetric": volumetric,
    "simulated volumetric on 512 nodes": volumetric_at_512,
    "simulated volumetric on meshes": volumetric_on_meshes,
    **layouts(table),
    **grain_layouts(table, spread),
    **ground_state_layouts(table),
    **car_parrinello_layouts(table),
    **density_grid_layouts(table),
    **dynamics_layouts(table),
    **simulated_ground_layouts(table, spread),
    **owner_layouts(table),
    **phase_layouts(table),
    **pressure_layouts(table),
    **spline_layouts(table),
    **transform_layouts(table),
}
