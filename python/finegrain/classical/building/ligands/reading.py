# SPDX-License-Identifier: BSD-3-Clause
"""One molecule of an SDF, MOL2 or SMILES, as RDKit reads it, before anything is done to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from finegrain.classical.building.ligands.chemistry import rdkit, shown_atom, silent
from finegrain.classical.building.ligands.wishes import SUFFIXES, LigandWish
from finegrain.errors import Problem, nearest

_export = "export it again as SDF with all hydrogens, for example from the program that drew it"
_elements = ("H", "C", "N", "O", "F", "P", "S", "Cl", "Br", "I")
_most_atoms = 200
_many_named = 6


def read_molecule(wish: LigandWish, problems: list[Problem]) -> Any:
    """Return RDKit's molecule; None after adding to `problems` why there is none."""
    with silent():
        molecule = _from_smiles(wish, problems) if wish.smiles else _from_file(wish, problems)
        if molecule is None or not _valences_fit(wish, molecule, problems):
            return None
    count = len(problems)
    _refuse_parts(wish, molecule, problems)
    _refuse_elements(wish, molecule, problems)
    radicals = [atom for atom in molecule.GetAtoms() if atom.GetNumRadicalElectrons()]
    if radicals:
        hint = "complete its hydrogens or its charges: GAFF has no radicals"
        what = "has unpaired electrons"
        problems.append(Problem(what, wish.where, named_atoms(radicals), hint=hint))
    return molecule if len(problems) == count else None


def named_atoms(atoms: list[Any]) -> str:
    """Return the names of some atoms, not too many."""
    names = " ".join(shown_atom(atom) for atom in atoms[:_many_named])
    more = len(atoms) - _many_named
    return f"{names} and {more:,} more" if more > 0 else names


def _from_smiles(wish: LigandWish, problems: list[Problem]) -> Any:
    molecule = rdkit().MolFromSmiles(wish.source, sanitize=False)
    if molecule is None or not molecule.GetNumAtoms():
        hint = 'such as "LIG=smiles:CC(=O)[O-]", in quotes for the shell'
        problems.append(Problem("is not a SMILES", wish.where, wish.source, hint=hint))
        return None
    return molecule


def _from_file(wish: LigandWish, problems: list[Problem]) -> Any:
    path = Path(wish.source)
    if path.suffix.lower() not in SUFFIXES:
        what = "is not a kind of file that says what a ligand is"
        limit = ", ".join(SUFFIXES)
        hint = "it has to hold bonds with their orders; a SMILES begins with smiles:"
        problems.append(Problem(what, wish.where, limit=limit, hint=hint))
        return None
    text = _text(path, problems)
    if text is None:
        return None
    many = _blocks(text, path.suffix.lower())
    if len(many) != 1:
        what = f"holds {len(many):,} molecules" if many else "holds no molecule"
        hint = "write the one that you mean into a file of its own" if many else _export
        problems.append(Problem(what, wish.where, hint=hint))
        return None
    chem = rdkit()
    if path.suffix.lower() == ".mol2":
        molecule = chem.MolFromMol2Block(many[0], sanitize=False, removeHs=False)
        if molecule is not None:
            molecule = chem.MolFromMol2Block(many[0], removeHs=False) or molecule
            molecule = _nitro_mended(molecule)
    else:
        molecule = chem.MolFromMolBlock(many[0], sanitize=False, removeHs=False)
    if molecule is None or not molecule.GetNumAtoms():
        kind = "MOL2 with types of SYBYL" if path.suffix.lower() == ".mol2" else "SDF"
        problems.append(Problem(f"is not a whole {kind} file", wish.where, hint=_export))
        return None
    return molecule


def _text(path: Path, problems: list[Problem]) -> str | None:
    if not path.is_file():
        what = "is a folder, not a file" if path.is_dir() else "no such file"
        names = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        files = {name.lower(): name for name in names if name.lower().endswith(SUFFIXES)}
        close = nearest(path.name, files)
        hint = (
            f"did you mean {files[close]}?"
            if close
            else "check the path; a SMILES begins with smiles:"
        )
        problems.append(Problem(what, str(path), hint=hint))
        return None
    contents = path.read_bytes()
    if b"\0" in contents or contents[:2] in (b"\x1f\x8b", b"PK"):
        hint = "unpack it first, if it is compressed"
        problems.append(Problem("is not a text file", str(path), hint=hint))
        return None
    return contents.decode("utf-8", "replace")


def _blocks(text: str, suffix: str) -> list[str]:
    """Return the text of each molecule of a file."""
    if suffix == ".mol2":
        mark = "@<TRIPOS>MOLECULE"
        return [mark + part for part in text.split(mark)[1:]]
    return [
        part.removeprefix("\n") if at else part
        for at, part in enumerate(text.split("$$$$"))
        if part.strip()
    ]


def _nitro_mended(molecule: Any) -> Any:
    """Give nitro groups their double bond: of MOL2 RDKit makes two charged oxygens."""
    chem = rdkit()
    pattern = chem.MolFromSmarts("[#7;X3;+0](-[O-;X1])(-[O-;X1])")
    mended = chem.RWMol(molecule)
    for nitrogen, oxygen, _ in molecule.GetSubstructMatches(pattern):
        mended.GetAtomWithIdx(nitrogen).SetFormalCharge(1)
        mended.GetAtomWithIdx(oxygen).SetFormalCharge(0)
        mended.GetBondBetweenAtoms(nitrogen, oxygen).SetBondType(chem.BondType.DOUBLE)
    return mended.GetMol()


def _valences_fit(wish: LigandWish, molecule: Any, problems: list[Problem]) -> bool:
    chem = rdkit()
    found = [one.Message() for one in chem.DetectChemistryProblems(molecule)]
    for text in found[:_many_named]:
        hint = "correct its bonds, or give the atom its formal charge (M  CHG in SDF)"
        problems.append(Problem("has impossible bonds", wish.where, limit=text, hint=hint))
    if not found:
        chem.SanitizeMol(molecule)
    return not found


def _refuse_parts(wish: LigandWish, molecule: Any, problems: list[Problem]) -> None:
    chem = rdkit()
    parts = chem.GetMolFrags(molecule, asMols=True, sanitizeFrags=False)
    if len(parts) > 1:
        value = ", ".join(chem.MolToSmiles(chem.RemoveHs(part)) for part in parts[:_many_named])
        hint = "leave the counter-ion, salt or water out; ions are added to the box"
        what = f"is in {len(parts):,} parts, not one molecule"
        problems.append(Problem(what, wish.where, value, hint=hint))


def _refuse_elements(wish: LigandWish, molecule: Any, problems: list[Problem]) -> None:
    strange = [atom for atom in molecule.GetAtoms() if atom.GetSymbol() not in _elements]
    if strange:
        hint = "make a .prmtop or .top for it and start from finegrain init"
        limit = ", ".join(_elements)
        what = "has elements that GAFF does not know"
        problems.append(Problem(what, wish.where, named_atoms(strange), limit, hint))
    if not any(atom.GetSymbol() == "C" for atom in molecule.GetAtoms()):
        what = "holds no carbon: GAFF is for organic molecules"
        hint = "ions of one atom have parameters in the force field: give them no --ligand"
        problems.append(Problem(what, wish.where, hint=hint))
    if molecule.GetNumAtoms() > _most_atoms:
        what = f"has {molecule.GetNumAtoms():,} atoms"
        hint = "AM1-BCC would take days; make a .prmtop with charges of fragments"
        problems.append(Problem(what, wish.where, limit=f"at most {_most_atoms}", hint=hint))
