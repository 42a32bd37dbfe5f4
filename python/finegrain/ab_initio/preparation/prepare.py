# SPDX-License-Identifier: BSD-3-Clause
"""From an input to everything that a job contains, with all problems found on the way.

Units: Hartree atomic units.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt, tau
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finegrain.ab_initio.dispersion.of_input import Dispersion, find_dispersion
from finegrain.ab_initio.division.waves import (
    Waves,
    good_size,
    is_good_size,
    usual_size,
    waves_of,
)
from finegrain.ab_initio.input.functional import engine_name
from finegrain.ab_initio.input.ion_method import IonMethod
from finegrain.ab_initio.input.load import AbInitioInput, load_input
from finegrain.ab_initio.input.words import bands_in_words
from finegrain.ab_initio.ions.constraints import Constraints, constrain
from finegrain.ab_initio.ions.gamma_point import note_of_gamma_point
from finegrain.ab_initio.ions.read_structure import read_structure
from finegrain.ab_initio.ions.species import choose_species
from finegrain.ab_initio.ions.spin import Spins, choose_spins
from finegrain.ab_initio.ions.structure import Structure
from finegrain.ab_initio.ions.velocities import initial_velocities
from finegrain.ab_initio.preparation.division import Division, choose_division
from finegrain.ab_initio.preparation.dynamics import check_timestep
from finegrain.ab_initio.preparation.fictitious_energy import check_fictitious_energy
from finegrain.ab_initio.preparation.ion_costs import choose_local, choose_nonlocal
from finegrain.ab_initio.states.orbitals import Orbitals
from finegrain.base.cells import Floats
from finegrain.errors import InputError
from finegrain.pseudopotentials import Pseudopotential
from finegrain.pseudopotentials.free_atom import with_free_atom
from finegrain.toml_input.source import InputFile
from finegrain.units import bohr_in_angstrom

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

_largest_grid = 2048  # points along a vector; also the bound of electrons.grid


@dataclass(frozen=True, eq=False)
class Prepared:
    """A checked run, ready to be written as a job.

    Attributes
    ----------
    species : dict
        The pseudopotential of each element, in the order of the structure's elements.
    functional : str
        The engine's name.
    spins : Spins
        The orbitals of each spin.
    start : str
        "atomic", "random" or "orbitals".
    velocity : float64, shape (atoms, 3)
        The velocities of the ions at the start of a dynamics, bohr per au time.
    constraints : Constraints or None
    dispersion : Dispersion or None
        What is added for dispersion between atoms.
    orbitals : Path or None
        The orbitals of another run, to start from.
    empty : tuple of int
        Empty orbitals of spin up and of spin down that are found after the ground state; without
        spin the second is 0.
    """

    given: AbInitioInput
    structure: Structure
    species: dict[str, Pseudopotential]
    functional: str
    waves: Waves
    electrons: int
    spins: Spins
    start: str
    division: Division
    velocity: Floats
    constraints: Constraints | None
    dispersion: Dispersion | None
    nonlocal_part: IonMethod
    local_part: IonMethod
    orbitals: Path | None = None
    empty: tuple[int, int] = (0, 0)

    @property
    def bands(self) -> int:
        """The number of orbitals of all spins."""
        return self.spins.bands

    @property
    def notes(self) -> list[str]:
        """What a user should know: notes of the readers, then those on pseudopotentials."""
        found = list(self.given.notes)
        model = self.given.model.electrons
        for element, pseudo in self.species.items():
            name = f"{pseudo.path.name} ({element})"
            found += [f"{name}: {note}" for note in pseudo.notes]
            if model.allow_other_functional:
                made = f"{name} was made with {pseudo.functional.name}"
                found.append(f"{made}; the run has {model.functional}")
        return found


def prepare(path: str | InputFile) -> Prepared:
    """Read, check and complete everything that an input asks for.

    Raises
    ------
    InputError
        With all problems that could be found; nothing has been written.
    """
    return prepare_input(load_input(path, strict=False))


def prepare_input(given: AbInitioInput, atoms: Atoms | None = None) -> Prepared:
    """Complete an input that has been parsed; `atoms` of ASE stand for its structure."""
    structure = read_structure(given, atoms)
    if structure is None:
        given.raise_problems()
        raise AssertionError("a structure that cannot be used has a problem")
    constraints, structure = constrain(given, structure)
    found = choose_species(given, structure.elements)
    species = {element: with_free_atom(pseudo) for element, pseudo in found.items()}
    waves = _waves(given, structure)
    if len(species) < len(structure.elements) or waves is None:
        given.raise_problems()
    assert waves is not None
    electrons = _electrons(given, structure, species)
    spins = choose_spins(given, structure, species, electrons)
    bands = max(spins.up, spins.down)
    empty = _empty(given, spins, electrons)
    division = choose_division(given, max(bands, 1), waves)
    all_bands = bands + max(empty)
    if bands <= waves.orbitals.waves < all_bands:
        what = f"asks for {all_bands:,} orbitals"
        limit = f"at most {waves.orbitals.waves:,}, the number of plane waves"
        hint = "take fewer bands, or raise the cutoff"
        given.problems.append(given.source.problem("electrons.bands", what, limit=limit, hint=hint))
    elif 0 < waves.orbitals.waves < bands:
        what = f"gives {waves.orbitals.waves:,} plane waves"
        limit = f"{bands:,}, the number of orbitals"
        given.problems.append(
            given.source.problem("electrons.cutoff", what, limit=limit, hint="raise the cutoff")
        )
    orbitals = _orbitals(given, spins)
    start = "orbitals" if orbitals else _start(given, structure, species, bands)
    velocity = initial_velocities(given, structure, constraints)
    check_timestep(given, spins)
    check_fictitious_energy(given, structure, spins, velocity)
    dispersion = find_dispersion(given, structure)
    given.raise_problems()
    if given.model.system.boundary == "periodic" and (note := note_of_gamma_point(structure)):
        given.notes.append(note)
    sizes = (given, structure, species, waves, bands)
    return Prepared(
        given=given,
        structure=structure,
        species=species,
        functional=engine_name(given.model.electrons.functional),
        waves=waves,
        electrons=electrons,
        spins=spins,
        start=start,
        division=division,
        velocity=velocity,
        constraints=constraints,
        dispersion=dispersion,
        nonlocal_part=choose_nonlocal(*sizes),
        local_part=choose_local(*sizes),
        orbitals=orbitals,
        empty=empty,
    )


def _waves(given: AbInitioInput, structure: Structure) -> Waves | None:
    """Return the basis, or None if the grid would be beyond all bounds."""
    electrons, source = given.model.electrons, given.source
    grid = None if electrons.grid is None else (*electrons.grid,)
    cutoff = electrons.cutoff.value
    # The density sphere reaches at most to |a| |G| / (2 pi) along a vector.
    longest = max(sqrt(vector @ vector) for vector in structure.vectors)
    most = _largest_grid * tau / (4 * sqrt(2 * cutoff))
    if longest > most:
        key = "system.structure" if given.model.system.cell is None else "system.cell"
        what = f"has an edge of {longest * bohr_in_angstrom:,.6g} Å, which is too long"
        limit = f"at most {most * bohr_in_angstrom:,.4g} Å with a cutoff of {electrons.cutoff}"
        limit += f", {_largest_grid:,} points of the grid"
        hint = "use a shorter edge or a lower cutoff; is the unit right?"
        given.problems.append(source.problem(key, what, limit=limit, hint=hint))
        return None
    waves = waves_of(structure.vectors, cutoff)
    if grid is None:
        return waves
    key, least = "electrons.grid", waves.least_grid
    if any(one < few for one, few in zip(grid, least, strict=True)):
        limit = f"at least {list(least)}"
        hint = f"take it out, or grid = {[usual_size(few) for few in least]}"
        what = "is too coarse for the waves of the density"
        given.problems.append(source.problem(key, what, limit=limit, hint=hint))
        return waves
    if not all(is_good_size(one) for one in grid):
        hint = f"such as grid = {[good_size(one) for one in grid]}"
        what = "holds a number with a prime factor above 7"
        given.problems.append(source.problem(key, what, hint=hint))
        return waves
    return waves_of(structure.vectors, cutoff, (grid[0], grid[1], grid[2]))


def _electrons(
    given: AbInitioInput, structure: Structure, species: dict[str, Pseudopotential]
) -> int:
    """Return the number of valence electrons of the neutral cell."""
    charge = sum(species[symbol].charge for symbol in structure.symbols)
    count = round(charge)
    source = given.source
    if abs(charge - count) > 1e-6:
        what = f"has {charge:g} valence electrons, which is not a whole number"
        hint = "take other pseudopotentials"
        given.problems.append(source.problem("system.structure", what, hint=hint))
    return count


def _orbitals(given: AbInitioInput, spins: Spins) -> Path | None:
    """Return the file of another run's orbitals if the input starts from them."""
    asked, key = given.model.ground_state.start, "ground_state.start"
    if asked in (None, "atomic", "random"):
        return None
    assert asked is not None
    path = given.path_of(asked)
    hint = "give the folder of an ab initio run that has kept its orbitals, or atomic, or random"
    if not path.exists():
        what = "is neither atomic nor random, nor the folder of a run"
        given.problems.append(given.source.problem(key, what, hint=hint))
        return None
    try:
        found = Orbitals(path)
    except InputError as error:
        first = error.problems[0]
        given.problems.append(given.source.problem(key, first.what, hint=first.hint or hint))
        return None
    kept, wanted = (found.up, len(found) - found.up), (spins.up, spins.down)
    if found.spin != given.model.electrons.spin or kept != wanted:
        what = f"has {bands_in_words(found.spin, *kept)}"
        limit = f"{bands_in_words(given.model.electrons.spin, *wanted)}, those of this run"
        given.problems.append(given.source.problem(key, what, limit=limit, hint="take another run"))
        return None
    return found.path


