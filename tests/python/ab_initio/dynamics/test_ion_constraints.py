# SPDX-License-Identifier: BSD-3-Clause
"""Distances between atoms that a dynamics keeps: from the input to the job, refusals, and runs."""

from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from ab_initio_systems import INPUT, WATER, with_lines
from ase import Atoms
from ase.io import write

import finegrain as fg
from finegrain import units
from finegrain.ab_initio.job import AbInitioJob
from finegrain.ab_initio.preparation.prepare import Prepared
from finegrain.errors import Problem
from finegrain.kinds.new_job import write_job

Problems = Callable[..., list[Problem]]
Preparing = Callable[..., Prepared]

BOHR = units.bohr_in_angstrom
STEPS = ('timestep = "0.1 fs"', "steps = 6")
BO = with_lines(INPUT, "dynamics", 'kind = "born-oppenheimer"', *STEPS)
WARM = with_lines(BO, "dynamics", 'temperature = "300 K"')
OH = "{ atoms = [1, 2] }"


def keeping(*constraints: str, text: str = WARM) -> str:
    """Return an input with these constraints."""
    return with_lines(text, "dynamics", f"constraints = [{', '.join(constraints)}]")


def distance(position: np.ndarray, one: int, two: int) -> float:
    """Return the distance of two atoms, counted from 1, Å."""
    return float(np.linalg.norm(position[two - 1] - position[one - 1])) * BOHR


def test_constraints_reach_the_job_with_the_distances_of_the_structure(folder: Path) -> None:
    (folder / "water.toml").write_text(keeping(OH, "{ atoms = [3, 1] }"))
    write_job(folder / "water.toml", folder / "job.h5")
    job = AbInitioJob(folder / "job.h5")
    assert job.dynamics["kept_distances"] == 2
    with h5py.File(folder / "job.h5") as file:
        assert file["dynamics/distance_ions"][...].tolist() == [[0, 1], [2, 0]]
        # WATER has its hydrogens 0.757 and 0.586 Å from oxygen along two axes.
        length = np.hypot(0.757, 0.586) / BOHR
        assert file["dynamics/distances"][...] == pytest.approx([length] * 2, rel=1e-9)
        assert file["ions/position"][0] * BOHR == pytest.approx([3, 3, 3], rel=1e-12)


def test_atoms_are_moved_to_the_distances_that_are_given(prepared: Preparing) -> None:
    found = prepared(
        keeping('{ atoms = [1, 2], distance = "1.1 Å" }', '{ atoms = [2, 3], distance = "1.6 Å" }')
    )
    place, mass = found.structure.position, found.structure.mass
    assert distance(place, 1, 2) == pytest.approx(1.1, rel=1e-12)
    assert distance(place, 2, 3) == pytest.approx(1.6, rel=1e-12)
    start = prepared(BO.replace("[dynamics]", '[dynamics]\nvelocities = "zero"'))
    # Oxygen is heavy, and the centre of mass stays.
    moved = place - start.structure.position
    assert np.linalg.norm(moved[0]) < 0.2 * np.linalg.norm(moved[1])
    assert mass @ moved == pytest.approx(0, abs=1e-9 * mass.sum())
    assert any("atoms are moved by up to" in note for note in found.given.notes)


def test_velocities_keep_distances_and_have_the_temperature(prepared: Preparing) -> None:
    found = prepared(keeping(OH, "{ atoms = [1, 3] }", "{ atoms = [2, 3] }"))
    place, v, mass = found.structure.position, found.velocity, found.structure.mass
    for one, two in ((0, 1), (0, 2), (1, 2)):
        way, speed = place[two] - place[one], v[two] - v[one]
        assert way @ speed == pytest.approx(0, abs=1e-12 * np.linalg.norm(v))
    assert mass @ v == pytest.approx(0, abs=1e-12)
    kinetic = 0.5 * (mass[:, None] * v**2).sum()
    # Nine directions less three of the centre of mass and three distances.
    assert 2 * kinetic / 3 * units.hartree_in_kelvin == pytest.approx(300, rel=1e-9)


def test_distances_go_through_the_faces_of_the_cell(prepared: Preparing, folder: Path) -> None:
    text = WATER.replace("H 3.757 3.0 3.586", "H 9.757 3.0 3.586")
    (folder / "water.xyz").write_text(text)
    found = prepared(keeping(OH))
    assert found.constraints is not None
    assert found.constraints.length[0] * BOHR == pytest.approx(np.hypot(0.757, 0.586), rel=1e-9)


