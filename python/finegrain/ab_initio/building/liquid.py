# SPDX-License-Identifier: BSD-3-Clause
"""A liquid for ab initio runs: from one molecule to a packed cell and an input."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.ab_initio.building.liquid_choices import (
    GRAMS_PER_ML,
    LiquidChoices,
    LiquidWishes,
    checked_choices,
)
from finegrain.ab_initio.building.liquid_input import liquid_input
from finegrain.ab_initio.building.packing import LEAST_SHARE, Packed, contacts_of, packed_box
from finegrain.ab_initio.input.functional import pseudopotential_name
from finegrain.ab_initio.ions.built_in import PREFIX, built_in
from finegrain.ab_initio.ions.overlaps import overlap_problem
from finegrain.ab_initio.ions.structure import Structure
from finegrain.base.cells import Floats
from finegrain.base.visible import visible
from finegrain.errors import InputError, Problem
from finegrain.pseudopotentials import Pseudopotential, find_pseudopotential
from finegrain.pseudopotentials.atom_in_waves import AtomInWaves, occupied_shells
from finegrain.pseudopotentials.elements import SYMBOLS
from finegrain.units import bohr_in_angstrom, electron_mass_in_dalton
from finegrain.words.library_errors import said
from finegrain.words.report import aligned

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

_usual_cutoff = 90.0  # Ry
_most_lost = 0.02  # hartree, of an atom, as `check` has it
_rydberg = 0.5
_vacuum = 10.0  # Å around a molecule while it is checked
_room = 2.0  # Å between a molecule and its own image


@dataclass(frozen=True)
class PreparedLiquid:
    """A liquid and its input, and what was done for them.

    Attributes
    ----------
    input, system : Path
        The input that was written, and the structure beside it.
    copies, atoms : int
    cell_angstrom : list of float
        The edges of the cell.
    density_g_per_ml : float
    closest_angstrom : float or None
        The shortest distance between atoms of two copies, nearest images; None for one copy.
    done : list of tuple of str
        What was done: a heading and its text.
    """

    source: str
    input: Path
    system: Path
    copies: int
    atoms: int
    cell_angstrom: list[float]
    density_g_per_ml: float
    closest_angstrom: float | None
    cutoff_ry: float
    done: list[tuple[str, str]]
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the report for ``--json``."""
        return {
            **{name: getattr(self, name) for name in ("source", "copies", "atoms")},
            "input": str(self.input),
            "system": str(self.system),
            "cell_angstrom": self.cell_angstrom,
            "density_g_per_ml": self.density_g_per_ml,
            "closest_angstrom": self.closest_angstrom,
            "cutoff_ry": self.cutoff_ry,
            "done": [{"what": what, "text": text} for what, text in self.done],
            "notes": self.notes,
        }

    def text(self) -> str:
        """Return the report as text."""
        lines = [f"wrote {self.input} and {self.system}", "", *aligned(self.done)]
        lines += [f"  note: {note}" for note in self.notes]
        lines += ["", f"look at it, then: finegrain check {self.input}"]
        lines += [f"                  finegrain run {self.input}"]
        return visible("\n".join(lines)) + "\n"


@dataclass(frozen=True)
class LiquidFiles:
    """The two files of a liquid, still in memory."""

    system: str
    input: str
    report: PreparedLiquid


def liquid_files(
    source: Path, target: Path, copies: Any, wishes: LiquidWishes, others: list[Problem]
) -> LiquidFiles:
    """Return the files of a liquid; nothing is written.

    Parameters
    ----------
    source : Path
        A file that ASE reads, with one molecule, or ``built-in:NAME``.
    target : Path
        The input to be written; the structure will be beside it.
    others : list of Problem
        What is wrong with the names of the files.

    Raises
    ------
    InputError
        With all that is wrong with the molecule and the choices.
    """
    problems = list(others)
    notes: list[str] = []
    molecule = _molecule(source, problems, notes)
    choices = checked_choices(copies, wishes, 1 if molecule is None else len(molecule), problems)
    if molecule is None or choices is None or problems:
        raise InputError(problems, source=str(source))
    mass = float(molecule.get_masses().sum())
    edges = choices.edges_for(mass)
    if problem := _too_small(molecule, edges, wishes):
        raise InputError([problem], source=str(source))
    symbols = molecule.get_chemical_symbols()
    packed = packed_box(
        molecule.get_positions(), contacts_of(symbols), choices.copies, edges, choices.seed
    )
    if packed.share < LEAST_SHARE:
        raise InputError([_too_dense(packed, symbols, wishes, mass, edges, choices)])
    cutoff, why = _cutoff(symbols, notes)
    if choices.copies * sum(molecule.numbers) % 2:
        notes.append(
            "the number of electrons is odd: give [electrons] spin and multiplicity, or another "
            "number of copies"
        )
    system = structure_file(target)
    text = liquid_input(
        title=f"{choices.copies} {molecule.get_chemical_formula()}",
        source=source.name,
        name=target.stem,
        structure=system.name,
        molecules=choices.copies,
        cutoff=cutoff,
        why_cutoff=why,
        temperature=choices.temperature,
        has_hydrogen="H" in symbols,
        seed=choices.seed,
    )
    report = _report(source, target, system, molecule, choices, edges, packed, cutoff, why, notes)
    return LiquidFiles(_extended_xyz(molecule, packed, edges), text, report)


