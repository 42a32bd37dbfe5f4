# SPDX-License-Identifier: BSD-3-Clause
"""Reads psp8, ABINIT's format for pseudopotentials of ONCVPSP.

Energies are in hartree, lengths in bohr. Each angular momentum has a block of r beta(r) with the
diagonal of D. The local potential has a block of its own, or stands in place of one angular
momentum. The model core is 4 pi rho(r) with its derivatives, the valence density 4 pi rho(r).

References
----------
D. R. Hamann, Phys. Rev. B 88, 085117 (2013); ABINIT's note "psp8 format".
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from finegrain.pseudopotentials import functionals
from finegrain.pseudopotentials.checks import (
    channels_from_matrix,
    check_tail,
    element_of_number,
)
from finegrain.pseudopotentials.description import (
    Mesh,
    Pseudopotential,
    TabulatedLocal,
    TabulatedProjector,
)
from finegrain.pseudopotentials.text import Floats, Text, frozen, read_text

_header_lines = 6
highest_l = 3


@dataclass(frozen=True)
class _Header:
    element: str
    charge: float
    functional: functionals.Functional
    highest: int  # l
    local: int  # the l of the local potential; more than `highest` if it has a block of its own
    points: int
    core_weight: float
    projectors: list[int]  # of each l
    extension: int


def read_psp8(source: str | Path | Text) -> Pseudopotential:
    """Read a psp8 file.

    Parameters
    ----------
    source : str, Path or Text

    Raises
    ------
    InputError
        If the file is damaged, or holds spin-orbit projectors.
    """
    text = source if isinstance(source, Text) else read_text(source)
    header = _header(text)
    at = _header_lines + 1
    momenta: list[int] = []
    values: list[Floats] = []
    strengths: list[float] = []
    radii: Floats | None = None
    local: Floats | None = None
    local_line = at
    for block in range(header.highest + 1 + (header.local > header.highest)):
        is_local = block == header.local or block > header.highest
        columns = 1 if is_local else header.projectors[block]
        words = text.words(at, 1, f"the beginning of the block of l = {block}")
        named = text.whole(words[0], at, "the l of this block", 0, 9)
        if named != (header.local if block > header.highest else block):
            raise text.error(at, "the blocks are out of order", words[0], f"l = {block}")
        if not is_local:
            if len(words) < columns + 1:
                raise text.error(at, f"should hold {columns} energies", " ".join(words[1:]))
            strengths += list(text.numbers(words[1 : columns + 1], at, "the energies"))
        if columns == 0:
            at = _skip_empty(text, at + 1, header.points)
            continue
        radii, table = _table(text, at + 1, header.points, columns, radii)
        if is_local:
            local, local_line = table[:, 0], at
        else:
            momenta += [block] * columns
            values += list(table.T)
        at += header.points + 1
    if radii is None or local is None:
        raise text.error(0, "has no local potential")
    mesh = Mesh(frozen(radii), frozen(np.full(header.points, radii[1] - radii[0])))
    check_tail(text, local_line, mesh, local, header.charge)
    core = density = None
    if header.core_weight > 0:
        _, table = _table(text, at, header.points, 1, radii)
        core = frozen(table[:, 0] / (4 * np.pi))
        at += header.points
    if header.extension == 1:
        _, table = _table(text, at, header.points, 1, radii)
        density = frozen(table[:, 0] * radii**2)
        at += header.points
    _refuse_more(text, at)
    projectors = [TabulatedProjector(frozen(beta), header.points) for beta in values]
    return Pseudopotential(
        path=text.path,
        form="psp8",
        label=text.path.name,
        sha256=text.sha256,
        element=header.element,
        charge=header.charge,
        functional=header.functional,
        local=TabulatedLocal(frozen(local)),
        channels=channels_from_matrix(text, at, momenta, projectors, np.diag(strengths)),
        mesh=mesh,
        core_density=core,
        atomic_density=density,
    )


def _header(text: Text) -> _Header:
    second = text.words(2, 2, "the atomic number and the valence charge")
    third = text.words(3, 5, "pspcod, pspxc, lmax, lloc and mmax")
    fourth = text.words(4, 3, "rchrg, fchrg and qchrg")
    highest = text.whole(third[2], 3, "lmax", 0, highest_l)
    local = text.whole(third[3], 3, "lloc", 0, 9)
    fifth = text.words(5, highest + 1, "the numbers of projectors")
    sixth = text.words(6, 1, "extension_switch")
    element = element_of_number(text, 2, second[0])
    charge = text.number(second[1], 2, "the valence charge")
    if not 0 < charge < 120:
        raise text.error(2, "is no valence charge", second[1], "0 to 120")
    if third[0] != "8":
        raise text.error(3, "is not in the format psp8", f"pspcod = {third[0]}", "8")
    extension = text.whole(sixth[0], 6, "extension_switch", 0, 3)
    if extension > 1:
        hint = "use a scalar-relativistic one"
        value = f"extension_switch = {extension}"
        raise text.not_read(6, "has spin-orbit projectors", value, "1", hint=hint)
    weight = text.number(fourth[1], 4, "fchrg")
    if weight < 0:
        raise text.error(4, "is negative", f"fchrg = {fourth[1]}", "0 or more")
    projectors = [
        text.whole(word, 5, "a number of projectors", 0, 9) for word in fifth[: highest + 1]
    ]
    if local <= highest:
        projectors[local] = 0
    return _Header(
        element=element,
        charge=charge,
        functional=functionals.of_code(text.whole(third[1], 3, "pspxc", -999_999, 999)),
        highest=highest,
        local=local,
        points=text.whole(third[4], 3, "mmax, the number of points", 2, 1_000_000),
        core_weight=weight,
        projectors=projectors,
        extension=extension,
    )


def _refuse_more(text: Text, at: int) -> None:
    """Raise an error if another block begins at a line: the header would hide a model core."""
    words = text.lines[at - 1].split() if at <= len(text.lines) else []
    if len(words) > 2 and words[0] == "1" and words[1][0].isdigit():
        what = "another block of numbers begins, which the header does not announce"
        raise text.error(at, what, limit="fchrg and extension_switch, lines 4 and 6")


def _skip_empty(text: Text, at: int, points: int) -> int:
    """Return the line after a block without projectors, which may list its radii or not."""
    words = text.line(at, "the next block").split()
    return at + points if len(words) == 2 and "." in words[1] else at


def _table(
    text: Text, at: int, points: int, columns: int, known: Floats | None
) -> tuple[Floats, Floats]:
    """Return the radii, shape (points,), and the values, shape (points, columns), of a block."""
    text.line(at + points - 1, f"the {points} rows that begin at line {at}")
    words: list[str] = []
    for line in range(at, at + points):
        row = text.words(line, columns + 2, f"a radius and {columns} values")
        if row[0] != str(line - at + 1):
            raise text.error(line, "the rows are out of order", row[0], str(line - at + 1))
        words += row[1 : columns + 2]
    table = text.numbers(words, at, "the table").reshape(points, columns + 1)
    radii = table[:, 0]
    step = (radii[-1] - radii[0]) / (points - 1)
    if step <= 0 or np.abs(np.diff(radii) - step).max() > 1e-4 * step or radii[0] != 0:
        raise text.error(at, "the radii are not a linear mesh from 0", f"step {step:g} bohr")
    if known is not None and np.abs(radii - known).max() > 1e-8:
        raise text.error(at, "the radii differ from those of the first block")
    return radii, table[:, 1:]
