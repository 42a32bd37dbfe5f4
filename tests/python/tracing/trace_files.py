# SPDX-License-Identifier: BSD-3-Clause
"""Traces written by hand, in the form of docs/how-to/trace.md."""

import json
from pathlib import Path
from typing import Any

import numpy as np

FIELDS = [
    ["begin", "u8", 0],
    ["duration", "u8", 8],
    ["cause", "u8", 16],
    ["step", "i8", 24],
    ["bytes", "u4", 32],
    ["element", "u4", 36],
    ["array", "u2", 40],
    ["entry", "u2", 42],
    ["kind", "u1", 44],
]
DTYPE = np.dtype(
    {
        "names": [name for name, _, _ in FIELDS],
        "formats": [form for _, form, _ in FIELDS],
        "offsets": [at for _, _, at in FIELDS],
        "itemsize": 48,
    }
)
NO_STEP = -(2**63)
ENTRIES = ["fg::PairCompute<float>::positions", "fg::classical::Patch<float>::life"]
POSITIONS, LIFE = 0, 1
ARRAYS = [{"name": "PairCompute<float>", "shape": [2, 2]}, {"name": "Patch<float>", "shape": [3]}]
START_TICKS = 10**15  # more than 48 bits, as on a machine that has been up for long


def cause(pe: int, ticks: int) -> int:
    """Return the sender of a message, and the lower bits of its time."""
    return (pe + 1) << 48 | (START_TICKS + ticks) & (2**48 - 1)


def entry(
    begin: int,
    duration: int,
    *,
    of: int = POSITIONS,
    element: int = 0,
    sent: tuple[int, int] | None = None,
    size: int = 0,
    step: int = NO_STEP,
) -> tuple[int, ...]:
    """Return a record of a message; `sent` is the PE and the time."""
    came = cause(*sent) if sent is not None else 0
    return (START_TICKS + begin, duration, came, step, size, element, of, of, 0)


def resume(begin: int, duration: int, *, element: int = 0) -> tuple[int, ...]:
    """Return a record of a resumed life."""
    return (START_TICKS + begin, duration, 0, NO_STEP, 0, element, LIFE, LIFE, 1)


def idle(begin: int, duration: int) -> tuple[int, ...]:
    """Return a record of idling."""
    return (START_TICKS + begin, duration, 0, NO_STEP, 0, 0, 0, 0, 2)


def write_trace(
    folder: Path,
    pes: list[list[tuple[int, ...]]],
    /,
    *,
    end: int,
    lost: int = 0,
    process: int = 0,
    first_pe: int = 0,
    start_ticks: int = START_TICKS,
    **changes: Any,
) -> Path:
    """Write a trace of PEs that ran from 0 to `end`; a tick is a microsecond.

    Records use a counter that is `START_TICKS` at time 0; `start_ticks` is only written into the
    heading, with `start` among the changes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.log").touch()
    head = {
        "format": 1,
        "process": process,
        "host": "node a boot",
        "byte_order": "<",
        "seconds_per_tick": 1e-6,
        "start": 1.7e9,
        "start_ticks": start_ticks,
        "record_bytes": 48,
        "fields": FIELDS,
        "kinds": ["entry", "resume", "idle"],
        "entries": ENTRIES,
        "arrays": ARRAYS,
        "pes": [
            {
                "pe": number,
                "begin": START_TICKS,
                "end": START_TICKS + end,
                "records": len(records),
                "lost": lost,
            }
            for number, records in enumerate(pes, first_pe)
        ],
    }
    text = json.dumps(head | changes).encode()
    body = b"".join(np.array(records, DTYPE).tobytes() for records in pes)
    path = folder / f"trace.{process}.bin"
    path.write_bytes(b"FGTRACE1" + len(text).to_bytes(8, "little") + text + body)
    return path


def two_pes() -> list[list[tuple[int, ...]]]:
    """Return a run of 100 us on two PEs with one chain of work through both.

    The life on PE 0 runs for 20; at 15 it sends 3,000 bytes to PE 1, which works from 30 to 65 and
    answers at 60. The life on PE 0 runs again from 80 to 90. PE 0 also does 10 of other work at 40.
    """
    return [
        [
            entry(0, 20, of=LIFE, element=1),
            idle(21, 18),
            entry(40, 10, element=3, sent=(0, 10)),
            idle(50, 30),
            entry(80, 2, of=LIFE, element=1, sent=(1, 60), size=64, step=7),
            resume(82, 8, element=1),
        ],
        [idle(0, 29), entry(30, 35, element=2, sent=(0, 15), size=3000), idle(71, 29)],
    ]
