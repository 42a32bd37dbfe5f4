# SPDX-License-Identifier: BSD-3-Clause
"""Urey-Bradley terms are no chemical bonds: for notes, constraints, viewers and written files.

Methane has such terms between its hydrogens, and cyclopropane a ring of three real bonds.
"""

import itertools
from pathlib import Path

import h5py
import numpy as np
import openmm
import pytest
from input_systems import replace_in, write_input
from openmm import app, unit

import finegrain as fg
from finegrain.classical.preparation.check import check
from finegrain.classical.preparation.prepare import prepare
from finegrain.classical.system.chemical_bonds import chemical_bonds, spans_an_angle

TOP = """\
[ defaults ]
1 2 no 1.0 1.0
[ atomtypes ]
C 12.011 0.0 A 0.3 0.2
H 1.008 0.0 A 0.2 0.1
[ moleculetype ]
MTH 3
[ atoms ]
1 C 1 MTH C  1 0.0 12.011
2 H 1 MTH H1 1 0.0 1.008
3 H 1 MTH H2 1 0.0 1.008
4 H 1 MTH H3 1 0.0 1.008
5 H 1 MTH H4 1 0.0 1.008
[ bonds ]
1 2 1 0.111 270000
1 3 1 0.111 270000
1 4 1 0.111 270000
1 5 1 0.111 270000
[ angles ]
{angles}
[ moleculetype ]
CPR 3
[ atoms ]
1 C 1 CPR C1 1 0.0 12.011
2 C 1 CPR C2 1 0.0 12.011
3 C 1 CPR C3 1 0.0 12.011
[ bonds ]
1 2 1 0.151 190000
2 3 1 0.151 190000
1 3 1 0.151 190000
[ angles ]
1 2 3 1 60 300
2 3 1 1 60 300
3 1 2 1 60 300
[ system ]
methane and cyclopropane
[ molecules ]
MTH 1
CPR 1
"""
# Angle, its constant, distance and constant of the term between the ends.
ANGLES = "\n".join(
    f"{a} 1 {b} 5 108.4 297.1 0.1802 4518.7" for a, b in itertools.combinations(range(2, 6), 2)
)
CORNERS = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) * 0.111 / np.sqrt(3)
RING = np.array([[0, 0, 0], [0.151, 0, 0], [0.0755, 0.151 * np.sqrt(0.75), 0]])
PLACES = np.concatenate([[[0.5, 0.5, 0.5]], CORNERS + 0.5, RING + np.array([1.0, 0.5, 0.5])])
NAMES = [("MTH", "C"), *(("MTH", f"H{i}") for i in (1, 2, 3, 4))]
NAMES += [("CPR", f"C{i}") for i in (1, 2, 3)]
BONDS = [(0, 1), (0, 2), (0, 3), (0, 4), (5, 6), (5, 7), (6, 7)]


def write(folder: Path, extra: str = "", timestep: str = "2 fs") -> Path:
    (folder / "x.top").write_text(TOP.format(angles=ANGLES))
    rows = [
        f"{1:5d}{residue:<5s}{name:>5s}{i + 1:5d}{x:8.3f}{y:8.3f}{z:8.3f}"
        for i, ((residue, name), (x, y, z)) in enumerate(zip(NAMES, PLACES, strict=True))
    ]
    box = "   2.50000   2.50000   2.50000"
    (folder / "x.gro").write_text("\n".join(["two molecules", str(len(rows)), *rows, box, ""]))
    more = (
        f'[forces]\ncutoff = "9 Å"\n{extra}'
        f'[dynamics]\ntimestep = "{timestep}"\nsteps = 20\ntemperature = "100 K"\n'
        "[output]\ntrajectory_interval = 20\n"
    )
    return write_input(folder, "x.top", "x.gro", more)


def test_terms_across_an_angle_are_told_from_rings(tmp_path: Path) -> None:
    system = prepare(write(tmp_path, 'constraints = "h-bonds"\n')).system
    assert len(system.bonds()[0]) == 13 - 4  # four bonds with hydrogen are held
    assert chemical_bonds(system).tolist() == [list(pair) for pair in BONDS]


def test_a_longest_side_is_a_bond_up_to_a_fifth_more() -> None:
    triangle = np.array([[0, 1], [0, 2], [1, 2]])
    # Dithiirane, 1,2-: two C-S of 1.80 Å and an S-S of 2.07 Å; hydrogen, sulphur, carbon at 96°.
    assert not spans_an_angle(3, triangle, np.array([1.80, 1.80, 2.07])).any()
    found = spans_an_angle(3, triangle, np.array([1.34, 1.82, 2.37]))
    assert found.tolist() == [False, False, True]
    assert len(spans_an_angle(3, triangle[:0], np.zeros(0))) == 0


def test_held_hydrogens_are_not_called_free(tmp_path: Path) -> None:
    report = check(write(tmp_path, 'constraints = "h-bonds"\n'))
    assert not [note for note in report.notes if "are free" in note]
    free = check(write(tmp_path, 'constraints = "none"\n'))
    assert [note for note in free.notes if note.startswith("4 bonds to hydrogen are free")]


def test_a_system_with_held_hydrogens_is_accepted(tmp_path: Path) -> None:
    write(tmp_path)
    top = app.GromacsTopFile(str(tmp_path / "x.top"))
    top.topology.setUnitCellDimensions([2.5, 2.5, 2.5] * unit.nanometer)
    system = top.createSystem(
        nonbondedMethod=app.PME, nonbondedCutoff=0.9 * unit.nanometer, constraints=app.HBonds
    )
    (tmp_path / "s.xml").write_text(openmm.XmlSerializer.serialize(system))
    toml = write(tmp_path, 'constraints = "h-bonds"\n')
    replace_in(toml, "x.top", "s.xml")
    assert chemical_bonds(prepare(toml).system).tolist() == [list(pair) for pair in BONDS]


@pytest.mark.parametrize("constraints", ["h-bonds", "none"])
def test_viewers_and_written_files_get_bonds_only(tmp_path: Path, constraints: str) -> None:
    source = write(tmp_path, f'constraints = "{constraints}"\n', "0.5 fs")
    run = fg.run(source, out=tmp_path / "out")
    with h5py.File(run.path / "trajectory.h5") as file:
        assert (file["connectivity/bonds"][...] - 1).tolist() == [list(pair) for pair in BONDS]
    fg.convert(run, "pdb", tmp_path / "x.pdb")
    written = app.PDBFile(str(tmp_path / "x.pdb")).topology
    pairs = sorted(sorted((a.index, b.index)) for a, b in written.bonds())
    assert pairs == [list(pair) for pair in BONDS]
