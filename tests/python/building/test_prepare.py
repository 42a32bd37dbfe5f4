# SPDX-License-Identifier: BSD-3-Clause
"""From raw structures to systems in water: what is done, what is written, energies by OpenMM."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from openmm import app
from openmm_reference import assert_agreement
from prepared_energies import energies_beside_openmm
from raw_structures import (
    as_cif,
    cysteines,
    dipeptide,
    lines_of_villin,
    raw_villin,
    read_back,
    write,
)

import finegrain as fg
from finegrain.base import cells


def rows(made) -> dict[str, str]:
    """Return what was done; texts with the same heading together."""
    found: dict[str, str] = {}
    for what, text in made.done:
        found[what] = f"{found[what]}\n{text}" if what in found else text
    return found


def names(made) -> list[tuple[str, str]]:
    topology = read_back(made.system).topology
    return [(residue.name, residue.id) for residue in topology.residues()]


def test_a_raw_structure_becomes_a_system_and_says_how(here):
    source = write(here / "raw.pdb", raw_villin())
    made = fg.prepare(source, padding="8 Å")
    assert made.input == Path("raw.toml")
    assert made.system == Path("raw-system.pdb")
    done = rows(made)
    assert "chain A: protein, 9 residues, 1 to 10" in done["raw.pdb"]
    assert "ion CL A 201" in done["raw.pdb"]
    assert done["left out"] == "1 GOL"
    assert done["locations"].endswith("A 7: B (0.6), not A (0.4)")
    assert "1 built before" in done["missing residues"]
    assert "at ends of chains, not built: 2 after" in done["missing residues"]
    # MET and PHE, whatever residue 5 is: all heavy atoms beyond CB.
    assert "5: " in done["missing atoms"]
    assert done["chain ends"].startswith("OXT added to")
    assert "added for pH 7" in done["hydrogens"]
    assert done["far waters"].startswith("1 of the crystal left out")
    assert made.crystal_waters == 1
    assert made.text().startswith("wrote raw.toml and raw-system.pdb\n")
    assert any("held by charge" in note for note in made.notes)

    found = names(made)
    protein = [residue.name for residue in app.PDBFile(str(source)).topology.residues()]
    assert len([one for one in found[:10] if one[0] not in ("HOH", "NA", "CL")]) == 10
    assert found[4][0] == protein[3]  # residue 5 of the file is the fifth again
    assert sum(name == "HOH" for name, _ in found) == made.waters
    counts = {name: sum(one == name for one, _ in found) for name in ("NA", "CL")}
    assert counts == {"NA": made.ions["Na"], "CL": made.ions["Cl"] + 1}
    # Neutral: what the solute has (with its ion) and what was added.
    assert made.charge + made.ions["Na"] - made.ions["Cl"] == 0

    # Locations of an atom that was there stay; of residue 7 those of B.
    before = {
        (line[22:26], line[12:16]): line[30:54]
        for line in source.read_text().splitlines()
        if line.startswith("ATOM") and line[16] in " B"
    }
    after = {
        (line[22:26], line[12:16]): line[30:54]
        for line in made.system.read_text().splitlines()
        if line.startswith("ATOM")
    }
    assert before.items() <= after.items()

    report = fg.check(made.input)
    text = report.text()
    assert "note:" not in text
    assert [stage.split("-")[0] for stage in text.split("\n") if stage[:2].strip("12345") == "-"]

    # The same seed makes the same files; they are not replaced unasked.
    first = made.system.read_bytes(), made.input.read_bytes()
    with pytest.raises(fg.InputError, match="is there already") as caught:
        fg.prepare(source, padding="8 Å")
    assert len(caught.value.problems) == 2
    again = fg.prepare(source, padding="8 Å", overwrite=True)
    assert (again.system.read_bytes(), again.input.read_bytes()) == first


@pytest.mark.parametrize(
    "shape", [pytest.param("cube", marks=pytest.mark.nightly), "dodecahedron", "octahedron"]
)
def test_boxes_of_all_shapes_are_read_back(here, shape):
    source = dipeptide(here / "ala.pdb")
    made = fg.prepare(source, box=shape, padding="10 Å", salt="0 M")
    given = made.input.read_text()
    write(made.input, [given.partition("[dynamics]")[0]])
    job = fg.load(made.input, here / "job.h5")
    box = cells.vectors_of(job.box)
    # OpenMM's volumes of images `w` apart: w^3, w^3 / sqrt(2), 4 w^3 / sqrt(27) = 0.77 w^3.
    share = {"cube": 1, "dodecahedron": 0.5**0.5, "octahedron": 4 / 27**0.5}[shape]
    # The file has 0.001 Å and 0.01 degrees.
    assert np.linalg.det(box) == pytest.approx(share * made.width_nm**3, rel=2e-4)
    assert np.linalg.norm(box, axis=1) == pytest.approx(made.width_nm, abs=1e-4)
    images = np.array(np.meshgrid(*[[-1, 0, 1]] * 3)).reshape(3, -1).T @ box
    apart = np.linalg.norm(images, axis=1)
    assert sorted(apart)[1] == pytest.approx(made.width_nm, rel=1e-4)
    # The images of the solute are twice the padding apart.
    solute = np.array(job.positions)[:22]
    gaps = solute[:, None] - solute[None, :] + images[apart > 0][:, None, None]
    assert np.linalg.norm(gaps, axis=-1).min() >= 2.0 - 1e-3


@pytest.mark.parametrize(
    ("force_field", "water", "box", "padding"),
    [
        ("amber14", None, "octahedron", "8 Å"),
        pytest.param("amber19", None, "dodecahedron", "9 Å", marks=pytest.mark.nightly),
        # OpenMM's Reference platform misses pairs in the octahedron of this size.
        pytest.param("charmm36", None, "cube", "10 Å", marks=pytest.mark.nightly),
        pytest.param("charmm36", "tip5p", "cube", "10 Å", marks=pytest.mark.nightly),
    ],
)
def test_energies_of_what_was_prepared_are_those_of_openmm(here, force_field, water, box, padding):
    source = write(here / "piece.pdb", lines_of_villin(25, 28))
    made = fg.prepare(source, forcefield=force_field, water=water, box=box, padding=padding)
    assert_agreement(*energies_beside_openmm(made.input, charmm=force_field == "charmm36"))


def plain_histidines(lines: list[str], to: str = "HIS") -> list[str]:
    """Return lines in which no name says where the hydrogens of a histidine are."""
    states = ("HID", "HIE", "HIP", "HIS")
    return [f"{line[:17]}{to}{line[20:]}" if line[17:20] in states else line for line in lines]


def test_mmcif_gives_what_pdb_gives(here):
    pdb = write(here / "piece.pdb", plain_histidines(lines_of_villin(25, 29)))
    one = fg.prepare(pdb, padding="9 Å")
    other = fg.prepare(as_cif(pdb, here / "other.cif"), padding="9 Å")
    assert one.atoms == other.atoms
    assert one.system.read_bytes() == other.system.read_bytes()


def test_protonation_follows_the_ph_and_what_is_asked_for(here):
    lines = plain_histidines(lines_of_villin(25, 29))  # with HIS 27 and lysines
    source = write(here / "piece.pdb", lines)
    plain = fg.prepare(source, padding="9 Å")
    assert rows(plain)["protonation"].startswith("HIS A 27: hydrogen at N")
    chosen = fg.prepare(source, "chosen.toml", padding="9 Å", state=["A:27=HIP"])
    assert rows(chosen)["protonation"] == "HIS A 27: charged (HIP)"
    assert chosen.charge == plain.charge + 1
    sour = fg.prepare(source, "sour.toml", padding="9 Å", ph=2)
    assert "HIS A 27: charged (HIP)" in rows(sour)["protonation"]


@pytest.mark.parametrize("chain", ["A", " "])
def test_states_that_the_file_names_are_kept(here, chain):
    """HIP is read by OpenMM as HIS; what the user asks for goes before what the file says."""
    lines = plain_histidines(lines_of_villin(25, 29), to="HIP")
    source = write(here / "named.pdb", [f"{line[:21]}{chain}{line[22:]}" for line in lines])
    assert "27: charged (HIP)" in rows(fg.prepare(source, padding="9 Å"))["protonation"]
    state = f"{chain.strip()}:27=HIE"
    made = fg.prepare(source, "other.toml", padding="9 Å", state=[state])
    assert "27: hydrogen at NE2 (HIE)" in rows(made)["protonation"]


def test_a_chain_is_cut_where_it_is_told(here):
    lines = [line for line in lines_of_villin(1, 8) if int(line[22:26]) not in (4, 5)]
    source = write(here / "gap.pdb", lines)
    with pytest.raises(fg.InputError) as caught:
        fg.prepare(source)
    assert [one.what for one in caught.value.problems] == ["the chain is broken"]
    assert "no SEQRES" in caught.value.problems[0].limit
    assert "--gaps cut" in caught.value.problems[0].hint
    made = fg.prepare(source, gaps="cut", padding="8 Å")
    assert "two charged ends there" in rows(made)["chains cut"]
    chains = [len(list(chain.residues())) for chain in read_back(made.system).topology.chains()]
    assert chains[:2] == [3, 3]


@pytest.mark.nightly
def test_a_nucleic_acid_from_the_protein_data_bank(here):
    found = importlib.util.find_spec("openmmtools")
    data = Path(found.submodule_search_locations[0]) / "data"
    source = data / "dna_dodecamer_explicit/4c64_no_mg.pdb"  # entry 4C64 without its magnesium
    with pytest.raises(fg.InputError) as caught:
        fg.prepare(source, forcefield="charmm36")
    assert caught.value.problems[0].hint == "take --forcefield amber14 for nucleic acids"
    made = fg.prepare(source)
    assert made.charge == -22  # two strands of 12 nucleotides: 11 phosphates each
    assert made.ions["Na"] - made.ions["Cl"] == 22
    assert rows(made)["4c64_no_mg.pdb"].count("DNA, 12 residues") == 2
    assert "note:" not in fg.check(made.input).text()
    assert 'atoms = "name P"' in made.input.read_text()


@pytest.mark.nightly
def test_two_commands_go_from_a_raw_file_to_constant_pressure(here, accepted):
    source = write(here / "raw.pdb", raw_villin())
    accepted("prepare", source, "--padding", "8 Å")
    path = here / "raw.toml"
    text = path.read_text().replace("steps = 50000\n", "steps = 200\n")
    text = text.replace("steps = 25000", "steps = 200").replace("steps = 5000000", "steps = 200")
    path.write_text(text)
    accepted("run", path, "--out", here / "out", "--pes", "2")
    last = fg.Run(here / "out/5-produce")
    assert last.finished
    assert last.energies()["volume (nm3)"].std() > 0


def atoms_of_cysteines(made) -> set[str]:
    topology = read_back(made.system).topology
    return {atom.name for atom in topology.atoms() if atom.residue.name == "CYS"}


def test_near_sulphurs_are_a_disulphide(here):
    source = write(here / "two.pdb", cysteines())
    made = fg.prepare(source, padding="8 Å", salt="0 mol/l")
    assert rows(made)["disulphides"] == "CYS A 2 to CYS B 2"
    topology = read_back(made.system).topology
    bonds = [(a.name, b.name) for a, b in topology.bonds() if a.residue is not b.residue]
    assert ("SG", "SG") in bonds
    assert "HG" not in atoms_of_cysteines(made)


def test_a_cysteine_beside_a_metal_is_noted(here):
    source = write(here / "zinc.pdb", cysteines(metal=True))
    made = fg.prepare(source, padding="8 Å", salt="0 mol/l")
    assert [note for note in made.notes if note.startswith("SG of CYS A 2 is 2.3 Å from ZN A 9")]
    assert any("--state A:2=CYM" in note for note in made.notes)
    assert "HG" in atoms_of_cysteines(made)
    bound = fg.prepare(source, "bound.toml", padding="8 Å", salt="0 mol/l", state=["A:2=CYM"])
    assert "HG" not in atoms_of_cysteines(bound)
    assert not [note for note in bound.notes if "CYM" in note]
