# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of virtual sites that a GROMACS topology leaves out, as `gmx pdb2gmx -vsite` does.

`gmx grompp` finds them from the lengths of bonds and constraints and from the angles between a
site and the atoms that it follows. In groups XH3 and XH2, two mass points of types MNH… or MCH3…
stand for X and its hydrogens. X is the atom behind them. A negative function is the mirror image.
K. A. Feenstra, B. Hess, H. J. C. Berendsen, J. Comput. Chem. 20, 786 (1999), has the constructions.
"""

from __future__ import annotations

from math import cos, radians, sin, sqrt

from finegrain.classical.input.readers.gromacs.molecules import Molecule, Term
from finegrain.classical.input.readers.gromacs.parameters import Resolved


class _UnknownError(Exception):
    """A length or an angle that the topology does not give."""


class Geometry:
    """Lengths (nm) and angles (radians) that a molecule has at rest; atoms are counted from 1."""

    def __init__(self, molecule: Molecule, resolved: list[Resolved]) -> None:
        self._types = molecule.atoms
        self._lengths: dict[frozenset[int], float] = {}
        self._angles: dict[tuple[int, ...], float] = {}
        for section in ("bonds", "constraints"):
            for found in (one for one in resolved if one.term.section == section):
                self._lengths.setdefault(frozenset(found.term.atoms), found.rows[0][0])
        for found in (one for one in resolved if one.term.section == "angles"):
            for atoms in (found.term.atoms, found.term.atoms[::-1]):
                self._angles.setdefault(atoms, radians(found.rows[0][0]))

    def parameters(self, term: Term) -> list[float] | None:
        """Return the numbers of a site that has none; None if they do not follow."""
        kind = term.section[-1] + term.function.lstrip("-")
        find = {
            "31": self._plane,
            "32": self._distance,
            "33": self._angle,
            "34": self._out,
            "41": self._four,
            "42": self._four_normal,
        }[kind]
        try:
            numbers = find(term.atoms)
        except (_UnknownError, ZeroDivisionError, ValueError):
            return None
        if term.function == "-3":
            return [360 - numbers[0], numbers[1]]
        if term.function == "-4":
            return [*numbers[:2], -numbers[2]]
        return numbers

    def _length(self, one: int, other: int) -> float:
        try:
            return self._lengths[frozenset((one, other))]
        except KeyError:
            raise _UnknownError from None

    def _size(self, one: int, middle: int, other: int) -> float:
        try:
            return self._angles[one, middle, other]
        except KeyError:
            raise _UnknownError from None

    def _has_mass_points(self, k: int, n: int) -> bool:
        names = [self._types[atom - 1].upper() for atom in (k, n)]
        return any(all(name.startswith(start) for name in names) for start in ("MNH", "MCH3"))

    def _group(self, j: int, k: int, n: int) -> tuple[int, float, float, float]:
        """Return X, how far it is from j, and how far mass points are along the axis and off it."""
        if self._length(j, k) != self._length(j, n):
            raise _UnknownError
        half = self._length(k, n) / 2
        x = max(k, n) + 1
        return x, self._length(j, x), sqrt(self._length(j, k) ** 2 - half**2), half

    def _hydrogen(self, i: int, j: int, x: int) -> tuple[float, float]:
        """Return how far a hydrogen of X is along the axis from j to X, and off it."""
        length, angle = self._length(x, i), self._size(j, x, i)
        return self._length(j, x) - length * cos(angle), length * sin(angle)

    def _plane(self, atoms: tuple[int, ...]) -> list[float]:
        i, j, k, n = atoms
        if not self._has_mass_points(k, n):
            raise _UnknownError
        x, to_x, along, off = self._group(j, k, n)
        if i == x:
            return [to_x / (2 * along)] * 2
        height, width = self._hydrogen(i, j, x)
        return [(height / along + sign * width / off) / 2 for sign in (1, -1)]

    def _distance(self, atoms: tuple[int, ...]) -> list[float]:
        i, j, k, n = atoms
        across = [self._length(j, end) * sin(self._size(i, j, end)) for end in (k, n)]
        return [across[0] / sum(across), -self._length(i, j)]

    def _angle(self, atoms: tuple[int, ...]) -> list[float]:
        i, j, k = atoms[:3]
        degrees = self._size(i, j, k) / radians(1)
        return [degrees, self._length(i, j)]

    def _out(self, atoms: tuple[int, ...]) -> list[float]:
        i, j, k, n = atoms
        if self._has_mass_points(k, n):
            x, _, along, off = self._group(j, k, n)
            height, width = self._hydrogen(i, j, x)
            # Three hydrogens around the axis, this one 30 degrees from the plane's normal.
            beside, above = width / 2, width * sqrt(3) / 2
            a, b = ((height / along + sign * beside / off) / 2 for sign in (-1, 1))
            c = above / (2 * along * off)
        else:
            between = self._size(k, j, n)
            side, sine = cos(between), sin(between)
            length = self._length(i, j)
            on_k, on_l = (length * cos(self._size(i, j, end)) for end in (k, n))
            a = (on_k - on_l * side) / sine**2 / self._length(j, k)
            b = (on_l - on_k * side) / sine**2 / self._length(j, n)
            in_plane = (on_k**2 - 2 * on_k * on_l * side + on_l**2) / sine**2
            c = -sqrt(length**2 - in_plane) / (self._length(j, k) * self._length(j, n) * sine)
        return [a, b, c]

    def _four(self, atoms: tuple[int, ...]) -> list[float]:
        i, j, k, n, m = atoms
        angles = [self._size(i, j, end) for end in (k, n, m)]
        on_k, on_l, on_m = (
            self._length(j, end) * sin(angle) for end, angle in zip((k, n, m), angles, strict=True)
        )

        def turn(end: int, angle: float) -> tuple[float, float]:
            """Return cosine and sine of the angle about i-j between k and another end."""
            bend = cos(self._size(k, j, end)) - cos(angles[0]) * cos(angle)
            cosine = bend / (sin(angles[0]) * sin(angle))
            return cosine, sqrt(1 - cosine**2)

        (cos_l, sin_l), (cos_m, sin_m) = turn(n, angles[1]), turn(m, angles[2])
        to_l, to_m = on_l * cos_l - on_k, on_m * cos_m - on_k
        a = -on_k / (to_l + on_l * sin_l * to_m / (on_m * sin_m))
        b = -on_k / (to_m + on_m * sin_m * to_l / (on_l * sin_l))
        return [a, b, -self._length(i, j)]

    def _four_normal(self, atoms: tuple[int, ...]) -> list[float]:
        i, j, k, n, m = atoms
        along = [-self._length(j, end) * cos(self._size(i, j, end)) for end in (k, n, m)]
        return [along[0] / along[1], along[0] / along[2], self._length(i, j)]