def structure_file(target: Path) -> Path:
    """Return the name of the structure beside an input."""
    return target.with_name(f"{target.stem}-system.xyz")


def _molecule(source: Path, problems: list[Problem], notes: list[str]) -> Atoms | None:
    """Return the molecule in a file; None, with a problem, if there is none that can be used."""
    found = _read(source)
    if isinstance(found, Problem):
        problems.append(found)
        return None
    where = str(source)
    strange = np.flatnonzero((found.numbers < 1) | (found.numbers > len(SYMBOLS)))
    positions = found.get_positions()
    if len(found) == 0:
        problems.append(Problem("has no atoms", where))
        return None
    if len(strange):
        problems.append(Problem(f"atom {strange[0] + 1} is of no element", where))
        return None
    if not (np.abs(positions) < 1e4).all():
        problems.append(Problem("has an atom without a position", where, limit="within 1e4 Å"))
        return None
    if found.cell.rank:
        notes.append(f"the cell of {source.name} is not used")
    if overlap := overlap_problem(_alone(found), None):
        what = f"{overlap.value}: {overlap.what}"
        hint = "is the unit of length wrong, or is an atom there twice?"
        problems.append(Problem(what, where, limit=overlap.limit, hint=hint))
        return None
    return found


def _read(source: Path) -> Atoms | Problem:
    from ase.io import read
    from ase.io.formats import UnknownFileTypeError

    name, where = str(source), str(source)
    if name.startswith(PREFIX):
        own = built_in(name.removeprefix(PREFIX))
        return Problem(own.what, where, hint=own.hint) if isinstance(own, Problem) else own
    if not source.is_file():
        what = "is a folder, not a file" if source.is_dir() else "no such file"
        return Problem(what, where, hint="name a file with one molecule")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found: Any = read(source, index=-1, do_not_split_by_at_sign=True)
    except UnknownFileTypeError:
        return Problem("is of no format that ASE knows", where, hint="such as .xyz, .mol or .pdb")
    except Exception as error:  # readers of ASE raise errors of any kind
        hint = "is the file whole, and of the format that its name says?"
        return Problem("cannot be read", where, limit=said(error), hint=hint)
    atoms: Atoms = found[-1] if isinstance(found, list) else found
    return atoms


def _alone(molecule: Atoms) -> Structure:
    """Return the molecule in a cell in which it does not meet its images."""
    position = molecule.get_positions()
    size = float(np.ptp(position, axis=0).max()) + _vacuum
    count = len(molecule)
    return Structure(
        size * np.eye(3) / bohr_in_angstrom,
        position / bohr_in_angstrom,
        tuple(molecule.get_chemical_symbols()),
        molecule.get_masses() / electron_mass_in_dalton,
        np.zeros(count),
    )


def _asked(wishes: LiquidWishes) -> tuple[str, str]:
    """Return the option that decided the cell, and its value."""
    name = "density" if wishes.get("density") is not None else "cell"
    return f"--{name}", str(wishes.get(name))


def _too_small(molecule: Atoms, edges: Floats, wishes: LiquidWishes) -> Problem | None:
    position = molecule.get_positions()
    middle = position.mean(axis=0)
    across = 2 * float(np.linalg.norm(position - middle, axis=1).max())
    if edges.min() >= across + _room:
        return None
    where, value = _asked(wishes)
    what = f"makes a cell of {edges.min():.2f} Å, in which a molecule would touch its own image"
    limit = f"edges of at least {across + _room:.2f} Å, the molecule's {across:.2f} Å and some room"
    return Problem(what, where, value, limit, "take more copies, or a lower density")


def _pair_in_words(packed: Packed, symbols: list[str]) -> str:
    one, two = (symbols[atom % len(symbols)] for atom in packed.pair)
    return f"{packed.closest:.2f} Å, {one} and {two}"


