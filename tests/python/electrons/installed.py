# SPDX-License-Identifier: BSD-3-Clause
"""Pseudopotentials of Debian's packages (tools/debian-packages.txt), where they are installed."""

from functools import cache
from pathlib import Path

from finegrain.pseudopotentials import Pseudopotential, read_pseudopotential

ESPRESSO = Path("/usr/share/espresso/pseudo")
ABINIT = Path("/usr/share/abinit/psp")
CP2K = Path("/usr/share/cp2k")
DOJO_LDA = ABINIT / "Pseudodojo_nc_sr_04_pw_standard_psp8"
DOJO_PBE = ABINIT / "Pseudodojo_nc_sr_04_pbe_standard_psp8"


@cache
def upf(name: str) -> Pseudopotential:
    """Return a file of Quantum ESPRESSO."""
    return read_pseudopotential(ESPRESSO / name)


@cache
def gth(element: str, functional: str) -> Pseudopotential:
    """Return the usual entry of CP2K's collection."""
    return read_pseudopotential(CP2K / "GTH_POTENTIALS", element, functional)


@cache
def psp8(name: str) -> Pseudopotential:
    """Return a file of PseudoDojo for LDA (PW92)."""
    return read_pseudopotential(DOJO_LDA / name)
