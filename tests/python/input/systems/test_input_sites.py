# SPDX-License-Identifier: BSD-3-Clause
"""Virtual sites in the input: read as OpenMM has them, checked, placed, and part of fragments."""

import io
from pathlib import Path

import h5py
import numpy as np
import openmm
import pytest
from input_systems import (
    Waters,
    problems_of,
    reference_platform,
    replace_in,
    water_input,
    write_waters,
)
from openmm import unit

from finegrain.classical.division.thermal import thermal_motion
from finegrain.classical.preparation.check import report
from finegrain.classical.preparation.job import checked_image, job_image
from finegrain.classical.preparation.notes import notes_of
from finegrain.classical.preparation.prepare import Prepared, prepare
from finegrain.classical.system.sites import average, local_frame, out_of_plane
from finegrain.errors import Problem
from finegrain.units import bohr_in_nm


def kinds() -> list[openmm.VirtualSite]:
    """Return a site of each kind, of the atoms O, H1, H2 of the first four waters."""
    frame = [1, 0, 0], [-1, 0.5, 0.5], [0, -1, 1]
    return [
        openmm.TwoParticleAverageSite(0, 1, 0.8, 0.2),
        openmm.ThreeParticleAverageSite(3, 4, 5, 0.786646558, 0.106676721, 0.106676721),
        openmm.OutOfPlaneSite(6, 7, 8, -0.344908, -0.344908, 6.4437903),
        openmm.LocalCoordinatesSite([9, 10, 11], *frame, openmm.Vec3(-0.02, 0.03, 0.05)),
    ]