@pytest.mark.parametrize(
    ("constraint", "words"),
    [
        (("{ atoms = [1, 4] }",), "names atom 4; limit 3 atoms"),
        (("{ atoms = [2, 2] }",), "distance of atom 2 from itself"),
        ((OH, "{ atoms = [2, 1] }"), "has the atoms 1 and 2 twice"),
        (('{ atoms = [1, 2], distance = "3.01 Å" }',), "half of the cell"),
        (('{ atoms = [2, 3], distance = "2.8 Å" }', OH, "{ atoms = [1, 3] }"), "no positions have"),
        (('{ atoms = [2, 3], distance = "0.05 Å" }',), "moves atoms too close"),
        (("{ atoms = [0, 2] }",), "constraint 1 does not name two atoms"),
        (("{ atoms = [1, 2, 3] }",), "does not name two atoms"),
        (('{ atoms = ["O", "H"] }',), "does not name two atoms"),
        ((OH, "{ atom = [1, 3] }"), "constraint 2 has the unknown key atom"),
        (('{ atoms = [1, 2], distance = "0 Å" }',), "constraint 1: the distance must be positive"),
        (("{ atoms = [1, 2], distance = 1.0 }",), "constraint 1: the distance"),
        ((), "is not a list of constraints"),
    ],
)
def test_wrong_constraints_are_refused(
    problems: Problems, constraint: tuple[str, ...], words: str
) -> None:
    (found,) = problems(keeping(*constraint))
    assert "dynamics.constraints" in found.value
    text = f"{found.what}; limit {found.limit}"
    assert words in text, text
    assert found.hint


def test_words_for_bonds_are_refused_with_the_pairs_as_remedy(problems: Problems) -> None:
    (found,) = problems(with_lines(WARM, "dynamics", 'constraints = "h-bonds"'))
    assert "knows no bonds" in found.what
    assert "atoms = [1, 2]" in found.hint


def test_atoms_in_one_line_cannot_have_all_distances(problems: Problems, folder: Path) -> None:
    line = WATER.replace("H 3.757 3.0 3.586", "H 3.96 3.0 3.0")
    (folder / "water.xyz").write_text(line.replace("H 2.243 3.0 3.586", "H 2.04 3.0 3.0"))
    (found,) = problems(keeping(OH, "{ atoms = [1, 3] }", "{ atoms = [2, 3] }"))
    assert "depend on each other" in found.what


def test_ions_that_do_not_move_have_no_constraints(problems: Problems) -> None:
    resting = with_lines(INPUT, "dynamics", 'kind = "car-parrinello"', *STEPS, 'ions = "rest"')
    for text in (keeping(OH, text=resting), keeping(OH, text=INPUT)):
        assert any(
            "dynamics.constraints" in found.value and "no use" in found.what
            for found in problems(text)
        )


def two_hydrogens(folder: Path, *more: str) -> Path:
    """Write an input of a made-up molecule whose length stays."""
    atoms = Atoms("H2", [[0, 0, 0], [0.1, 0.2, 0.8]], cell=[4, 4.1, 4.2], pbc=True)
    write(folder / "h2.xyz", atoms)
    text = with_lines(
        INPUT.replace("water.xyz", "h2.xyz").replace('O = "GTH_POTENTIALS", ', ""),
        "dynamics",
        'kind = "car-parrinello"',
        'timestep = "0.1 fs"',
        "steps = 8",
        'temperature = "300 K"',
        "constraints = [{ atoms = [1, 2] }]",
        *more,
    )
    path = folder / "h2.toml"
    path.write_text(text.replace("20 Ry", "12 Ry") + "[output]\ntrajectory_interval = 1\n")
    return path


FORCE = "constraint force 1-2 (hartree/bohr)"


def test_a_run_writes_the_force_and_keeps_the_distance(folder: Path) -> None:
    run = fg.run(two_hydrogens(folder), folder / "run", pes=1)
    assert isinstance(run, fg.DynamicsRun)
    force = run.energies()[FORCE]
    assert len(force) == 9
    assert np.abs(force).min() > 1e-4
    with run.trajectory() as frames:
        places = np.array([frame.positions for frame in frames])
    cell = np.array([0.4, 0.41, 0.42])  # nm; frames have all atoms in the cell
    ways = places[:, 1] - places[:, 0]
    lengths = np.linalg.norm(ways - cell * np.round(ways / cell), axis=1)
    # Frames are single precision.
    assert lengths == pytest.approx(lengths[0], rel=1e-6)
    assert np.abs(ways[-1] - ways[0]).max() > 1e-4


def test_a_run_that_was_stopped_goes_on_to_the_same_forces(folder: Path) -> None:
    source = two_hydrogens(folder, 'thermostat = "langevin"')
    whole = fg.run(source, folder / "whole", pes=1)
    fg.run(source, folder / "parts", pes=2, stop_after=3)
    parts = fg.resume(folder / "parts", pes=1)
    assert parts.state_digest == whole.state_digest
    assert isinstance(whole, fg.DynamicsRun)
    assert isinstance(parts, fg.DynamicsRun)
    assert parts.energies()[FORCE].tolist() == whole.energies()[FORCE].tolist()
