# SPDX-License-Identifier: BSD-3-Clause
"""The traffic of a run that was traced: between PEs, or between processes."""

from __future__ import annotations

import numpy as np

from finegrain.errors import InputError
from finegrain.machines.traffic.traffic import Traffic, traffic_of
from finegrain.tracing.records import ENTRY, Trace, sent


def traffic_of_trace(trace: Trace, *, processes: bool = False) -> Traffic:
    """Return what the PEs of a trace sent to each other.

    Parameters
    ----------
    trace : Trace
        As `finegrain.tracing.read_trace` returns it. Records that were lost are not counted.
    processes : bool
        Whether ranks are processes; otherwise they are PEs, by their numbers.

    Raises
    ------
    InputError
        If the trace has no PE.
    """
    if not trace.pes:
        raise InputError("has no PE", where=str(trace.path), hint="make the trace again")
    pes = max(pe.pe for pe in trace.pes) + 1
    rank_of = np.full(pes, -1, np.int64)
    for pe in trace.pes:
        rank_of[pe.pe] = pe.process if processes else pe.pe
    ranks = int(rank_of.max()) + 1
    size, number = np.zeros((2, 0))
    key = np.zeros(0, np.int64)
    for pe in trace.pes:
        for chunk in pe.chunks():
            records = chunk[chunk["kind"] == ENTRY]
            came = sent(trace, pe, records)
            known = (came.rank >= 0) & (came.rank < pes)
            known[known] = rank_of[came.rank[known]] >= 0
            pairs = rank_of[came.rank[known]] * ranks + rank_of[pe.pe]
            found, place = np.unique(np.concatenate([key, pairs]), return_inverse=True)
            bytes_ = np.concatenate([size, records["bytes"][known].astype(float)])
            each = np.concatenate([number, np.ones(len(pairs))])
            size = np.bincount(place, bytes_, len(found)).astype(np.float64)
            number = np.bincount(place, each, len(found)).astype(np.float64)
            key = found
    return traffic_of(ranks, key // ranks, key % ranks, size, number)
