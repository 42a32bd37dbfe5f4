# SPDX-License-Identifier: BSD-3-Clause
"""Localised orbitals: Gaussians whose centres and spreads are known, sums on a grid, and water."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ase.io import read
from engine_runs import engine_ground_state
from reference_systems import FOR_PW, SPINS, water_cubic
from typer.testing import Result

import finegrain as fg
from finegrain.ab_initio.ions.molecules import find_molecules
from finegrain.ab_initio.states.ground_state import GroundState, ebohr_in_debye
from finegrain.ab_initio.states.orbitals import Orbitals
from finegrain.ab_initio.wannier.centres import moment_matrices, wannier_centres, weighted_shifts
from finegrain.ab_initio.wannier.joint_diagonal import joint_diagonal
from finegrain.ab_initio.wannier.report import Wannier
from finegrain.units import bohr_in_angstrom

Command = Callable[..., Result]
CELLS = {
    "cubic": 12.0 * np.eye(3),
    "skewed": np.array([[12.0, 0, 0], [3, 11, 0], [-2, 2.5, 13]]),
    "hexagonal, 120 degrees": np.array([[11.0, 0, 0], [-5.5, 5.5 * 3**0.5, 0], [0, 0, 13]]),
    "hexagonal, 60 degrees": np.array([[11.0, 0, 0], [5.5, 5.5 * 3**0.5, 0], [0, 0, 13]]),
    "body-centred": 7.5 * np.array([[-1.0, 1, 1], [1, -1, 1], [1, 1, -1]]),
    "face-centred": 8.5 * np.array([[0.0, 1, 1], [1, 0, 1], [1, 1, 0]]),
    "monoclinic": np.array([[12.0, 0, 0], [0, 11, 0], [-4.5, 0, 12]]),
    "rhombohedral": np.array([[12.0, 1, 1], [1, 12, 1], [1, 1, 12]]),
}
# Other vectors of the same lattice: determinants are 1.
OTHER_VECTORS = {
    "a, a+b, c-b": np.array([[1, 0, 0], [1, 1, 0], [0, -1, 1]]),
    "long ones": np.array([[1, 2, 0], [0, 1, -2], [1, 2, 1]]),
    "another order": np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
}


def half_sphere(cell: np.ndarray, longest: float) -> np.ndarray:
    """Return indices of the waves up to a length (1/bohr), one of G and -G."""
    reciprocal = 2 * np.pi * np.linalg.inv(cell).T
    reach = [int(longest * np.linalg.norm(row) / (2 * np.pi)) + 1 for row in cell]
    every = np.array(list(np.ndindex(*(2 * r + 1 for r in reach)))) - reach
    inside = every[((every @ reciprocal) ** 2).sum(axis=1) <= longest**2]
    first = [tuple(row) >= (0, 0, 0) for row in inside]
    return np.asarray(inside[first], np.int32)


def gaussians(cell: np.ndarray, centres: np.ndarray, widths: np.ndarray) -> tuple[Any, Any]:
    """Return waves and normalised coefficients of functions whose squares have these variances."""
    waves = half_sphere(cell, 7.0)
    g = waves @ (2 * np.pi * np.linalg.inv(cell).T)
    square = (g**2).sum(axis=1)
    # exp(-r^2/4s^2) has the transform exp(-G^2 s^2).
    c = np.exp(-np.outer(widths**2, square)) * np.exp(-1j * centres @ g.T)
    twice = np.where(waves.any(axis=1), 2.0, 1.0)
    return waves, c / np.sqrt(np.abs(c) ** 2 @ twice)[:, None]


class Mixed:
    """Stands for the orbitals of a run: those of each spin turned by an orthogonal matrix."""

    def __init__(self, cell: np.ndarray, waves: Any, *of_spins: np.ndarray) -> None:
        random = np.random.default_rng(5)
        self.cell, self.waves = cell, waves
        self.up = len(of_spins[0])
        self.spin = "none" if len(of_spins) == 1 else "collinear"
        self._coefficients = np.concatenate(
            [np.linalg.qr(random.normal(size=(len(c),) * 2))[0] @ c for c in of_spins]
        )

    def __len__(self) -> int:
        return len(self._coefficients)

    def coefficients(self) -> np.ndarray:
        return self._coefficients


@pytest.mark.parametrize("name", CELLS)
def test_gaussians_are_found_with_centres_and_spreads(name: str) -> None:
    cell = CELLS[name]
    fractions = np.array([[0.1, 0.2, 0.3], [0.6, 0.7, 0.2], [0.3, 0.9, 0.75], [0.95, 0.4, 0.6]])
    widths = np.array([0.5, 0.6, 0.7, 0.55])
    waves, coefficients = gaussians(cell, fractions @ cell, widths)
    found = wannier_centres(Mixed(cell, waves, coefficients))
    # Each one of these is found, but for their overlaps of up to 1e-4.
    away = found.centres[:, None] @ np.linalg.inv(cell) - fractions[None]
    away -= np.round(away)
    nearest = np.linalg.norm(away, axis=2).argmin(axis=1)
    assert sorted(nearest) == [0, 1, 2, 3]
    assert away[np.arange(4), nearest] == pytest.approx(0, abs=2e-5)
    assert found.spreads == pytest.approx(3 * widths[nearest] ** 2, rel=5e-4)
    assert found.turn.T @ found.turn == pytest.approx(np.eye(4), abs=1e-12)
    assert (found.charges == 2).all()


def test_spins_are_localised_apart() -> None:
    cell = CELLS["cubic"]
    places = np.array([[2.0, 3, 3], [7, 7, 6], [2, 3, 3]])
    waves, coefficients = gaussians(cell, places, np.array([0.6, 0.6, 0.6]))
    found = wannier_centres(Mixed(cell, waves, coefficients[:2], coefficients[2:]))
    assert (found.charges == 1).all()
    assert (found.turn[:2, 2] == 0).all()
    assert found.centres[2] == pytest.approx(places[2], abs=1e-6)
    assert sorted(found.centres[:2, 0]) == pytest.approx([2, 7], abs=1e-3)


@pytest.mark.parametrize("name", CELLS)
def test_weights_are_positive_and_add_up_to_the_unit_tensor(name: str) -> None:
    shifts, weights = weighted_shifts(CELLS[name])
    g = shifts @ (2 * np.pi * np.linalg.inv(CELLS[name]).T)
    assert np.einsum("i,ia,ib->ab", weights, g, g) == pytest.approx(np.eye(3), abs=1e-12)
    assert (weights > 0).all()
    assert len(weights) == {"cubic": 3}.get(name, len(weights)) <= 6


@pytest.mark.parametrize("other", OTHER_VECTORS)
@pytest.mark.parametrize("name", CELLS)
def test_vectors_and_weights_belong_to_the_lattice(name: str, other: str) -> None:
    cell = CELLS[name]

    def known(cell: np.ndarray) -> set[tuple[float, ...]]:
        shifts, weights = weighted_shifts(cell)
        g = shifts @ (2 * np.pi * np.linalg.inv(cell).T)
        g *= np.where(g @ [1.0, 0.7, 0.4] < 0, -1, 1)[:, None]  # G and -G are one
        rows = np.round(np.column_stack([weights, g]), 9) + 0.0
        return {tuple(row) for row in rows}

    assert known(OTHER_VECTORS[other] @ cell) == known(cell)


@pytest.mark.parametrize("other", OTHER_VECTORS)
@pytest.mark.parametrize("name", CELLS)
def test_centres_and_spreads_do_not_depend_on_the_choice_of_vectors(name: str, other: str) -> None:
    cell, chosen = CELLS[name], OTHER_VECTORS[other] @ CELLS[name]
    places = np.array([[0.1, 0.2, 0.3], [0.6, 0.7, 0.2], [0.3, 0.9, 0.75]]) @ cell
    widths = np.array([0.8, 0.9, 1.0])  # wide, so that spreads are not exact
    found = [wannier_centres(Mixed(one, *gaussians(one, places, widths))) for one in (cell, chosen)]
    for number, centre in enumerate(found[0].centres):
        away = (found[1].centres - centre) @ np.linalg.inv(cell)
        away -= np.round(away)
        nearest = np.linalg.norm(away, axis=1).argmin()
        assert away[nearest] == pytest.approx(0, abs=1e-8)
        assert found[1].spreads[nearest] == pytest.approx(found[0].spreads[number], rel=1e-8)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 13])
def test_matrices_with_common_eigenvectors_become_diagonal(n: int) -> None:
    random = np.random.default_rng(n)
    common = np.linalg.qr(random.normal(size=(n, n)))[0]
    matrices = np.einsum("ij,kj,lj->kil", common, random.normal(size=(6, n)), common)
    turn = joint_diagonal(matrices, np.ones(6), np.linalg.qr(random.normal(size=(n, n)))[0])
    assert turn.T @ turn == pytest.approx(np.eye(n), abs=1e-13)
    turned = turn.T @ matrices @ turn
    off = turned * (1 - np.eye(n))
    # A rotation that gains less than 1e-15 of the squares is left out: an angle of 1e-7.
    assert np.abs(off).max() < 1e-6


def test_the_sum_of_squares_cannot_be_made_larger_by_small_turns() -> None:
    random = np.random.default_rng(4)
    matrices = random.normal(size=(6, 6, 6))
    matrices += matrices.transpose(0, 2, 1)
    weights = np.array([1.0, 0.5, 2, 1, 0.3, 1])
    turn = joint_diagonal(matrices, weights, np.linalg.qr(random.normal(size=(6, 6)))[0])

    def squares(by: np.ndarray) -> float:
        return float((weights @ np.einsum("kii->ki", by.T @ matrices @ by) ** 2).sum())

    best = squares(turn)
    for _ in range(20):
        noise = 1e-3 * random.normal(size=(6, 6))
        assert squares(turn @ np.linalg.qr(np.eye(6) + noise - noise.T)[0]) <= best * (1 + 1e-9)


@pytest.fixture(scope="module")
def water(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run of a water molecule in a cube of 20 bohr."""
    folder = tmp_path_factory.mktemp("water")
    system = replace(water_cubic(), vectors=20.0 * np.eye(3), cutoff=20.0, grid=(84,) * 3)
    return engine_ground_state(system, folder).path.parent


