# SPDX-License-Identifier: BSD-3-Clause
"""Speed of classical runs: beside other programs, by parts of a step, and by divisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from table_maker import Entry, Table, fill, reports

UNITS = {"pair": "ns a pair", "atom": "ns an atom", "point": "ns a mesh point"}
RATE = "{ns_per_day_median:.1f} ({ns_per_day_min:.1f} to {ns_per_day_max:.1f})"
SPEED = """
    < program    | {program} {version}, {level} or {program} {version}
    threads      | {threads}
    ns/day       | RATE
    finegrain is | {finegrain_ratio:.2f} times as fast{coarse} or
""".replace("RATE", RATE)


def programs(report: Any) -> Iterator[Entry]:
    """Yield the programs of a comparison, with the rate of finegrain in as few objects as do."""
    entries = report["programs"]
    for entry in entries:
        same = {one["program"]: one for one in entries if one["threads"] == entry["threads"]}
        made = {"version": "", "coarse": "", **entry}
        if level := entry.get("simd") or entry.get("simd_target"):
            made["level"] = level
        rescaled = "finegrain-coarse-v-rescale" if entry.get("thermostat") == "v-rescale" else ""
        if coarse := same.get(rescaled) or same.get("finegrain-coarse"):
            ratio = coarse["ns_per_day_median"] / entry["ns_per_day_median"]
            made["coarse"] = f" (coarse: {ratio:.2f})"
        yield made


def lists(report: Any) -> Iterator[Entry]:
    """Yield the jobs of list_costs.py, with the ratio of the estimate to what was measured."""
    for name, job in report["jobs"].items():
        yield {"name": name, "ratio": job["estimated_ms"] / job["measured_ms"], **job}


def tolerance_of(report: Entry) -> str:
    """Name the tolerance of pair lists if programs were given the same; with a comma before it."""
    given = report.get("settings", {}).get("pair_list_tolerance_kj_per_mol_ps")
    return f", both with a pair list tolerance of {given:g} kJ/mol/ps" if given else ""


def system_of(report: Entry) -> str:
    """Say what was compared, and where."""
    system = report.get("benchmark", "dhfr").upper()
    atoms = ", {atoms:,} atoms," if "atoms" in report else ""
    runs = ", median (range) of {repeats} interleaved runs" if "repeats" in report else ""
    told = fill(f"{atoms} on {{machine:machine}}{runs}", {"machine": {}, **report})
    return f"{system}{told}{tolerance_of(report)}:"


def parts_by_threads(results: Path) -> Iterator[Any]:
    """Yield, for each comparison and number of threads, the programs that tell their parts."""
    for report in reports(results, "*.json"):
        told = [entry for entry in report.get("programs", ()) if entry.get("parts")]
        for threads in dict.fromkeys(entry["threads"] for entry in told):
            chosen = [entry for entry in told if entry["threads"] == threads]
            more = {"name": report["benchmark"].upper(), "tolerance": tolerance_of(report)}
            yield {**report, **more, "threads": threads, "programs": chosen}


def parts_of(report: Any) -> list[Entry]:
    """Return the parts of all programs; one that only one tells stands where it stands there."""
    order: list[str] = []
    found: list[Entry] = []
    for entry in report["programs"]:
        program = ", ".join(entry[key] for key in ("program", "simd") if entry.get(key))
        before = 0
        for part in entry["parts"]:
            name = f"· {part['part']}" if part["within"] else part["part"]
            if name not in order:
                order.insert(before, name)
            before = order.index(name) + 1
            unit = UNITS.get(part.get("per"), "")
            found.append({**part, "program": program, "name": name, "unit": unit})
    return sorted(found, key=lambda part: order.index(part["name"]))


def computes(report: Any) -> Iterator[Entry]:
    """Yield the numbers of pair computes of each system; the first one names it."""
    for system, entries in report["systems"].items():
        for entry in entries:
            name = f"{system}, {entry['atoms']:,} atoms" if entry is entries[0] else ""
            fullest = {f"fullest_{pes}": ms for pes, ms in entry["fullest_ms"].items()}
            yield {**entry, **fullest, "name": name}


def memories(report: Any) -> Iterator[Entry]:
    """Yield the runs, each size named once; process 0 has the most."""
    named = None
    for row in sorted(report["rows"], key=lambda row: (row["atoms"], row["ranks"])):
        peaks = [peak / 1e9 for peak in row["peak_bytes"]]
        name = "" if named == row["atoms"] else f"{row['atoms']:,} atoms"
        named = row["atoms"]
        made = {**row, "name": name, "first": peaks[0]}
        yield made | ({"other": peaks[1]} if len(peaks) > 1 else {})


def patches(report: Any) -> Iterator[Entry]:
    """Yield the sizes of patches, with the atoms of one."""
    for row in report["rows"]:
        yield {**row, "atoms_each": round(report["atoms"] / row["side"] ** 3)}


def section(name: str) -> Callable[[Any], Iterator[Entry]]:
    """Return what yields the rows of a section."""

    def rows(report: Any) -> Iterator[Entry]:
        yield from report[name]["rows"]

    return rows


def compared(pattern: str) -> Any:
    """Return what yields the comparisons among the results with such names."""
    return lambda results: (one for one in reports(results, pattern) if one.get("programs"))


TABLES = [
    Table("speed", compared("*.json"), programs, SPEED, above=system_of),
    Table("earlier speed", compared("earlier/*.json"), programs, SPEED, above=system_of),
    Table("a step by its parts", parts_by_threads, parts_of, """
        < | {name}
        < | {unit}
        each program
        {program} | {ms:.3f}
                  | {ns_per:.2f} or
    """, by=("name",), above="{name}, {counts[atom]:,} atoms, {counts[pair]:,} pairs within the "
    "cutoff, {counts[point]:,} mesh points; {threads:many # threads / 1 thread} on "
    "{machine:machine}{tolerance}. Core time of a step in ms, and divided by what is counted:"),
    Table("pair computes of a patch", "pair_computes.json", computes, """
        < system         | {name}
        pair computes    | {pair_computes}
        all work, ms     | {work_ms:.4g}
        fullest of 2 PEs | {fullest_2:.3g}
        fullest of 4 PEs | {fullest_4:.3g}
        fullest of 6 PEs | {fullest_6:.3g}
        fullest of 8 PEs | {fullest_8:.3g}
    """, above="On {machine:machine}, {turns} turns:"),
    Table("memory of processes", "memory.json", memories, """
        < system           | {name}
        processes          | {ranks}
        the first, GB      | {first:.2f}
        the others, GB     | {other:.2f} or
    """, above="Copies of DHFR in water on {machine:machine}: the largest memory of a process in "
    "{steps} steps, with one PE in each:"),
    Table("patch sizes", "patch_sizes.json", patches, """
        < patches    | {side} x {side} x {side}
        atoms each   | {atoms_each}
        PEs          | {pes}
        ms a step    | {ms:spread 1}
        of the first | {ratio:spread 2}
    """, above="On {machine:machine}, {rounds} rounds in turns:"),
    Table("the mesh on a PE of its own", "patch_sizes.json", section("maps"), """
        < patches | {side} x {side} x {side}
        < map     | {map}
        ms a step | {ms:.1f}
        of cost   | {ratio:spread 2}
    """, above="DHFR on two PEs of the same machine, {maps[rounds]} rounds in turns:"),
    Table("layouts of DHFR", "patch_sizes.json", section("layouts"), """
        processes               | {ranks}
        PEs of each             | {pes}
        communication threads   | {comm_threads}
        < MPI                   | {mpi}
        ms a step               | {ms:.1f}
        of the first            | {ratio:spread 2}
    """, above="DHFR on two cores of {layouts[machine]}, {layouts[rounds]} rounds in turns:"),
    Table("times of both assignments", "patch_sizes.json", section("assignments"), """
        < patches     | {side} x {side} x {side}
        reach         | {reach}
        half shell    | {half_shell:.1f} ms
        midpoint      | {midpoint:.1f} ms
        ratio         | {ratio:spread 2}
    """, above="DHFR on one PE of {assignments[machine]:machine}, {assignments[rounds]} rounds "
    "in turns, one pair compute for each patch:"),
    Table("the estimate of pair forces", "predictions/list_costs.json", lists, """
        < patches, and what has the pairs | {name}
        objects with pairs   | {computes}
        pairs in a row       | {pairs_in_a_row:.0f}
        measured             | {measured_ms:.1f} ms
        estimated            | {estimated_ms:.1f} ms
        estimated / measured | {ratio:.2f}
    """, above="DHFR on one PE of {machine:machine}, the least of {rounds} rounds, pair forces "
    "and their lists in a step:"),
    Table("the pair kernel and its bound", "pair_kernel.json", "rows", """
        < a row of 16 pairs | {row}
        share               | {share:100*.0f} %
        multiply            | {operations[multiply]:.1f}
        vector              | {operations[vector]:.1f}
        load                | {operations[load]:.1f}
        instruction         | {operations[instruction]:.1f}
        bound, cycles       | {bound:.1f}
        < set by            | {by}
    """, below="{machine[cpu]}: {cycles_per_row:.1f} cycles for a row, bound {bound:.1f}: "
    "{bound/cycles_per_row:100*.0f} % of the roof.", may_lack=True),
]  # fmt: skip
