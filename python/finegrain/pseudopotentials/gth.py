# SPDX-License-Identifier: BSD-3-Clause
"""Reads files of many GTH pseudopotentials, as CP2K and PySCF have them.

An entry begins with the element and the names of the pseudopotential. The electrons of each l
follow, then the local part (radius, number of coefficients, coefficients). Then comes the number of
angular momenta with projectors. Each of these has its radius, its number of projectors and the
upper triangle of h. Hartree and bohr.

References
----------
S. Goedecker, M. Teter and J. Hutter, Phys. Rev. B 54, 1703 (1996); C. Hartwigsen, S. Goedecker
and J. Hutter, Phys. Rev. B 58, 3641 (1998); M. Krack, Theor. Chem. Acc. 114, 145 (2005).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from finegrain.errors import nearest
from finegrain.pseudopotentials import functionals
from finegrain.pseudopotentials.description import (
    Channel,
    GaussianLocal,
    GaussianProjector,
    Pseudopotential,
)
from finegrain.pseudopotentials.elements import SYMBOLS
from finegrain.pseudopotentials.text import Floats, Text, frozen, read_text

highest_l = 3
_charge_in_name = re.compile(r"-q\d+\Z")


@dataclass(frozen=True)
class Entry:
    """One entry that has not been read yet.

    Attributes
    ----------
    line : int
        The number of its first line, from 1.
    element : str
    names : tuple of str
        Such as ("GTH-BLYP-q6", "GTH-BLYP").
    rows : tuple
        Numbers and words of the lines after the first one, without comments.
    """

    line: int
    element: str
    names: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def functional(self) -> functionals.Functional:
        """Return the functional in the first of the names."""
        return functionals.of_gth(self.names[0])

    @property
    def is_usual(self) -> bool:
        """Whether one of its names has no charge: the one to take if none is asked for."""
        return any(_charge_in_name.search(name) is None for name in self.names)


def entries(text: Text) -> list[Entry]:
    """Return all entries of a file."""
    found: list[tuple[int, str, tuple[str, ...], list[tuple[int, tuple[str, ...]]]]] = []
    for number, line in enumerate(text.lines, start=1):
        words = line.split("#")[0].split("!")[0].split()
        if not words or words == ["END"]:
            continue
        symbol = words[0].capitalize()
        if symbol in SYMBOLS and len(words) > 1 and words[1][0].isalpha():
            found.append((number, symbol, tuple(words[1:]), []))
        elif found:
            found[-1][3].append((number, tuple(words)))
        else:
            hint = 'an entry begins with a line such as "O GTH-BLYP-q6 GTH-BLYP"'
            raise text.error(number, "this line belongs to no entry", line.strip(), hint=hint)
    if not found:
        raise text.error(0, "holds no entry", hint="is it a file of GTH pseudopotentials?")
    return [Entry(line, symbol, names, tuple(rows)) for line, symbol, names, rows in found]


def choose(
    text: Text, element: str | None, functional: str | None, charge: float | None = None
) -> Entry:
    """Return the entry of an element and a functional.

    Parameters
    ----------
    element, functional : str or None
        They may be None if only one entry is left.
    charge : float or None
        The number of valence electrons; without it the entry that has a name without a charge.
    """
    every = entries(text)
    fitting = [
        entry
        for entry in every
        if (element is None or entry.element == element.capitalize())
        and (functional is None or entry.functional.fits(functional))
        and (charge is None or _charge(text, entry) == charge)
    ]
    if len(fitting) > 1:
        fitting = [entry for entry in fitting if entry.is_usual] or fitting
    if len(fitting) == 1:
        return fitting[0]
    asked = " ".join(
        str(word)
        for word in (element, functional, None if charge is None else f"q{charge:g}")
        if word is not None
    )
    names = [f"{entry.element} {entry.names[0]}" for entry in every]
    if fitting:
        shown = [f"{entry.element} {entry.names[0]}" for entry in fitting]
        what = f"holds {len(fitting)} pseudopotentials that fit"
        hint = "give the element, the functional and the number of valence electrons"
        raise text.error(0, what, asked, ", ".join(shown[:6]), hint)
    same = [name for name in names if element and name.split()[0] == element.capitalize()]
    close = nearest(f"{element} GTH-{functional}", [name.lower() for name in names])
    hint = f"it has {', '.join(same[:8])}" if same else f"the nearest is {close or names[0]}"
    raise text.error(0, "has no such pseudopotential", asked, hint=hint)


def read_gth(
    source: str | Path | Text,
    element: str | None = None,
    functional: str | None = None,
    charge: float | None = None,
) -> Pseudopotential:
    """Read one entry of a file in the format of CP2K's GTH_POTENTIALS.

    Parameters
    ----------
    source : str, Path or Text
    element, functional, charge
        As for `choose`.

    Raises
    ------
    InputError
        If no entry or several ones fit, or if the entry is damaged, or has a core correction,
        spin-orbit coupling or other extensions.
    """
    text = source if isinstance(source, Text) else read_text(source)
    return parse(text, choose(text, element, functional, charge))


def _charge(text: Text, entry: Entry) -> float:
    if not entry.rows:
        raise text.error(entry.line, "this entry is empty", " ".join(entry.names))
    line, words = entry.rows[0]
    return float(sum(text.whole(word, line, "a number of electrons", 0, 40) for word in words))


def parse(text: Text, entry: Entry) -> Pseudopotential:
    """Return the pseudopotential of an entry."""
    charge = _charge(text, entry)
    if charge == 0:
        raise text.error(entry.rows[0][0], "has no valence electrons", "0", "1 or more")
    for line, words in entry.rows:
        _refuse_keyword(text, line, words[0])
    stream = _Stream(text, entry)
    radius = stream.radius("r_loc")
    count = stream.whole("the number of local coefficients", 0, 4)
    local = GaussianLocal(radius, tuple(stream.number("a local coefficient") for _ in range(count)))
    channels = []
    for l in range(stream.whole("the number of angular momenta", 0, highest_l + 1)):  # noqa: E741
        radius = stream.radius(f"r_{l}")
        size = stream.whole(f"the number of projectors of l = {l}", 0, 3)
        h = np.zeros((size, size))
        for i in range(size):
            for j in range(i, size):
                h[i, j] = h[j, i] = stream.number(f"h_{i + 1}{j + 1}")
        if size:
            channels.append(gaussian_channel(l, radius, h))
    stream.end()
    return Pseudopotential(
        path=text.path,
        form="GTH",
        label=entry.names[0],
        sha256=text.sha256,
        element=entry.element,
        charge=charge,
        functional=entry.functional,
        local=local,
        channels=tuple(channels),
    )


def gaussian_channel(l: int, radius: float, h: Floats) -> Channel:  # noqa: E741
    """Return the projectors of one l with their matrix."""
    projectors = tuple(GaussianProjector(radius, i + 1) for i in range(len(h)))
    return Channel(l, projectors, frozen(h))


def _refuse_keyword(text: Text, line: int, word: str) -> None:
    if not word[0].isalpha():
        return
    meaning = {
        "NLCC": "a nonlinear core correction by Gaussians",
        "LSD": "a spin-polarised local part",
        "LPOT": "a local part of several radii",
        "SOC": "spin-orbit coupling",
    }.get(word.upper(), "an extension that is not read")
    hint = "use an entry without it, or a UPF or psp8 file"
    raise text.not_read(line, f"this entry has {meaning}", word, hint=hint)


class _Stream:
    """The numbers after the first row of an entry, one after the other."""

    def __init__(self, text: Text, entry: Entry) -> None:
        self._text, self._entry = text, entry
        self._words: Iterator[tuple[int, str]] = iter(
            [(line, word) for line, words in entry.rows[1:] for word in words]
        )
        self._line = entry.rows[0][0]

    def _next(self, holds: str) -> str:
        found = next(self._words, None)
        if found is None:
            raise self._text.error(self._line, f"the entry ends before {holds}")
        self._line, word = found
        return word

    def number(self, holds: str) -> float:
        word = self._next(holds)
        return self._text.number(word, self._line, holds)

    def whole(self, holds: str, least: int, most: int) -> int:
        return self._text.whole(self._next(holds), self._line, holds, least, most)

    def radius(self, holds: str) -> float:
        value = self.number(holds)
        if not 0 < value < 10:
            raise self._text.error(
                self._line, f"is no radius {holds}", f"{value:g}", "0 to 10 bohr"
            )
        return value

    def end(self) -> None:
        found = next(self._words, None)
        if found is not None:
            what = "the entry holds more numbers than its counts say"
            raise self._text.error(found[0], what, found[1])
