# SPDX-License-Identifier: BSD-3-Clause
"""What a ligand is: all atoms with hydrogens, bond orders, a charge and a shape in space."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from finegrain.classical.building.ligands.chemistry import HYDROGEN, formula, rdkit, silent
from finegrain.classical.building.ligands.reading import named_atoms, read_molecule
from finegrain.classical.building.ligands.wishes import LigandWish
from finegrain.errors import Problem

_tries = 200


@dataclass
class Ligand:
    """A ligand as its source has it.

    Attributes
    ----------
    molecule : RDKit's Mol
        With a conformer in Å. Atoms that are no hydrogens come first, in the order of the source;
        then hydrogens, in the order of the atoms that bear them.
    heavy : int
        Number of atoms that are no hydrogens.
    charge : int
        Net, e.
    open_centres : int
        Stereo centres that a source without positions in space leaves open.
    """

    wish: LigandWish
    molecule: Any
    heavy: int
    charge: int
    open_centres: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Return the name of its residues."""
        return self.wish.name

    @property
    def formula(self) -> str:
        """Return its sum formula."""
        return formula(self.molecule)


def described_ligand(wish: LigandWish, seed: int, problems: list[Problem]) -> Ligand | None:
    """Return the ligand; None after adding to `problems` what is wrong with its source."""
    molecule = read_molecule(wish, problems)
    if molecule is None:
        return None
    notes: list[str] = []
    with silent():
        flat, is_open = not _in_space(molecule), 0
        settled = _with_hydrogens(wish, molecule, notes, problems)
        if settled is None:
            return None
        molecule, charge = settled
        molecule = _in_order(molecule)
        if flat:
            is_open = _open_centres(molecule)
            if not _shaped(molecule, seed):
                what = "gets no shape in space: RDKit finds none that its bonds allow"
                hint = "give an SDF with positions in space"
                problems.append(Problem(what, wish.where, hint=hint))
                return None
        else:
            rdkit().AssignStereochemistryFrom3D(molecule)
    heavy = sum(atom.GetAtomicNum() != HYDROGEN for atom in molecule.GetAtoms())
    return Ligand(wish, molecule, heavy, charge, is_open, notes)


def _in_space(molecule: Any) -> bool:
    """Return whether the source has positions in space, and not a drawing."""
    if not molecule.GetNumConformers():
        return False
    heights = molecule.GetConformer().GetPositions()[:, 2]
    return bool(abs(heights - heights[0]).max() > 1e-3)


def _with_hydrogens(
    wish: LigandWish, molecule: Any, notes: list[str], problems: list[Problem]
) -> tuple[Any, int] | None:
    """Return the molecule with all hydrogens, and its charge."""
    chem = rdkit()
    of_atoms = int(chem.GetFormalCharge(molecule))
    wanting = [atom for atom in molecule.GetAtoms() if atom.GetTotalNumHs()]
    missing = sum(atom.GetTotalNumHs() for atom in wanting)
    has_some = any(atom.GetAtomicNum() == HYDROGEN for atom in molecule.GetAtoms())
    of_source = of_atoms
    if missing and has_some and not wish.smiles:
        of_source = of_atoms - missing
        if wish.charge != of_source:
            problems.append(_lacks_hydrogens(wish, wanting, missing, of_source))
            return None
        for atom in wanting:
            atom.SetFormalCharge(atom.GetFormalCharge() - atom.GetTotalNumHs())
            atom.SetNumExplicitHs(0)
            atom.SetNoImplicit(True)
        chem.SanitizeMol(molecule)
    elif missing:
        if not wish.smiles:
            notes.append(
                f"{wish.shown} has no hydrogens: {missing:,} are added to {wish.name} by valence, "
                "for the charges of the file; look whether this is its state"
            )
        molecule = chem.AddHs(molecule, addCoords=_in_space(molecule))
    charge = _charge(wish, molecule, of_source, notes, problems)
    return None if charge is None else (molecule, charge)


