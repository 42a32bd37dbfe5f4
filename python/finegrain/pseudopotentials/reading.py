# SPDX-License-Identifier: BSD-3-Clause
"""Reads a pseudopotential file of any format that finegrain knows."""

from __future__ import annotations

import re
from pathlib import Path

from finegrain.errors import InputError
from finegrain.pseudopotentials import gth
from finegrain.pseudopotentials.description import Pseudopotential
from finegrain.pseudopotentials.elements import SYMBOLS
from finegrain.pseudopotentials.functionals import Functional
from finegrain.pseudopotentials.hgh import read_hgh
from finegrain.pseudopotentials.psp8 import read_psp8
from finegrain.pseudopotentials.text import Text, read_text
from finegrain.pseudopotentials.upf import read_upf

FORMATS = "UPF (versions 1 and 2), psp8, GTH (CP2K, PySCF) and HGH (pspcod 2, 3, 10)"
_hint = f"formats that are read: {FORMATS}"
_pspcod = re.compile(r"\s*(-?\d+)\s+-?\d+\s+-?\d+\s+-?\d+\s+\d+\b")
_others = {
    "<psml": "PSML",
    "<qe_pp:pseudo": "the XML schema of Quantum ESPRESSO",
    "<paw_setup": "PAW-XML",
    "<paw_dataset": "PAW-XML",
    "<fpmd:species": "the format of Qbox",
    "&ATOM": "the format of CPMD",
}
_abinit_kinds = {1: "Troullier-Martins tables", 4: "Teter tables", 5: "phoney tables"}
_abinit_kinds |= {6: "FHI tables", 7: "PAW", 9: "PSML", 11: "UPF", 17: "PAW-XML"}


def form_of(text: Text) -> str:
    """Return the format of a file: "UPF", "psp8", "HGH" or "GTH".

    Raises
    ------
    InputError
        If it is of another format; the error names it if it is known.
    """
    head = "\n".join(text.lines[:400])
    for mark, name in _others.items():
        if mark in head:
            raise text.not_read(1, f"is in {name}, which is not read", hint=_hint)
    if "<UPF" in head or "<PP_" in head:
        return "UPF"
    if len(text.lines) > 2 and (match := _pspcod.match(text.lines[2])):
        code = int(match.group(1))
        if code == 8:
            return "psp8"
        if code in (2, 3, 10, 12):
            return "HGH"
        kind = _abinit_kinds.get(code, "another kind of ABINIT")
        what = f"is a file of {kind}, which is not read"
        raise text.not_read(3, what, f"pspcod = {code}", hint=_hint)
    for line in text.lines:
        words = line.split("#")[0].split("!")[0].split()
        if words:
            if words[0].capitalize() in SYMBOLS and len(words) > 1:
                return "GTH"
            break
    if any("<PP_" in line for line in text.lines[400:]):
        return "UPF"
    raise text.not_read(0, "is of no known format", hint=_hint)


def read_pseudopotential(
    path: str | Path,
    element: str | None = None,
    functional: str | None = None,
    *,
    charge: float | None = None,
    other_functional: bool = False,
) -> Pseudopotential:
    """Read a pseudopotential file.

    Parameters
    ----------
    path : str or Path
    element : str or None
        The element that it must be for.
    functional : str or None
        The functional that it must be made with, such as "BLYP"; "LDA" stands for any fit to the
        electron gas.
    charge : float or None
        The number of valence electrons that it must have.
    other_functional : bool
        Accept a file made with another functional. Energies are then not those of the functional.

    Returns
    -------
    Pseudopotential

    Raises
    ------
    InputError
        If the file is damaged, of a kind that is not read, or not for this element, functional or
        charge. The error has the file and, where there is one, the line.
    """
    text = read_text(path)
    form = form_of(text)
    if form == "GTH":
        found = gth.read_gth(text, element, None if other_functional else functional, charge)
    else:
        found = {"UPF": read_upf, "psp8": read_psp8, "HGH": read_hgh}[form](text)
    if element is not None and found.element != element.capitalize():
        what = f"is a pseudopotential of {found.element}, not of {element}"
        raise InputError(what, where=str(path), hint=f"give a file for {element}")
    if charge is not None and found.charge != charge:
        what = f"has {found.charge:g} valence electrons, not {charge:g}"
        raise InputError(what, where=str(path), hint="give another file or another charge")
    if functional is not None and not other_functional:
        require_functional(found.functional, functional, str(path))
    return found


def require_functional(made_with: Functional, wanted: str, where: str) -> None:
    """Raise an error if a pseudopotential was made with another functional than the wanted one."""
    if made_with.fits(wanted):
        return
    hint = "take a file made with it, or say that another functional is meant (other_functional)"
    what = f"was made with {made_with.name}, not with {wanted}"
    raise InputError(what, where=where, value=made_with.written, limit=wanted, hint=hint)