def test_moments_are_those_of_sums_over_the_grid(water: Path) -> None:
    orbitals = Orbitals(water)
    fields = np.array([orbitals.on_grid(number) for number in range(len(orbitals))])
    coefficients = np.array([orbitals.coefficients_of(n) for n in range(len(orbitals))])
    signs = np.array(  # on_grid makes the largest value positive
        [
            np.sign((field * plain(orbitals, c)).sum())
            for field, c in zip(fields, coefficients, strict=True)
        ]
    )
    shifts = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 1, 1]])
    found = moment_matrices(orbitals.waves, coefficients, shifts)
    x, y, z = np.meshgrid(*(np.arange(n) / n for n in orbitals.grid), indexing="ij")
    point = orbitals.volume / fields[0].size
    for shift, matrix in zip(shifts, found, strict=True):
        phase = np.exp(-2j * np.pi * (shift[0] * x + shift[1] * y + shift[2] * z))
        expected = np.einsum("mxyz,nxyz,xyz->mn", fields, fields, phase, optimize=True) * point
        assert matrix == pytest.approx(expected * np.outer(signs, signs), abs=1e-12)


def plain(orbitals: Orbitals, coefficients: np.ndarray) -> np.ndarray:
    """Return the points of an orbital, with its own sign."""
    whole = np.zeros(orbitals.grid, np.complex128)
    x, y, z = (orbitals.waves[:, axis] % orbitals.grid[axis] for axis in range(3))
    whole[-x, -y, -z] = coefficients.conj()
    whole[x, y, z] = coefficients
    return np.fft.ifftn(whole).real


