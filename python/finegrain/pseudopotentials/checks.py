# SPDX-License-Identifier: BSD-3-Clause
"""What must hold for the content of any pseudopotential file."""

from __future__ import annotations

import numpy as np

from finegrain.errors import nearest
from finegrain.pseudopotentials.description import Channel, Mesh, TabulatedProjector
from finegrain.pseudopotentials.elements import SYMBOLS
from finegrain.pseudopotentials.text import Floats, Text, frozen

# Where the local potential has to be -Z/r, and how exactly. Files are written with 8 digits or
# more. But some programs sum the Hartree potential of the atom along a coarse mesh.
_tail_from = 6.0  # bohr
_tail_error = 0.01  # of Z
# No potential [hartree] and no projector has a larger value; a digit too many in an exponent has.
_largest = 1e6


def check_element(text: Text, line: int, word: str) -> str:
    """Return a symbol in its usual spelling; an error if it is not that of an element."""
    symbol = word.strip().capitalize()
    if symbol not in SYMBOLS:
        close = nearest(word, [name.lower() for name in SYMBOLS])
        hint = f"did you mean {close.capitalize()}?" if close else "the symbol of an element"
        raise text.error(line, "is no element", word, hint=hint)
    return symbol


def element_of_number(text: Text, line: int, word: str) -> str:
    """Return the symbol of an atomic number, which may be written as 14.0000."""
    number = text.number(word, line, "an atomic number")
    if number != int(number) or not 1 <= number <= len(SYMBOLS):
        raise text.error(line, "is no atomic number", word, f"1 to {len(SYMBOLS)}")
    return SYMBOLS[int(number) - 1]


def check_tail(text: Text, line: int, mesh: Mesh, local: Floats, charge: float) -> None:
    """Raise an error unless the local potential (hartree) ends in -Z/r and is nowhere enormous."""
    check_size(text, line, "the local potential", local)
    at = min(int(np.searchsorted(mesh.r, _tail_from)), len(mesh.r) - 1)
    tail = mesh.r[at] * local[at]
    if abs(tail + charge) > _tail_error * charge:
        what = f"the local potential is not -Z/r at r = {mesh.r[at]:.3g} bohr"
        limit = f"r v(r) = {-charge:g} hartree bohr"
        hint = "are its units or its valence charge wrong? take an undamaged file"
        raise text.error(line, what, f"r v(r) = {tail:.6g}", limit, hint)


def check_size(text: Text, line: int, name: str, values: Floats) -> None:
    """Raise an error if a value is larger than any that a pseudopotential can have."""
    if len(values) == 0 or (worst := float(np.abs(values).max())) <= _largest:
        return
    hint = "the file is damaged; copy it again"
    raise text.error(
        line, f"{name} has an impossible value", f"{worst:.3g}", f"{_largest:.0e}", hint
    )


def channels_from_matrix(
    text: Text, line: int, momenta: list[int], projectors: list[TabulatedProjector], matrix: Floats
) -> tuple[Channel, ...]:
    """Sort projectors by their angular momentum; D must be symmetric and diagonal in l."""
    size = np.abs(matrix).max() if matrix.size else 0.0
    if matrix.size and np.abs(matrix - matrix.T).max() > 1e-8 * size:
        raise text.error(line, "the matrix D is not symmetric")
    for projector in projectors:
        check_size(text, line, "a projector", projector.r_beta)
    of = np.array(momenta, dtype=int)
    if matrix.size and (np.abs(matrix) > 1e-12 * size)[of[:, None] != of[None, :]].any():
        what = "D couples projectors of different angular momenta"
        raise text.error(line, what, hint="is it one with spin-orbit coupling? use another one")
    channels = []
    for l in sorted(set(momenta)):  # noqa: E741
        rows = np.flatnonzero(of == l)
        coupling = matrix[np.ix_(rows, rows)]
        members = tuple(projectors[row] for row in rows)
        channels.append(Channel(l, members, frozen((coupling + coupling.T) / 2)))
    return tuple(channels)