def _empty(given: AbInitioInput, spins: Spins, electrons: int) -> tuple[int, int]:
    """Return the numbers of empty orbitals, those of `bands` above the occupied ones."""
    bands, most = given.model.electrons.bands, max(spins.up, spins.down)
    if bands is None or bands == most or (spins.count == 1 and electrons % 2):
        return 0, 0
    source, key = given.source, "electrons.bands"
    if bands < most:
        what = "is below the number of occupied orbitals"
        limit = f"at least {most:,}, half of the {electrons:,} electrons"
        if spins.count == 2:
            limit = f"at least {most:,}, the electrons of spin up"
        given.problems.append(source.problem(key, what, limit=limit, hint="take it out"))
        return 0, 0
    dynamics = given.model.dynamics
    if dynamics.kind == "born-oppenheimer" or dynamics.ions == "rest":
        what = "asks for empty orbitals, which this dynamics has no use for"
        hint = 'take it out, or kind = "ground-state" or "car-parrinello" with ions that move'
        given.problems.append(source.problem(key, what, limit=f"{most:,}", hint=hint))
        return 0, 0
    return bands - spins.up, bands - spins.down if spins.count == 2 else 0


def _start(
    given: AbInitioInput,
    structure: Structure,
    species: dict[str, Pseudopotential],
    bands: int,
) -> str:
    """Return where the orbitals start: from atoms if there are enough atomic orbitals."""
    without = [element for element, pseudo in species.items() if not pseudo.orbitals]
    count = sum(2 * one.l + 1 for symbol in structure.symbols for one in species[symbol].orbitals)
    asked = given.model.ground_state.start
    usable = not without and count >= bands
    if asked == "atomic" and not usable:
        what = f"the files have {count:,} atomic orbitals"
        limit = f"at least {bands:,}, the number of orbitals"
        if without:
            what = f"the file for {without[0]} has no atomic orbitals, and its core is no usual one"
            limit = ""
        hint = 'start = "random", or take a file with orbitals (UPF: PP_CHI)'
        key = "ground_state.start"
        given.problems.append(given.source.problem(key, what, limit=limit, hint=hint))
    return asked or ("atomic" if usable else "random")
