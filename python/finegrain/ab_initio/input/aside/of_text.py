# SPDX-License-Identifier: BSD-3-Clause
"""What a file says and ASE's reader of its format drops: found in its text, and named.

Sites that are shared or there in part become occupancies of the atoms, which are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.ab_initio.input.aside.words import COMMENTS, FORMATS, REASONS, SHOWN
from finegrain.base.visible import visible

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

_most = 50_000_000  # bytes of a file whose text is looked through
_listed = 3  # words of one kind in a note
_longest = 60
_natural = 0.02  # of a mass: heavier or lighter by more is another isotope
_mixture = re.compile(r"\bMIXTURE\s*[:=]\s*\(\s*\d+\s+([\d.]+)\s*\)", re.IGNORECASE)
_positions = re.compile(r"%BLOCK\s+POSITIONS_\w+(.*?)%ENDBLOCK", re.IGNORECASE | re.DOTALL)
_of_res = re.compile(r"^\s*[A-Z]\w*\s+\d+" + r"\s+[-\d.]+" * 3 + r"\s+([\d.]+)", re.MULTILINE)
_gaussian = re.compile(r"\n\s*\n[^\n]+(?:\n[^\n]+)*\n\s*\n\s*(-?\d+)[ ,\t]+(\d+)\s*\n")
_species = re.compile(
    r"^\s*ATOMIC_SPECIES[^\n]*\n((?:\s*[A-Za-z]\w*[ \t]+[\d.dDeE+-]+[^\n]*\n)+)", re.M
)


def complete(path: Path, atoms: Atoms) -> list[str]:
    """Give atoms what ASE has dropped and finegrain uses; return notes on what is not used."""
    name = _format_of(path)
    if name not in (*FORMATS, "res", "gaussian-in") or path.stat().st_size > _most:
        return []
    text = _plain(path.read_bytes().decode("utf-8", "replace"), COMMENTS.get(name, ""))
    found: dict[str, list[str]] = {}
    for why, words in words_of(name, text):
        found.setdefault(why, []).append(words)
    if name == "castep-cell":
        _drop_empty_labels(atoms)
        _take_occupancies(atoms, [_share_of_castep(line) for line in _lines_of_positions(text)])
        if atoms.get_initial_magnetic_moments().any():  # ASE has read those in capitals
            found.pop("spin", None)
    elif name == "res":
        _take_occupancies(atoms, [_share_of_res(match[1]) for match in _of_res.finditer(text)])
    elif name == "espresso-in":
        # Fractions of valence electrons, which ASE takes for Bohr magnetons.
        atoms.set_initial_magnetic_moments(None)
    return [_note(path.name, why, words) for why, words in found.items()]


def _format_of(path: Path) -> str:
    if path.suffix.lower() in (".xyz", ".extxyz"):
        return ""  # all of it is in the atoms
    from ase.io.formats import filetype

    with suppress(Exception):  # of readers of any kind
        return str(filetype(str(path)))
    return ""


def _plain(text: str, signs: str) -> str:
    """Return the text without its comments."""
    return re.sub(rf"[{signs}][^\n]*", "", text) if signs else text


def words_of(name: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield why a word of a format is not used, and the word."""
    for why, pattern in FORMATS.get(name, ()):
        for match in pattern.finditer(text):
            numbers = [number for number in match.groups() if number is not None]
            if not numbers or any(_is_something(number) for number in numbers):
                yield why, SHOWN.get(name, " ".join(match[0].split()))
    if name == "gaussian-in" and (line := _gaussian.search(text)):
        if int(line[1]):
            yield "charge", f"charge {line[1]}"
        if int(line[2]) > 1:
            yield "spin", f"multiplicity {line[2]}"
    if name == "espresso-in":
        yield from (("masses", words) for words in _isotopes(text))


def _is_something(number: str) -> bool:
    try:
        return float(number.lower().replace("d", "e")) != 0
    except ValueError:
        return True


def _isotopes(text: str) -> Iterator[str]:
    """Yield the masses of pw.x that are not those of the elements."""
    from ase.data import atomic_masses, atomic_numbers

    rows = _species.search(text)
    for row in rows[1].splitlines() if rows else ():
        label, mass = [*row.split(), "", ""][:2]
        symbol = re.match(r"[A-Za-z]{1,2}", label)
        known = atomic_numbers.get(symbol[0].capitalize() if symbol else "")
        if known is None and symbol is not None:
            known = atomic_numbers.get(symbol[0][0].upper())
        with suppress(ValueError):
            value = float(mass.lower().replace("d", "e"))
            if known and abs(value / atomic_masses[known] - 1) > _natural:
                yield f"a mass of {value:g} for {label}"


def _lines_of_positions(text: str) -> list[str]:
    """Return the lines of the atoms of a file of CASTEP."""
    block = _positions.search(text)
    lines = block[1].splitlines() if block else []
    return [line for line in lines if len(line.split()) >= 4]


def _share_of_castep(line: str) -> float:
    match = _mixture.search(line)
    return float(match[1]) if match else 1.0


def _share_of_res(word: str) -> float:
    """Return an occupancy of SHELX, to which 10 is added if it does not change in a refinement."""
    share = float(word)
    return share - 10 if 10 <= share < 20 else share


def _take_occupancies(atoms: Atoms, shares: list[float]) -> None:
    if len(shares) == len(atoms):
        atoms.set_array("occupancies", np.array(shares, np.float64))


def _drop_empty_labels(atoms: Atoms) -> None:
    """Take the labels out that ASE makes for atoms without one."""
    labels = atoms.arrays.get("castep_labels")
    if labels is not None and (labels == "NULL").all():
        del atoms.arrays["castep_labels"]


def _note(file: str, why: str, words: list[str]) -> str:
    once = [visible(word, keep="")[:_longest] for word in dict.fromkeys(words)]
    more = f" and {len(once) - _listed:,} more" if len(once) > _listed else ""
    listed = ", ".join(once[:_listed])
    note = f"{file} has {listed}{more}, which is not used"
    return f"{note}: {REASONS[why]}" if REASONS[why] else note
