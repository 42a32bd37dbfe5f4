# SPDX-License-Identifier: BSD-3-Clause
"""What the residues of a structure are: polymers, waters, ions, and what has no parameters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from finegrain.classical.building.choices import Choices
from finegrain.errors import Problem, nearest

_acids = "ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL"
AMINO_ACIDS = frozenset(_acids.split())
CAPS = frozenset(("ACE", "NME"))
RNA = frozenset("ACGU")
DNA = frozenset(("DA", "DC", "DG", "DT"))
POLYMERS = AMINO_ACIDS | CAPS | RNA | DNA
# DUM marks the membrane in files of the OPM database.
# Buffers, salts, cryoprotectants, detergents and precipitants of crystals, by their names in the
# Protein Data Bank. They are no part of what is simulated unless the user says so.
_additives = (
    "1PE ACT ACY BME BOG CIT DIO DMS DOD DTT DUM EDO EOH EPE FLC FMT GOL IMD IPA LDA LMT MES MLI "
    "MLT MPD MRD NH4 NO3 P6G PE4 PEG PG4 PGE PO4 POL SCN SO3 SO4 TAR TLA TRS"
)
_ADDITIVES = frozenset(_additives.split())
_backbones = ({"N", "CA", "C"}, {"P", "C1'"}, {"O5'", "C1'"})
_needed = "it has no parameters in the force fields that come with OpenMM"


@dataclass
class Contents:
    """The residues of a topology, and in words what was found and left out."""

    chains: list[list[Any]] = field(default_factory=list)  # of polymers
    ions: list[Any] = field(default_factory=list)
    ligands: list[Any] = field(default_factory=list)  # those that the user describes
    waters: list[Any] = field(default_factory=list)
    replaced: dict[Any, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def named(residue: Any) -> str:
    """Return name, chain and number of a residue."""
    return f"{residue.name} {residue.chain.id} {residue.id}{residue.insertionCode.strip()}".strip()


def counted(residues: Iterable[Any]) -> dict[str, list[Any]]:
    """Return residues by their names."""
    found: dict[str, list[Any]] = {}
    for residue in residues:
        found.setdefault(residue.name, []).append(residue)
    return found


def contents_of(
    file: str,
    topology: Any,
    substitutes: dict[Any, str],
    fits: Any,
    choices: Choices,
    problems: list[Problem],
) -> Contents:
    """Sort residues; add those that cannot be simulated to `problems`.

    Parameters
    ----------
    substitutes : dict
        The standard residue in place of each other one.
    fits : callable
        Whether the force field has parameters of an ion.
    """
    found = Contents()
    dropped: list[Any] = []
    strange: dict[tuple[str, str], list[Any]] = {}
    for chain in topology.chains():
        polymers = []
        for residue in chain.residues():
            kind = _kind(residue, substitutes, fits, choices)
            if kind in ("polymer", "substitute"):
                polymers.append(residue)
                if kind == "substitute":
                    found.replaced[residue] = substitutes[residue]
            elif kind == "ion":
                found.ions.append(residue)
            elif kind == "described":
                found.ligands.append(residue)
            elif kind == "water":
                found.waters.append(residue)
            elif kind == "dropped":
                dropped.append(residue)
            else:
                strange.setdefault((kind, residue.name), []).append(residue)
        if polymers:
            found.chains.append(polymers)
    for name, residues in counted(dropped).items():
        found.left_out.append(f"{len(residues):,} {name}")
    for (kind, name), residues in strange.items():
        problems.append(_strange(file, kind, name, residues))
    _refuse_names(topology, choices, problems)
    if not found.chains and not found.ligands and not strange:
        what = "holds no protein and no nucleic acid"
        hint = "a small molecule alone: prepare its .sdf or .mol2; or say what it is with --ligand"
        problems.append(Problem(what, file, hint=hint))
    return found


def _kind(residue: Any, substitutes: dict[Any, str], fits: Any, choices: Choices) -> str:
    atoms = {atom.name for atom in residue.atoms()}
    if residue.name.upper() in choices.leave_out:
        return "dropped"
    if residue.name in POLYMERS:
        return "polymer"
    if residue.name.upper() in {ligand.name for ligand in choices.ligands}:
        return "described"
    if residue.name == "HOH":
        return "water" if choices.crystal_waters else "dropped"
    if len(atoms) == 1 and residue.name not in _ADDITIVES:
        return "ion" if fits(residue) else "ligand"
    if residue in substitutes and any(backbone <= atoms for backbone in _backbones):
        return "substitute"
    if residue.name in _ADDITIVES:
        return "dropped"
    if any(backbone <= atoms for backbone in _backbones):
        return "unknown"
    return "ligand"


def _strange(file: str, kind: str, name: str, residues: list[Any]) -> Problem:
    places = ", ".join(named(residue) for residue in residues[:3])
    if len(residues) > 3:
        places += f" and {len(residues) - 3:,} more"
    if kind == "unknown":
        return Problem(
            "is a residue that is not known",
            file,
            places,
            _needed,
            f"rename it to the nearest standard residue, or leave it out with --leave-out {name}",
        )
    return Problem(
        "is a ligand or ion without parameters",
        file,
        places,
        _needed,
        f"to keep it: --ligand {name}=FILE.sdf, or {name}=smiles:...; to simulate without it:\n"
        f"--leave-out {name}; metals and what is bound need a .prmtop or .top of your own",
    )


def _refuse_names(topology: Any, choices: Choices, problems: list[Problem]) -> None:
    names = {residue.name.upper() for residue in topology.residues()}
    for name in choices.leave_out:
        if name in names:
            continue
        others = sorted(names - POLYMERS)
        close = nearest(name, [other.lower() for other in others])
        hint = f"did you mean {close.upper()}?" if close else "leave this option out"
        limit = ", ".join(others) or "there are only standard residues"
        what = "no residue has this name"
        problems.append(Problem(what, "--leave-out", name, limit, hint))
