# SPDX-License-Identifier: BSD-3-Clause
"""What a file says of its atoms beyond elements, positions and cell: taken, named, or refused.

Readers of ASE keep occupancies, constraints, charges and results beside the atoms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from finegrain.ab_initio.input.unknown_keys import NO_CHARGE
from finegrain.errors import Problem

if TYPE_CHECKING:
    from ase import Atoms
else:
    Atoms = Any

_whole = 0.999  # an occupancy of 1 that has been rounded, such as three times 0.333
_occupancies = ("occupancy", "occupancies")
# Taken elsewhere, or without a meaning beyond the positions themselves.
_used = {
    *("numbers", "positions", "momenta", "mass", "masses", "initial_magmoms", "initial_charges"),
    *("tags", "spacegroup_kinds", *_occupancies),
}
_of_cif = ("spacegroup", "unit_cell", "occupancy")
_charges = ("charge", "total_charge", "tot_charge", "net_charge")
_remedy = (
    "choose one element for each site, or make a larger cell with whole atoms in the same "
    "proportions, and write a file with occupancies of 1"
)


def occupancy_problem(atoms: Atoms) -> Problem | None:
    """Return the sites that are shared by elements, or empty in part of the cells."""
    sites = [*_shared_sites(atoms), *_part_atoms(atoms)]
    if not sites:
        return None
    more = f", and {len(sites) - 1:,} more such sites" if len(sites) > 1 else ""
    what = f"has a site that is occupied in part: {sites[0]}{more}"
    return Problem(what, limit="whole atoms, with an occupancy of 1", hint=_remedy)


def _shared_sites(atoms: Atoms) -> Iterator[str]:
    """Yield sites of a CIF file with more than one element, or with part of one."""
    table = atoms.info.get("occupancy")
    kinds = atoms.arrays.get("spacegroup_kinds")
    if not isinstance(table, Mapping):
        return
    for kind, site in table.items():
        if not isinstance(site, Mapping):
            continue
        shares = {str(symbol): _number(share) for symbol, share in site.items()}
        shares = {symbol: share for symbol, share in shares.items() if share > 0}
        if len(shares) < 2 and min(shares.values(), default=0.0) >= _whole:
            continue
        numbers = [int(kind)] if kinds is None else np.flatnonzero(kinds == int(kind))
        words = ", ".join(f"{symbol} {share:g}" for symbol, share in shares.items()) or "nothing"
        atom = f"atom {numbers[0] + 1}, " if len(numbers) else ""
        yield f"{atom}{words} (site {int(kind) + 1} of the file)"


def _part_atoms(atoms: Atoms) -> Iterator[str]:
    """Yield atoms with a column of occupancies, as in PDB; 0 is written where none is known."""
    for name in _occupancies:
        column = atoms.arrays.get(name)
        if column is None or np.ndim(column) != 1 or column.dtype.kind not in "fiu":
            continue
        for atom in np.flatnonzero((column > 0) & (column < _whole)):
            yield f"atom {atom + 1}, {atoms.symbols[atom]} {column[atom]:g}"


def _number(share: Any) -> float:
    """Return an occupancy; where it is not known ("?" and "." of CIF) it is 1."""
    try:
        return float(share)
    except (TypeError, ValueError):
        return 1.0


def take_masses(atoms: Atoms) -> None:
    """Take masses of a column `mass`, which extended XYZ names so and ASE does not take."""
    column = atoms.arrays.get("mass")
    if column is not None and not atoms.has("masses") and column.shape == (len(atoms),):
        atoms.set_masses(np.asarray(column, np.float64))


def notes_of(atoms: Atoms, *, velocities: bool) -> list[str]:
    """Return notes that name what a file has and a run does not use.

    Parameters
    ----------
    velocities : bool
        Whether those of the file are where a dynamics begins.
    """
    found = []
    charges = {
        name: value
        for name, value in atoms.info.items()
        if str(name).lower() in _charges
        and isinstance(value, int | float | np.number)
        and value is not True
    }
    for name, value in charges.items():
        if value:
            found.append(
                f"{name} = {value:g} of the structure is not used: {NO_CHARGE}, and the cell is "
                "neutral"
            )
    words = [f"constraint {type(one).__name__}" for one in atoms.constraints]
    if atoms.has("momenta") and atoms.get_momenta().any() and not velocities:
        words.append("velocities")
    if atoms.has("tags") and atoms.get_tags().any():
        words.append("tags")
    words += sorted(set(atoms.arrays) - _used)
    taken = {*_of_cif, *charges}  # a charge of 0 is that of the cell
    # Words of a comment in free form are read as switches that are on.
    words += sorted(
        str(name) for name, value in atoms.info.items() if name not in taken and value is not True
    )
    words += sorted(getattr(atoms.calc, "results", {}))
    if words:
        found.append(f"what the structure has too is not used: {', '.join(dict.fromkeys(words))}")
    return found
