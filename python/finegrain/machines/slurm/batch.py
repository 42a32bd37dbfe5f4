# SPDX-License-Identifier: BSD-3-Clause
"""A batch script for Slurm that runs an input and submits itself until the run is complete."""

from __future__ import annotations

import hashlib
import math
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finegrain.base.arguments import checked_count, checked_hours, gathered
from finegrain.engine.mpi import checked_mpi
from finegrain.errors import InputError, Problem

LEAST_HOURS, MOST_HOURS = 0.1, 24 * 366  # Slurm counts minutes
MOST = 2**20  # nodes, and processes in all
MOST_PES = 1024
MARGIN = (0.1, 1 / 6)  # the share of the time that is left to save, and the most hours of it


@dataclass(frozen=True)
class BatchRequest:
    """What each batch job asks for.

    Attributes
    ----------
    nodes, ranks_per_node, pes : int
        Nodes, processes on each, and worker threads of each process.
    hours : float
        Time limit of one batch job.
    mpi : str
        The MPI that starts the processes.
    """

    nodes: int
    ranks_per_node: int
    pes: int
    hours: float
    mpi: str


def batch_request(nodes: Any, ranks_per_node: Any, pes: Any, hours: Any, mpi: Any) -> BatchRequest:
    """Check what a batch job asks for.

    Raises
    ------
    InputError
        With all that is wrong.
    """
    problems: list[Problem] = []
    counts = [
        gathered(problems, checked_count, value, where, noun, 1, most)
        for value, where, noun, most in (
            (nodes, "--nodes", "nodes", MOST),
            (ranks_per_node, "--ranks-per-node", "processes on a node", MOST),
            (1 if pes is None else pes, "--pes", "worker threads", MOST_PES),
        )
    ]
    if pes is None:
        hint = "give the cores of a node, divided by --ranks-per-node"
        problems.append(Problem("a batch script needs it", "--pes", hint=hint))
    limit = gathered(problems, _hours, hours)
    gathered(problems, checked_mpi, mpi)
    each, on_a_node, threads = (count or 1 for count in counts)
    if each * on_a_node > MOST:
        what, bound = "too many processes", f"at most {MOST:,}"
        value = f"{each} x {on_a_node}"
        problems.append(Problem(what, "--nodes, --ranks-per-node", value, bound))
    if limit is None or problems:
        raise InputError(problems)
    return BatchRequest(each, on_a_node, threads, limit, str(mpi))


def _hours(hours: Any) -> float:
    limit = checked_hours(hours)
    if limit is None or not LEAST_HOURS <= limit <= MOST_HOURS:
        what, limits = "is no time for a batch job", f"{LEAST_HOURS} to {MOST_HOURS:,} hours"
        raise InputError(what, where="--hours", value=str(hours), limit=limits)
    return limit


def batch_script(
    request: BatchRequest,
    *,
    script: Path,
    source: Path,
    directory: Path,
    program: str,
    allow_scripts: bool,
) -> str:
    """Return the text of the script.

    Parameters
    ----------
    request : BatchRequest
        What Slurm is asked for.
    script, source, directory : Path
        The script's own file, the input, and the folder of results.
    program : str
        The Python by which ``finegrain`` runs.
    allow_scripts : bool
        Whether the run may execute Python code in the user's own force field files.
    """
    folder = Path.cwd()
    # Slurm runs only one job of a name at a time, so each folder of results has a name of its own.
    place = hashlib.sha256(str((folder / directory).resolve()).encode()).hexdigest()[:6]
    name = f"{re.sub(r'[^A-Za-z0-9_.+-]', '_', directory.resolve().name)}-{place}"
    out, quoted_script = _word(directory), _word((folder / script).resolve())
    margin = min(MARGIN[0] * request.hours, MARGIN[1])
    how = [f"--pes {request.pes}", f"--hours {request.hours - margin:.4g}", "--quiet"]
    ranks = request.nodes * request.ranks_per_node
    if ranks > 1:
        how = [f"--ranks {ranks}", f"--mpi {request.mpi}", *how]
    given = f"{_word(source)}{' --allow-scripts' if allow_scripts else ''}"
    return f"""\
#!/bin/bash
# Runs {source} until it is complete. Before the time of a job is over, the run saves its state,
# and the script submits itself again. Submit it: sbatch {quoted_script}
# Add what your site asks for, such as --partition, --account and --mem.
#SBATCH --job-name={name}
#SBATCH --nodes={request.nodes}
#SBATCH --ntasks-per-node={request.ranks_per_node}
#SBATCH --cpus-per-task={request.pes}
#SBATCH --time={math.ceil(60 * request.hours - 1e-9)}
#SBATCH --dependency=singleton

cd -- {_word(folder)} || exit 1
finegrain() {{ {shlex.quote(program)} -m finegrain "$@"; }}
how=({" ".join(how)})
began=$(date +%s)

if [ -n "$(ls -A {out} 2> /dev/null)" ]; then
    finegrain resume {out} "${{how[@]}}"
else
    finegrain run {given} --out {out} "${{how[@]}}"
fi
status=$?

if [ $status -eq 75 ]; then  # stopped, and can be continued
    if [ -n "$(find -H {out} -name checkpoint.h5 -newermt "@$began")" ]; then
        sbatch {quoted_script} && exit 0
    else
        echo "nothing was saved in this time, so the job is not submitted again" >&2
    fi
fi
exit $status
"""


def refuse_odd_names(*files: Path) -> None:
    """Complain about names with line ends and the like, which would be lines of the script."""
    odd = [file for file in files if any(ord(letter) < 32 for letter in str(file))]
    if odd:
        what, hint = "has a control character in its name", "rename it"
        raise InputError([Problem(what, str(file), hint=hint) for file in odd])


def _word(path: Path) -> str:
    """Return a path as one word of the shell that is no option."""
    text = str(path)
    return shlex.quote(f"./{text}" if text.startswith("-") else text)
