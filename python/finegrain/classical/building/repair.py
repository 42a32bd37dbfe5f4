# SPDX-License-Identifier: BSD-3-Clause
"""Whole molecules: missing residues and atoms by PDBFixer, hydrogens by OpenMM's Modeller.

Both move only atoms that they add. Units: nm.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from finegrain.classical.building.choices import Choices
from finegrain.classical.building.complexes import (
    Guest,
    guests_of,
    refuse_ligand_names,
    with_guests,
)
from finegrain.classical.building.contents import (
    AMINO_ACIDS,
    CAPS,
    DNA,
    RNA,
    Contents,
    contents_of,
    named,
)
from finegrain.classical.building.hydrogens import add_hydrogens
from finegrain.classical.building.ligands.description import Ligand
from finegrain.classical.building.molecules import (
    Molecules,
    is_far_bond,
    places_of,
    rebuilt,
    single_thread,
    sort_bonds,
)
from finegrain.classical.building.raw import Raw
from finegrain.errors import Problem, ResourceError
from finegrain.words.library_errors import said

_far = {("C", "N"): 0.2, ("O3'", "P"): 0.25}  # nm; bonds are 0.133 and 0.161 nm long
_phosphate = frozenset(("P", "OP1", "OP2", "OP3", "O1P", "O2P", "O3P"))
_long_loop = 8
_no_sequence = "no SEQRES says which residues are missing there"


def repaired(
    path: Path,
    raw: Raw,
    choices: Choices,
    ligands: dict[str, Ligand],
    fits: Any,
    problems: list[Problem],
) -> tuple[Molecules, list[Guest]] | None:
    """Return the solute, complete; None after adding to `problems` why it cannot be.

    Parameters
    ----------
    ligands : dict
        By the name of their residues.
    fits : callable
        Whether the force field has parameters of an ion.
    """
    fixer = _open(path, raw, problems)
    if fixer is None:
        return None
    file = str(path)
    fixer.findNonstandardResidues()
    described = {ligand.name for ligand in choices.ligands}
    substitutes = dict(fixer.nonstandardResidues)
    contents = contents_of(file, fixer.topology, substitutes, fits, choices, problems)
    refuse_ligand_names(fixer.topology, choices, problems)
    if not contents.chains and not contents.ligands:
        return None
    residues = [residue for group in _by_chain(contents.ligands) for residue in group]
    guests = guests_of(file, fixer.topology, fixer.positions, residues, ligands, problems)
    molecules = Molecules(None, None)
    _describe(contents, molecules)
    if raw.places:
        molecules.done.append(("locations", "\n".join(raw.places)))
    places = places_of(fixer.positions)
    with single_thread(choices.seed) as platform:
        fixer.platform = platform
        _take_residues(fixer, contents, places, molecules)
        _fill_gaps(file, fixer, choices, molecules, problems)
        fixer.findNonstandardResidues()
        fixer.nonstandardResidues = [
            (residue, name)
            for residue, name in fixer.nonstandardResidues
            if residue.name.upper() not in described
        ]
        fixer.replaceNonstandardResidues()
        if problems:
            return None
        _add_atoms(fixer, choices, molecules)
        add_hydrogens(file, fixer, choices, molecules, problems, raw.states)
        with_guests(molecules, guests)
    molecules.crystal_waters = len(contents.waters)
    return molecules, guests


def _open(path: Path, raw: Raw, problems: list[Problem]) -> Any:
    try:
        from pdbfixer import PDBFixer
    except ImportError as error:
        raise ResourceError(
            "pdbfixer is not installed; it completes structures",
            value="prepare",
            hint="pip install 'finegrain[prepare]'",
        ) from error
    text = io.StringIO(raw.text)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            return PDBFixer(pdbxfile=text) if raw.kind == "cif" else PDBFixer(pdbfile=text)
    except Exception as error:
        what = f"is not a whole {'mmCIF' if raw.kind == 'cif' else 'PDB'} file"
        hint = "is the file cut short, or edited by hand? copy or download it again"
        problems.append(Problem(what, str(path), limit=said(error), hint=hint))
        return None


def _describe(contents: Contents, molecules: Molecules) -> None:
    for chain in contents.chains:
        first = chain[0]
        kinds = [residue.name for residue in chain]
        acids = sum(name in AMINO_ACIDS or name in CAPS for name in kinds)
        kind = "protein" if 2 * acids >= len(chain) else "DNA" if set(kinds) & DNA else "RNA"
        molecules.found.append(
            f"chain {first.chain.id or '?'}: {kind}, {len(chain):,} residues, "
            f"{first.id} to {chain[-1].id}"
        )
    for residue in (*contents.ligands, *contents.ions):
        kind = "ion" if len(residue) == 1 else "ligand"
        molecules.found.append(f"{kind} {named(residue)}")
    if contents.waters:
        molecules.found.append(f"{len(contents.waters):,} waters of the crystal")
    if contents.left_out:
        molecules.done.append(("left out", ", ".join(contents.left_out)))
    if contents.replaced:
        words = [f"{named(residue)} by {name}" for residue, name in contents.replaced.items()]
        molecules.done.append(("replaced", "\n".join(words)))
    if contents.ions:
        molecules.notes.append(
            "ions of the structure are held by charge and Lennard-Jones alone, not by bonds: "
            "watch their places while the restraints end"
        )


def _take_residues(fixer: Any, contents: Contents, places: Any, molecules: Molecules) -> None:
    """Keep polymers without hydrogens, ions and waters; each kind in chains of its own."""
    others = [_by_chain(kind) for kind in (contents.ligands, contents.ions, contents.waters)]
    groups = contents.chains + [group for kind in others for group in kind]
    hydrogens = phosphates = 0
    skipped = set()
    for chain in groups:
        for atom in (atom for residue in chain for atom in residue.atoms()):
            if atom.element is None or atom.element.atomic_number == 1:
                skipped.add(atom)
                hydrogens += 1
    for chain in contents.chains:
        first = chain[0]
        extra = {atom for atom in first.atoms() if atom.name in _phosphate}
        if first.name in DNA | RNA and extra:
            skipped |= extra
            phosphates += 1
    if hydrogens:
        molecules.done.append(
            ("hydrogens", f"{hydrogens:,} of the file taken away, to add all again")
        )
    if phosphates:
        words = f"{phosphates:,} taken away: the force field has none"
        molecules.done.append(("5' phosphates", words))
    molecules.notes += _bonds_not_made(fixer.topology, contents)
    fixer.topology, fixer.positions = rebuilt(fixer.topology, places, groups, skipped)


def _bonds_not_made(topology: Any, contents: Contents) -> list[str]:
    """Return notes on bonds between residues that are no neighbours, such as of a ring."""
    kept = {residue for chain in contents.chains for residue in chain}
    return [
        f"the bond of the file between {a.name} of {named(a.residue)} and {b.name} of "
        f"{named(b.residue)} is not made: only neighbours in a chain and disulphides are joined"
        for a, b in topology.bonds()
        if a.residue is not b.residue and {a.residue, b.residue} <= kept and is_far_bond(a, b)
    ]


def _by_chain(residues: list[Any]) -> list[list[Any]]:
    found: dict[Any, list[Any]] = {}
    for residue in residues:
        found.setdefault(residue.chain, []).append(residue)
    return list(found.values())


def _fill_gaps(
    file: str, fixer: Any, choices: Choices, molecules: Molecules, problems: list[Problem]
) -> None:
    """Decide which missing residues are built; cut chains at the others, or complain."""
    missing: dict[tuple[int, int], list[str]] = {}
    with contextlib.suppress(ValueError):  # numbers of residues that are no numbers
        fixer.findMissingResidues()
        missing = fixer.missingResidues
    chains = list(fixer.topology.chains())
    described = {ligand.name for ligand in choices.ligands}
    inside, ends, cuts = {}, [], set()
    for (index, before), names in missing.items():
        residues = list(chains[index].residues())
        if residues[0].name == "HOH" or len(residues[0]) == 1:
            continue
        if residues[0].name.upper() in described:
            continue
        if before in (0, len(residues)):
            side = "before" if before == 0 else "after"
            ends.append(f"{len(names):,} {side} {named(residues[0 if before == 0 else -1])}")
        elif choices.build_gaps:
            inside[index, before] = names
        else:
            cuts.add(residues[before])
    _name_gaps(chains, inside, ends, molecules)
    places = places_of(fixer.positions)
    for residue, gap in _breaks(chains, inside, places):
        if residue in cuts or residue.name.upper() in described:
            continue
        if choices.build_gaps:
            problems.append(
                Problem(
                    "the chain is broken",
                    file,
                    f"before {named(residue)}",
                    f"{10 * gap:.1f} Å to the residue before it; {_no_sequence}",
                    "complete the chain first, or take a file with SEQRES; or two ends there: "
                    "--gaps cut",
                )
            )
        else:
            cuts.add(residue)
    fixer.missingResidues = inside
    if cuts:
        words = [f"before {named(residue)}: two charged ends there" for residue in cuts]
        molecules.done.append(("chains cut", "\n".join(sorted(words))))
        groups = [part for chain in chains for part in _parts(list(chain.residues()), cuts)]
        starts = {
            atom
            for residue in cuts
            if residue.name in DNA | RNA
            for atom in residue.atoms()
            if atom.name in _phosphate
        }
        fixer.topology, fixer.positions = rebuilt(fixer.topology, places, groups, starts)


def _name_gaps(chains: list[Any], inside: Any, ends: list[str], molecules: Molecules) -> None:
    for (index, before), names in inside.items():
        after = list(chains[index].residues())[before]
        words = f"{len(names):,} built before {named(after)}: {' '.join(names)}"
        molecules.done.append(("missing residues", words))
        if len(names) > _long_loop:
            molecules.notes.append(
                f"the loop of {len(names):,} residues before {named(after)} is a guess; for "
                "results that depend on it take a model of the whole chain, or --gaps cut"
            )
    if ends:
        words = f"at ends of chains, not built: {', '.join(ends)}"
        molecules.done.append(("missing residues", words))


def _breaks(chains: list[Any], inside: Any, places: Any) -> Iterator[tuple[Any, float]]:
    """Yield residues that are too far from the one before in their chain, with the distance."""
    for index, chain in enumerate(chains):
        residues = list(chain.residues())
        for at, (one, other) in enumerate(pairwise(residues), start=1):
            if (index, at) in inside:
                continue
            before = {atom.name: atom.index for atom in one.atoms()}
            after = {atom.name: atom.index for atom in other.atoms()}
            for (end, start), most in _far.items():
                if end in before and start in after:
                    gap = float(np.linalg.norm(places[before[end]] - places[after[start]]))
                    if gap > most:
                        yield other, gap


def _parts(residues: list[Any], cuts: set[Any]) -> list[list[Any]]:
    found: list[list[Any]] = [[]]
    for residue in residues:
        if residue in cuts:
            found.append([])
        found[-1].append(residue)
    return found


def _add_atoms(fixer: Any, choices: Choices, molecules: Molecules) -> None:
    """Add the heavy atoms that are missing."""
    fixer.findMissingAtoms()
    missing = {
        residue: [atom.name for atom in atoms] for residue, atoms in fixer.missingAtoms.items()
    }
    if missing:
        words = [f"{named(residue)}: {' '.join(names)}" for residue, names in missing.items()]
        molecules.done.append(("missing atoms", "\n".join(words)))
    if fixer.missingTerminals:
        names = ", ".join(named(residue) for residue in fixer.missingTerminals)
        molecules.done.append(("chain ends", f"OXT added to {names}"))
    if missing or fixer.missingTerminals or fixer.missingResidues:
        with contextlib.redirect_stdout(io.StringIO()):
            fixer.addMissingAtoms(seed=choices.seed + 1)  # with 0 OpenMM takes any
    sort_bonds(fixer.topology)
