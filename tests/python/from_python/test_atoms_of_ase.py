# SPDX-License-Identifier: BSD-3-Clause
"""Atoms of ASE in an input: the bits are those of the same structure in a file."""

from pathlib import Path
from typing import Any

import ase
import numpy as np
import pytest
from ab_initio_systems import write_files
from ase.build import bulk
from ase.constraints import FixAtoms, FixBondLength
from ase.io import read

import finegrain as fg
from finegrain.errors import InputError, Problem
from finegrain.units import electron_mass_in_dalton


@pytest.fixture
def water(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ase.Atoms:
    """A water; water.xyz and pseudopotentials are in the current folder."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    return read("water.xyz")


def given(structure: Any, **dynamics: Any) -> dict[str, Any]:
    return {
        "system": {"kind": "ab-initio", "structure": structure},
        "electrons": {
            "cutoff": "20 Ry",
            "functional": "PBE",
            "pseudopotentials": {"O": "GTH_POTENTIALS", "H": Path("GTH_POTENTIALS")},
        },
        **({"dynamics": dynamics} if dynamics else {}),
    }


def problems_of(structure: Any) -> list[Problem]:
    with pytest.raises(InputError) as caught:
        fg.check(given(structure))
    return caught.value.problems


def test_atoms_have_the_bits_of_their_file(water: ase.Atoms) -> None:
    of_file = fg.run(given("water.xyz"), "runs/file", pes=1)
    live = fg.run(given(water), "runs/live", pes=2)
    assert live.state_digest == of_file.state_digest
    kept = Path("runs/live/input")
    assert sorted(file.name for file in kept.iterdir()) == ["input.toml", "structure.traj"]
    text = (kept / "input.toml").read_text()
    assert 'structure = "structure.traj"  # Atoms of ASE, H2O' in text
    assert f'O = "{Path("GTH_POTENTIALS").absolute()}"' in text
    assert fg.run(kept / "input.toml", "runs/again").state_digest == live.state_digest
    assert fg.energy(given(water)).energies == fg.energy(given("water.xyz")).energies


def test_all_that_is_used_of_atoms_is_kept(water: ase.Atoms) -> None:
    generator = np.random.default_rng(3)
    water.positions += generator.normal(scale=1e-3, size=(3, 3))  # more digits than files have
    water.set_masses([15.0, 2.014, 1.008])
    water.set_velocities(generator.normal(scale=1e-3, size=(3, 3)))
    water.info["charge"] = 1
    water.info["of mine"] = object()
    water.set_array("colour", np.arange(3))
    dynamics = {"kind": "born-oppenheimer", "timestep": "0.5 fs", "steps": 2}
    job = fg.load(given(water, **dynamics), "live.h5")
    masses = water.get_masses() / electron_mass_in_dalton
    assert job.masses == pytest.approx(masses, rel=1e-14)
    water.write("water.traj")
    of_file = fg.load(given("water.traj", **dynamics), "file.h5")
    assert np.array_equal(job.positions, of_file.positions)
    assert np.array_equal(job.velocities, of_file.velocities)
    assert np.abs(job.velocities).max() > 0
    assert any("charge = 1 of the structure is not used" in note for note in job.notes)
    assert any("not used: colour, of mine" in note for note in job.notes)


def test_a_relaxation_holds_what_atoms_hold(water: ase.Atoms) -> None:
    water.set_constraint(FixAtoms([0]))
    relaxed = fg.relax(given(water), "relaxed", force="1 eV/Å")
    assert np.array_equal(relaxed.atoms.constraints[0].index, [0])
    assert relaxed.atoms.positions[0] == pytest.approx(water.positions[0], abs=1e-12)
    with pytest.raises(InputError, match=r'has no name .* give out="runs/NAME-relaxed"'):
        fg.relax(given(water))
    water.set_constraint(FixBondLength(0, 1))
    with pytest.raises(InputError, match="holds atoms in a way that is not kept here"):
        fg.relax(given(water), "again")


def test_constraints_that_no_file_holds_are_refused(water: ase.Atoms) -> None:
    class OfMine:
        """A constraint as ASE wants it, but for todict."""

        def adjust_positions(self, atoms: ase.Atoms, new: Any) -> None: ...

        def adjust_forces(self, atoms: ase.Atoms, forces: Any) -> None: ...

    water.set_constraint([FixAtoms([0]), OfMine()])
    (one,) = problems_of(water)
    assert one.what == "has constraints that cannot be stored"
    assert one.value == "system.structure = OfMine"
    assert "FixAtoms" in one.hint


def test_what_is_no_structure_is_refused(water: ase.Atoms) -> None:
    several = problems_of([water, water])[0]
    assert (several.what, several.hint) == (
        "are several structures",
        "give one of them, such as atoms[-1]",
    )
    assert problems_of(water.positions)[0].what == "is no structure"
    assert problems_of(3)[0].what == "is no structure"
    assert problems_of(ase.Atoms())[0].what == "has no atoms"
    without = ase.Atoms("OH2", water.positions)
    assert problems_of(without)[0].what == "has no cell"
    assert problems_of(without)[0].value == "system.structure = Atoms of ASE, H2O"
    water.positions[1] = water.positions[0]
    assert problems_of(water)[0].value.startswith("atoms 1 and 2") or problems_of(water)
    shared = bulk("Si")
    shared.info["occupancy"] = {"0": {"Si": 0.5, "Ge": 0.5}}
    shared.set_array("spacegroup_kinds", np.zeros(2, int))
    assert "occupied in part" in problems_of(shared)[0].what


def test_atoms_are_no_classical_topology(water: ase.Atoms) -> None:
    with pytest.raises(InputError, match='are the structure of an input of kind "ab-initio"'):
        fg.check({"system": {"kind": "classical", "topology": water}})
