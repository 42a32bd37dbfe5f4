# SPDX-License-Identifier: BSD-3-Clause
"""Small cells of crystals are told from cells of molecules and from large ones."""

from pathlib import Path

import numpy as np
import pytest
from ab_initio_systems import INPUT
from ase import Atoms
from ase.build import bulk, graphene, molecule

import finegrain as fg
from finegrain.ab_initio.ions.built_in import built_in
from finegrain.ab_initio.ions.gamma_point import note_of_gamma_point
from finegrain.ab_initio.ions.structure import Structure
from finegrain.units import bohr_in_angstrom


def note_of(atoms: Atoms) -> str:
    symbols = tuple(atoms.get_chemical_symbols())
    return note_of_gamma_point(
        Structure(
            np.array(atoms.cell) / bohr_in_angstrom,
            atoms.positions / bohr_in_angstrom,
            symbols,
            np.ones(len(symbols)),
            np.zeros(len(symbols)),
        )
    )


def in_box(name: str, edge: float) -> Atoms:
    atoms = molecule(name)
    atoms.set_cell([edge] * 3)
    return atoms


@pytest.mark.parametrize(
    ("atoms", "height"),
    [
        (bulk("Si"), "3.1"),  # 5.43 Å over the root of 3
        (built_in("silicon"), "5.4"),
        (bulk("NaCl", "rocksalt", a=5.64, cubic=True), "5.6"),
        (graphene(vacuum=6.0), "2.1"),  # 2.46 Å times half the root of 3, along the layer
        (bulk("Si", cubic=True).repeat((1, 1, 2)), "5.4"),
    ],
)
def test_a_small_cell_of_a_crystal_is_noted(atoms: Atoms, height: str) -> None:
    note = note_of(atoms)
    assert f"a cell of only {height} Å" in note
    assert "repeat the cell" in note


@pytest.mark.parametrize(
    "atoms",
    [
        bulk("Si", cubic=True).repeat(2),
        built_in("ice"),  # hydrogen bonds lead to images, others do not
        in_box("H2O", 3.0),
        in_box("CH4", 6.0),
        in_box("C6H6", 12.0),
        Atoms("He", [[0, 0, 0]], cell=[4, 4, 4]),
    ],
)
def test_molecules_and_large_cells_are_not_noted(atoms: Atoms) -> None:
    assert note_of(atoms) == ""


# Each element that ASE knows the crystal of; its orthorhombic ones have no atoms there.
METALS = [
    *("Li", "Be", "Na", "Mg", "Al", "K", "Ca", "Sc", "Ti", "V", "Cr", "Fe", "Co", "Ni", "Cu"),
    *("Zn", "Rb", "Sr", "Y", "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn"),
    *("Sb", "Cs", "Ba", "La", "Gd", "Eu", "Yb", "Hf", "Ta", "W", "Re", "Os", "Ir", "Pt", "Au"),
    *("Hg", "Tl", "Pb", "Bi", "Po", "Th"),
]


@pytest.mark.parametrize("symbol", METALS)
def test_metals_are_noted_in_cells_of_any_size(symbol: str) -> None:
    crystal = bulk(symbol)
    for atoms in (crystal, crystal.repeat(2), crystal.repeat(4)):
        stretched = atoms.copy()
        stretched.set_cell(1.03 * atoms.cell, scale_atoms=True)
        for one in (atoms, stretched):
            assert "this is a metal" in note_of(one)
            assert "no converged result" in note_of(one)


@pytest.mark.parametrize("symbol", ["Ne", "Ar", "Kr", "Xe"])
def test_noble_gases_are_no_crystals_with_bonds(symbol: str) -> None:
    assert note_of(bulk(symbol)) == ""


def test_metal_atoms_and_clusters_with_vacuum_are_molecules() -> None:
    for name in ("Na", "Li2", "Na2", "Al"):
        assert note_of(in_box(name, 8.0)) == ""


def test_check_has_the_note(folder: Path) -> None:
    text = INPUT.replace('"water.xyz"', '"built-in:silicon"')
    files = '{ O = "GTH_POTENTIALS", H = "GTH_POTENTIALS" }'
    (folder / "si.toml").write_text(text.replace(files, '{ Si = "GTH_POTENTIALS" }'))
    assert any("Gamma point" in note for note in fg.check(folder / "si.toml").notes)
