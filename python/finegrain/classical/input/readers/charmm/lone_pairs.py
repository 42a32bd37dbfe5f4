# SPDX-License-Identifier: BSD-3-Clause
"""Checks of the lone pairs of a CHARMM PSF: the section NUMLP, as OpenMM's reader takes it.

Each pair has a row: the number of its hosts, the place of its first atom in a list, a flag, a
distance, two angles. The list comes after the rows. It holds each pair with its hosts, eight to a
line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from finegrain.classical.input.readers.findings import Findings, cut

_per_line = 8


def lone_pairs(
    found: Findings,
    file: str,
    first: int,
    rows: Sequence[str],
    counts: Sequence[str],
    atoms: int,
) -> Iterator[int]:
    """Add the problems of the section; yield the atoms that are lone pairs, counted from 1.

    Parameters
    ----------
    first : int
        The line of the first row.
    counts : list of str
        The numbers in the head of the section.
    """
    count = int(counts[0])
    if count == 0:
        return
    total = int(counts[1]) if len(counts) > 1 else -1
    sizes: list[int] = []
    for number, row in enumerate(rows[:count], start=first):
        if (size := _hosts(found, file, number, row, sum(sizes) + 1)) == 0:
            return
        sizes.append(size + 1)
    words = [word for row in rows[count:] for word in row.split()]
    full = all(len(row.split()) == _per_line for row in rows[count:-1])
    if len(sizes) != count or sum(sizes) != total or len(words) != total or not full:
        limit = f"{count:,} lone pairs and {total:,} atoms, eight to a line"
        found.add(file, first - 1, "holds another number of atoms", "NUMLP", limit, cut)
        return
    for number, row in enumerate(rows[count:], start=first + count):
        for word in row.split():
            found.atom(file, number, word, "NUMLP", 1, atoms)
    if found.problems:
        return
    at = 0
    for size in sizes:
        yield int(words[at])
        at += size


def _hosts(found: Findings, file: str, number: int, row: str, place: int) -> int:
    """Return the number of hosts of a pair; 0 after a problem."""
    words = row.split()
    if len(words) != 6:
        found.add(file, number, f"holds {len(words)} of 6 columns", row, hint=cut)
        return 0
    names = ("hosts", "place", "", "distance", "angle", "dihedral")
    for word, name in zip(words, names, strict=True):
        whole = name in ("hosts", "place")
        if name and not found.number(file, number, word, f"NUMLP {name}", whole=whole):
            return 0
    if words[2] != "F":
        hint = "a lone pair of this kind is not read"
        found.add(file, number, "is not supported", f"NUMLP flag {words[2]}", "F", hint)
        return 0
    hosts, distance = int(words[0]), float(words[3])
    if int(words[1]) != place:
        found.add(file, number, "is out of order", f"NUMLP place {words[1]}", f"{place}", cut)
        return 0
    if hosts not in (2, 3):
        hint = "lone pairs on a line, relative to three atoms, or on a bisector are read"
        found.add(file, number, "is not supported", f"NUMLP with {hosts} hosts", "2 or 3", hint)
        return 0
    if hosts == 2 and float(words[4]) != 0:
        hint = "give the distance alone; a scaled one is not read"
        found.add(file, number, "is not supported", f"NUMLP scale {words[4]}", "0", hint)
        return 0
    if distance == 0:
        hint = "lone pairs in the centre of their hosts are not read"
        found.add(file, number, "is not supported", "NUMLP distance 0", "another distance", hint)
        return 0
    return hosts
