# SPDX-License-Identifier: BSD-3-Clause
"""How far the pair kernel is from the most that the core can do: cycles for a row of 16 pairs.

A row is one home atom and 16 partners, one vector of AVX-512. The bound counts the operations of
the compiled loops, read from the program by objdump, and divides them by what the core can begin in
a cycle: multiplications (with fused ones), all vector operations, loads of vectors, instructions.
The largest of these quotients is the bound of a loop: nothing that keeps these instructions can be
faster. Latencies, caches, the start of a row and loops over masked partners are not in it. The
kernel has a loop for each number of atoms with Lennard-Jones terms in a home quad; the bound is
their mean by the shares of rows. The measured cycles are processor time times the frequency, which
a chain of dependent multiplications of three cycles each gives, in turns in the same run.

Usage: roof.py [--build FOLDER] [--repeats N] [--out FILE]
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[3]))

import stored

Instruction = tuple[int, str, str]

# What a core can begin in a cycle, with vectors of 512 bits, by vendor and family. Sources: AMD,
# Software Optimization Guide for the Zen5 Microarchitecture (58455) and for Zen4 (57647), whose
# vector units have 256 bits; Intel 64 and IA-32 Architectures Optimization Reference Manual, cores
# with two units of 512 bits.
CORES = {
    ("AuthenticAMD", 26): {"multiply": 2.0, "vector": 4.0, "load": 2.0, "instruction": 8.0},
    ("AuthenticAMD", 25): {"multiply": 1.0, "vector": 2.0, "load": 1.0, "instruction": 6.0},
    ("GenuineIntel", 6): {"multiply": 2.0, "vector": 2.0, "load": 2.0, "instruction": 6.0},
}
ROWS_OF_LOOP = 4  # home atoms
FORMS = {"rows_0": 0, "rows_1": 1, "rows_2": 2, "rows_4": 4}  # atoms with Lennard-Jones
_moves = re.compile(r"v?mov|prefetch|lea$|cmp$|add$|shl$|j|k|nop|sub$|test$|and$|xor$")
_multiply = re.compile(r"vmul|vfn?m(add|sub)")
_memory = re.compile(r"\[|\(%")


def core() -> tuple[str, int]:
    """Return vendor and family of this processor."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    found = {
        key: re.search(rf"^{key}\s*:\s*(.+)$", text, re.MULTILINE)
        for key in ("vendor_id", "cpu family")
    }
    vendor, family = found["vendor_id"], found["cpu family"]
    if vendor is None or family is None:
        raise SystemExit("roof: this processor does not tell vendor and family")
    return vendor[1], int(family[1])


