# SPDX-License-Identifier: BSD-3-Clause
"""The time of a step by what it is spent on, in the same words for finegrain and for GROMACS.

Both programs account for their own time; here the names of their tables are put together to parts
that mean the same in both. GROMACS makes its pair lists in "Neighbor search" and bonded forces
together with pair forces in "Force"; finegrain makes lists where it computes pairs. So lists, pair
and bonded forces are one part, of which either program may tell shares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Part:
    """A part of a step.

    Attributes
    ----------
    name : str
    per : str
        What its time is divided by: "pair" within the cutoff, "atom", mesh "point"; empty: nothing.
    ours, theirs : tuple of str
        The names in the tables of finegrain and of GROMACS.
    within : bool
        Whether it is a share of a part before it.
    """

    name: str
    per: str
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    within: bool = False


PARTS = (
    Part(
        "lists, pair and bonded forces",
        "pair",
        ("pair forces", "sum of pair forces", "bonded forces", "sum of bonded forces"),
        ("Domain decomp.", "Neighbor search", "Force", "NB X/F buffer ops."),
    ),
    Part(
        "pair forces and their lists",
        "pair",
        ("pair forces", "sum of pair forces"),
        (),
        within=True,
    ),
    Part("lists", "pair", (), ("Domain decomp.", "Neighbor search"), within=True),
    Part("mesh", "", ("mesh: transforms", "mesh: spread and gather", "sum of mesh forces"),
         ("PME mesh",)),
    Part(
        "spreading and gathering",
        "atom",
        ("mesh: spread and gather", "sum of mesh forces"),
        ("PME spread", "PME gather"),
        within=True,
    ),
    Part(
        "transforms and convolution",
        "point",
        ("mesh: transforms",),
        ("PME 3D-FFT", "PME solve Elec"),
        within=True,
    ),
    Part(
        "motion and constraints",
        "atom",
        ("patches: move, constrain, publish",),
        ("Update", "Constraints"),
    ),
)  # fmt: skip
REST = "all else"
WHOLE = "a step"
# Rows of GROMACS that add up others.
_SUMS = {"Total"}


def parts_of(
    phases: Sequence[Mapping[str, Any]],
    seconds_per_step: float,
    threads: int,
    counts: Mapping[str, float],
) -> list[dict[str, Any]]:
    """Return the milliseconds of core time that each part of a step takes.

    Parameters
    ----------
    phases : sequence of mapping
        Rows with ``name`` and ``share`` of one of finegrain's results, or with ``name`` and
        ``percent`` of one of GROMACS's; both of the time of all threads.
    counts : mapping
        How many pairs, atoms and points there are.
    """
    ours = any("share" in row for row in phases)
    shares = {
        str(row["name"]): float(row["share"]) if ours else float(row["percent"]) / 100
        for row in phases
        if row["name"] not in _SUMS
    }
    step = 1e3 * seconds_per_step * threads
    found: list[dict[str, Any]] = []
    taken: set[str] = set()
    for part in PARTS:
        names = [name for name in (part.ours if ours else part.theirs) if name in shares]
        if not names:
            continue
        if not part.within:
            taken |= set(names)
        time = step * sum(shares[name] for name in names)
        found.append(_entry(part.name, time, part.per, counts, within=part.within))
    inside = {name for part in PARTS if part.within for name in (*part.ours, *part.theirs)}
    rest = sum(share for name, share in shares.items() if name not in taken | inside)
    found.append(_entry(REST, step * rest, "", counts))
    found.append(_entry(WHOLE, step, "atom", counts))
    return found


def _entry(
    name: str, ms: float, per: str, counts: Mapping[str, float], *, within: bool = False
) -> dict[str, Any]:
    entry: dict[str, Any] = {"part": name, "ms": ms, "within": within}
    if per:
        entry |= {"per": per, "ns_per": 1e6 * ms / counts[per]}
    return entry


def pairs_within(positions: Any, box: Any, cutoff: float) -> int:
    """Return the number of pairs of atoms closer than the cutoff, in an orthorhombic box."""
    import numpy as np
    from scipy.spatial import cKDTree

    edges = np.asarray(box, dtype=np.float64)
    if edges.ndim != 1:
        raise SystemExit("bench/peers: pairs are counted in boxes with right angles only")
    tree = cKDTree(np.mod(np.asarray(positions), edges), boxsize=edges)
    return int((tree.count_neighbors(tree, cutoff) - len(positions)) // 2)
