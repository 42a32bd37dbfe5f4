# SPDX-License-Identifier: BSD-3-Clause
"""A membrane of lipids around a protein, in the xy plane about z = 0, by OpenMM's Modeller.

Modeller tiles patches of equilibrated lipids and water, takes out what overlaps with the protein
shrunk to half its width, and lets the protein grow while the lipids move aside (Wolf et al., J.
Comput. Chem. 31, 2169, 2010). Units: nm.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from finegrain.classical.building.choices import Choices
from finegrain.classical.building.contents import AMINO_ACIDS
from finegrain.classical.building.molecules import Molecules, places_of, single_thread
from finegrain.classical.building.solvent import Solvated, added_ions, ions_of
from finegrain.errors import Problem

_half_core = 1.5  # nm; the tails of lipids reach so far from the middle
_hydrophobic = frozenset(["ALA", "ILE", "LEU", "MET", "PHE", "TRP", "VAL"])
_most_outside = 1.0  # nm from the core at which a protein is no longer at a membrane
_opm = "take the oriented structure of the OPM database (opm.phar.umich.edu), or turn it yourself"


def check_orientation(file: str, molecules: Molecules, problems: list[Problem]) -> None:
    """Complain about a protein away from the plane z = 0; describe what is in the membrane."""
    places = places_of(molecules.positions)
    heights: dict[bool, list[bool]] = {True: [], False: []}  # hydrophobic or not, by in the core
    for residue in molecules.topology.residues():
        for atom in residue.atoms():
            if residue.name in AMINO_ACIDS and atom.name == "CA":
                in_core = bool(abs(places[atom.index][2]) < _half_core)
                heights[in_core].append(residue.name in _hydrophobic)
    count = len(heights[True]) + len(heights[False])
    if not count:
        what = "is for proteins: there is none"
        hint = "leave this option out, or make the membrane with CHARMM-GUI or packmol-memgen"
        problems.append(Problem(what, "--membrane", hint=hint))
        return
    solute = [atom.index for atom in molecules.topology.atoms() if atom.residue.name != "HOH"]
    low, high = places[solute, 2].min(), places[solute, 2].max()
    if low > _half_core + _most_outside or high < -_half_core - _most_outside:
        problems.append(
            Problem(
                "does not touch the membrane, which is in the xy plane about z = 0",
                file,
                f"z from {10 * low:.0f} to {10 * high:.0f} Å",
                f"the lipids' tails reach from {-10 * _half_core:.0f} to {10 * _half_core:.0f} Å",
                _opm,
            )
        )
        return
    inside, outside = (_share(heights[where]) for where in (True, False))
    words = (
        f"z from {10 * low:.0f} to {10 * high:.0f} Å; of the residues within "
        f"{10 * _half_core:.0f} Å of the membrane's middle ({len(heights[True]):,}) "
        f"{inside:.0%} are hydrophobic, of the others ({len(heights[False]):,}) {outside:.0%}"
    )
    molecules.done.append(("orientation", words))
    if not heights[True] or (heights[False] and inside <= outside):
        molecules.notes.append(
            "the residues in the membrane are no more hydrophobic than the others: is the protein "
            f"oriented, with the membrane's middle at z = 0? If not, {_opm}"
        )


def _share(hydrophobic: list[bool]) -> float:
    return sum(hydrophobic) / len(hydrophobic) if hydrophobic else 0.0


def in_membrane(
    molecules: Molecules,
    charge: int,
    choices: Choices,
    force_field: Any,
    tell: Callable[[str], None] | None,
) -> Solvated:
    """Return the system with lipids, water and ions."""
    from openmm import unit
    from openmm.app import Modeller

    if tell:
        tell(f"membrane of {choices.membrane}: OpenMM moves the lipids aside; minutes to an hour")
    modeller = Modeller(molecules.topology, molecules.positions)
    before = ions_of(modeller.topology)
    kept = modeller.topology.getNumResidues()
    with (
        single_thread(choices.seed) as platform,
        _seeded(choices.seed),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        modeller.addMembrane(
            force_field,
            lipidType=choices.membrane,
            minimumPadding=choices.padding * unit.nanometer,
            ionicStrength=choices.salt * unit.molar,
            neutralize=choices.neutral,
            platform=platform,
        )
    lipids = [
        residue
        for residue in list(modeller.topology.residues())[kept:]
        if residue.name != "HOH" and len(residue) > 1
    ]
    places = places_of(modeller.positions)
    middles = [places[[atom.index for atom in one.atoms()], 2].mean() for one in lipids]
    vectors = modeller.topology.getPeriodicBoxVectors().value_in_unit(unit.nanometer)
    edges = np.array([[float(part) for part in vector] for vector in vectors]).diagonal()
    return Solvated(
        modeller.topology,
        modeller.positions,
        float(edges[:2].min()),
        0.0,
        sum(residue.name == "HOH" for residue in modeller.topology.residues()),
        added_ions(modeller.topology, before),
        charge,
        tuple(float(edge) for edge in edges),
        (sum(middle > 0 for middle in middles), sum(middle <= 0 for middle in middles)),
    )


@contextlib.contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Give the Langevin dynamics inside of Modeller a seed, which it has no argument for."""
    from openmm.app import modeller

    original = modeller.LangevinIntegrator

    def with_seed(*arguments: Any) -> Any:
        made = original(*arguments)
        made.setRandomNumberSeed(seed + 1)  # 0 is any
        return made

    modeller.LangevinIntegrator = with_seed
    try:
        yield
    finally:
        modeller.LangevinIntegrator = original
