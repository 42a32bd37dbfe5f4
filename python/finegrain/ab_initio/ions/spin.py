# SPDX-License-Identifier: BSD-3-Clause
"""The electrons of each spin, from the keys of an input or from the moments of its structure.

Collinear spin: an orbital holds one electron, up or down, and their numbers are fixed. Chemists
give the multiplicity 2 S + 1, others the magnetization in Bohr magnetons. Both mean the same number
of unpaired electrons, which is the multiplicity less one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from finegrain.ab_initio.input.load import AbInitioInput
from finegrain.ab_initio.input.unknown_keys import NO_CHARGE
from finegrain.ab_initio.ions.structure import Structure
from finegrain.base.cells import Floats
from finegrain.errors import Problem
from finegrain.pseudopotentials import Pseudopotential

_rounding = 0.01  # Bohr magnetons, of a sum of moments


@dataclass(frozen=True, eq=False)
class Spins:
    """The orbitals of a run.

    Attributes
    ----------
    count : int
        2 for collinear spin, 1 for orbitals with two electrons each.
    up, down : int
        Orbitals of each spin; without spin `down` is 0.
    moments : float64, shape (atoms,), or None
        Moments of the atoms in the density of the start, Bohr magnetons; None without spin.
    """

    count: int
    up: int
    down: int
    moments: Floats | None = None

    @property
    def bands(self) -> int:
        """The number of orbitals."""
        return self.up + self.down

    @property
    def magnetization(self) -> int:
        """The number of unpaired electrons."""
        return self.up - self.down if self.count == 2 else 0


def choose_spins(
    given: AbInitioInput,
    structure: Structure,
    species: dict[str, Pseudopotential],
    electrons: int,
) -> Spins:
    """Return the orbitals of each spin; what is wrong goes to the problems of `given`."""
    model = given.model.electrons
    if model.spin == "none":
        given.problems += _problems_without_spin(given, electrons)
        if structure.moments.any():
            given.notes.append(
                'magnetic moments of the structure are not used; to use them: spin = "collinear"'
            )
        return Spins(1, electrons // 2, 0)
    charges = np.array([species[symbol].charge for symbol in structure.symbols])
    moments = _moments(given, structure, charges)
    unpaired = _unpaired(given, moments, electrons)
    if moments is None:
        moments = charges * (unpaired / max(electrons, 1))
    return Spins(2, (electrons + unpaired) // 2, (electrons - unpaired) // 2, moments)


def _problems_without_spin(given: AbInitioInput, electrons: int) -> list[Problem]:
    source, model = given.source, given.model.electrons
    found = [
        source.problem(
            f"electrons.{key}", "needs spin", hint='add spin = "collinear", or take it out'
        )
        for key in ("multiplicity", "magnetization", "starting_moments")
        if getattr(model, key) is not None
    ]
    if electrons % 2:
        what = f"has {electrons:,} valence electrons, an odd number"
        limit = "an even number, for orbitals with two electrons each"
        hint = (
            'for a neutral radical add spin = "collinear" and multiplicity = 2 to [electrons]; an '
            f"ion such as H3O+, OH- or NH4+ cannot be computed: {NO_CHARGE}, and with spin it "
            "would be the neutral radical"
        )
        found.append(source.problem("system.structure", what, limit=limit, hint=hint))
    return found


def _moments(given: AbInitioInput, structure: Structure, charges: Floats) -> Floats | None:
    """Return the moments at the start that were given, with those of the input first."""
    key, source = "electrons.starting_moments", given.source
    asked = given.model.electrons.starting_moments
    if asked is None:
        if not structure.moments.any():
            return None
        moments, key = structure.moments, "system.structure"
    else:
        moments = np.array(asked, np.float64)
    if len(moments) != len(charges):
        limit = f"one for each of the {len(charges):,} atoms"
        what = f"has {len(moments):,} numbers"
        given.problems.append(source.problem(key, what, limit=limit))
        return None
    beyond = np.flatnonzero(~(np.abs(moments) <= charges))
    if len(beyond):
        atom = beyond[0]
        what = f"gives atom {atom + 1} ({structure.symbols[atom]}) a moment of {moments[atom]:g}"
        limit = f"at most its {charges[atom]:g} valence electrons"
        hint = "moments are numbers of unpaired electrons; a rough guess is enough"
        given.problems.append(source.problem(key, what, limit=limit, hint=hint))
        return None
    return moments


def _unpaired(given: AbInitioInput, moments: Floats | None, electrons: int) -> int:
    """Return the number of unpaired electrons; 0 or 1 after a problem."""
    model, source = given.model.electrons, given.source
    least = electrons % 2
    parity = "an odd" if least else "an even"
    if model.multiplicity is not None and model.magnetization is not None:
        hint = "take one out: the magnetization is the multiplicity less one"
        problem = source.problem("electrons.multiplicity", "magnetization is there too", hint=hint)
        given.problems.append(problem)
        return least
    if model.multiplicity is not None:
        key, unpaired = "electrons.multiplicity", model.multiplicity - 1
    elif model.magnetization is not None:
        key, unpaired = "electrons.magnetization", model.magnetization
    elif moments is not None:
        key, total = "system.structure", float(moments.sum())
        if model.starting_moments is not None:
            key = "electrons.starting_moments"
        unpaired = round(total)
        if abs(total - unpaired) > _rounding or unpaired < 0 or (electrons - unpaired) % 2:
            what = f"has moments that add up to {total:g} unpaired electrons"
            limit = f"{parity} number, at least 0, of {electrons:,} electrons"
            hint = "give the multiplicity; the moments may then be rough"
            given.problems.append(source.problem(key, what, limit=limit, hint=hint))
            return least
    else:
        first, second = ("2 for one", "4 for three") if least else ("1 for none", "3 for two")
        hint = f"add multiplicity = {first}, {second} unpaired electrons, and so on"
        what = "needs the number of unpaired electrons"
        given.problems.append(source.problem("electrons.spin", what, hint=hint))
        return least
    fits = [least + 2 * step for step in range(3) if least + 2 * step <= electrons]
    if key == "electrons.multiplicity":
        fits = [one + 1 for one in fits]
    hint = f"such as {', '.join(map(str, fits))}"
    if unpaired > electrons:
        what = f"asks for {unpaired:,} unpaired electrons"
        limit = f"at most {electrons:,}, all valence electrons"
        given.problems.append(source.problem(key, what, limit=limit, hint=hint))
        return least
    if (electrons - unpaired) % 2:
        what = f"asks for {unpaired:,} unpaired electrons"
        limit = f"{parity} number, for {electrons:,} electrons of the neutral cell"
        if least:
            hint += f"; {NO_CHARGE}"
        given.problems.append(source.problem(key, what, limit=limit, hint=hint))
        return least
    return unpaired