def pairs_of_water(found: Wannier) -> tuple[np.ndarray, np.ndarray]:
    """Return ways from oxygen to the centres, Å, the nearest first, and their lengths."""
    ways = (found.centres - found.ground_state.positions[0]) * bohr_in_angstrom
    lengths = np.linalg.norm(ways, axis=1)
    return ways[np.argsort(lengths)], np.sort(lengths)


def test_water_has_two_bonds_and_two_lone_pairs(water: Path) -> None:
    found = Wannier(water)
    ways, lengths = pairs_of_water(found)
    # Silvestrelli and Parrinello, J. Chem. Phys. 111, 3572 (1999), with BLYP: lone pairs 0.300 Å
    # from oxygen with an angle of 126 degrees, bond pairs 0.53 Å; here it is LDA.
    assert lengths[:2] == pytest.approx(0.30, abs=0.02)
    assert lengths[2:] == pytest.approx(0.53, abs=0.02)
    directions = ways / lengths[:, None]
    angle = np.degrees(np.arccos(directions[0] @ directions[1]))
    assert angle == pytest.approx(126, abs=8)
    place = found.ground_state.positions
    bonds = (place[1:] - place[0]) / np.linalg.norm(place[1:] - place[0], axis=1)[:, None]
    # Bond pairs are on the lines from oxygen to hydrogen; lone pairs on both sides of the plane.
    assert (directions[2:] @ bonds.T).max(axis=0) == pytest.approx(1, abs=0.01)
    normal = np.cross(*bonds)
    assert directions[0] @ normal == pytest.approx(-directions[1] @ normal, abs=0.05)
    spreads = np.sort(found.spreads)
    assert spreads[0] == pytest.approx(spreads[1], rel=0.05)  # of bonds of 0.98 and 0.95 Å
    assert spreads[2] == pytest.approx(spreads[3], rel=0.01)


