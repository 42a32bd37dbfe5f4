# SPDX-License-Identifier: BSD-3-Clause
"""Messages name options of the command; Python's users read them as arguments of functions."""

from __future__ import annotations

import re

_FLAGS = (
    "allow-scripts",
    "divide",
    "ignore-memory",
    "new-results",
    "overwrite",
    "simulate",
    "trace",
    "unwrap",
    "verbose",
    "wrap",
)
_WITH_VALUE = (
    "balance",
    "balance-steps",
    "box",
    "cell",
    "center",
    "comm-threads",
    "companion-seconds",
    "crystal-waters",
    "density",
    "efficiency",
    "first",
    "fit",
    "forcefield",
    "forces",
    "frame",
    "from",
    "gaps",
    "grid",
    "hours",
    "last",
    "leave-out",
    "liquid",
    "machine",
    "map",
    "matrix",
    "memory-checkpoint-steps",
    "model",
    "mpi",
    "nodes",
    "orbital",
    "out",
    "padding",
    "pes",
    "ph",
    "pin",
    "ranks",
    "ranks-per-node",
    "relief",
    "rounds",
    "salt",
    "seed",
    "select",
    "state",
    "steps",
    "stop-after",
    "stride",
    "temperature",
    "to",
    "water",
)
_names = "|".join(sorted((*_FLAGS, *_WITH_VALUE), key=len, reverse=True))
# A value is a number, a capital that stands for one, or the name of a file or format.
_option = re.compile(
    rf"(?<![\w-])--({_names})(?![\w-])"
    r"(?:[ =](-?\d+(?:[.e]\d+)?|[A-Z]+\b|(?<=--to )[\w-]+|[^\s,;]*[./][^\s,;]*[\w/]))?"
)
_clauses = re.compile(r"(;\s|\n|`)")
_program = re.compile(r"\b(?:finegrain(?:-\w+)?|mpiexec|srun|pip|docker|tools/\S+)\s")


def as_arguments(text: str) -> str:
    """Return a message in which options are arguments of a function.

    An option of a whole command, such as ``finegrain resume DIR --steps 200``, stays as it is.

    Examples
    --------
    >>> as_arguments("choose another folder with --out, or --overwrite")
    'choose another folder with out, or overwrite=True'
    """
    parts = _clauses.split(text)
    return "".join(
        part if _program.search(part) else _option.sub(_argument, part) for part in parts
    )


def _argument(found: re.Match[str]) -> str:
    name, value = found.group(1).replace("-", "_"), found.group(2)
    if found.group(1) in _FLAGS:
        return f"{name}=True" + (f" {value}" if value else "")
    if not value:
        return name
    plain = re.fullmatch(r"-?\d[\d.e]*|[A-Z]+", value)
    return f"{name}={value}" if plain else f'{name}="{value}"'
