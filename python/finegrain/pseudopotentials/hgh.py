# SPDX-License-Identifier: BSD-3-Clause
"""Reads single GTH and HGH pseudopotentials in the formats of ABINIT (pspcod 2, 3 and 10).

Quantum ESPRESSO's .gth files are of the third kind. Hartree and bohr. Files of kind 3 give the
diagonal of h only. The rest follows from it by the fixed ratios of the second reference. The
numbers k of the spin-orbit part are left out: the rest is the scalar-relativistic pseudopotential.

References
----------
S. Goedecker, M. Teter and J. Hutter, Phys. Rev. B 54, 1703 (1996); C. Hartwigsen, S. Goedecker
and J. Hutter, Phys. Rev. B 58, 3641 (1998).
"""

from __future__ import annotations

from math import sqrt
from pathlib import Path

import numpy as np

from finegrain.pseudopotentials import functionals
from finegrain.pseudopotentials.checks import element_of_number
from finegrain.pseudopotentials.description import Channel, GaussianLocal, Pseudopotential
from finegrain.pseudopotentials.gth import gaussian_channel, highest_l
from finegrain.pseudopotentials.text import Floats, Text, read_text

# h_12 / h_22, h_13 / h_33 and h_23 / h_33 for each l.
_ratios = {
    0: (-sqrt(3 / 5) / 2, sqrt(5 / 21) / 2, -sqrt(100 / 63) / 2),
    1: (-sqrt(5 / 7) / 2, sqrt(35 / 11) / 6, -14 / sqrt(11) / 6),
    2: (-sqrt(7 / 9) / 2, sqrt(63 / 143) / 2, -18 / sqrt(143) / 2),
}


def read_hgh(source: str | Path | Text) -> Pseudopotential:
    """Read a file of one GTH or HGH pseudopotential in a format of ABINIT.

    Parameters
    ----------
    source : str, Path or Text

    Raises
    ------
    InputError
        If the file is damaged, of another kind, or has a nonlinear core correction.
    """
    text = source if isinstance(source, Text) else read_text(source)
    second = text.words(2, 2, "the atomic number and the valence charge")
    third = text.words(3, 5, "pspcod, pspxc, lmax, lloc and mmax")
    kind = text.whole(third[0], 3, "pspcod", -999, 999)
    if kind not in (2, 3, 10):
        what = "has a nonlinear core correction" if kind == 12 else "is no GTH or HGH file"
        hint = "use a file of pspcod 2, 3 or 10, or a UPF or psp8 file"
        raise text.not_read(3, what, f"pspcod = {kind}", "2, 3 or 10", hint=hint)
    element = element_of_number(text, 2, second[0])
    charge = text.number(second[1], 2, "the valence charge")
    if not 0 < charge < 120:
        raise text.error(2, "is no valence charge", second[1], "0 to 120")
    highest = text.whole(third[2], 3, "lmax", -1, highest_l)  # -1: no projectors
    if kind == 10:
        local, channels, relativistic = _kind_10(text, highest)
    else:
        local = _local(text, _leading(text, 4, 2, 5, "r_loc and the local coefficients"), 4)
        if kind == 2:
            channels, relativistic = _kind_2(text, highest), False
        else:
            channels, relativistic = _kind_3(text, highest)
    notes = ("the spin-orbit part is left out",) if relativistic else ()
    return Pseudopotential(
        path=text.path,
        form="GTH" if kind == 2 else "HGH",
        label=text.path.name,
        sha256=text.sha256,
        element=element,
        charge=charge,
        functional=functionals.of_code(text.whole(third[1], 3, "pspxc", -999_999, 999)),
        local=local,
        channels=channels,
        notes=notes,
    )


def _leading(text: Text, line: int, least: int, most: int, holds: str) -> list[float]:
    """Return the numbers at the beginning of a line, which may end with words."""
    words = text.words(line, least, holds)[:most]
    for count, word in enumerate(words):
        if word[0].isalpha() and count >= least:
            words = words[:count]
            break
    return [float(value) for value in text.numbers(words, line, holds)]


def _local(text: Text, numbers: list[float], line: int) -> GaussianLocal:
    numbers = [float(number) for number in numbers]
    if not 0 < numbers[0] < 10:
        raise text.error(line, "is no radius r_loc", f"{numbers[0]:g}", "0 to 10 bohr")
    coefficients = numbers[1:]
    while coefficients and coefficients[-1] == 0:
        coefficients.pop()
    return GaussianLocal(numbers[0], tuple(coefficients))


