# SPDX-License-Identifier: BSD-3-Clause
"""Parts by themselves: buffers, queues, messages and processes of the runtime; transforms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from table_maker import Entry, Table, fill

MPIS = {"openmpi": "Open MPI", "mpich": "MPICH"}
TRANSFORMS = "transform_peers.json"
WHERE = (
    "{date}, {machine[cores]} cores of a virtual {machine:machine}, ours with {widest}; FFTW "
    "{versions[FFTW]} as Debian builds it (SSE2, AVX), mpi4py-fft {versions[mpi4py-fft]}, "
    "dtFFT {versions[dtFFT]}:"
)
BUFFERS = """
    < buffer | {bytes:size}
    < peer   | {peer}
    each threads
    {threads} | {cpu_ns:spread}
"""


def with_each(measure: str) -> Callable[[Any], Iterator[dict[str, Any]]]:
    """Return what yields the results of processes.py with each MPI."""

    def found(report: Any) -> Iterator[dict[str, Any]]:
        for mpi, name in MPIS.items():
            results = report[f"{measure}_{mpi}"]["found"]
            for one in results if isinstance(results, list) else [results]:
                yield {**one, "name": name}

    return found


def one_way(report: Any) -> Iterator[Entry]:
    """Yield the sizes of messages of a ping-pong."""
    for found in with_each("ping_pong")(report):
        for entry in found["one_way_written_ns"]:
            yield {**entry, "name": found["name"], "percent": 100 * (entry["ratio"] - 1)}


def forward_and_back(report: Any) -> Iterator[Entry]:
    """Yield a row with the names, then the transposes by pencils, PEs and processes."""
    for name in MPIS.values():
        yield {"pencils": "", "pes": "", "processes": "", "name": name}
    for part in with_each("exchange")(report):
        for entry in part["forth_and_back_us"]:
            yield {**part, **entry}


def queues(report: Any) -> list[Entry]:
    """Return the rates by flow and producers, then the times of a pair."""
    alone = {"producers": "none: ns for a push and a pop, one thread", "flow": ""}
    entries = [{**alone, **entry} for entry in report["entries"]]
    return sorted(entries, key=lambda entry: "pair_ns" in entry)


def with_ratios(section: str) -> Callable[[Any], list[Entry]]:
    """Return what returns transforms with their times over others of the same grid.

    These are ours of the same kind, in `over_ours`, and complex ones of the same program, in
    `over_complex`. Single transforms are held against a batch of them.
    """
    ours = {"finegrain, 32 singles": "finegrain, batch of 32"}

    def found(report: Any) -> list[Entry]:
        def key(entry: Entry, **other: str) -> tuple[Any, ...]:
            names = ("ranks", "language", "precision", "n", "kind", "program")
            return tuple(({**entry, **other}).get(name) for name in names)

        entries = report.get(section, ())
        times = {key(entry): entry["us"]["median"] for entry in entries}
        made: list[Entry] = []
        for entry in entries:
            time, ratios = entry["us"]["median"], {}
            program = ours.get(entry["program"], "finegrain")
            if program != entry["program"] and (other := times.get(key(entry, program=program))):
                ratios = {"over_ours": time / other, "of_ours": other / time}
            if entry["kind"] == "real" and (other := times.get(key(entry, kind="complex"))):
                ratios["over_complex"] = time / other
            made.append({**entry, **ratios})
        return made

    return found


def where(report: Any) -> str:
    """Say when, where and with which versions transforms were measured."""
    widest = "AVX-512" if "avx512f" in report["machine"]["simd_flags"] else "AVX2"
    return fill(WHERE, {**report, "widest": widest})


TABLES = [
    Table(
        "buffers given back by the neighbour", "buffer_peers.json", "entries", BUFFERS,
        by=("bytes", "peer"), where={"given_back_by": "neighbour"},
    ),
    Table(
        "buffers given back by the same thread", "buffer_peers.json", "entries", BUFFERS,
        by=("bytes", "peer"), where={"given_back_by": "same thread"},
    ),
    Table("queue", "queue_peers.json", queues, """
        producers | {producers}
        < flow    | {flow}
        each peer
        {peer} | {rate:spread} or {pair_ns:spread 1}
    """, by=("producers", "flow")),
    Table("ping-pong between processes", "processes.json", one_way, """
        bytes | {bytes}
        each name
        {name} alone       | {mpi:spread}
        with the transport | {transport:spread}
        added              | {added} ({percent:.0f} %)
    """, by=("bytes",)),
    Table("message rate between processes", "processes.json", with_each("message_rate"), """
        <                | {name}
        threads          | {first:spread 1}
        processes        | {second:spread 1}
        ratio of medians | {ratio_of_medians:.2f}
    """),
    Table("transposes between processes", "processes.json", forward_and_back, """
        pencils   | {pencils}
        PEs       | {pes}
        processes | {processes}
        each name
        messages  | {messages:spread} or
        exchanges | {exchanges:spread} or {name}
        ratio     | {ratio:.2f} or
    """, by=("pencils", "pes", "processes")),
    Table("DHFR in processes", "processes.json", with_each("dhfr"), """
        <                | {name}
        ranks            | {first:spread 1}
        threads          | {second:spread 1}
        ratio of medians | {ratio_of_medians:.3f}
        ratio in pairs   | {ratio_in_pairs:spread 2}
    """),
    Table("transforms in one process", TRANSFORMS, with_ratios("one_process"), """
        < points         | {kind}
        < precision      | {precision}
        grid             | {n}³
        ours             | {us:spread}           | program=finegrain
        ours / FFTW      | {of_ours:.2f}         | program=FFTW
        ours / mkl_fft   | {of_ours:.2f}         | program=mkl_fft
        ours / ducc0     | {of_ours:.2f}         | program=ducc0
        ours / scipy.fft | {of_ours:.2f}         | program=scipy.fft
        real / complex   | {over_complex:.2f} or | program=finegrain
    """, by=("kind", "precision", "n"), may_lack=True),
    Table("transforms over processes", TRANSFORMS, with_ratios("entries"), """
        ranks        | {ranks}
        grid         | {n}³
        C++: ours    | {us:spread}        | language=C++ & kind=complex & program=finegrain
        FFTW         | {us:spread}        | language=C++ & kind=complex & program=FFTW
        FFTW / ours  | {over_ours:.2f} or | language=C++ & kind=complex & program=FFTW
        Python: ours | {us:spread}        | language=Python & program=finegrain
        mpi4py-fft   | {us:spread}        | language=Python & program=mpi4py-fft
        dtFFT        | {us:spread}        | language=Python & program=dtFFT
    """, by=("ranks", "n"), above=where, may_lack=True),
    Table("real transforms over processes", TRANSFORMS, with_ratios("entries"), """
        ranks          | {ranks}
        grid           | {n}³
        real, ours     | {us:spread}           | kind=real & program=finegrain
        real / complex | {over_complex:.2f} or | kind=real & program=finegrain
        FFTW           | {us:spread}           | kind=real & program=FFTW
        FFTW / ours    | {over_ours:.2f} or    | kind=real & program=FFTW
    """, by=("ranks", "n"), may_lack=True),
    Table("batches over processes", TRANSFORMS, with_ratios("entries"), """
        ranks                | {ranks}
        batch of 32, a field | {us:spread}        | program=finegrain, batch of 32
        32 singles, a field  | {us:spread}        | program=finegrain, 32 singles
        singles / batch      | {over_ours:.2f} or | program=finegrain, 32 singles
    """, by=("ranks",), where={"n": 64}, may_lack=True),
    Table("places of ranks", "maps/mappings.json", "rows", """
        < network    | {machine}
        random       | {random[hop_bytes]:1e-6*.0f}
        native       | {native[hop_bytes]:1e-6*.0f}
        Hilbert      | {hilbert[hop_bytes]:1e-6*.0f}
        Scotch       | {scotch[hop_bytes][median]:1e-6*.0f}
        adapted      | {adapted[hop_bytes]:1e-6*.0f}
        heaviest link / kB, random | {random[most_bytes]:1e-3*.0f}
        Scotch       | {scotch[most_bytes][median]:1e-3*.0f}
        adapted      | {adapted[most_bytes]:1e-3*.0f}
        Scotch, ms   | {scotch[core_seconds][median]:1e3*.0f}
        adapted, ms  | {adapted[core_seconds][median]:1e3*.0f}
    """, above="{machine:machine}; Scotch {scotch}:"),
]  # fmt: skip