def test_centres_have_the_dipole_of_the_density(water: Path, tmp_path: Path) -> None:
    errors = []
    system = replace(water_cubic(), vectors=14.0 * np.eye(3), cutoff=20.0, grid=(60,) * 3)
    for run in (water, engine_ground_state(system, tmp_path).path.parent):
        found, ground = Wannier(run), GroundState(run)
        assert ground.dipole is not None
        assert np.linalg.norm(ground.dipole) > 0.6
        errors.append(np.linalg.norm(found.dipole - ground.dipole))
        (molecule,) = found.molecules
        assert molecule.formula == "O H2"
        assert molecule.charge == pytest.approx(0, abs=1e-12)
        assert molecule.dipole == pytest.approx(found.dipole, abs=1e-9)
    # Phases give centres but for third moments times G^2/6, which fall as the cell grows.
    assert errors[0] < 0.03
    assert errors[1] / errors[0] == pytest.approx((20 / 14) ** 2, rel=0.15)


def test_spreads_are_those_of_the_points_of_the_grid(water: Path) -> None:
    orbitals, found = Orbitals(water), wannier_centres(Orbitals(water))
    fields = np.array([plain(orbitals, orbitals.coefficients_of(n)) for n in range(4)])
    fields = np.einsum("ni,nxyz->ixyz", found.turn, fields)
    axes = [np.arange(n) / n for n in orbitals.grid]
    for centre, spread, field in zip(found.centres, found.spreads, fields, strict=True):
        share = field**2 / (field**2).sum()
        variance = 0.0
        for axis in range(3):
            edge = orbitals.cell[axis, axis]
            along = axes[axis] - centre[axis] / edge
            along = (along - np.round(along)) * edge
            line = share.sum(axis=tuple(other for other in range(3) if other != axis))
            variance += line @ along**2 - (line @ along) ** 2
        # Fourth moments times G^2, as above.
        assert spread == pytest.approx(variance, rel=0.05)


def test_the_command_writes_centres_beside_the_ions(
    water: Path, accepted: Command, refused: Callable[..., str]
) -> None:
    answer = accepted("wannier", water, "--json")
    figures = json.loads(answer.stdout)
    atoms = read(figures["file"])
    assert atoms.get_chemical_symbols() == ["O", "H", "H", *"XXXX"]
    assert atoms.positions[3:] == pytest.approx(np.array(figures["centres_angstrom"]), abs=1e-7)
    spread = atoms.get_array("spread")
    assert spread[:3] == pytest.approx(0)
    assert spread[3:] ** 2 == pytest.approx(figures["spreads_angstrom2"], rel=1e-6)
    (molecule,) = figures["molecules"]
    dipole = np.linalg.norm(molecule["dipole_debye"])
    # Measured in gas: 1.855 debye, at bonds of 0.957 Å and 104.5 degrees.
    assert dipole == pytest.approx(1.86, abs=0.1)
    assert Path(figures["file"]) in fg.open_run(water).directory.converted()
    text = accepted("wannier", water).stdout
    assert "O H2" in text
    assert f"{dipole:.4f}" in text
    mine = water / "mine.xyz"
    accepted("wannier", water, "--out", mine)
    assert "--overwrite" in refused("wannier", water, "--out", mine)
    accepted("wannier", water, "--out", mine, "--overwrite")