def _too_dense(
    packed: Packed,
    symbols: list[str],
    wishes: LiquidWishes,
    mass: float,
    edges: Floats,
    choices: LiquidChoices,
) -> Problem:
    where, value = _asked(wishes)
    what = f"is too dense to pack: atoms of two copies stay {_pair_in_words(packed, symbols)} apart"
    density = choices.copies * mass * GRAMS_PER_ML / float(edges.prod())
    limit = f"this cell would have {density:.3f} g/ml" if where == "--cell" else ""
    hint = "take a lower density or a larger cell; is the unit right?"
    return Problem(what, where, value, limit, hint)


def _cutoff(symbols: list[str], notes: list[str]) -> tuple[float, str]:
    """Return the cutoff that the pseudopotentials at hand need, Ry, and where it comes from."""
    functional, needed = pseudopotential_name("PBE"), []
    for element in dict.fromkeys(symbols):
        try:
            needed.append((_needs(find_pseudopotential(element, functional)), element))
        except InputError as error:
            notes.append(
                f"no pseudopotential for {element} was found ({error.what}): name one in "
                "[electrons] pseudopotentials, or see `finegrain doctor`"
            )
    least, element = max(needed, default=(0.0, ""))
    if least == 0 or len(needed) < len(set(symbols)):
        return max(_usual_cutoff, least), "a guess; `finegrain check` says what your files need"
    return 5 * float(np.ceil(least / 5)), f"what the pseudopotential of {element} needs"


def _needs(pseudo: Pseudopotential) -> float:
    """Return the cutoff of a pseudopotential, Ry; 0 if nothing is known."""
    if pseudo.recommended_cutoff is not None:
        return pseudo.recommended_cutoff / _rydberg
    if not occupied_shells(pseudo):
        return 0.0
    return AtomInWaves.of(pseudo).cutoff_for(_most_lost) / _rydberg


def _extended_xyz(molecule: Atoms, packed: Packed, edges: Floats) -> str:
    """Return the structure with its cell; masses only if they are not those of the elements."""
    from ase.data import atomic_masses

    symbols = molecule.get_chemical_symbols()
    masses = molecule.get_masses()
    own = not np.allclose(masses, atomic_masses[molecule.numbers], rtol=1e-6)
    rows = packed.position.reshape(-1, 3)
    lattice = " ".join(f"{one:.8f}" for one in np.diag(edges).ravel())
    columns = "species:S:1:pos:R:3" + (":masses:R:1" if own else "")
    lines = [str(len(rows)), f'Lattice="{lattice}" Properties={columns} pbc="T T T"']
    for atom, (x, y, z) in enumerate(rows):
        which = atom % len(symbols)
        mass = f" {masses[which]:.8f}" if own else ""
        lines.append(f"{symbols[which]:<2} {x:14.8f} {y:14.8f} {z:14.8f}{mass}")
    return "\n".join(lines) + "\n"


def _report(
    source: Path,
    target: Path,
    system: Path,
    molecule: Atoms,
    choices: LiquidChoices,
    edges: Floats,
    packed: Packed,
    cutoff: float,
    why: str,
    notes: list[str],
) -> PreparedLiquid:
    symbols = molecule.get_chemical_symbols()
    density = choices.copies * float(molecule.get_masses().sum()) * GRAMS_PER_ML / edges.prod()
    counts = Counter(symbols * choices.copies)
    words = ", ".join(f"{count:,} {element}" for element, count in counts.items())
    shape = " x ".join(f"{one:.4f}" for one in edges) + " Å"
    if len(set(edges)) == 1:
        shape = f"cube of {edges[0]:.4f} Å"
    closest = f"{_pair_in_words(packed, symbols)} of two copies" if choices.copies > 1 else "none"
    done = [
        ("molecule", f"{molecule.get_chemical_formula()}, {len(molecule)} atoms"),
        ("copies", f"{choices.copies:,}; atoms: {words}"),
        ("cell", shape),
        ("density", f"{density:.4f} g/ml"),
        ("closest", closest),
        ("cutoff", f"{cutoff:g} Ry, {why}"),
        ("input", f"Born-Oppenheimer dynamics at {choices.temperature:g} K with a thermostat"),
    ]
    return PreparedLiquid(
        source=str(source),
        input=target,
        system=system,
        copies=choices.copies,
        atoms=len(symbols) * choices.copies,
        cell_angstrom=[float(one) for one in edges],
        density_g_per_ml=float(density),
        closest_angstrom=packed.closest if choices.copies > 1 else None,
        cutoff_ry=cutoff,
        done=done,
        notes=notes,
    )
