# SPDX-License-Identifier: BSD-3-Clause
"""The memory that finegrain itself takes, compared with the limit on it before anything is loaded.

The command also keeps NumPy's library to one thread. This has to be set before it is loaded.
NumPy's libraries end the process, or raise errors of many kinds, when a limit leaves them too
little. So this module is imported first, and itself imports only the standard library.
"""

from __future__ import annotations

import json
import os
import resource
import sys

from finegrain.base.interrupts import is_command

LEAST = 350_000_000  # bytes of address space: Python, NumPy, HDF5, OpenMM and the engine
_EXIT_RESOURCE = 2
_HINT = "raise the limit (ulimit -v), or run on another machine"


def refuse_too_little_memory() -> None:
    """End the command with status 2, or raise a `MemoryError` in a script, below `LEAST`."""
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    limited, command = most != resource.RLIM_INFINITY, is_command()
    if limited or command:
        # Each thread takes tens of megabytes. Where other programs have the cores, threads wait for
        # each other a hundred times as long as they work. The front end computes nothing large.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if not limited or most >= LEAST:
        return
    what = "not enough memory to start"
    limit = f"{most / 1e6:.1f} MB of address space (ulimit -v); it takes about {LEAST / 1e6:.0f} MB"
    if not command:
        raise MemoryError(f"finegrain: {what}; limit {limit}; {_HINT}")
    if "--json" in sys.argv:
        problem = {"what": what, "limit": limit, "hint": _HINT}
        error = {"kind": "resource", "exit_status": _EXIT_RESOURCE, "source": ""}
        print(json.dumps({"error": error | {"problems": [problem]}}, indent=2))
    else:
        text = f"machine error  1 problem\n\n  {what}\n  limit {limit}\n  {_HINT}"
        print(text, file=sys.stderr)
    sys.exit(_EXIT_RESOURCE)


refuse_too_little_memory()