class WatersWithSites(Waters):
    """Waters, and after them some virtual sites."""

    def add(self, site: openmm.VirtualSite, *, charge: float = 0.0) -> int:
        """Add a site with exclusions of its parents' molecule."""
        index = self.system.addParticle(0.0)
        self.system.setVirtualSite(index, site)
        self.nonbonded.addParticle(charge, 0.1, 0.0)
        first = 3 * (site.getParticle(0) // 3)
        for atom in range(first, first + 3):
            self.nonbonded.addException(atom, index, 0.0, 0.1, 0.0)
        residue = self.topology.addResidue("EP", next(self.topology.chains()))
        self.topology.addAtom("M", None, residue)
        self.position = np.vstack([self.position, np.zeros((1, 3))])
        return index

    def placed(self) -> np.ndarray:
        """Return positions with the sites in their places by OpenMM, nm."""
        verlet = openmm.VerletIntegrator(0.001)
        context = openmm.Context(self.system, verlet, reference_platform())
        context.setPositions(self.position)
        context.computeVirtualSites()
        state = context.getState(getPositions=True)
        return np.array(state.getPositions(asNumpy=True).value_in_unit(unit.nanometer))

    def write(self, folder: Path) -> None:
        super().write(folder)
        system, verlet = openmm.XmlSerializer.clone(self.system), openmm.VerletIntegrator(0.001)
        state = openmm.Context(system, verlet, reference_platform())
        state.setPositions(self.position)
        text = openmm.XmlSerializer.serialize(state.getState(getPositions=True))
        (folder / "state.xml").write_text(text)


text = water_input.replace("water.pdb", "state.xml")


@pytest.fixture
def sites() -> WatersWithSites:
    """The waters with one site of each kind, all in their places."""
    made = WatersWithSites()
    for site in kinds():
        made.add(site)
    made.position = made.placed()
    return made


def prepared(folder: Path, waters: WatersWithSites, cutoff: str = "8 Å") -> Prepared:
    return prepare(write_waters(folder, text.replace("8 Å", cutoff), waters))


def test_sites_are_read_and_placed_as_by_openmm(tmp_path: Path, sites: WatersWithSites) -> None:
    expected = sites.position.copy()
    sites.position[-4:] += 0.02  # nm, too little for a note
    found = prepared(tmp_path, sites)
    assert found.system.sites.kind.tolist() == [average, average, out_of_plane, local_frame]
    assert found.system.sites.parents[0].tolist() == [0, 1, -1, -1]
    assert found.system.position * bohr_in_nm == pytest.approx(expected, abs=1e-12)
    assert not notes_of(found)


def test_a_site_is_in_the_fragment_of_its_parents(tmp_path: Path, sites: WatersWithSites) -> None:
    found = prepared(tmp_path, sites)
    assert found.fragments.count == 216
    assert found.fragments.of_atom[-4:].tolist() == [0, 1, 2, 3]
    assert len(found.fragments.water_atoms) == 216
    described = report(found, checked_image(found))
    assert described.degrees_of_freedom == 3 * 648 - 648 - 3
    assert described.virtual_sites == 4
    assert "648 in rigid waters, 4 virtual sites" in described.text()
    assert len(found.far) == 0


def test_parents_of_two_fragments_make_one(tmp_path: Path) -> None:
    waters = WatersWithSites()
    waters.nonbonded.addException(0, 3, 0.0, 0.1, 0.0)
    waters.add(openmm.TwoParticleAverageSite(0, 3, 0.5, 0.5))
    waters.position = waters.placed()
    found = prepared(tmp_path, waters, "6 Å")
    assert found.fragments.count == 215
    assert len(set(found.fragments.of_atom[[0, 1, 2, 3, 4, 5, 648]])) == 1
    assert len(found.fragments.water_atoms) == 214
    apart = np.linalg.norm(waters.position[0] - waters.position[3])
    assert found.fragments.radius * bohr_in_nm > 1.5 * apart


def test_a_molecule_broken_by_the_box_has_its_site(tmp_path: Path, sites: WatersWithSites) -> None:
    whole = sites.position.copy()
    sites.position[1] += [1.864, 0, -1.864]
    sites.position[-4] -= [0, 3.728, 0]
    found = prepared(tmp_path, sites)
    assert found.system.position * bohr_in_nm == pytest.approx(whole, abs=1e-12)
    assert not notes_of(found)


def test_a_site_that_was_elsewhere_is_noted(tmp_path: Path, sites: WatersWithSites) -> None:
    sites.position[-2] = sites.position[0] + 0.1
    (note,) = notes_of(prepared(tmp_path, sites))
    assert note.startswith("1 of 4 virtual sites are not where their parents put them")
    assert "atom 651 (" in note


def test_the_job_has_sites_only_if_there_are_some(tmp_path: Path, sites: WatersWithSites) -> None:
    with h5py.File(io.BytesIO(job_image(prepared(tmp_path, sites)))) as file:
        assert file["virtual_sites/site"][...].tolist() == [648, 649, 650, 651]
        assert not file["atoms/mass"][648:].any()
    with h5py.File(io.BytesIO(job_image(prepared(tmp_path, WatersWithSites())))) as file:
        assert "virtual_sites" not in file


def test_sites_move_as_parts_of_a_rigid_body(tmp_path: Path) -> None:
    """A site on an atom moves like it, and one between two hydrogens as their mean velocity."""
    waters = WatersWithSites()
    on_hydrogen = openmm.LocalCoordinatesSite(
        [0, 1, 2], [0, 1, 0], [-1, 1, 0], [-1, 0, 1], openmm.Vec3(0, 0, 0)
    )
    beyond = openmm.TwoParticleAverageSite(3, 4, 0.0, 1.0)
    between = openmm.TwoParticleAverageSite(7, 8, 0.5, 0.5)
    for site in (on_hydrogen, beyond, between):
        waters.add(site)
    waters.position = waters.placed()
    found = prepared(tmp_path, waters)
    motion = thermal_motion(found.system, found.fragments)
    for field in ("flight", "turn", "radius"):
        values = getattr(motion, field)
        assert values[648:650] == pytest.approx(values[1], rel=1e-6), field
    assert motion.turn[650] < 0.5 * motion.turn[1]
    assert np.isfinite(motion.flight).all()


@pytest.mark.parametrize(
    ("old", "new", "what", "value"),
    [
        ('p1="0" p2="1" w1', 'p1="0" p2="649" w1', "depends on another virtual site", "atom 649"),
        ('p1="0" p2="1" w1', 'p1="0" p2="0" w1', "names an atom twice", "atom 649"),
        ('p1="0" p2="1" w1', 'p1="0" p2="9999" w1', "names an atom that does", "649, 1, 10000"),
        ('p1="0" p2="1" w1', 'p1="0" p2="-1" w1', "names an atom that does", "site atom 649"),
        ('p1="0" p2="1" w1', 'p1="0" w1', "lacks an attribute", "TwoParticleAverageSite p2"),
        ('w2=".2"', 'w2=".3"', "has weights that do not add up", "atom 649"),
        ('w2=".2"', 'w2=".2x"', "is not a plain number", "w2 = .2x"),
        ('w2=".2"', 'w2=".2" w3="0"', "is no attribute of TwoParticleAverageSite", "w3"),
        ('wx1="-1"', 'wx1="-.9"', "is not a whole OpenMM System", "water.xml"),
        ('wx1="-1"', "", "lacks an attribute", "LocalCoordinatesSite wx1"),
        ('pos3=".05"', 'pos3="5e5"', "has a weight or an offset out of range", "atom 652"),
        ('<Particle mass="0">', '<Particle mass="2">', "is a virtual site with a mass", "2 Da"),
        ('d=".09572" p1="0" p2="1"', 'd=".01" p1="0" p2="648"', "a constraint holds", "atom 649"),
        ("<TwoParticle", '<OutOfPlaneSite p1="0"/><TwoParticle', "lacks an attribute", "p2"),
    ],
)
def test_a_site_without_a_place_is_refused(
    tmp_path: Path, sites: WatersWithSites, old: str, new: str, what: str, value: str
) -> None:
    found = damaged(tmp_path, sites, old, new)
    assert any(p.what.startswith(what) and value in p.value for p in found), found
    assert all(problem.hint for problem in found)


def damaged(folder: Path, waters: WatersWithSites, old: str = "", new: str = "") -> list[Problem]:
    """Replace the first `old` in the System; return the problems of reading it."""
    toml = write_waters(folder, text, waters)
    replace_in(folder / "water.xml", old, new, 1)
    return problems_of(toml)


def test_a_second_site_in_a_particle_is_refused(tmp_path: Path, sites: WatersWithSites) -> None:
    site = '<TwoParticleAverageSite p1="0" p2="1" w1="1" w2="0"/>'
    (found,) = damaged(tmp_path, sites, "<TwoParticle", site + "<TwoParticle")
    assert found.what == "is a second virtual site of a particle"


def test_a_massless_atom_that_is_no_site_is_refused(tmp_path: Path, sites: WatersWithSites) -> None:
    found = damaged(tmp_path, sites, '<Particle mass="15.99943"/>', '<Particle mass="0"/>')
    assert found[0].what == "has no mass"
    assert "fixed atoms are not supported" in found[0].hint


def test_a_frame_of_five_parents_is_refused_by_name(tmp_path: Path) -> None:
    waters = WatersWithSites()
    frame = [1, 0, 0, 0, 0], [-1, 1, 0, 0, 0], [-1, 0, 1, 0, 0]
    waters.add(openmm.LocalCoordinatesSite([0, 1, 2, 3, 4], *frame, openmm.Vec3(0, 0, 0.1)))
    (found,) = damaged(tmp_path, waters)
    assert found.what == "is not supported"
    assert found.value.startswith("virtual sites with more than 4 parents (atom 649")


@pytest.mark.parametrize("kind", [2, 3])
def test_parents_in_a_line_define_no_plane(tmp_path: Path, kind: int) -> None:
    waters = WatersWithSites()
    first = 3 * kind
    for _ in range(3):
        waters.system.removeConstraint(first)
    waters.add(kinds()[kind])
    waters.position[first + 2] = 2 * waters.position[first] - waters.position[first + 1]
    (found,) = damaged(tmp_path, waters)
    assert found.what == "has parents in one line, which define no plane"
    assert "atom 649 (" in found.value
    assert found.hint