def kernel(program: Path, terms: int) -> list[Instruction]:
    """Return the instructions of the kernel for AVX-512: mixed precision, no switch, no types."""
    command = ["objdump", "-d", "--no-show-raw-insn", "-C", str(program)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    wanted = f"Variant<float, {terms}, fg::LennardJonesKind{{}}, false, (fg::Bits)0> >("
    instructions: list[Instruction] = []
    inside = False
    for line in text.splitlines():
        if line.endswith(">:"):
            if instructions:
                return instructions
            inside = "N_AVX3" in line and "run_forces<" in line and wanted in line
        elif inside and (found := re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)", line)):
            instructions.append((int(found[1], 16), found[2], found[3]))
    if instructions:
        return instructions
    raise SystemExit(f"roof: {program} has no AVX-512 kernel with {terms} terms")


def loops(instructions: list[Instruction]) -> list[list[Instruction]]:
    """Return the loops over partners without masks, one for each form, by multiplications."""
    place = {address: number for number, (address, _, _) in enumerate(instructions)}
    forms: dict[int, list[Instruction]] = {}
    for end, (_, name, words) in enumerate(instructions):
        target = re.match(r"([0-9a-f]+)", words) if name.startswith("j") else None
        begin = place.get(int(target[1], 16)) if target else None
        if begin is None or begin > end:
            continue
        body = instructions[begin : end + 1]
        names = Counter(name for _, name, _ in body)
        # One estimate of 1/r for each home atom; masks are tests of bits.
        if names["vrsqrt14ps"] != ROWS_OF_LOOP or names["vptestmd"]:
            continue
        products = names["vmulps"]
        if products not in forms or len(body) < len(forms[products]):
            forms[products] = body
    found = [forms[products] for products in sorted(forms)]
    if len(found) != len(FORMS):
        raise SystemExit(f"roof: {len(found)} loops found instead of {len(FORMS)}")
    return found


def operations(body: list[Instruction]) -> dict[str, float]:
    """Count what a loop does for one row."""
    count: Counter[str] = Counter(instruction=len(body))
    for _, name, words in body:
        # AT&T's order: the target comes last.
        sources = words.rsplit(",%", 1)[0] if ",%" in words else words
        reads = bool(_memory.search(sources)) and not name.startswith(("lea", "prefetch"))
        vector = name.startswith("v")
        writes = vector and words.rstrip().endswith(")")
        if vector and reads and not writes:
            count["load"] += 1
        if vector and not _moves.match(name):
            count["vector"] += 1
        if _multiply.match(name):
            count["multiply"] += 1
    return {name: count[name] / ROWS_OF_LOOP for name in CORES["AuthenticAMD", 26]}


def measured(program: Path, repeats: int) -> dict[str, float]:
    """Run the benchmark in turns with the chain; return medians of its counters."""
    command = [
        str(program),
        "--benchmark_filter=^(pair_forces_mixed|chain_of_multiplications)$",
        f"--benchmark_repetitions={repeats}",
        "--benchmark_enable_random_interleaving=true",
        "--benchmark_format=json",
    ]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [row for row in json.loads(text)["benchmarks"] if row["run_type"] == "iteration"]
    names = ("ns_per_row", "ns_per_pair", "useful", "masked", "ewald_terms", *FORMS)
    values = {
        name: [row[name] for row in rows if name in row] for name in (*names, "cycles_per_ns")
    }
    found = {name: statistics.median(each) for name, each in values.items()}
    found["ns_per_row_least"], found["ns_per_row_most"] = (
        min(values["ns_per_row"]),
        max(values["ns_per_row"]),
    )
    return found


def report(program: Path, repeats: int) -> dict[str, Any]:
    """Return the bound of each form, their mean, and the measured cycles."""
    from finegrain.engine import machine

    kind = core()
    if kind not in CORES:
        raise SystemExit(f"roof: what {kind[0]} family {kind[1]} does in a cycle is not known here")
    limits = CORES[kind]
    found = measured(program, repeats)
    bodies = loops(kernel(program, round(found["ewald_terms"])))
    rows = []
    for (share, atoms), body in zip(FORMS.items(), bodies, strict=True):
        done = operations(body)
        cycles = {name: done[name] / limits[name] for name in limits}
        by = max(cycles, key=lambda name: cycles[name])
        rows.append(
            {
                "row": f"{atoms} of 4 home atoms with Lennard-Jones",
                "share": found[share],
                "operations": done,
                "bound": cycles[by],
                "by": by,
            }
        )
    return {
        "benchmark": "pair kernel",
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "repeats": repeats,
        "limits": limits,
        "rows": rows,
        "bound": sum(row["share"] * row["bound"] for row in rows),
        "cycles_per_row": found["ns_per_row"] * found["cycles_per_ns"],
        "measured": found,
        "machine": machine.fingerprint(),
    }


def main() -> None:
    """Parse the command line, measure, write."""
    parser = argparse.ArgumentParser(description="the pair kernel and its bound")
    parser.add_argument("--build", type=Path, default=Path("build/release"))
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--out", type=Path, help="JSON to write; standard output without it")
    given = parser.parse_args()
    program = given.build / "bench/micro/forces/pair/pair_benchmark"
    if not program.exists():
        raise SystemExit(f"roof: build it first: cmake --build {given.build} -t pair_benchmark")
    stored.write(report(program, given.repeats), given.out)


if __name__ == "__main__":
    main()
