# SPDX-License-Identifier: BSD-3-Clause
"""Small structures, made-up pseudopotentials and inputs for tests of ab initio runs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from made_up import analytic, tabulated
from pseudo_files import cp2k_text, upf_2_text

from finegrain.ab_initio.preparation.dynamics import dynamics_values
from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.ab_initio.preparation.tables import SPACING
from finegrain.pseudopotentials import Channel, GaussianLocal, GaussianProjector, Pseudopotential
from finegrain.pseudopotentials.functionals import Functional

WATER = """\
3
Lattice="6 0 0 0 6 0 0 0 6" Properties=species:S:1:pos:R:3 pbc="T T T"
O 3.0 3.0 3.0
H 3.757 3.0 3.586
H 2.243 3.0 3.586
"""

INPUT = """\
[system]
kind = "ab-initio"
structure = "water.xyz"

[electrons]
cutoff = "20 Ry"
functional = "PBE"
pseudopotentials = { O = "GTH_POTENTIALS", H = "GTH_POTENTIALS" }
"""


def gaussian(element: str, charge: float, functional: str = "PBE") -> Pseudopotential:
    """A soft pseudopotential of Gaussians, made up."""
    label = f"GTH-{functional}-q{charge:g}"
    local = GaussianLocal(0.4, (-3.0 * charge, 0.4 * charge))
    s = Channel(0, (GaussianProjector(0.5, 1),), np.array([[1.5]]))
    return replace(
        analytic(),
        element=element,
        charge=charge,
        label=label,
        local=local,
        channels=(s,) if charge > 1 else (),
        functional=Functional(functional, label),
    )


# Hartwigsen, Goedecker and Hutter, Phys. Rev. B 58, 3641 (1998), as CP2K prints it.
SILICON = """\
Si GTH-PADE-q4
    2    2
     0.44000000    1    -7.33610297
    2
     0.42273813    2     5.90692831    -1.26189397
                                        3.25819622
     0.48427842    1     2.72701346
"""


def recommending(cutoff: str) -> str:
    """A UPF file of an oxygen that recommends a cutoff (Ry)."""
    return upf_2_text(tabulated()).replace('wfc_cutoff="0.0"', f'wfc_cutoff="{cutoff}"')


def write_files(folder: Path) -> None:
    """Write structures and pseudopotentials."""
    (folder / "water.xyz").write_text(WATER)
    collection = cp2k_text(gaussian("O", 6), gaussian("H", 1), gaussian("Si", 4), gaussian("N", 5))
    (folder / "GTH_POTENTIALS").write_text(collection)
    (folder / "gth-published.dat").write_text(SILICON)
    (folder / "made.upf").write_text(recommending("0.0"))


def with_lines(text: str, section: str, *lines: str) -> str:
    """Return an input with lines added to a section, which is made if there is none."""
    head = f"[{section}]\n"
    added = "".join(f"{line}\n" for line in lines)
    return text.replace(head, head + added) if head in text else f"{text}\n{head}{added}"


def interpolated(table: np.ndarray, l: int, g: np.ndarray) -> np.ndarray:  # noqa: E741
    """Lagrange's polynomial through the eight nearest points; parity (-1)^l below zero."""
    whole = np.concatenate([(-1) ** l * table[8:0:-1], table])
    first = np.floor(g / SPACING).astype(int) - 3
    at = g / SPACING - first
    result = np.zeros_like(g)
    for i in range(8):
        weight = np.ones_like(g)
        for j in range(8):
            if j != i:
                weight *= (at - j) / (i - j)
        result += weight * whole[first + i + 8]
    return result


def values_of(prepared: Prepared) -> dict[str, object]:
    """Return what a job says of the dynamics of an input."""
    values = dynamics_values(prepared.given.model, prepared.structure)
    assert values is not None
    return values