def _channel(text: Text, line: int, l: int, radius: float, h: Floats) -> list[Channel]:  # noqa: E741
    """Return the channel without trailing zeros; nothing if all of h is zero."""
    size = max((i + 1 for i in range(len(h)) if h[: i + 1, i].any()), default=0)
    if size == 0:
        return []
    if not 0 < radius < 10:
        raise text.error(line, f"is no radius of l = {l}", f"{radius:g}", "0 to 10 bohr")
    return [gaussian_channel(l, radius, h[:size, :size])]


def _kind_2(text: Text, highest: int) -> tuple[Channel, ...]:
    """Return the channels of a file of 1996: h is diagonal, two s projectors and one p."""
    if highest > 1:
        raise text.error(3, "is too large for this kind of file", f"lmax = {highest}", "1")
    channels = []
    for l, most in ((0, 3), (1, 2)):  # noqa: E741
        line = 5 + l
        numbers = _leading(text, line, 2, most, f"the radius and h of l = {l}")
        channels += _channel(text, line, l, numbers[0], np.diag(numbers[1:]))
    return tuple(channels)


def _kind_3(text: Text, highest: int) -> tuple[tuple[Channel, ...], bool]:
    channels: list[Channel] = []
    line, relativistic = 5, False
    for l in range(highest + 1):  # noqa: E741
        numbers = _leading(text, line, 2, 4, f"the radius and h_11, h_22, h_33 of l = {l}")
        diagonal = [*numbers[1:], 0.0, 0.0][:3]
        h = np.diag(diagonal)
        if l in _ratios:
            (h[0, 1], h[0, 2], h[1, 2]) = (
                _ratios[l][0] * diagonal[1],
                _ratios[l][1] * diagonal[2],
                _ratios[l][2] * diagonal[2],
            )
        elif any(diagonal[1:]):
            raise text.error(line, "l = 3 may have one projector", limit="h_22 = h_33 = 0")
        h = np.triu(h) + np.triu(h, 1).T
        channels += _channel(text, line, l, numbers[0], h)
        line += 1
        if l:
            relativistic |= any(_leading(text, line, 1, 3, f"k_11, k_22, k_33 of l = {l}"))
            line += 1
    return tuple(channels), relativistic


def _kind_10(text: Text, highest: int) -> tuple[GaussianLocal, tuple[Channel, ...], bool]:
    words = text.words(4, 2, "r_loc and the number of local coefficients")
    count = text.whole(words[1], 4, "the number of local coefficients", 0, 4)
    words = text.words(4, count + 2, f"r_loc, {count} and {count} local coefficients")
    local = _local(text, list(text.numbers([words[0], *words[2 : count + 2]], 4, "line 4")), 4)
    momenta = text.whole(text.words(5, 1, "nnonloc")[0], 5, "nnonloc", 0, highest_l + 1)
    channels: list[Channel] = []
    line, relativistic = 6, False
    for l in range(momenta):  # noqa: E741
        words = text.words(line, 2, f"the radius and the number of projectors of l = {l}")
        radius = text.number(words[0], line, f"the radius of l = {l}")
        size = text.whole(words[1], line, "the number of projectors", 0, 3)
        first = line
        h, line = _triangle(text, line, size, 2, "h")
        channels += _channel(text, first, l, radius, h)
        if l and size:
            k, line = _triangle(text, line, size, 0, "k")
            relativistic |= bool(k.any())
    _refuse_core(text, line)
    if momenta < highest:
        raise text.error(5, "is too small for lmax", f"nnonloc = {momenta}", f"lmax = {highest}")
    return local, tuple(channels), relativistic


def _triangle(text: Text, line: int, size: int, skip: int, symbol: str) -> tuple[Floats, int]:
    """Return a symmetric matrix from rows of its upper triangle, and the line after it."""
    h = np.zeros((size, size))
    for i in range(size):
        start = skip if i == 0 else 0
        words = text.words(line, start + size - i, f"{symbol}_{i + 1}{i + 1} and so on")
        row = text.numbers(words[start : start + size - i], line, symbol)
        h[i, i:] = h[i:, i] = row
        line += 1
    return h, line if size or not skip else line + 1


def _refuse_core(text: Text, line: int) -> None:
    """Raise an error if two numbers follow the projectors: radius and charge of a model core."""
    words = text.lines[line - 1].split()[:2] if line <= len(text.lines) else []
    if len(words) == 2 and all(word[0] in "+-.0123456789" for word in words):
        hint = "use a file without it, or a UPF or psp8 file"
        raise text.not_read(line, "has a nonlinear core correction", " ".join(words), hint=hint)
