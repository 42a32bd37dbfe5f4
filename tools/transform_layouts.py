# SPDX-License-Identifier: BSD-3-Clause
"""Tables of transforms over processes, from bench/peers/transforms.py."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Table = Callable[[Sequence[str], str, Iterable[Sequence[str]]], list[str]]
Layout = Callable[[Path], list[str]]

STORED = "transform_peers.json"


def cell(runs: Sequence[float] | None) -> str:
    """Write a median with its range, in microseconds."""
    if not runs:
        return ""
    return f"{statistics.median(runs):.0f} ({min(runs):.0f} to {max(runs):.0f})"


def ratio(above: Sequence[float] | None, below: Sequence[float] | None) -> str:
    """Write a ratio of medians."""
    if not above or not below:
        return ""
    return f"{statistics.median(above) / statistics.median(below):.2f}"


class Runs:
    """The stored runs, by number of ranks, size, program, kind and language."""

    def __init__(self, results: Path) -> None:
        self.report: Any = json.loads((results / STORED).read_text(encoding="utf-8"))
        self.of = {
            (e["ranks"], e["n"], e["program"], e["kind"], e["language"]): e["runs"]
            for e in self.report["entries"]
        }

    def keys(self, place: int) -> list[Any]:
        """Return the different values at a place of the key, in order of appearance."""
        return list(dict.fromkeys(key[place] for key in self.of))

    def get(
        self, ranks: int, n: int, program: str, kind: str = "complex", language: str = "C++"
    ) -> list[float] | None:
        """Return the runs of one program."""
        return self.of.get((ranks, n, program, kind, language))


def transform_layouts(table: Table) -> dict[str, Layout]:
    """Return the layouts by name."""

    def unmeasured(layout: Layout) -> Layout:
        def checked(results: Path) -> list[str]:
            return layout(results) if (results / STORED).exists() else ["Not measured yet."]

        return checked

    def peers(results: Path) -> list[str]:
        runs = Runs(results)
        machine, versions = runs.report["machine"], runs.report["versions"]
        widest = "AVX-512" if "avx512f" in machine["simd_flags"] else "AVX2"
        others = ", ".join(f"{name} {versions[name]}" for name in ("mpi4py-fft", "dtFFT"))
        where = (
            f"{runs.report['date']}, {machine['cores']} cores of a virtual {machine['cpu']} "
            f"(family "
            f"{machine['cpu_family']}, model {machine['cpu_model']}), ours with {widest}; "
            f"FFTW {versions['FFTW']} as Debian builds it (SSE2, AVX), {others}:"
        )
        rows = []
        for ranks in runs.keys(0):
            for n in runs.keys(1):
                ours, fftw = runs.get(ranks, n, "finegrain"), runs.get(ranks, n, "FFTW")
                python = [
                    runs.get(ranks, n, name, language="Python")
                    for name in ("finegrain", "mpi4py-fft", "dtFFT")
                ]
                cells = [cell(ours), cell(fftw), ratio(fftw, ours), *map(cell, python)]
                rows.append((str(ranks), f"{n}³", *cells))
        head = ("ranks", "grid", "C++: ours", "FFTW", "FFTW / ours")
        columns = (*head, "Python: ours", "mpi4py-fft", "dtFFT")
        return [where, "", *table(columns, "rrrrrrrr", rows)]

    def kinds(results: Path) -> list[str]:
        runs = Runs(results)
        rows = []
        for ranks in runs.keys(0):
            for n in runs.keys(1):
                real, full = (
                    runs.get(ranks, n, "finegrain", "real"),
                    runs.get(ranks, n, "finegrain"),
                )
                theirs = runs.get(ranks, n, "FFTW", "real")
                cells = [cell(real), ratio(real, full), cell(theirs), ratio(theirs, real)]
                rows.append((str(ranks), f"{n}³", *cells))
        head = ("ranks", "grid", "real, ours", "real / complex", "FFTW", "FFTW / ours")
        return table(head, "rrrrrr", rows)

    def batches(results: Path) -> list[str]:
        runs = Runs(results)
        rows = []
        for ranks in runs.keys(0):
            batch = runs.get(ranks, 64, "finegrain, batch of 32")
            singles = runs.get(ranks, 64, "finegrain, 32 singles")
            rows.append((str(ranks), cell(batch), cell(singles), ratio(singles, batch)))
        head = ("ranks", "batch of 32, a field", "32 singles, a field", "singles / batch")
        return table(head, "rrrr", rows)

    def alone(results: Path) -> list[str]:
        report = json.loads((results / STORED).read_text(encoding="utf-8"))
        if "one_process" not in report:
            return ["Not measured yet."]
        runs = {
            (e["kind"], e["precision"], e["n"], e["program"]): e["runs"]
            for e in report["one_process"]
        }
        others = ("FFTW", "mkl_fft", "ducc0", "scipy.fft")
        rows = []
        for kind, precision, n in dict.fromkeys(key[:3] for key in runs):
            ours = runs[kind, precision, n, "finegrain"]
            whole = ratio(ours, runs["complex", precision, n, "finegrain"]) * (kind == "real")
            ratios = [ratio(ours, runs.get((kind, precision, n, name))) for name in others]
            rows.append((kind, precision, f"{n}³", cell(ours), *ratios, whole))
        head = ("points", "precision", "grid", "ours", *(f"ours / {name}" for name in others))
        return table((*head, "real / complex"), "llrrrrrrr", rows)

    return {
        "transforms in one process": unmeasured(alone),
        "transforms over processes": unmeasured(peers),
        "real transforms over processes": unmeasured(kinds),
        "batches over processes": unmeasured(batches),
    }
