# SPDX-License-Identifier: BSD-3-Clause
"""Names of exchange-correlation functionals, as each file format writes them.

A pseudopotential belongs to the functional that it was made with. The fits to the electron gas
(PZ, PW92, PADE, VWN) are one functional with different numbers. "LDA" stands for any of them; the
name of one of them stands for that one only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LDA = ("PADE", "PW92", "PZ", "VWN")
GGA = ("PBE", "BLYP", "revPBE", "PBEsol", "BP", "PW91", "OLYP", "HCTH120", "HCTH407")


@dataclass(frozen=True)
class Functional:
    """A functional, and how the file names it.

    Attributes
    ----------
    name : str
        One of `LDA` or `GGA`; otherwise as written in the file.
    written : str
        As written in the file.
    """

    name: str
    written: str

    @property
    def family(self) -> str:
        """Return "LDA", "GGA", or "other" for one that finegrain does not know."""
        if self.name in LDA:
            return "LDA"
        return "GGA" if self.name in GGA else "other"

    def fits(self, wanted: str) -> bool:
        """Return whether a calculation with the functional `wanted` may use the file."""
        known = canonical(wanted)
        return self.name == known or (known == "LDA" and self.name in LDA)


_spellings = {
    **{name.lower(): name for name in (*LDA, *GGA)},
    "lda": "LDA",
    "pw": "PW92",
    "teter93": "PADE",
    "slater-pz": "PZ",
    "rpbe-zy": "revPBE",
}


def canonical(name: str) -> str:
    """Return the usual spelling of a functional's name; the name itself if it is not known."""
    return _spellings.get(name.strip().lower(), name.strip())


# Four terms of Quantum ESPRESSO: local exchange and correlation, gradient exchange and correlation.
_terms: dict[tuple[str, ...], str] = {
    ("SLA", "PZ", "NOGX", "NOGC"): "PZ",
    ("SLA", "PW", "NOGX", "NOGC"): "PW92",
    ("SLA", "VWN", "NOGX", "NOGC"): "VWN",
    ("SLA", "PW", "PBX", "PBC"): "PBE",
    ("SLA", "PW", "PBE", "PBE"): "PBE",
    ("SLA", "PW", "PBX", "PBE"): "PBE",
    ("SLA", "PW", "RPB", "PBC"): "revPBE",
    ("SLA", "PW", "REVX", "PBC"): "revPBE",
    ("SLA", "PW", "PSX", "PSC"): "PBEsol",
    ("SLA", "PW", "GGX", "GGC"): "PW91",
    ("SLA", "LYP", "B88", "BLYP"): "BLYP",
    ("SLA", "PZ", "B88", "P86"): "BP",
    ("SLA", "LYP", "OPTX", "BLYP"): "OLYP",
}
_short = {"LDA": "PZ", "PW": "PW92", "REVPBE": "revPBE", "PBESOL": "PBEsol"}


def of_upf(written: str) -> Functional:
    """Return the functional of a UPF file, such as "SLA PW PBX PBC" or "PBE"."""
    words = tuple(re.split(r"[\s+-]+", written.strip().upper().strip("'\"")))
    if words[1:] in (("NOGX", "NOGC"), ("PZ", "NOGX")):
        words = (*words, "NOGC")[:4]
    if len(words) == 2 and words[0] == "SLA":
        words = (*words, "NOGX", "NOGC")
    name = _terms.get(words)
    if name is None and len(words) == 1:
        name = _short.get(words[0]) or canonical(words[0])
    return Functional(name or " ".join(words), written.strip())


def of_upf_1(line: str) -> Functional:
    """Return the functional of a header of UPF version 1: four terms or a name, then a comment."""
    words = line.split()
    for count in (4, 1):
        found = of_upf(" ".join(words[:count]))
        if found.family != "other":
            return found
    return of_upf(line.strip()[:20])


# Codes "ixc" of ABINIT; negative ones are pairs of functionals of libxc. Code 18 is BLYP in the
# files of the GTH library.
_codes = {
    1: "PADE",
    2: "PZ",
    7: "PW92",
    11: "PBE",
    14: "revPBE",
    18: "BLYP",
    -20: "PADE",
    -1007: "VWN",
    -1009: "PZ",
    -1012: "PW92",
    -101130: "PBE",
    -102130: "revPBE",
    -116133: "PBEsol",
    -106131: "BLYP",
    -106132: "BP",
    -110131: "OLYP",
}


def of_code(code: int) -> Functional:
    """Return the functional of an ABINIT file from its number `pspxc`."""
    return Functional(_codes.get(code, f"ixc {code}"), f"pspxc = {code}")


_gth = {"PADE": "PADE", "LDA": "PADE", "PBE": "PBE", "BLYP": "BLYP", "BP": "BP", "OLYP": "OLYP"}
_gth |= {"HCTH120": "HCTH120", "HCTH407": "HCTH407", "PBESOL": "PBEsol", "REVPBE": "revPBE"}


def of_gth(label: str) -> Functional:
    """Return the functional of an entry such as "GTH-BLYP-q6"."""
    words = label.upper().split("-")
    for word in words[1:]:
        if word in _gth:
            return Functional(_gth[word], label)
    return Functional(label, label)