def _lacks_hydrogens(wish: LigandWish, wanting: list[Any], missing: int, charge: int) -> Problem:
    what = "has hydrogens, but not all: atoms lack a hydrogen or a charge"
    if wish.charge is None:
        hint = f"complete them; or, if it is charged, --ligand-charge {wish.name}={charge}"
    else:
        hint = f"the hydrogens of the file fit a charge of {charge:+d}"
    limit = f"{missing:,} missing for the charges of the file"
    return Problem(what, wish.where, named_atoms(wanting), limit, hint)


def _charge(
    wish: LigandWish, molecule: Any, of_source: int, notes: list[str], problems: list[Problem]
) -> int | None:
    """Return the net charge; it has to fit the atoms, so that all electrons are in pairs."""
    partial = _sum_of_charges(molecule)
    asked = f"--ligand-charge {wish.name}="
    is_mol2 = Path(wish.source).suffix.lower() == ".mol2" and not wish.smiles
    charge = of_source if wish.charge is None else wish.charge
    if wish.charge is None and partial is not None and partial != of_source:
        what = f"has charges that sum to {partial:+d} e, and bonds that fit {of_source:+d} e"
        hint = f"say which it is: {asked}{partial}"
        problems.append(Problem(what, wish.where, hint=hint))
        return None
    electrons = sum(atom.GetAtomicNum() for atom in molecule.GetAtoms()) - charge
    if charge != of_source and (not is_mol2 or electrons % 2):
        what = "is not the charge of the molecule that is given"
        limit = f"{of_source:+d} e by its atoms, bonds and hydrogens: {formula(molecule)}"
        hint = "give the molecule with the hydrogens and formal charges of the state that you mean"
        problems.append(Problem(what, "--ligand-charge", f"{wish.name}={charge}", limit, hint))
        return None
    if charge != of_source:
        notes.append(
            f"{wish.name} has the charge {charge:+d} e as asked for; its MOL2 reads as "
            f"{of_source:+d} e"
        )
    return charge


def _sum_of_charges(molecule: Any) -> int | None:
    """Return the sum of the partial charges of a MOL2; None if it has none."""
    named = "_TriposPartialCharge"
    given = [
        float(atom.GetProp(named)) if atom.HasProp(named) else 0.0 for atom in molecule.GetAtoms()
    ]
    return round(sum(given)) if any(given) else None


def _in_order(molecule: Any) -> Any:
    """Return the molecule with hydrogens behind all other atoms, by the atoms that bear them."""
    heavy = [atom for atom in molecule.GetAtoms() if atom.GetAtomicNum() != HYDROGEN]
    borne = [
        other.GetIdx()
        for atom in heavy
        for other in sorted(atom.GetNeighbors(), key=lambda one: one.GetIdx())
        if other.GetAtomicNum() == HYDROGEN
    ]
    return rdkit().RenumberAtoms(molecule, [*(atom.GetIdx() for atom in heavy), *borne])


def _open_centres(molecule: Any) -> int:
    """Return the number of stereo centres that the source leaves open."""
    chem = rdkit()
    unknown = chem.StereoSpecified.Unspecified
    return sum(one.specified == unknown for one in chem.FindPotentialStereo(molecule))


def _shaped(molecule: Any, seed: int) -> bool:
    """Give the molecule positions in space: RDKit's ETKDG, then MMFF94 or UFF."""
    chem = rdkit("Chem.AllChem")
    how = chem.ETKDGv3()
    how.randomSeed = seed + 1
    if chem.EmbedMolecule(molecule, how) != 0:
        how.useRandomCoords = True
        how.maxIterations = _tries
        if chem.EmbedMolecule(molecule, how) != 0:
            return False
    if chem.MMFFHasAllMoleculeParams(molecule):
        chem.MMFFOptimizeMolecule(molecule, maxIters=_tries)
    else:
        chem.UFFOptimizeMolecule(molecule, maxIters=_tries)
    return True