def test_runs_need_orbitals(water: Path, tmp_path: Path, refused: Callable[..., str]) -> None:
    (tmp_path / "run").mkdir()
    for name in ("job.h5", "ground_state.h5"):
        (tmp_path / "run" / name).write_bytes((water / name).read_bytes())
    assert "no such file of orbitals" in refused("wannier", tmp_path / "run")
    (tmp_path / "empty").mkdir()
    refused("wannier", tmp_path / "empty")


def test_electrons_of_both_spins_are_localised(tmp_path: Path) -> None:
    found = Wannier(engine_ground_state(SPINS["O2 GTH LDA spin"](), tmp_path).path.parent)
    assert (found.charges == 1).all()
    assert len(found.centres) == 12
    (molecule,) = found.molecules
    assert molecule.charge == pytest.approx(0, abs=1e-12)
    # None by symmetry, which three bent bonds do not have: their third moments are left (above).
    assert np.linalg.norm(molecule.dipole) * ebohr_in_debye < 0.2


def test_a_skewed_cell_has_the_same_molecule(tmp_path: Path) -> None:
    found = Wannier(engine_ground_state(FOR_PW["H2O GTH PBE triclinic"](), tmp_path).path.parent)
    lengths = pairs_of_water(found)[1]
    # The cutoff is low, and images are near.
    assert lengths[:2] == pytest.approx(0.33, abs=0.04)
    assert lengths[2:] == pytest.approx(0.53, abs=0.04)


def test_molecules_are_whole_across_faces() -> None:
    from ase import Atoms

    # Two waters, one across a face, with made-up pairs at oxygen and on the bonds.
    one = np.array([[0.0, 0, 0], [0.96, 0, 0], [-0.24, 0.93, 0]])
    atoms = Atoms("OH2OH2", np.concatenate([one + 3.0, one + np.array([9.5, 5, 5])]), cell=[10] * 3)
    atoms.pbc = True
    atoms.wrap()
    pairs = np.array([[0, 0, 0.3], [0, 0, -0.3], [0.5, 0, 0], [-0.12, 0.48, 0]])
    centres = np.concatenate([pairs + 3.0, pairs + np.array([9.5, 5, 5])]) / bohr_in_angstrom
    ions = np.array([6.0, 1, 1] * 2)
    found = find_molecules(atoms, ions, centres, np.full(8, 2.0))
    assert [one.atoms for one in found] == [(0, 1, 2), (3, 4, 5)]
    expected = (one[1] + one[2] - 2 * pairs.sum(axis=0)) / bohr_in_angstrom
    for molecule in found:
        assert molecule.charge == 0
        assert molecule.dipole is not None
        assert molecule.dipole == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("distance", [0.737, 0.77, 0.9])
def test_a_hydrogen_molecule_is_one_molecule_while_it_vibrates(distance: float) -> None:
    from ase import Atoms

    place = np.array([[0.0, 0, 0], [0, 0, distance]])
    atoms = Atoms("H2", place, cell=[6] * 3, pbc=True)
    middle = place.mean(axis=0, keepdims=True) / bohr_in_angstrom
    (found,) = find_molecules(atoms, np.ones(2), middle, np.array([2.0]))
    assert (found.formula, found.charge) == ("H2", 0)
    assert found.dipole == pytest.approx(np.zeros(3), abs=1e-12)


def test_atoms_bonded_to_their_own_images_have_no_dipole_moment() -> None:
    from ase.build import bulk

    silicon = bulk("Si")
    bonds = silicon.get_positions()[:1] + 0.25 * np.array([[1, 1, 1], [1, -1, -1]])
    (found,) = find_molecules(silicon, np.full(2, 4.0), bonds / bohr_in_angstrom, np.full(2, 2.0))
    assert found.atoms == (0, 1)
    assert found.dipole is None
