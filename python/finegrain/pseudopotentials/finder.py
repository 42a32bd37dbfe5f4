# SPDX-License-Identifier: BSD-3-Clause
"""Finds a pseudopotential by element and functional.

Folders are searched in this order: those of the caller, those of the variable
FINEGRAIN_PSEUDOPOTENTIALS (separated by colons), then those of installed packages. Among packages
the GTH collections of CP2K and of PySCF come first; they are alike for all elements. The files of
ABINIT and of Quantum ESPRESSO follow. Within a folder files come in the order of their names. The
first one that fits is taken, so the answer depends only on the files that are there. Files of kinds
that are not read are passed over; a damaged file of the element is an error.
"""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from finegrain.errors import InputError, nearest
from finegrain.pseudopotentials import gth
from finegrain.pseudopotentials.description import Pseudopotential
from finegrain.pseudopotentials.elements import SYMBOLS
from finegrain.pseudopotentials.reading import form_of, read_pseudopotential
from finegrain.pseudopotentials.text import NotReadError, read_text

VARIABLE = "FINEGRAIN_PSEUDOPOTENTIALS"
INSTALLED = (
    "/usr/share/cp2k",
    "/usr/share/abinit/psp",
    "/usr/share/espresso/pseudo",
)
_suffixes = (".upf", ".psp8", ".gth", ".hgh", ".pspgth", ".psphgh")
_collections = re.compile(r"(GTH|HGH)_POTENTIALS|gth-[\w-]+\.dat", re.IGNORECASE)
_bare = re.compile(r"([A-Z][a-z]?)-q\d+")
_symbol_first = re.compile(r"(?:\d+[-_.]?)?([A-Za-z]{1,2})(?![A-Za-z])")


@dataclass(frozen=True)
class Candidate:
    """A file or an entry of a file that was looked at.

    Attributes
    ----------
    path : Path
    label : str
        What it is, in words: "GTH-PBE-q6 in GTH_POTENTIALS", or the name of the file.
    functional : str
    why_not : str
        Why it cannot be used; empty if it can.
    """

    path: Path
    label: str
    functional: str
    why_not: str = ""


def default_folders() -> list[Path]:
    """Return the folders of the variable and of the installed packages, those that exist."""
    named = [Path(name) for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]
    for folder in named:
        if not folder.is_dir():
            hint = f"correct the variable {VARIABLE}"
            raise InputError("no such folder", value=str(folder), hint=hint)
    installed = [Path(name) for name in INSTALLED]
    pyscf = importlib.util.find_spec("pyscf")
    if pyscf is not None and pyscf.origin is not None:
        installed.insert(1, Path(pyscf.origin).parent / "pbc" / "gto" / "pseudo")
    return named + [folder for folder in installed if folder.is_dir()]


def find_pseudopotential(
    element: str,
    functional: str,
    folders: Iterable[str | Path] = (),
    *,
    charge: float | None = None,
) -> Pseudopotential:
    """Find and read the pseudopotential of an element for a functional.

    Parameters
    ----------
    element : str
        Symbol.
    functional : str
        Such as "PBE"; "LDA" stands for any fit to the electron gas.
    folders : iterable of str or Path
        Searched first.
    charge : float or None
        The number of valence electrons; without it the usual one.

    Raises
    ------
    InputError
        If none fits; the error names what was found for the element and where it was searched.
    """
    symbol = element.strip().capitalize()
    if symbol not in SYMBOLS:
        close = nearest(element, [name.lower() for name in SYMBOLS])
        hint = f"did you mean {close.capitalize()}?" if close else "give a symbol, such as O"
        raise InputError("is no element", value=element, hint=hint)
    places = [Path(folder) for folder in folders]
    for folder in places:
        if not folder.is_dir():
            raise InputError("no such folder", value=str(folder), hint="name a folder of files")
    places += default_folders()
    seen: list[Candidate] = []
    for folder in places:
        for path in _files(folder, symbol):
            found = _in_file(path, symbol, functional, charge, seen)
            if found is not None:
                return found
    raise _nothing(symbol, functional, charge, places, seen)


def _files(folder: Path, symbol: str) -> Iterator[Path]:
    """Yield the files of a folder, and of folders in it, that may hold the element."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        single = path.suffix.lower() in _suffixes or _bare.fullmatch(path.name)
        # A name that tells no element may stand for any.
        fits = single and _named_element(path) in ("", symbol)
        if fits or _collections.fullmatch(path.name):
            yield path


def _named_element(path: Path) -> str:
    """Return the element in a name such as 08o.pspgth or Si.pz-vbc.UPF; nothing if it has none."""
    match = _symbol_first.match(path.name)
    named = match.group(1).capitalize() if match else ""
    return named if named in SYMBOLS else ""


def _in_file(
    path: Path, symbol: str, functional: str, charge: float | None, seen: list[Candidate]
) -> Pseudopotential | None:
    """Return the pseudopotential of a file if it fits; otherwise note what it holds."""
    try:
        text = read_text(path)
        if form_of(text) == "GTH":
            return _in_collection(path, symbol, functional, charge, seen)
        found = read_pseudopotential(path)
    except NotReadError as error:
        seen.append(Candidate(path, path.name, "?", error.what))
        return None
    except InputError as error:
        if _named_element(path) == symbol or _collections.fullmatch(path.name):
            raise
        # It may be for any element.
        seen.append(Candidate(path, path.name, "?", error.what))
        return None
    if found.element != symbol:
        return None
    if charge is not None and found.charge != charge:
        why = f"has {found.charge:g} valence electrons"
        seen.append(Candidate(path, path.name, found.functional.name, why))
        return None
    if not found.functional.fits(functional):
        seen.append(Candidate(path, path.name, found.functional.name, "another functional"))
        return None
    return found


def _in_collection(
    path: Path, symbol: str, functional: str, charge: float | None, seen: list[Candidate]
) -> Pseudopotential | None:
    text = read_text(path)
    same = [entry for entry in gth.entries(text) if entry.element == symbol]
    fitting = [entry for entry in same if entry.functional.fits(functional)]
    for entry in same:
        label = f"{entry.names[0]} in {path.name}"
        seen.append(Candidate(path, label, entry.functional.name, "another functional or charge"))
    if not fitting:
        return None
    if charge is None:
        # One without a usual entry needs the user's choice, which the error of `choose` asks for.
        return gth.read_gth(text, symbol, functional)
    for entry in fitting:
        found = gth.parse(text, entry)
        if found.charge == charge:
            return found
    return None


def _nothing(
    symbol: str,
    functional: str,
    charge: float | None,
    places: Sequence[Path],
    seen: Sequence[Candidate],
) -> InputError:
    what = f"no pseudopotential of {symbol} for {functional}"
    if charge is not None:
        what += f" with {charge:g} valence electrons"
    where = ", ".join(str(place) for place in places) or "no folder"
    usable = [one for one in seen if one.functional != "?"]
    broken = [one for one in seen if one.functional == "?"]
    parts = []
    if usable:
        names = [f"{one.label} ({one.functional})" for one in usable[:6]]
        parts.append(f"found for {symbol}: {', '.join(names)}")
    if broken:
        names = [f"{one.label}: {one.why_not}" for one in broken[:3]]
        parts.append(f"not usable: {', '.join(names)}")
    if not places:
        parts.append("install cp2k-data, or set " + VARIABLE)
    elif not usable:
        parts.append(f"add a folder with a file for {symbol}, or set {VARIABLE}")
    return InputError(what, where=f"searched {where}", value=symbol, hint="; ".join(parts))
