# SPDX-License-Identifier: BSD-3-Clause
"""Orbitals of a free atom for files that bring none, such as those of GTH: of Slater's type.

A ground state begins with them, and its result does not depend on them. Exponents follow the rules
of Slater, Phys. Rev. 36, 57 (1930), and shells those of Madelung. Hartree atomic units.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from finegrain.pseudopotentials.description import Mesh, Orbital, Pseudopotential
from finegrain.pseudopotentials.elements import SYMBOLS
from finegrain.pseudopotentials.radial import RadialIntegration
from finegrain.pseudopotentials.text import Floats, frozen

_letters = "spdf"
# The effective principal quantum number of each shell, from n = 1; 7 as 6.
_effective = (1.0, 2.0, 3.0, 3.7, 4.0, 4.2, 4.2)
_points, _longest = 501, 10.0  # of the mesh of a file without one; integrals end at 10 bohr


@dataclass(frozen=True)
class Shell:
    """Electrons of one n and l."""

    n: int
    l: int  # noqa: E741 - the symbol of the angular momentum
    electrons: int

    @property
    def label(self) -> str:
        """Such as "2P"."""
        return f"{self.n}{_letters[self.l].upper()}"


def shells_of(element: str) -> list[Shell]:
    """Return the shells of a neutral atom in the order of n and l, filled by n + l, then by n.

    Exceptions such as those of chromium and copper are left out.
    """
    left = SYMBOLS.index(element) + 1
    found = []
    pairs = [(n, l) for n in range(1, 8) for l in range(min(n, 4))]  # noqa: E741
    for n, l in sorted(pairs, key=lambda pair: (sum(pair), pair[0])):  # noqa: E741
        inside = min(left, 2 * (2 * l + 1))
        if inside:
            found.append(Shell(n, l, inside))
        left -= inside
    return sorted(found, key=lambda shell: (shell.n, shell.l))


def valence_shells(element: str, charge: float) -> list[Shell]:
    """Return the shells outside a core; empty if the core does not consist of whole shells."""
    core = SYMBOLS.index(element) + 1 - charge
    shells = shells_of(element)
    while shells and core >= shells[0].electrons:
        core -= shells.pop(0).electrons
    return shells if core == 0 else []


def exponent(element: str, shell: Shell) -> float:
    """Return the exponent of a shell by Slater's rules, 1/bohr."""
    screened = 0.0
    for other in shells_of(element):
        same = other == shell
        count = other.electrons - same
        together = other.n == shell.n and (same or (other.l < 2 and shell.l < 2))
        inside = other.n < shell.n or (other.n == shell.n and other.l < shell.l)
        if together:
            screened += count * (0.30 if shell.n == 1 else 0.35)
        elif inside and shell.l < 2:
            screened += count * (0.85 if other.n == shell.n - 1 else 1.0)
        elif inside:
            screened += count
    number = SYMBOLS.index(element) + 1
    return (number - screened) / _effective[shell.n - 1]


def with_free_atom(pseudo: Pseudopotential) -> Pseudopotential:
    """Return a pseudopotential that has orbitals, and a density, of the free atom.

    Orbitals and density are those of the file, if it has any. A pseudopotential whose core does not
    consist of whole shells is returned as it is.
    """
    shells = valence_shells(pseudo.element, pseudo.charge)
    if pseudo.orbitals or not shells:
        return pseudo
    mesh = pseudo.mesh or _mesh()
    orbitals = tuple(_orbital(pseudo.element, shell, mesh) for shell in shells)
    density = pseudo.atomic_density
    if density is None:
        density = frozen(sum(one.occupation * one.r_chi**2 for one in orbitals))
    return replace(pseudo, mesh=mesh, orbitals=orbitals, atomic_density=density)


def _mesh() -> Mesh:
    step = _longest / (_points - 1)
    return Mesh(frozen(step * np.arange(_points)), frozen(np.full(_points, step)))


def _orbital(element: str, shell: Shell, mesh: Mesh) -> Orbital:
    power = max(_effective[shell.n - 1], shell.l + 1.0)
    r_chi: Floats = mesh.r**power * np.exp(-exponent(element, shell) * mesh.r)
    weights = RadialIntegration().weights(mesh)
    norm = float(np.sum(weights * r_chi[: len(weights)] ** 2))
    occupation = float(shell.electrons)
    return Orbital(shell.label, shell.l, occupation, frozen(r_chi / np.sqrt(norm)))
