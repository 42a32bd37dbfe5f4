# SPDX-License-Identifier: BSD-3-Clause
"""Fragments, thermal motion under constraints, and list buffers."""

import json
from pathlib import Path

import numpy as np
import pytest
from input_systems import Waters, tip3p_hh, tip3p_oh, write_waters

from finegrain.classical.division.buffer import PairPotential, find_kinds, list_buffer
from finegrain.classical.division.thermal import thermal_motion
from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.classical.system.fragments import find_fragments
from finegrain.units import (
    bohr_in_angstrom,
    bohr_in_nm,
    hartree_in_kelvin,
    hartree_in_kj_per_mol,
    time_in_fs,
    time_in_ps,
)

room = 300 / hartree_in_kelvin


@pytest.fixture
def water(tmp_path: Path, waters: Waters) -> Prepared:
    return prepare(write_waters(tmp_path, waters=waters))


def test_rigid_waters_are_fragments(water: Prepared) -> None:
    fragments = water.fragments
    assert fragments.count == 216
    assert fragments.of_atom.tolist() == [i // 3 for i in range(648)]
    assert fragments.water_atoms.tolist() == [[3 * i, 3 * i + 1, 3 * i + 2] for i in range(216)]
    assert fragments.water_oh * bohr_in_nm == pytest.approx(tip3p_oh)
    assert fragments.water_hh * bohr_in_nm == pytest.approx(tip3p_hh)
    assert fragments.radius * bohr_in_nm == pytest.approx(tip3p_oh, rel=1e-3)  # of the pdb


def test_fragments_broken_by_the_box_are_made_whole(water: Prepared) -> None:
    system = water.system
    whole = system.position.copy()
    system.position[1::3] += system.box
    system.position[2::3] -= 2 * system.box
    find_fragments(system)
    assert system.position == pytest.approx(whole, abs=1e-11)


def test_waters_in_any_order_of_atoms_are_found(water: Prepared) -> None:
    system = water.system
    order = np.arange(648).reshape(-1, 3)[:, [1, 0, 2]].ravel()  # H, O, H
    system.mass, system.position = system.mass[order], system.position[order]
    system.constraint_atoms = np.argsort(order).astype(np.int32)[system.constraint_atoms]
    fragments, problems = find_fragments(system)
    assert not problems
    assert fragments.water_atoms[:2].tolist() == [[1, 0, 2], [4, 3, 5]]


def test_motion_counts_the_degrees_of_freedom(water: Prepared) -> None:
    """The sum of mass times mobility over atoms and directions is the degrees of freedom."""
    motion = thermal_motion(water.system, water.fragments)
    freedom = 3 * np.sum(water.system.mass * (motion.flight + motion.turn))
    assert freedom == pytest.approx(6 * 216, rel=1e-10)


def test_free_atoms_fly_and_bound_ones_turn(water: Prepared) -> None:
    motion = thermal_motion(water.system, water.fragments)
    early, late = motion.variance(room, 1.0), motion.variance(room, 1e6)
    assert early == pytest.approx(room * (motion.flight + motion.turn), rel=1e-6)
    turned = late - room * 1e12 * motion.flight
    assert turned == pytest.approx(0.5 * motion.radius**2, rel=1e-3)


def test_the_buffer_bounds_what_was_measured(water: Prepared) -> None:
    """Energy missed by stale lists in TIP3P water, from `measure_list_buffer.py`.

    For each radius and age of a list, the estimated buffer for the measured loss is at least the
    one of the measurement, or shorter by no more than the noise of rare pairs.
    """
    measured = json.loads((Path(__file__).parents[1] / "list_buffer.json").read_text())
    timestep = measured["timestep_fs"] / time_in_fs
    potential = PairPotential(
        measured["cutoff_angstrom"] / bohr_in_angstrom,
        0.0,
        "potential",
        "pme",
        measured["ewald_per_angstrom"] * bohr_in_angstrom,
        78.3,
    )
    volume = len(water.system.mass) / (measured["atoms_per_nm3"] * bohr_in_nm**3)
    kinds = find_kinds(water.system, thermal_motion(water.system, water.fragments), volume)
    compared = 0
    for row in measured["losses"]:
        if row["pairs"] < 100:
            continue
        loss = row["kj_per_mol_ps_atom"] / hartree_in_kj_per_mol * time_in_ps
        asked = list_buffer(kinds, potential, room, timestep, row["interval"], loss)
        assert asked * bohr_in_angstrom > row["buffer_angstrom"] - 0.03, row
        assert asked * bohr_in_angstrom < row["buffer_angstrom"] + 0.5, row
        compared += 1
    assert compared > 5


def test_the_buffer_grows_with_time_temperature_and_care(water: Prepared) -> None:
    kinds = find_kinds(water.system, thermal_motion(water.system, water.fragments), 6e4)
    potential = PairPotential(17.0, 0.0, "potential", "pme", 0.19, 78.3)

    def buffer(interval: int = 10, warmth: float = 1.0, care: float = 1.0) -> float:
        return list_buffer(kinds, potential, warmth * room, 80.0, interval, 1e-13 / care)

    assert buffer(1) == 0
    assert buffer(5) < buffer(10) < buffer(20)
    assert buffer() < buffer(warmth=2)
    assert buffer() < buffer(care=10)
